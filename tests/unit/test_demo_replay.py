"""The demonstration lives sessions one by one, waits for their memories, asks in a new session."""

import json
from dataclasses import dataclass, field

import httpx
import msgspec

from infra.local.demo.client import Character, Gieok
from infra.local.demo.conversation import Conversation, Question, Session, Unanswerable
from infra.local.demo.replay import Answer, Lived, Patience, Replay

HASTY = Patience(longest=0.05, quiet=0.01, poll=0.001)
SIX = Session("월요일", tuple(f"{n}번째 말" for n in range(1, 7)))
TWO = Session("화요일", ("부산 갈래", "광안리로"))
TALK = Conversation(
    "test",
    "ko",
    "",
    (SIX, TWO),
    (Question("어디 가지?", ("부산 갈래",)), Question("무슨 해변?", ("해운대",))),
    (Unanswerable("내 차는?", ("차",)),),
)


@dataclass
class _Server:
    """As the API behaves: a window of five is due, and is written once a sixth turn settles it.

    What is due is written at once, but for the first `slow` looks at the list; never if that is
    negative. `rushed` tells that something else was asked before it was written.
    """

    slow: int = 0
    sessions: list[list[str]] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    memories: list[str] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    due: list[list[str]] = field(default_factory=list)
    rushed: bool = False

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.rushed |= bool(self.due) and request.url.path != "/v1/memories"
        match request.method, request.url.path.split("/")[2:]:
            case "POST", ["chat"]:
                return self._turn(json.loads(request.content))
            case "POST", ["sessions", session, "end"]:
                self.ended.append(int(session))
                self._write(len(self.pending))
                return httpx.Response(200, json={})
            case "GET", ["memories"]:
                found = [self._memory(n) for n in range(len(self._look()))]
                return httpx.Response(200, json={"memories": found})
            case _, [_, memory]:
                self.reads.append(memory)
                return httpx.Response(200, json=self._memory(int(memory)))
        raise AssertionError(request.url.path)

    def _turn(self, body: dict[str, str]) -> httpx.Response:
        if "sessionId" not in body:
            self.sessions.append([])
        assert int(body.get("sessionId", len(self.sessions) - 1)) == len(self.sessions) - 1
        self.sessions[-1].append(body["message"])
        self.pending.append(body["message"])
        queued = len(self.pending) >= 5
        if len(self.pending) > 5:
            self._write(5)
        meta = {"sessionId": str(len(self.sessions) - 1)}
        ids = [str(n) for n in range(len(self.memories))]
        events = {"meta": meta | {"memories": ids}, "done": {"generationQueued": queued}}
        lines = (f"event: {e}\ndata: {json.dumps(data)}\n\n" for e, data in events.items())
        return httpx.Response(200, text="".join(lines))

    def _memory(self, number: int) -> dict[str, str]:
        return {"id": str(number), "summary": self.memories[number]}

    def _write(self, count: int) -> None:
        self.due.append(self.pending[:count])
        self.pending = self.pending[count:]
        if self.slow == 0:
            self._look()

    def _look(self) -> list[str]:
        if self.due and self.slow == 0:
            self.memories += [" ".join(window) for window in self.due]
            self.due = []
        self.slow -= self.slow > 0
        return self.memories


async def _live(server: _Server, talk: Conversation = TALK) -> tuple[list[Lived], list[Answer]]:
    transport = httpx.MockTransport(server)
    async with httpx.AsyncClient(base_url="http://test", transport=transport) as http:
        replay = Replay(Gieok(http), Character("char_1", "모찌"), HASTY)
        lived = [session async for session in replay.live(talk)]
        return lived, [answer async for answer in replay.ask(talk)]


async def test_sessions_are_said_in_order_and_ended_and_questions_share_a_new_one() -> None:
    server = _Server()
    await _live(server)
    asked = ["어디 가지?", "무슨 해변?", "내 차는?"]
    assert server.sessions == [list(SIX.messages), list(TWO.messages), asked]
    assert server.ended == [0, 1]


async def test_each_window_is_remembered_before_more_is_said() -> None:
    server = _Server(slow=3)
    lived, _ = await _live(server)
    assert not server.rushed
    assert [(one.memories, one.late) for one in lived] == [(2, False), (3, False)]


async def test_answers_say_where_the_evidence_was_recalled() -> None:
    _, answers = await _live(_Server())
    assert [answer.ranks for answer in answers] == [(3,), (None,), ()]
    assert [answer.written for answer in answers] == [True, False, True]


async def test_a_memory_of_the_questions_themselves_is_read_once() -> None:
    server = _Server()
    many = tuple(Question(f"{n}번째 질문", ("부산 갈래",)) for n in range(8))
    _, answers = await _live(server, msgspec.structs.replace(TALK, questions=many))
    assert server.reads == ["3"]
    assert [len(answer.recalled) for answer in answers[-3:]] == [4, 4, 4]


async def test_a_worker_that_never_writes_ends_the_wait_and_is_reported() -> None:
    lived, answers = await _live(_Server(slow=-1))
    assert [(one.memories, one.late) for one in lived] == [(0, True), (0, True)]
    assert answers[0].recalled == ()
