"""The demonstration's table lines up, and shows the evidence where there is some."""

from hypothesis import given, settings
from hypothesis import strategies as st

from infra.local.demo.client import Detail, Memory, MemoryCut
from infra.local.demo.conversation import Question, Session
from infra.local.demo.replay import Answer, Lived, answer
from infra.local.demo.report import Report
from infra.local.demo.table import fit, row, width

JEJU = Memory("mem_1", "제주도에 가려고 한다.", (Detail("10월에 제주도 갈까 생각중이야"),))
GANGNEUNG = Memory("mem_2", "강릉에 간다.", (Detail("무섭지"), Detail("아무튼 대신 강릉 가려구")))


def test_hangul_is_two_columns_wide_and_marks_are_none() -> None:
    assert [width(text) for text in ("abc", "강릉", "ㅋ", "e\u0301", "🐋")] == [3, 4, 2, 1, 2]


@given(st.text(max_size=60), st.integers(min_value=1, max_value=40))
@settings(deadline=None)
def test_a_cell_is_one_line_and_exactly_as_wide_as_asked(text: str, columns: int) -> None:
    cell = fit(text, columns)
    assert width(cell) == columns
    assert len(cell.splitlines()) == 1


def test_a_cut_cell_says_so_and_a_short_one_is_padded() -> None:
    assert fit("강릉바다", 5) == "강릉…"
    assert fit("강릉바다", 6) == "강릉… "
    assert fit("강릉", 5) == "강릉 "
    assert row(("강릉", "x"), (5, 3)) == "강릉   x"


def test_evidence_is_looked_for_in_summaries_and_details_of_all_that_was_recalled() -> None:
    found = _answer("10월에 제주도", "강릉에 간다", recalled=(GANGNEUNG, JEJU))
    assert found.ranks == (2, 1)
    assert found.complete
    assert found.best == GANGNEUNG


def test_a_question_is_a_hit_only_with_all_its_evidence() -> None:
    assert not _answer("대신 강릉 가려구", "수영으로", recalled=(JEJU, GANGNEUNG)).complete
    assert not _answer("대신 강릉 가려구", recalled=()).complete


def test_a_row_shows_the_words_that_hold_the_evidence() -> None:
    shown = Report(100).row(7, _answer("대신 강릉 가려구", recalled=(JEJU, GANGNEUNG)))
    assert shown.split() == [
        "7",
        "어디",
        "갔지?",
        "…대신",
        "강릉",
        "가려구",
        "2",
        "of",
        "2",
        "yes,",
        "rank",
        "2",
    ]


def test_a_row_of_a_miss_shows_what_came_first_instead() -> None:
    assert "제주도에 가려고 한다." in Report(100).row(1, _answer("수영", recalled=(JEJU,)))
    assert Report(100).row(1, _answer("수영", recalled=(JEJU,))).endswith("not written")
    unfound = _answer("대신 강릉", recalled=(JEJU,))
    assert Report(100).row(1, unfound).endswith("not recalled")
    assert "(nothing recalled)" in Report(100).row(1, _answer("수영", recalled=()))
    assert Report(100).row(1, _answer(recalled=(JEJU,))).endswith("none exists")


def test_what_was_recalled_and_found_no_room_in_the_prompt_is_counted() -> None:
    asked = Question("어디 갔지?", ("대신 강릉",))
    cuts = (MemoryCut("mem_2", "shortened"), MemoryCut("mem_3", "left_out"))
    found = answer(asked, (JEJU, GANGNEUNG), (), cuts)
    assert (found.found, found.shortened) == (3, 1)
    assert " 2 of 3 " in Report(100).row(1, found)
    (line,) = (f for f in Report(100).figures([found], 17) if "in the prompt" in f)
    assert "2 of 3 (67%) of all recalled, 1 of them shortened" in line
    assert "10 characters" in line


def test_partial_evidence_is_shown_as_such() -> None:
    shown = Report(100).row(1, _answer("대신 강릉 가려구", "수영으로", recalled=(GANGNEUNG,)))
    assert shown.endswith("1 of 2")


def test_the_figures_count_only_questions_that_have_an_answer() -> None:
    answers = [
        _answer("대신 강릉", recalled=(GANGNEUNG,)),
        _answer("대신 강릉", recalled=(JEJU, JEJU, JEJU, GANGNEUNG)),
        _answer("대신 강릉", "수영", recalled=(GANGNEUNG,)),
        _answer("수영", recalled=(JEJU,)),
        _answer("대신 강릉", recalled=(JEJU,)),
        _answer(recalled=(JEJU,)),
    ]
    figures = "\n".join(Report(100).figures(answers, 17))
    assert "2 of 5 (40%)" in figures
    assert "first 3 memories: 1 of 5 (20%)" in figures
    assert "missed: 2 that no memory holds wholly, 1 that are held but" in figures
    assert "1.6 memories recalled for a question, of 17" in figures
    assert "1 questions without an answer" in figures


def test_time_held_up_by_a_rate_limit_is_told_apart() -> None:
    assert Report(100).time(61.25, 40.0).strip().startswith("61.2 s in all, 40 s of it held up")
    assert Report(100).time(61.25, 0.0).strip() == "61.2 s in all"


def test_a_late_worker_is_not_passed_over_in_silence() -> None:
    session = Session("9월", ("안녕", "나 왔어"))
    assert "late" in Report(100).lived(1, 6, Lived(session, 3, True, 20.0))
    assert "late" not in Report(100).lived(1, 6, Lived(session, 3, False, 2.0))


def _answer(*pieces: str, recalled: tuple[Memory, ...]) -> Answer:
    return answer(Question("어디 갔지?", pieces), recalled, (JEJU, GANGNEUNG))
