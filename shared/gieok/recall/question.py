"""What to search memory for: the user's message, with what it points back to when it must."""

import re
from collections.abc import Sequence

from gieok.language import korean
from gieok.language.lexicons import BACK_CHANNELS, THANKING
from gieok.policy import RecallPolicy

SHORT = 20
"""Characters from which a message stands on its own (source design)."""

WIDENED = 120
"""Characters of a widened query, at most (source design)."""

_LOOKED_BACK = 2
"""Earlier messages that a pointing word may mean (source design)."""

_POINTING = (
    r"(?<![가-힣])(?:그[거게건걸것때날곳분애쪽녀들랬]|그런(?!데|가)|그렇게|그(?=\s)|그[가는를의](?![가-힣])"
    r"|[이저][거것](?![이저][거것])|[이저][게건걸](?![가-힣])|[걔쟤]|얘(?!기)|거기|아까(?![우워운웠])|방금"
    r"|저번|지난번|둘\s?다|전자|후자)"
    r"|\b(?:it|that|those|he|him|his|she|her|hers|they|them|their|theirs|earlier)\b"
    r"|(?<!is )(?<!are )\bthere\b(?!'?s\b| is\b| are\b| was\b| were\b)"
)
_ANAPHORA = re.compile(_POINTING)
# "Not that, Busan": the pointing word is turned down, and what it meant with it.
_TURNED_DOWN = re.compile(
    rf"(?:(?:{_POINTING})[가-힣]*\s*)+(?:말고|말구|아니고|아니라|대신|빼고|제외하고)"
    r"|\b(?:not|instead of|other than|rather than|forget)\s+(?:it|that|those|him|her|them)\b"
)
_ASKING = """
    그래서 근데 그런데 그런가 싫어 뭐 뭐야 뭐라고 뭔데 왜 왜요 언제 언제야 어디 어디야 어디서
    누구 누구야 누가 어떻게 얼마나 더 다시 계속 또 또요 기억나 기억해 so and why when where who
    what how more again continue go on please
"""
_SAYS_NOTHING = BACK_CHANNELS | THANKING | frozenset(_ASKING.split())
"""Back-channels and bare questions. A message of nothing else has no topic of its own."""


def retrieval_query(
    message: str, previous_user_messages: Sequence[str], policy: RecallPolicy
) -> str:
    """The text to embed and to look up, at most `policy.query_chars`.

    A message under `SHORT` characters that points back ("그거", "아까", "that") or says nothing by
    itself ("ㅇㅇ", "ok") gets the last two of `previous_user_messages` (oldest first) in front, at
    most `WIDENED` characters in all. Give only the user's words: a model's inventions must not feed
    back. Short alone is no reason, since a short message may name a new topic.
    """
    alone = message.strip()[: policy.query_chars]
    if len(alone) >= SHORT or not _leans_on_what_came_before(alone):
        return alone
    before = " ".join(said.strip() for said in previous_user_messages[-_LOOKED_BACK:])
    room = min(WIDENED, policy.query_chars) - len(alone) - 1
    return f"{_last_words(before, room)} {alone}".strip()


def _leans_on_what_came_before(message: str) -> bool:
    if all(_says_nothing(token) for token in korean.tokens(message)):
        return True
    return bool(_ANAPHORA.search(_TURNED_DOWN.sub(" ", korean.normalise(message))))


def _says_nothing(token: str) -> bool:
    """Also "응응" and "네네네", and jamo by themselves: "ㅇㅇ", "ㅋㅋㅋ", "ㄱㄱ"."""
    once = token[0] if len(set(token)) == 1 else korean.strip_particles(token)
    return not {once, token}.isdisjoint(_SAYS_NOTHING) or "ㄱ" <= token[0] <= "ㅣ"


def _last_words(text: str, room: int) -> str:
    """The end of a text in at most `room` characters, from a whole word on where there is one."""
    if len(text) <= room:
        return text
    end = text[len(text) - room :] if room > 0 else ""
    return end.partition(" ")[2] or end
