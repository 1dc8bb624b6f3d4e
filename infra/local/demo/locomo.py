"""One half of a LoCoMo conversation, read in place from the public evaluation data.

Only what the first speaker says can be replayed, since nobody can put words into a character's
mouth. So only those questions are asked whose evidence lies wholly in that speaker's turns.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from infra.local.demo.conversation import Conversation, Question, Session

SESSIONS = 5
"""Sessions that are replayed."""
_ANSWERABLE = {1, 2, 3, 4}
"""Categories of questions that are asked: multi-hop, temporal, open-domain and single-hop. Category
5 asks for what was never said."""

_WORDS = 5
"""Words of a sentence that counts, at least: a shorter one ("Thanks, Mel!") is found anywhere."""

_NOTE = """LoCoMo, the first {sessions} sessions of its first conversation.
Only {speaker}'s turns are said: nobody can put words into a character's mouth. So the questions
are those of categories 1-4 whose evidence lies wholly in these turns, and a turn counts as recalled
when a memory holds a sentence of it ({words} words or more)."""


class Turn(msgspec.Struct, frozen=True):
    """One turn of a speaker; `dia_id` ("D1:3") is how evidence refers to it."""

    speaker: str
    dia_id: str
    text: str
    blip_caption: str = ""

    @property
    def said(self) -> str:
        """What was said, with what a shared photo shows."""
        return f"{self.text} (photo: {self.blip_caption})" if self.blip_caption else self.text


class Asked(msgspec.Struct, frozen=True):
    """A question with its category and its evidence, as the data set spells them."""

    question: str
    category: int
    evidence: tuple[str, ...] = ()


class Sample(msgspec.Struct, frozen=True):
    """One long conversation in numbered sessions, with its questions."""

    conversation: dict[str, msgspec.Raw]
    qa: tuple[Asked, ...]
    sample_id: str = ""

    def text(self, key: str) -> str:
        """A field of the conversation that is text, such as a speaker's name."""
        return msgspec.json.decode(self.conversation[key], type=str)

    @property
    def sessions(self) -> list[int]:
        """The numbers of the sessions, oldest first."""
        names = [re.fullmatch(r"session_(\d+)", key) for key in self.conversation]
        return sorted(int(name[1]) for name in names if name)

    def turns(self, number: int) -> tuple[Turn, ...]:
        """The turns of a session."""
        raw = self.conversation[f"session_{number}"]
        return msgspec.json.decode(raw, type=tuple[Turn, ...])


def samples(path: Path) -> tuple[Sample, ...]:
    """Read all conversations of the data set."""
    return msgspec.json.decode(path.read_bytes(), type=tuple[Sample, ...])


def evidence(asked: Asked, turns: Mapping[str, Turn]) -> tuple[str, ...]:
    """The ids of the turns that answer a question; none when it has no answer, or when it names a
    turn that is not among `turns`."""
    ids = [f"D{s}:{t}" for e in asked.evidence for s, t in re.findall(r"D:?(\d+):(\d+)", e)]
    answerable = asked.category in _ANSWERABLE and all(i in turns for i in ids)
    return tuple(dict.fromkeys(ids)) if answerable else ()


def first_conversation(path: Path) -> Conversation:
    """The first five sessions of the first conversation, as its first speaker lived them."""
    sample = samples(path)[0]
    speaker, numbers = sample.text("speaker_a"), range(1, SESSIONS + 1)
    sessions = {n: [t for t in sample.turns(n) if t.speaker == speaker] for n in numbers}
    turns = {t.dia_id: t for session in sessions.values() for t in session}
    return Conversation(
        name="locomo",
        locale="en",
        note=_NOTE.format(sessions=SESSIONS, speaker=speaker, words=_WORDS),
        sessions=tuple(
            Session(sample.text(f"session_{n}_date_time"), tuple(t.said for t in sessions[n]))
            for n in numbers
        ),
        questions=tuple(_questions(sample.qa, turns)),
    )


def _questions(asked: tuple[Asked, ...], turns: Mapping[str, Turn]) -> Iterator[Question]:
    for one in asked:
        if ids := evidence(one, turns):
            yield Question(one.question, tuple(_sentences(turns[i].text) for i in ids))


def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text that are long enough to count; the whole text when none is."""
    sentences = re.split(r"(?<=[.!?])\s+", text)
    return tuple(s for s in sentences if len(s.split()) >= _WORDS) or (text,)
