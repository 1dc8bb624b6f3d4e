"""What of a memory the keyword index reads and what is embedded, by the way it is indexed."""

from dataclasses import dataclass
from typing import Literal

from gieok.extraction.extraction import Extraction
from gieok.indexing.keywords import terms_of
from tests.eval.window_sets import Expansion

Index = Literal["terms", "words", "expanded"]
"""Search terms alone; with the summary's words; with related terms and allusions as well."""

SHIPPED: Index = "terms"


@dataclass(frozen=True, slots=True)
class Indexed:
    """The texts that the keyword index reads, and the one that is embedded."""

    terms: tuple[str, ...]
    embedded: str


def indexed(extraction: Extraction, expansion: Expansion | None, index: Index) -> Indexed:
    """A memory's texts for both legs."""
    terms, summary = extraction.search_terms, extraction.summary
    if index == "terms":
        return Indexed(terms, summary)
    terms = (*terms, *terms_of(summary))
    if index == "words" or expansion is None:
        return Indexed(terms, summary)
    allusions = " ".join(expansion.asked_as)
    terms = (*terms, *expansion.terms, *terms_of(allusions))
    return Indexed(terms, f"{summary}\n{allusions}")
