"""A refused body is told by its fields and rules, never by what was sent."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from functions.chat.asgi import OPERATIONS
from functions.chat.body import decode, read
from functions.chat.openapi import document
from functions.chat.problems import MalformedBody
from gieok.errors import BadRequest

SHAPES = sorted({o.takes for o in OPERATIONS if o.takes}, key=lambda s: s.__name__)
FIELDS = sorted({f.encode_name for s in SHAPES for f in msgspec.structs.fields(s)})
FRAMES = ["{}", "{}-KR", "a` - at `$.{}", "a` - at `$.locale.{}", "{}' - at `$.details[0]", "${}"]
"""Around a secret: also what looks like msgspec's own words."""

secrets = st.integers(10**9, 10**12).map(lambda n: f"비밀{n}") | st.text(
    st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=2, max_size=6
)
SECRET = "비밀번호는콩이"


def framed(secret: str) -> st.SearchStrategy[str]:
    return st.sampled_from(FRAMES).map(lambda frame: frame.format(secret))


def values(secret: str) -> st.SearchStrategy[Any]:
    """JSON that holds the secret nearly everywhere, under known names and others."""
    leaves = framed(secret) | st.sampled_from([None, True, 7, -1.5, 10**30])
    names = st.sampled_from([*FIELDS, "kind", "who", "text", "context"]) | framed(secret)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
        max_leaves=12,
    )


def refusal(raw: bytes, shape: type[msgspec.Struct]) -> str:
    """What a body is told; "" when it is taken."""
    try:
        decode(raw, shape)
    except BadRequest as error:
        return error.detail
    return ""


@given(shape=st.sampled_from(SHAPES), data=st.data(), secret=secrets)
def test_no_answer_repeats_anything_that_was_sent(
    shape: type[msgspec.Struct], data: st.DataObject, secret: str
) -> None:
    names = st.sampled_from([f.encode_name for f in msgspec.structs.fields(shape)])
    known = st.dictionaries(names | framed(secret), values(secret), max_size=4)
    body = data.draw(known | values(secret))
    assert secret not in refusal(json.dumps(body).encode(), shape)


DETAIL = '{"who": "", "text": "", "context": "", "character": null, %s}'


@pytest.mark.parametrize(
    ("shape", "body", "told"),
    [
        (
            "RelationshipRequest",
            f'{{"speechLevel": "{SECRET}"}}',
            'speechLevel: must be one of "", "반말", "섞어 씀", "존댓말"',
        ),
        (
            "MemoryChange",
            '{"details": [%s]}' % (DETAIL % f'"kind": "{SECRET}"'),
            'details[].kind: must be one of "action", "quote"',
        ),
        (
            "MemoryChange",
            '{"details": [%s]}' % (DETAIL % f'"kind": "quote", "{SECRET}": 1'),
            "details[]: unknown field; known are kind, who, text, context, character",
        ),
        ("EditRequest", f'{{"text": "", "{SECRET}": 1}}', "unknown field; known are text"),
        (
            "ChatRequest",
            f'{{"message": "", "locale": "{SECRET}"}}',
            "Expected `str` matching regex '^(ko|en|ja)(-[A-Za-z0-9]{1,8})*$(?!\\\\n)'"
            " - at `$.locale`",
        ),
        ("EditRequest", f'{{"{SECRET}` - at `$.text": 1}}', "unknown field; known are text"),
    ],
)
def test_the_field_and_what_is_allowed_are_named(shape: str, body: str, told: str) -> None:
    (named,) = [s for s in SHAPES if s.__name__ == shape]
    assert refusal(body.encode(), named) == told


def patterns(node: Any) -> set[str]:
    """Every pattern inside an OpenAPI document."""
    if isinstance(node, dict):
        own = {node["pattern"]} if isinstance(node.get("pattern"), str) else set[str]()
        return own.union(*map(patterns, node.values()))
    return set[str]().union(*map(patterns, node)) if isinstance(node, list) else set()


@given(st.data())
def test_no_pattern_lets_a_line_feed_follow(data: st.DataObject) -> None:
    known = sorted(patterns(document(OPERATIONS)))
    assert len(known) >= 5
    for pattern in known:
        assert "\n" not in data.draw(st.from_regex(pattern))


@pytest.mark.parametrize("sent", [(), (b'{"message": "',)])
async def test_a_client_that_closes_in_mid_body_is_told_apart_from_a_bug(
    sent: tuple[bytes, ...],
) -> None:
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in sent]
    arriving = iter([*messages, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(arriving)

    with pytest.raises(MalformedBody):
        await read(Request({"type": "http", "method": "POST", "headers": []}, receive), SHAPES[0])
