"""The demonstration's results as lines of text: a row for each question, then the figures."""

from collections.abc import Iterator, Sequence

from infra.local.demo.conversation import Piece, holds
from infra.local.demo.replay import Answer, Lived
from infra.local.demo.table import row

FIRST = 3
"""Ranks that count as found at once. They are few, since twelve of a short life's memories hold
much of the evidence in whatever order they come."""


class Report:
    """Lays out one conversation's results in a terminal of so many columns, at least 80."""

    def __init__(self, columns: int) -> None:
        number, prompt, evidence, gaps = 3, 9, 12, 8
        rest = max(columns, 80) - number - prompt - evidence - gaps
        self._columns = (number, rest * 2 // 5, rest - rest * 2 // 5, prompt, evidence)

    def lived(self, number: int, of: int, lived: Lived) -> str:
        """A line on one replayed session."""
        said, session = f"{len(lived.session.messages)} messages", lived.session
        late = "  (the memory worker was late; went on without)" if lived.late else ""
        return (
            f"session {number}/{of}  {said}, {lived.memories} memories so far, "
            f"{lived.seconds:.1f} s  {session.when}{late}"
        )

    def head(self) -> str:
        """The table's first two lines."""
        names = ("#", "question", "best recalled memory", "in prompt", "evidence")
        return f"{row(names, self._columns)}\n{'-' * (sum(self._columns) + 8)}"

    def row(self, number: int, answer: Answer) -> str:
        """The line of one question."""
        in_prompt = f"{len(answer.recalled)} of {answer.found}"
        cells = (str(number), answer.text, _shown(answer), in_prompt, _verdict(answer))
        return row(cells, self._columns)

    def figures(self, answers: Sequence[Answer], memories: int) -> Iterator[str]:
        """The hit rate with its counts, and the figures to measure it against."""
        asked = [a for a in answers if a.evidence]
        hits = [a for a in asked if a.complete]
        first = [a for a in hits if all(rank and rank <= FIRST for rank in a.ranks)]
        misses = [a for a in asked if not a.complete]
        unwritten = sum(not a.written for a in misses)
        recalled = sum(a.found for a in asked) / max(len(asked), 1)
        yield f"evidence recalled: {_share(len(hits), len(asked))} of the questions"
        yield f"  of these within the first {FIRST} memories: {_share(len(first), len(asked))}"
        if misses:
            yield (
                f"  missed: {unwritten} that no memory holds wholly, "
                f"{len(misses) - unwritten} that are held but were not recalled"
            )
        yield f"  {recalled:.1f} memories recalled for a question, of {memories} before the first"
        yield _in_prompt(answers)
        if empty := len(answers) - len(asked):
            yield f"  {empty} questions without an answer are shown, not counted"

    def time(self, seconds: float, held: float) -> str:
        """A line on how long it all took, and what of it a rate limit took."""
        limited = f", {held:.0f} s of it held up by the server's rate limit" if held else ""
        return f"  {seconds:.1f} s in all{limited}"


def _in_prompt(answers: Sequence[Answer]) -> str:
    shown = [memory for a in answers for memory in a.recalled]
    length = sum(len(memory.summary) for memory in shown) / max(len(shown), 1)
    found, shortened = sum(a.found for a in answers), sum(a.shortened for a in answers)
    return (
        f"  in the prompt: {_share(len(shown), found)} of all recalled, {shortened} of them"
        f" shortened; summaries have {length:.0f} characters on average"
    )


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(whole, 1):.0%})"


def _verdict(answer: Answer) -> str:
    if not answer.evidence:
        return "none exists"
    found = [rank for rank in answer.ranks if rank]
    if answer.complete:
        return f"yes, rank {max(found)}"
    if found:
        return f"{len(found)} of {len(answer.ranks)}"
    return "not recalled" if answer.written else "not written"


def _shown(answer: Answer) -> str:
    """The text of the best memory from where it holds evidence, else its summary."""
    if answer.best is None:
        return "(nothing recalled)"
    for text in sorted(answer.best.texts, key=len):
        for piece in answer.evidence:
            if holds(text, piece):
                return _from_evidence(text, piece)
    return answer.best.summary


def _from_evidence(text: str, piece: Piece) -> str:
    """The text from where the evidence starts in it, so that a cut does not hide it."""
    start = max(i for i in range(len(text)) if holds(text[i:], piece))
    return f"…{text[start:]}" if start else text
