"""What of a model's text is said to the user, while it streams.

Served models leak what is not speech: thoughts, tokens of their chat template, an echo of the
prompt's fences, halves of a character. All of it would be shown, stored, and read in the next
prompt.
"""

import re

from gieok.language.text import is_blank

_THOUGHT = "think|thinking|thoughts?|reasoning|reflection|analysis"
_MARK = re.compile(
    rf"<(?P<thought>{_THOUGHT})>|</(?:{_THOUGHT})>"
    r"|<(?P<fence>[a-z_]+ [0-9]{16})>|</[a-z_]+ [0-9]{16}>"
    r"|<\|(?P<token>[^|<>\s]{1,40})\|>|(?P<end></s>|<eos>)",
    re.IGNORECASE,
)
# What may still become one of these.
_BEGUN = re.compile(
    r"</?(?:[a-z_]{0,24}(?: [0-9]{0,16})?)?\Z|<\|[^|<>\s]{0,40}\|?\Z", re.IGNORECASE
)
_HEADS = frozenset(("im_start", "start_header_id", "start_of_turn", "turn"))
"""Tokens behind which a template names who speaks."""
_HEAD = re.compile(r"\s*(?:assistant|model)?\s*(?:<\|end_header_id\|>)?\s*", re.IGNORECASE)
_LONGEST_HEAD = 32
"""Characters of what stands behind such a token, at most."""
_LONGEST_MARK = 64
"""Characters of any of the marks, at most."""


class Spoken:
    """One answer, fed piece by piece.

    Thoughts and echoed fences are left out with what they enclose, other marks alone. A token that
    ends a message, or begins another one, ends the answer. Blank text at the beginning is not said.
    """

    def __init__(self) -> None:
        self._half = ""
        self._held = ""
        self._closing: re.Pattern[str] | None = None
        self._in_head = self._begun = self._ended = False

    def feed(self, piece: str) -> str:
        """What can be said by now."""
        self._held += self._whole(piece)
        return self._audible(self._read())

    def rest(self) -> str:
        """What was held back, when no more comes. An open thought is a thought to its end."""
        self._held += "\ufffd" if self._half else ""
        said = self._read(last=True)
        if self._closing is None and not self._ended:
            said += self._held
        self._half = self._held = ""
        return self._audible(said)

    def _whole(self, piece: str) -> str:
        """The piece with the half of a character that came before; a lone half is replaced."""
        text = self._half + piece
        self._half = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        text = text.removesuffix(self._half) if self._half else text
        if text.isascii():
            return text
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _read(self, *, last: bool = False) -> str:
        """Take from what is held all that is known to be speech, or to be none."""
        said: list[str] = []
        while self._held and not self._ended:
            if self._closing is not None:
                if not self._leave_block(self._closing):
                    break
                continue
            if self._in_head and not self._leave_head(last=last):
                break
            before, opened, behind = self._held.partition("<")
            said.append(before)
            self._held = opened + behind
            if not opened or not self._pass_mark(said):
                break
        return "".join(said)

    def _leave_block(self, closing: re.Pattern[str]) -> bool:
        """Drop what is enclosed; whether the block ended."""
        end = closing.search(self._held)
        if end is None:
            self._held = self._held[-_LONGEST_MARK:]
            return False
        self._held, self._closing = self._held[end.end() :], None
        return True

    def _leave_head(self, *, last: bool) -> bool:
        """Drop the name of who speaks; False while more of it may come."""
        if not last and "\n" not in self._held and len(self._held) < _LONGEST_HEAD:
            return False
        head = _HEAD.match(self._held)
        self._held = self._held[head.end() :] if head else self._held
        self._in_head = False
        return True

    def _pass_mark(self, said: list[str]) -> bool:
        """Pass what stands at "<"; False when that is not known yet."""
        mark = _MARK.match(self._held)
        if mark is None:
            if _BEGUN.match(self._held):
                return False
            said.append("<")
            self._held = self._held[1:]
            return True
        self._held = self._held[mark.end() :]
        if enclosing := mark["thought"] or mark["fence"]:
            self._closing = re.compile(re.escape(f"</{enclosing}>"), re.IGNORECASE)
        elif mark["end"] or mark["token"]:
            spoke = self._begun or not is_blank("".join(said))
            self._in_head = not spoke and (mark["token"] or "").lower() in _HEADS
            self._ended = not self._in_head
        return True

    def _audible(self, said: str) -> str:
        if self._begun:
            return said
        if is_blank(said):
            return ""
        self._begun = True
        return said.lstrip()
