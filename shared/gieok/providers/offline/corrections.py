"""What a later sentence takes back of an earlier one: "아니 5년 말고 6년"."""

import re
from collections.abc import Sequence

from gieok.language import korean

_INSTEAD = re.compile(
    r"(?:^|[\s,.!])(?P<ko>[^\s,.!?]+?)(?:[이가은는을를])?\s?(?P<how>말고|아니고"
    r"|아니라)[,\s]+(?P<new>[^\s,.!?]+)"
    r"|\bnot (?P<en>[\w' ]{1,30}?),? but (?P<new_en>\w+)|\b(?P<new_late>\w+),? not (?P<en_late>\w+)"
    r"|(?P<ja>[^\s、。]{1,12}?)(?:じゃなくて|ではなく(?:て)?)[、\s]?(?P<new_ja>[^\s、。]+)"
)
_TAKES_BACK = re.compile(
    r"^\W*(?:아니|아냐|아 맞다|아 참|참|정정|잘못|미안)|잘못 (?:말|썼)|헷갈"
    r"|^\W*(?:no|sorry|wait|actually|i meant|correction)\b|^\W*(?:いや|違う|ごめん|間違え|訂正)",
    re.IGNORECASE,
)
"""How one begins who takes something back. "커피 말고 차" alone is a choice."""
_LOOKS_BACK = 100
"""Sentences before a correction among which the corrected one is looked for: twice a window's."""


def takes_back(sentence: str) -> str:
    """The words that a sentence puts others in place of; "" when it does not correct anything."""
    found = _INSTEAD.search(sentence)
    if not found:
        return ""
    groups = found.groupdict()
    old = next((groups[k] for k in ("ko", "en", "en_late", "ja") if groups[k]), "")
    new = next((groups[k] for k in ("new", "new_en", "new_late", "new_ja") if groups[k]), "")
    alike = any(map(str.isdigit, old)) and any(map(str.isdigit, new))
    return old if alike or groups["how"] == "아니라" or _TAKES_BACK.search(sentence) else ""


def corrected_by(said: Sequence[str]) -> dict[int, int]:
    """Which of these sentences is corrected by which later one, by their places.

    It is the newest one before that says the words which are taken back.
    """
    found = dict[int, int]()
    for later, sentence in enumerate(said):
        if old := takes_back(sentence):
            before = range(later - 1, max(-1, later - 1 - _LOOKS_BACK), -1)
            place = next((i for i in before if _says(said[i], old)), None)
            if place is not None:
                found[place] = later
    return found


def _says(sentence: str, old: str) -> bool:
    words = {w for token in korean.tokens(sentence) for w in korean.candidates(token)}
    wanted = korean.tokens(old)
    return bool(wanted) and all(set(korean.candidates(w)) & words for w in wanted)
