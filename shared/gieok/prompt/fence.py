"""Untrusted text in a prompt: folded into lines it cannot leave, inside a fence it cannot write."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NewType
from unicodedata import category

_INVISIBLE = frozenset({"Cc", "Cf", "Cs"})
_JOINERS = frozenset("\u200c\u200d")  # compound emoji and several scripts need them
# What `one_line` leaves of Unicode's Default_Ignorable_Code_Point: it shows nothing.
_UNSEEN = (
    "\u2800\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
)
# A "<" that could open a tag or a chat template's token; "<3" and ">_<" stay as they are.
_MARKUP = re.compile(rf"[<＜﹤](?=[{_UNSEEN}]*(?:[/／|｜!！?？]|[^\W\d_]))")
_OPENING = re.compile(r"^<(?P<tag>[a-z_]+ [0-9]{16})>\n", re.MULTILINE)
_HEAD, _SUB = "- ", "  · "

Line = NewType("Line", str)
"""A line as it stands inside a fence; made by `head_line` and `sub_line` alone."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing inside a fence: a line, and the lines that belong to it."""

    head: str
    lines: tuple[str, ...] = ()


def one_line(text: str) -> str:
    """The text on one line: runs of white space become one space, control characters go.

    Bidirectional controls, zero-width characters, invisible tags and lone surrogates go with them;
    the joiners inside emoji stay.
    """
    if not text.isprintable():
        text = "".join(c for c in text if _is_text(c))
    return " ".join(text.split())


def _is_text(char: str) -> bool:
    return char.isspace() or char in _JOINERS or category(char) not in _INVISIBLE


def quoted(text: str) -> str:
    """The text as `wrap` shows it: on one line, with no "<" that reads as markup."""
    return _MARKUP.sub("‹", one_line(text))


def head_line(text: str) -> Line:
    """The first line of an item."""
    return Line(_HEAD + quoted(text))


def sub_line(text: str) -> Line:
    """A line that belongs to the item above it."""
    return Line(_SUB + quoted(text))


def wrap(name: str, items: Iterable[Item]) -> str:
    """Items inside a fence, as `enclose` makes it; at least one item."""
    return enclose(name, (line for item in items for line in _lines(item)))


def _lines(item: Item) -> Iterator[Line]:
    yield head_line(item.head)
    yield from map(sub_line, item.lines)


def enclose(name: str, lines: Iterable[Line]) -> str:
    """Lines between `<name code>` and `</name code>`: at least one, the first of them a head line.

    The code is a digest of what is inside and does not occur in it. So no text can carry the code
    of the fence around it, and the same items give the same bytes, which the caches of providers
    need.
    """
    body = "\n".join(lines)
    code = _absent_code(body)
    return f"<{name} {code}>\n{body}\n</{name} {code}>"


def _absent_code(body: str) -> str:
    """A code that the body does not hold, of digits only, so that every code takes as many
    tokens."""
    code = ""
    while not code or code in body:
        digest = hashlib.sha256(f"{code}\n{body}".encode()).hexdigest()
        code = f"{int(digest, 16) % 10**16:016d}"
    return code


def unwrap(text: str) -> tuple[Item, ...]:
    """The items of the first fence in a text, lines as shown; none without a whole fence."""
    opening = _OPENING.search(text)
    if not opening:
        return ()
    body, closing, _ = text[opening.end() :].partition(f"\n</{opening['tag']}>")
    return tuple(_read_items(body.split("\n"))) if closing else ()


def _read_items(lines: Iterable[str]) -> Iterator[Item]:
    head, subs = "", list[str]()
    for line in lines:
        if line.startswith(_SUB):
            subs.append(line.removeprefix(_SUB))
            continue
        if head:
            yield Item(head.removeprefix(_HEAD), tuple(subs))
        head, subs = line, []
    yield Item(head.removeprefix(_HEAD), tuple(subs))
