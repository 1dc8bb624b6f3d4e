"""The console at `/`: its files, read once and served from memory with strict headers.

Every file has a route of its own, so no path from a request ever reaches the file system.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).parent / "static"
PAGE = "index.html"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # The browser itself refuses innerHTML and its like: text goes in as text.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

HEADERS: Mapping[str, str] = {
    # Names carry no version, so a browser asks each time and mostly hears "not modified".
    "Cache-Control": "no-cache",
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

MEDIA_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def routes(folder: Path = FOLDER) -> list[Route]:
    """`/` for the page and `/static/<name>` for each file beside it.

    Raises `KeyError` for a file whose media type is not in `MEDIA_TYPES`.
    """
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [_route(path) for path in files]


def _route(path: Path) -> Route:
    content = path.read_bytes()
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {**HEADERS, "ETag": etag, "Content-Type": MEDIA_TYPES[path.suffix]}

    async def file(request: Request) -> Response:
        if _matches(request.headers.get("if-none-match", ""), etag):
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers)

    address = "/" if path.name == PAGE else f"/static/{path.name}"
    return Route(address, file, methods=["GET"], name=f"console:{path.name}")


def _matches(if_none_match: str, etag: str) -> bool:
    """Weak comparison (RFC 9110, 13.1.2): a proxy may have weakened the tag."""
    known = (tag.strip().removeprefix("W/") for tag in if_none_match.split(","))
    return any(tag in (etag, "*") for tag in known)
