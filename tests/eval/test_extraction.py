"""Our windows are what they say they are, and grounding keeps what it reached on them."""

from gieok.extraction.rules import RULES
from tests.eval.extraction import OURS, count, ours


def test_each_half_has_enough_to_tell() -> None:
    recorded = list(ours())
    assert {one.group for one in recorded} == {"ours, tuned", "ours, held_out"}
    assert sum(len(one.answers["strong"]["facts"]) for one in recorded) >= 60
    assert sum(len(one.wrong) for one in recorded) >= 60
    assert {one.window().locale for one in recorded} == {"ko", "en", "ja"}
    assert OURS.is_file()


def test_what_was_held_out_is_kept_and_caught_as_well_as_what_was_not() -> None:
    for half in ("ours, tuned", "ours, held_out"):
        found = count([one for one in ours() if one.group == half], tuple(RULES.values()))
        assert found.lost <= found.facts * 0.02
        assert found.misfiled == 0
        assert sum(found.caught.values()) >= sum(found.wrong.values()) * 0.7
