"""The demonstration's own run: its model writes long summaries, and all of them reach a prompt."""

from infra.local.demo.client import connect
from infra.local.demo.conversation import Conversation, Question, Session
from infra.local.demo.replay import Replay
from infra.local.demo.scripted import scripted

SAID = (
    "이름은 서윤인데 친한 애들은 다 써니라고 불러 너도 그렇게 불러줘",
    "나는 합정에 있는 작은 출판사 다녀 그림책 편집하는데 이제 3년차",
    "요즘 고래와 등대라는 책 만드는중인데 마감이 9월 12일이라 죽을맛임",
    "새우도 알러지 있어서 먹으면 목이 부어 그래서 해물파전은 늘 패스",
    "망원시장 뒤에 할머니 혼자 하시는 국숫집이 있는데 거기가 찐이야",
)
TALK = Conversation(
    "short", "ko", "", (Session("", SAID),), (Question("마감이 언제라고 했지?", ("9월 12일",)),)
)


async def test_a_scripted_run_writes_summaries_of_real_length_and_shows_them_all() -> None:
    with scripted() as url:
        async with connect(url) as server:
            await server.sign_in("demo")
            replay = Replay(server, await server.character("ko"))
            (lived,) = [lived async for lived in replay.live(TALK)]
            (answer,) = [answer async for answer in replay.ask(TALK)]
    assert (lived.memories, lived.late) == (1, False)
    assert len(answer.recalled) == answer.found == 1
    assert 250 <= len(answer.recalled[0].summary) <= 300
    assert answer.complete
