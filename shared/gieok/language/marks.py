"""How people mark what they write: actions in asterisks, speech in quotation marks, asides."""

import re
from collections.abc import Sequence

from gieok.language.letters import letters

_SPEECH = re.compile(r'["“「『]([^"“”「」『』]+)["”」』]')
_ACTION = re.compile(r"\*[^*]+\*")
_ASIDE = re.compile(r"\([^()]*\)|//.*")


def is_quoted(line: str, start: int, end: int) -> bool:
    """Whether this part of a line stands in quotation marks, of a line that is not all speech."""
    inside = any(m.start(1) <= start and end <= m.end(1) for m in _SPEECH.finditer(line))
    return inside and not _is_speech(line)


def is_aside(line: str, start: int, end: int) -> bool:
    """Whether this part of a line is said aside: out of character, in brackets."""
    return any(m.start() <= start and end <= m.end() for m in _ASIDE.finditer(line))


def is_played(lines: Sequence[str]) -> bool:
    """Whether at least half of what somebody says, but for asides, is action or speech."""
    said = [text for text in (_ASIDE.sub("", line) for line in lines) if letters(text)]
    played = [text for text in said if _ACTION.search(text) or _is_speech(text)]
    return bool(played) and len(played) * 2 >= len(said)


def _is_speech(line: str) -> bool:
    """Whether all of a line but actions stands in quotation marks."""
    rest = _ACTION.sub("", line)
    return bool(letters(rest)) and not letters(_SPEECH.sub("", rest))
