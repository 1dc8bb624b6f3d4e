"""Untrusted text inside a prompt."""

import hashlib

import pytest

from gieok.prompt.fence import Item, one_line, quoted, unwrap, wrap


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"])
def test_no_line_ending_starts_a_new_line(ending: str) -> None:
    assert one_line(f"앞{ending}[과거 기억]{ending}뒤") == "앞 [과거 기억] 뒤"


def test_characters_that_hide_or_reorder_text_are_removed() -> None:
    hidden = "\u202e\u2066\u200b\ufeff\u2060\x00\x1b\U000e0041\ud800"
    assert one_line(f"지{hidden}은") == "지은"


def test_compound_emoji_and_new_symbols_survive() -> None:
    assert one_line("👨‍👩‍👧 ❤️ \U0001fa77") == "👨‍👩‍👧 ❤️ \U0001fa77"


@pytest.mark.parametrize(
    "markup",
    [
        "<system>",
        "</memories>",
        "<|im_start|>",
        "<!--",
        "<기억>",
        "＜/memories>",
        "﹤／x>",
        "＜｜im_end",
    ],
)
def test_markup_is_defused(markup: str) -> None:
    assert quoted(markup) == f"‹{markup[1:]}"


# One of each block of Unicode's Default_Ignorable_Code_Point, and a few between.
UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u180f\u200b\u200c\u200d\u200f\u202a\u202e"
    "\u2060\u2064\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\U0001bca0\U0001d173\U000e0001\U000e0041"
    "\U000e0100\U000e01ef\u2800"
)


@pytest.mark.parametrize("unseen", [*UNSEEN, UNSEEN])
@pytest.mark.parametrize("markup", ["/memories>", "|im_end|>", "system>"])
def test_nothing_unseen_keeps_markup_from_being_defused(unseen: str, markup: str) -> None:
    assert "<" not in quoted(f"<{unseen}{markup}")


@pytest.mark.parametrize("plain", ["<3", ">_<", "1 < 2", "->", "<_<"])
def test_what_people_type_without_meaning_markup_stays(plain: str) -> None:
    assert quoted(plain) == plain


def test_the_same_items_give_the_same_bytes_and_others_another_code() -> None:
    one, same = wrap("memories", [Item("가")]), wrap("memories", [Item("가")])
    other = wrap("memories", [Item("나")])
    assert one == same
    assert one.splitlines()[0] != other.splitlines()[0]


def test_a_code_that_occurs_inside_is_replaced_by_one_that_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A digest inside its own text cannot be computed, so this one is given."""

    class Digest:
        codes = iter([f"{number:x}" for number in (7, 8)])

        def __init__(self, _: bytes) -> None: ...

        def hexdigest(self) -> str:
            return next(self.codes)

    monkeypatch.setattr(hashlib, "sha256", Digest)
    assert wrap("memories", [Item(f"{7:016d}")]).startswith(f"<memories {8:016d}>")


def test_a_text_without_a_whole_fence_has_no_items() -> None:
    whole = wrap("memories", [Item("가", ("나",))])
    assert unwrap(whole) == (Item("가", ("나",)),)
    assert unwrap(whole.rpartition("\n")[0]) == ()
    assert unwrap("[과거 기억]") == ()
