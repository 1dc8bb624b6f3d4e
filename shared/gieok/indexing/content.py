"""What the search reads of a memory: texts for the keyword index, and texts for its vector."""

from collections.abc import Sequence
from dataclasses import dataclass

from gieok.indexing import keywords
from gieok.policy import IndexPolicy


@dataclass(frozen=True, slots=True)
class Content:
    """What a memory may be found by.

    `search_terms` were said; `related_terms` and `asked_as` were not, and are never shown.
    """

    summary: str
    search_terms: Sequence[str] = ()
    related_terms: Sequence[str] = ()
    asked_as: Sequence[str] = ()


def indexed(content: Content, policy: IndexPolicy) -> tuple[str, ...]:
    """The terms that the keyword index reads."""
    sentences = [
        *([content.summary] if policy.summary else []),
        *(content.asked_as if policy.allusions else []),
    ]
    return (
        *content.search_terms,
        *(content.related_terms if policy.related_terms else []),
        *(term for sentence in sentences for term in keywords.terms_of(sentence)),
    )


def embedded(summary: str, asked_as: Sequence[str], policy: IndexPolicy) -> tuple[str, ...]:
    """The texts whose mean vector a memory has: its summary, and its allusions together.

    One text of both found less: the allusions are told apart from the summary, and neither drowns
    in the other (docs/decisions/22).
    """
    allusions = "\n".join(asked_as) if policy.allusions else ""
    return (summary, allusions) if allusions else (summary,)
