"""The ways of indexing that are compared: each adds to the one before."""

from collections.abc import Mapping
from typing import Final

from gieok.policy import IndexPolicy

INDEXES: Final[Mapping[str, IndexPolicy]] = {
    "terms": IndexPolicy(summary=False, related_terms=False, allusions=False),
    "words": IndexPolicy(related_terms=False, allusions=False),
    "expanded": IndexPolicy(),
}
"""Search terms alone; with the summary's words; with related terms and allusions as well."""

SHIPPED: Final = next(name for name, policy in INDEXES.items() if policy == IndexPolicy())
"""The one of a deployment that changes nothing."""
