"""The section of an earlier talk: what was said in other conversations and is no memory yet."""

from collections.abc import Iterator, Sequence

from gieok.prompt import fence, tokens
from gieok.prompt.memory_block import Frame
from gieok.prompt.relative_time import ago
from gieok.prompt.speaker_lines import spoken_messages
from gieok.types import EarlierTurn


def write(
    talk: Sequence[EarlierTurn], cast: Sequence[str], frame: Frame, room: int, least: int
) -> tuple[str, int]:
    """The section for turns given oldest first, and how many of them are in it: the newest.

    They fit in about `room` tokens, but `least` are in it in any case. Without turns it is empty.
    """
    items = [_item(turn, cast, frame) for turn in talk]
    opening = f"{frame.text.earlier_title}\n{frame.text.earlier_intro}"
    text, kept = "", 0
    for count in range(1, len(items) + 1):
        longer = f"{opening}\n{fence.wrap('earlier_talk', items[-count:])}"
        if count > least and tokens.estimate(longer) > room:
            break
        text, kept = longer, count
    return text, kept


def _item(earlier: EarlierTurn, cast: Sequence[str], frame: Frame) -> fence.Item:
    """A turn: what the user said and when, who else was there, what was answered."""
    said, text = earlier.turn.user, frame.text
    when = ago(said.created_at, frame.now, frame.zone, frame.locale)
    words = text.said.format(who=text.user, text=fence.one_line(said.text))
    return fence.Item(f"({when}) {words}", tuple(_lines(earlier, cast, frame)))


def _lines(earlier: EarlierTurn, cast: Sequence[str], frame: Frame) -> Iterator[str]:
    if set(earlier.involved) != set(cast):
        yield f"[{frame.text.involved}: {', '.join(earlier.involved)}]"
    if earlier.turn.reply:
        for part in spoken_messages(earlier.turn.reply, earlier.involved):
            yield frame.text.said.format(who=part.speaker, text=fence.one_line(part.text))
