"""The marks in a message: actions, words from outside the story, and what must be kept whole.

`*…*` is an action, `(OOC: …)`, `((…))` and `// …` are the user beside the story. Bold print, sums,
addresses and code look like these and are none of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gieok.language import korean

Kind = Literal["said", "action", "aside"]

LONGEST_WHOLE = 160
"""Characters of a quotation, an address or code that is not cut into sentences, at most."""
LONGEST_ASIDE = 1_000
"""Characters of a labelled aside in brackets, at most, so that open brackets cost no square."""

_BESIDE = r"(?:OOC|O\.O\.C\.?|오오씨|out of character)"
_BESIDE_IN_BRACKETS = rf"(?:{_BESIDE}|사담|오너|오너\s?말|오프|オフ|中の人)"
"""Ordinary words are such a label only inside brackets: "오프: 10시" is a time-table."""

_CODE = r"```.*?(?:```|\Z)|`[^`\n]+`"
_BARE_CODE = r"\([^()\n]*\)|(?<!\S)\S+ \? \S+ : \S+"
_ADDRESS = r"(?:https?://|www\.)[^\s<>\"'“”)\]]+"
_WHOLE = rf"(?P<whole>{_CODE}|{_ADDRESS})"
_BOLD = r"(?P<bold>\*{2,3}(?!\s)[^*\n]+\*{2,3})"
_LABELLED = (
    rf"[(（\[【]\s?(?:{_BESIDE_IN_BRACKETS})\s?[:：\-–]?\s(?P<in_brackets>[^)）\]】]{{1,{LONGEST_ASIDE}}})[)）\]】]"
    rf"|[(（\[【]\s?(?:{_BESIDE_IN_BRACKETS})\s?[:：\-–](?P<close>[^)）\]】]{{1,{LONGEST_ASIDE}}})[)）\]】]"
)
_LINE = (
    rf"[(（\[【]\s?(?:{_BESIDE_IN_BRACKETS})\s?[)）\]】](?P<after_brackets>[^\n]+)"
    rf"|(?:^|(?<=\n))[ \t]*(?:{_BESIDE})\s?[:：)）][ \t]*(?P<after_label>[^\n]+)"
)
_DOUBLE = r"\(\((?P<doubled>(?:[^()]|\([^()]*\))+)\)\)|（（(?P<wide>[^（）]+)）））?"
_SLASHED = r"(?:^|(?<=\s))(?<![/:])//(?!/)[ \t]*(?P<slashed>[^\n/][^\n]*)"
_ACTION = (
    r"(?<![*\w\\)\]])(?P<action_open>\*)|(?<=[가-힣ぁ-ヿ一-鿿])(?P<glued_open>\*)(?=[^*\s]{2})"
)
_DEED = re.compile(r"\*(?![*\s])((?:[^*\n]|\n(?!\s*\n))+?)(?<!\s)\*(?![*0-9A-Za-z])")
_MARKS = re.compile(
    "|".join((_WHOLE, _BOLD, _LABELLED, _LINE, _DOUBLE, _SLASHED, _ACTION)),
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"[가-힣]|[A-Za-z]{2}|[ぁ-ヿ一-鿿]")
_QUOTED = re.compile(
    r"“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|(?<!\w)\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)"
)
_KEPT = re.compile(rf"{_CODE}|{_ADDRESS}|{_BARE_CODE}|{_QUOTED.pattern}", re.DOTALL)
_URL = re.compile(_ADDRESS)
_EMPHASIS = re.compile(r"\*{2,3}(?!\s)([^*\n]+)\*{2,3}|(?<![`\w])`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a message, verbatim, without the marks around it."""

    kind: Kind
    text: str


def parts(text: str) -> list[Part]:
    """The pieces of a message in order; blank ones are left out."""
    return [part for part in _parts(text) if part.text.strip()]


def _parts(text: str) -> Iterator[Part]:
    said_from, at = 0, 0
    while found := _MARKS.search(text, at):
        inner = _inner(text, found)
        if inner is None:
            at = max(found.end(), found.start() + 1)
            continue
        part, end = inner
        yield Part("said", text[said_from : found.start()])
        yield part
        said_from = at = end
    yield Part("said", text[said_from:])


def _inner(text: str, found: re.Match[str]) -> tuple[Part, int] | None:
    """What a mark encloses, and where it ends; None where it only looks like a mark."""
    if found["whole"] or found["bold"]:
        return None
    if found["action_open"] or found["glued_open"]:
        deed = _DEED.match(text, found.start())
        if not deed or not _WORD.search(deed[1]) or _is_emphasis(deed, text):
            return None
        return Part("action", deed[1]), deed.end()
    beside = next(group for group in found.groups() if group).strip()
    beside = beside.removesuffix("//").rstrip()
    return (Part("aside", beside), found.end()) if _WORD.search(beside) else None


def _is_emphasis(deed: re.Match[str], text: str) -> bool:
    """Whether the asterisks stress a word, which a particle then follows: *콩이*야."""
    tail = re.match(r"[가-힣]*", text[deed.end() :])
    words = korean.tokens(deed[1])
    if not tail or not tail[0] or not words:
        return False
    return len(korean.candidates(words[-1] + tail[0])[-1]) <= len(words[-1])


def kept_whole(text: str) -> list[tuple[int, int]]:
    """Where quotations, addresses and code stand, which no end of a sentence cuts."""
    return [f.span() for f in _KEPT.finditer(text) if f.end() - f.start() <= LONGEST_WHOLE]


def without_emphasis(text: str) -> str:
    """The text without the marks of bold print and code, whose words stay."""
    return _EMPHASIS.sub(lambda found: found[1] or found[2], text)


def without_addresses(text: str) -> str:
    """The text without web addresses, whose pieces are no words."""
    return _URL.sub(" ", text)


def own_words(sentence: str) -> str:
    """A sentence without what it quotes of others.

    Of a sentence that is quoted whole nothing is left out, nor a quoted name.
    """
    if _QUOTED.fullmatch(sentence.strip(" .!?…~")):
        return sentence
    return _QUOTED.sub(lambda found: found[0] if len(found[0].split()) == 1 else " ", sentence)


def quotes_speech(sentence: str) -> bool:
    """Whether a sentence tells what somebody said, in quotation marks."""
    return own_words(sentence) != sentence
