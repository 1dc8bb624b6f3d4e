"""What a user's own sentences change about where they stand with a character, by visible rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from gieok.providers.offline.cues import COLD, WARM
from gieok.providers.offline.names import gives_name, named
from gieok.providers.offline.promises import (
    cancels,
    draws_line,
    is_promise,
    orders,
    promises_after,
)
from gieok.providers.offline.speech import (
    asked_level,
    last_asked,
    shows_a_level,
    speech_level,
    states,
)
from gieok.relationship.rules import AFFECTION, AFFECTION_STEP, ITEMS, different
from gieok.types import RelationshipState, StateField

QUOTES_A_FIELD = 2
"""Sentences that are quoted for one changed field, at most."""
_AFFECTION_A_WORD = 2
"""Points of affection that a warm sentence adds and a cold one takes away."""


def updated(
    before: RelationshipState, said: Sequence[str], beside: Sequence[str] = ()
) -> RelationshipState:
    """The state after the user said these sentences to the character. `standing` stays.

    What was said `beside` the story may name, ask for a way to speak or say how to play; nothing in
    it is promised or felt.
    """
    lines = [s for s in said if draws_line(s)] + [s for s in beside if draws_line(s) or orders(s)]
    return replace(
        before,
        user_called=named("user", [*said, *beside]) or before.user_called,
        character_called=named("character", [*said, *beside]) or before.character_called,
        speech_level=last_asked(beside) or speech_level(said) or before.speech_level,
        promises=_newest(promises_after(before.promises, said)),
        boundaries=_newest([*before.boundaries, *lines]),
        affection=_moved(before.affection, said),
    )


def reasons(
    before: RelationshipState,
    after: RelationshipState,
    said: Sequence[str],
    beside: Sequence[str] = (),
) -> dict[StateField, list[str]]:
    """The sentences that changed each field which `updated` changed, newest last."""
    told = {field: [s for s in said if test(s)] for field, test in _CHANGES.items()}
    for field, test in _CHANGES_BESIDE.items():
        told[field] += [s for s in beside if test(s)]
    changed = sorted(different(before, after))
    return {field: told[field][-QUOTES_A_FIELD:] for field in changed}


def _newest(items: Sequence[str]) -> tuple[str, ...]:
    """Each item once; beyond the limit the oldest go."""
    return tuple(dict.fromkeys(items))[-ITEMS:]


def _moved(before: int, said: Sequence[str]) -> int:
    warmth = sum(states(s, WARM) - states(s, COLD) for s in said)
    step = max(-AFFECTION_STEP, min(AFFECTION_STEP, _AFFECTION_A_WORD * warmth))
    return max(-AFFECTION, min(AFFECTION, before + step))


def _names_user(sentence: str) -> bool:
    return gives_name("user", sentence)


def _names_character(sentence: str) -> bool:
    return gives_name("character", sentence)


_CHANGES: Mapping[StateField, Callable[[str], bool]] = {
    "user_called": _names_user,
    "character_called": _names_character,
    "speech_level": shows_a_level,
    "promises": lambda sentence: is_promise(sentence) or cancels(sentence),
    "boundaries": draws_line,
    "affection": lambda sentence: states(sentence, WARM) or states(sentence, COLD),
}
"""For each field, what says whether a sentence may have changed it."""
_CHANGES_BESIDE: Mapping[StateField, Callable[[str], bool]] = {
    "user_called": _names_user,
    "character_called": _names_character,
    "speech_level": lambda sentence: bool(asked_level(sentence)),
    "boundaries": lambda sentence: draws_line(sentence) or orders(sentence),
}
"""The same for what is said beside the story."""
