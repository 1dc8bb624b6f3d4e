"""What is counted: hits among the first, what of them the prompt holds, what no longer holds."""

from tests.eval.korean_windows import stale_figures
from tests.eval.prompted import Stage, character, prompted
from tests.eval.report import BARS, table
from tests.eval.scores import Answered, prompt_figures
from tests.eval.window_sets import Question, Said, Window, WindowSet
from tests.support.prompt_samples import NOW, memory


def _of_windows(count: int) -> WindowSet:
    said = [Said(f"m{n}", "user", "…", NOW) for n in range(count)]
    windows = tuple(Window(n, (one,)) for n, one in enumerate(said))
    return WindowSet("x", "하늘", windows, {}, {}, (), {})


def _stale(recalled: tuple[str, ...], shown: tuple[str, ...]) -> dict[str, int]:
    asked = Question("뭐라고 불러?", ("m1",), stale=("m0",), kind="changed")
    answer = Answered(("x:1",), recalled, shown=frozenset(shown))
    found = stale_figures([_of_windows(3)], {("x", asked): answer})
    return {key: value for key, value in found.items() if value}


def test_a_memory_counts_as_in_the_prompt_when_its_text_is_there() -> None:
    stage = Stage(character("하늘", "ko"), NOW, {})
    recalled = [memory(f"{n}번째 날 지은은 남산에 올랐다. 비가 왔다.", days=n) for n in range(3)]

    seen = prompted(stage, recalled, "내가 어디 올랐지?")

    assert seen.shown == seen.whole == {r.memory.id for r in recalled}


def test_a_memory_that_found_no_room_is_not_in_the_prompt() -> None:
    stage = Stage(character("하늘", "ko"), NOW, {})
    huge = memory("가" * 20_000)

    seen = prompted(stage, [huge, memory("지은은 남산에 올랐다.")], "내가 어디 올랐지?")

    assert huge.memory.id not in seen.whole


def test_the_prompts_hits_are_counted_beside_those_of_recall() -> None:
    found = prompt_figures(
        [
            Answered(("a",), ("b", "c", "d", "a"), shown=frozenset("bcda"), whole=frozenset("bc")),
            Answered(("a", "b"), ("a",), shown=frozenset("a"), whole=frozenset("a")),
            Answered(("a",), ("b", "a"), shown=frozenset("b"), whole=frozenset("b")),
            Answered(("a",), ("b",), shown=frozenset("b"), whole=frozenset("b")),
        ]
    )

    assert found == {
        "recall_at_12": 0.625,
        "hit_at_12": 0.75,
        "n": 4,
        "hit_at_3": 0.5,
        "in_prompt_hit": 0.5,
        "whole_in_prompt_hit": 0.25,
        "memories_in_prompt": 1.75,
    }


def test_a_stale_value_counts_where_the_prompt_holds_it() -> None:
    assert _stale(("x:1", "x:0"), ("x:1", "x:0")) == {"n": 1, "in_prompt": 1}
    assert _stale(("x:0", "x:1"), ("x:0", "x:1")) == {"n": 1, "in_prompt": 1, "ahead_of_newest": 1}
    assert _stale(("x:0", "x:1"), ("x:0",)) == {"n": 1, "in_prompt": 1, "without_newest": 1}
    assert _stale(("x:0", "x:1"), ("x:1",)) == {"n": 1}


def test_a_bar_may_count_from_another_figure() -> None:
    windows = {"in_prompt_hit": 0.96, "hit_at_12": 0.97, "hit_at_3": 0.9}

    lines = table({"windows": windows}).splitlines()

    assert [line.endswith("below") for line in lines if line.startswith("windows.")] == [
        False,
        True,
        False,
    ]
    assert len(BARS) > len(lines), "a bar of a set that was not measured is left out"
