"""Errors as RFC 9457 problem documents: the only place that knows which status an error has."""

from collections.abc import Mapping

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from functions.chat.auth import IdentityUnavailable, Unauthorized
from gieok import errors, telemetry
from gieok.errors import GieokError

_STATUS: Mapping[type[GieokError], int] = {
    errors.BadRequest: 422,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.RateLimited: 429,
    errors.Unavailable: 503,
    errors.ModelError: 503,
    errors.KeyDestroyed: 410,
    Unauthorized: 401,
    IdentityUnavailable: 503,
}

RETRY_S = 1
"""Seconds after which a request that met a turn in progress may come again."""

_TITLES = {
    400: "Malformed request",
    401: "Not authenticated",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    410: "Gone",
    413: "Request too large",
    422: "Invalid request",
    429: "Too many requests",
    500: "Internal error",
    503: "Temporarily unavailable",
}


class MalformedBody(GieokError):
    """The body is not JSON in UTF-8, or was not sent whole."""

    code = "malformed_body"


class BodyTooLarge(GieokError):
    """The body passes the limit."""

    code = "body_too_large"


class Problem(msgspec.Struct, frozen=True, rename="camel"):
    """An RFC 9457 problem document. `code` is stable; `detail` never repeats what was sent."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str


def of_error(request: Request, error: Exception) -> Response:
    """The response for an error of the engine. Any other error is raised again."""
    if not isinstance(error, GieokError):
        raise error
    if isinstance(error, MalformedBody):
        status = 400
    elif isinstance(error, BodyTooLarge):
        status = 413
    else:
        kinds = (k for k in type(error).__mro__ if k in _STATUS)
        status = next((_STATUS[k] for k in kinds), 500)
    if status >= 500:
        telemetry.failure("request_failed", error, request_id=request.state.request_id)
    detail = str(error) if status < 500 and status != 401 else _TITLES[status]
    headers = {}
    if isinstance(error, errors.RateLimited):
        headers["Retry-After"] = str(error.retry_after)
    elif status == 409 and error.retryable:
        headers["Retry-After"] = str(RETRY_S)
    return _response(request, status, error.code, detail, headers)


def of_http(request: Request, error: Exception) -> Response:
    """The response for a refusal by the router itself. Any other error is raised again."""
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    code = {404: "not_found", 405: "method_not_allowed"}.get(status, "http_error")
    return _response(request, status, code, _TITLES.get(status, "Error"), error.headers or {})


def of_bug(request: Request, error: Exception) -> Response:
    """The response for an error that nobody foresaw."""
    telemetry.failure("request_crashed", error, request_id=request.state.request_id)
    return _response(request, 500, "internal_error", _TITLES[500], {})


def _response(
    request: Request, status: int, code: str, detail: str, headers: Mapping[str, str]
) -> Response:
    title = _TITLES.get(status, "Error")
    problem = Problem("about:blank", title, status, detail, code, request.state.request_id)
    extra = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return Response(
        msgspec.json.encode(problem),
        status_code=status,
        media_type="application/problem+json",
        headers={**headers, **extra},
    )
