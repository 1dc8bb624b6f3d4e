"""Assemble a chat prompt: slots in a fixed order, each within its budget, user data fenced."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from gieok.calls import Prompt, Section
from gieok.policy import PromptBudget
from gieok.prompt import earlier_talk, fence, memory_block, tokens
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.prompt.packs.pack import ChatText
from gieok.prompt.relative_time import zone
from gieok.types import Character, EarlierTurn, Locale, Recalled, RelationshipState, Role, Turn

SLOTS = ("character", "dont_invent", "relationship", "memories", "earlier_talk")
"""The order of sections: what changes least comes first, so that providers can cache it."""

_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class SlotUse:
    """How a slot was filled: tokens by `tokens.estimate`, items kept, items cut for its budget."""

    name: str
    tokens: int
    kept: int
    cut: int


@dataclass(frozen=True, slots=True)
class Assembled:
    """A prompt, how each slot was filled ("turns" and "message" last), and what became of memories.

    `recalled` says of each memory, best first, what of it reached the prompt.
    """

    prompt: Prompt
    slots: tuple[SlotUse, ...]
    recalled: tuple[memory_block.Shown, ...]

    @property
    def memories(self) -> tuple[Recalled, ...]:
        """The memories that reached the prompt, best first."""
        return tuple(shown.recalled for shown in self.recalled if not shown.left_out)

    @property
    def earlier_turns(self) -> int:
        """How many turns of other conversations are in it."""
        return sum(slot.kept for slot in self.slots if slot.name == "earlier_talk")


@dataclass(frozen=True, slots=True)
class _Filled:
    """A slot's text; an empty one makes no section."""

    name: str
    text: str
    kept: int = 1
    cut: int = 0

    @property
    def use(self) -> SlotUse:
        return SlotUse(self.name, tokens.estimate(self.text), self.kept, self.cut)


def assemble(
    characters: Sequence[Character],
    relationships: Mapping[str, RelationshipState],
    memories: Sequence[Recalled],
    turns: Sequence[Turn],
    message: str,
    now: datetime,
    time_zone: str,
    locale: Locale,
    budget: PromptBudget,
    earlier: Sequence[EarlierTurn] = (),
) -> Assembled:
    """The prompt for the user's new message.

    `relationships` are by character name, and those of other characters are passed over; `memories`
    come best first, `turns` and the `earlier` ones of other conversations oldest first. What
    overflows is cut by whole items, the lowest rank first; memories are shortened before any is
    left out (`memory_block.write`). The newest turn, the message and the rules are never cut.
    Raises `BadRequest` for an unknown time zone.
    """
    text = CHAT_TEXT[locale]
    rules = _rules(characters, text)
    frame = memory_block.Frame(now, zone(time_zone), locale, tuple(c.name for c in characters))
    block = memory_block.write(memories, frame, budget.memories)
    recent, turns_use = _recent(turns, budget.turns)
    left_out = sum(shown.left_out for shown in block.recalled)
    filled = (
        _character(characters, text, budget.system - rules.use.tokens),
        rules,
        _relationship(characters, relationships, text),
        _Filled("memories", block.text, len(memories) - left_out, left_out),
        _earlier(characters, earlier, frame, budget.turns - turns_use.tokens, recent),
    )
    sections = tuple(Section(f.name, f.text) for f in filled if f.text)
    return Assembled(
        prompt=Prompt(sections, (*_verbatim(recent), ("user", message)), locale),
        slots=(*(f.use for f in filled if f.text), turns_use, _Filled("message", message).use),
        recalled=block.recalled,
    )


def _rules(characters: Sequence[Character], text: ChatText) -> _Filled:
    """The rules. They are the same bytes with and without memories, since it is the memory block
    that says when nothing is remembered."""
    several = len(characters) > 1
    return _Filled("dont_invent", f"{text.rules}\n{text.knowledge}" if several else text.rules)


def _character(characters: Sequence[Character], text: ChatText, room: int) -> _Filled:
    """Every character's description, each within an equal share of the room."""
    names = ", ".join(c.name for c in characters)
    several = len(characters) > 1
    intro = text.several.format(names=names) if several else text.one.format(name=names)
    blocks, kept, cut = [intro], 0, 0
    for character in characters:
        pieces = _description(character, text)
        taken = _most_worth(pieces, room // len(characters))
        blocks += [f"# {character.name}"] if several else []
        blocks += taken
        kept, cut = kept + len(taken), cut + len(pieces) - len(taken)
    return _Filled("character", "\n\n".join(blocks), kept, cut)


def _description(character: Character, text: ChatText) -> list[tuple[int, str]]:
    """The pieces of a character's description in their order, each with its rank by worth, from 0.

    The opening paragraph, which says who the character is, is worth most. The speech rules come
    next, then the persona's later paragraphs in its author's order, and the greeting last.
    """
    opening, *rest = _BLANK_LINES.split(character.persona.strip())
    pieces = [(0, opening), *((2 + i, paragraph) for i, paragraph in enumerate(rest))]
    if character.speech_rules:
        pieces.append((1, f"{text.speech_rules}\n{character.speech_rules}"))
    if character.greeting:
        pieces.append((2 + len(rest), f"{text.greeting}\n{character.greeting}"))
    return pieces


def _most_worth(pieces: Sequence[tuple[int, str]], room: int) -> list[str]:
    """The pieces that fit, in their order; the one of most worth is kept in any case."""
    by_worth = sorted(pieces)
    count = max(1, _how_many_fit((tokens.estimate(t) for _, t in by_worth), room))
    kept = by_worth[:count]
    return [text for worth, text in pieces if (worth, text) in kept]


def _how_many_fit(costs: Iterable[int], room: int) -> int:
    return sum(total <= room for total in accumulate(costs))


def _relationship(
    characters: Sequence[Character], states: Mapping[str, RelationshipState], text: ChatText
) -> _Filled:
    """Where each character stands with the user. `relationship.rules.bounded` bounds it; it is
    never cut."""
    names = [c.name for c in characters if c.name in states]
    if not names:
        return _Filled("relationship", "", kept=0)
    items = [fence.Item(name, tuple(_standing(states[name], text))) for name in names]
    opening = f"{text.relationship_title}\n{text.relationship_intro}"
    return _Filled("relationship", f"{opening}\n{fence.wrap('relationship', items)}", len(items))


def _standing(state: RelationshipState, text: ChatText) -> Iterable[str]:
    lines = (
        (text.user_called, state.user_called),
        (text.character_called, state.character_called),
        (text.speech_level, text.speech_levels.get(state.speech_level, "")),
        (text.standing, state.standing),
        *((text.promise, promise) for promise in state.promises),
        *((text.boundary, boundary) for boundary in state.boundaries),
        (text.affection, str(state.affection)),
    )
    return (f"{label}: {value}" for label, value in lines if value)


def _earlier(
    characters: Sequence[Character],
    turns: Sequence[EarlierTurn],
    frame: memory_block.Frame,
    room: int,
    recent: Sequence[Turn],
) -> _Filled:
    """The newest turns of other conversations, in the room that this one leaves; where it has no
    turns yet, the newest of all is kept in any case."""
    cast = [c.name for c in characters]
    text, kept = earlier_talk.write(turns, cast, frame, room, least=0 if recent else 1)
    return _Filled("earlier_talk", text, kept, len(turns) - kept)


def _recent(turns: Sequence[Turn], room: int) -> tuple[Sequence[Turn], SlotUse]:
    """The newest turns that fit, in order; the newest of all is kept in any case."""
    costs = [sum(tokens.estimate(text) for _, text in _verbatim([t])) for t in reversed(turns)]
    count = max(1, _how_many_fit(costs, room))
    recent = turns[-count:]
    use = SlotUse("turns", sum(costs[:count]), len(recent), len(turns) - len(recent))
    return recent, use


def _verbatim(turns: Iterable[Turn]) -> tuple[tuple[Role, str], ...]:
    return tuple((m.role, m.text) for t in turns for m in (t.user, t.reply) if m)
