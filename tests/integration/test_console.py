"""The console's files as they are served: headers, media types, caching, and nothing else's."""

import re
from collections.abc import AsyncIterator, Iterator
from html.parser import HTMLParser

import httpx
import pytest
from starlette.applications import Starlette

from functions.chat import console, problems
from gieok.errors import GieokError

FILES = sorted(path.name for path in console.FOLDER.iterdir())
ADDRESSES = ["/" if name == console.PAGE else f"/static/{name}" for name in FILES]


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Starlette(routes=console.routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://console.test") as client:
        yield client


@pytest.mark.parametrize("address", ADDRESSES)
async def test_every_file_has_the_strict_headers(client: httpx.AsyncClient, address: str) -> None:
    response = await client.get(address)
    assert response.status_code == 200
    policy = dict(
        part.split(" ", 1) for part in response.headers["content-security-policy"].split("; ")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "'self' data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"


async def test_media_types_are_those_that_a_browser_insists_on(client: httpx.AsyncClient) -> None:
    types = {a: (await client.get(a)).headers["content-type"].split(";")[0] for a in ADDRESSES}
    assert types["/"] == "text/html"
    assert types["/static/main.js"] == "text/javascript"
    assert types["/static/theme.css"] == "text/css"
    assert types["/static/icon.svg"] == "image/svg+xml"


@pytest.mark.parametrize("known", ["{etag}", "W/{etag}", '"other", {etag}', "*"])
async def test_a_known_file_is_not_sent_again(client: httpx.AsyncClient, known: str) -> None:
    first = await client.get("/static/main.js")
    condition = {"If-None-Match": known.format(etag=first.headers["etag"])}
    again = await client.get("/static/main.js", headers=condition)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["cache-control"] == "no-cache"


async def test_a_changed_file_is_sent(client: httpx.AsyncClient) -> None:
    condition = {"If-None-Match": '"of-an-older-release"'}
    response = await client.get("/static/main.js", headers=condition)
    assert response.status_code == 200
    assert response.content


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/index.html",
        "/static/../console.py",
        "/static/..%2fconsole.py",
        "/static/%2e%2e/console.py",
        "/static/..%5cconsole.py",
        "/static/main.js%00.css",
        "/static//etc/passwd",
        "/static/main.js/",
        "//static/main.js",
    ],
)
async def test_no_other_path_leads_to_a_file(path: str) -> None:
    """Sent as it stands: a client would tidy such paths up before anyone could test them."""
    app, status = Starlette(routes=console.routes()), []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b""}

    async def send(message: dict[str, object]) -> None:
        status.append(message.get("status"))

    scope = httpx_scope(path)
    await app(scope, receive, send)  # type: ignore[arg-type]
    assert status[0] in (307, 404)


def httpx_scope(path: str) -> dict[str, object]:
    """An ASGI scope with the path decoded once, as servers do."""
    decoded = re.sub("%(..)", lambda m: chr(int(m[1], 16)), path)
    return {
        "type": "http",
        "method": "GET",
        "path": decoded,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"console.test")],
    }


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_files_are_only_read(client: httpx.AsyncClient, method: str) -> None:
    assert (await client.request(method, "/")).status_code == 405


class Markup(HTMLParser):
    """What the page's markup holds."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str | None]] = []
        self.inline: list[str] = []
        self._within = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        self._within = tag

    def handle_data(self, data: str) -> None:
        if self._within in ("script", "style") and data.strip():
            self.inline.append(data)


def page() -> Markup:
    markup = Markup()
    markup.feed((console.FOLDER / console.PAGE).read_text("utf-8"))
    return markup


def test_the_page_has_no_inline_script_style_or_handler() -> None:
    markup = page()
    assert markup.inline == []
    names = {name for name, _ in markup.attributes}
    assert not [name for name in names if name == "style" or name.startswith("on")]


def test_everything_the_files_refer_to_is_served() -> None:
    wanted = [v for n, v in page().attributes if n in ("href", "src") and v and v[0] != "#"]
    wanted += [f"static/{name}" for text in scripts() for name in re.findall(r'"\./(.+?)"', text)]
    assert set(wanted) <= {address.lstrip("/") for address in ADDRESSES}
    assert {f"static/{name}" for name in FILES if name != console.PAGE} <= set(wanted)


def test_no_other_host_is_named() -> None:
    for path in console.FOLDER.iterdir():
        hosts = re.findall(r"(?:https?:)?//[\w.-]+\.\w+", path.read_text("utf-8"))
        assert set(hosts) <= {"http://www.w3.org"}, path.name  # the name of SVG, not an address


def scripts() -> Iterator[str]:
    return (path.read_text("utf-8") for path in sorted(console.FOLDER.glob("*.js")))


def words(language: str) -> set[str]:
    text = (console.FOLDER / f"words_{language}.js").read_text("utf-8")
    return set(re.findall(r"^  (\w+): ", text, re.MULTILINE))


def test_both_languages_have_the_same_words() -> None:
    assert words("ko") == words("en")


def test_every_word_is_used_and_every_used_word_exists() -> None:
    in_page = {v for n, v in page().attributes if n.startswith("data-t") and v}
    assert in_page <= words("ko")
    plain = {key for key in words("ko") if not key.startswith(("error_", "finish_"))}
    literals = {key for text in scripts() for key in re.findall(r'"(\w+)"', text)}
    assert plain - in_page - literals == set()


def codes(error: type[GieokError]) -> set[str]:
    return {error.code}.union(*(codes(kind) for kind in error.__subclasses__()))


def test_every_error_code_has_a_sentence() -> None:
    known = {problems.MalformedBody, problems.BodyTooLarge}  # and those of the engine
    assert {k.code for k in known} <= codes(GieokError)
    assert {f"error_{code}" for code in codes(GieokError)} <= words("ko")
