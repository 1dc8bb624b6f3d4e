"""Failures of HTTP as errors of the engine: each becomes a `ModelError`."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from gieok.errors import (
    ModelError,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)

_OF_THE_REQUEST = (400, 413, 422)
"""HTTP statuses that blame the request itself: it would fail the next time too."""


@contextmanager
def translated(model: str) -> Iterator[None]:
    """Raise every HTTP error of the block as a `ModelError` of this model."""
    error: ModelError
    try:
        yield
    except (TimeoutError, httpx.TimeoutException):
        error = ModelTimeout(model)
    except httpx.HTTPError as caught:
        error = ModelUnavailable(model, type(caught).__name__)
    else:
        return
    raise error from None


def http_failure(status: int | None, model: str) -> ModelError:
    """The error for an HTTP status; None stands for an error in a stream that has no status."""
    if status == 429:
        return ModelRateLimited(model)
    if status in _OF_THE_REQUEST:
        return ModelRejected(model, f"HTTP {status}")
    return ModelUnavailable(model, f"HTTP {status}" if status else "an error without a status")
