"""The laptop's own token issuer, from which anybody on this machine may have anybody's token.

Only the laptop run wraps it around the chat app, so these routes do not exist in the cloud.
"""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import jwt
import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from functions.chat.problems import Problem
from gieok.ids import new_id, show
from infra.local.errors import CannotRun
from infra.local.servers.key_file import write_private

LIFETIME_S = 3600
"""Seconds for which a token is valid."""
LARGEST_BODY = 4096
"""Bytes of a request's body, at most."""
LONGEST_USER = 255
"""Bytes of a user's name in UTF-8, at most: as many as the chat function takes."""
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
"""Names of this machine by which a request may come."""


class TokenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The user whose token is asked for, and the roles it has."""

    user: str
    roles: tuple[Literal["admin", "audit"], ...] = ()


class Refused(Exception):
    """A request that gets no token: an HTTP status, a stable code and one sentence."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class DevIssuer:
    """Signs tokens by ES256. `issuer` and `audience` are what the chat app is told to trust."""

    issuer: str
    audience: str
    key: ec.EllipticCurvePrivateKey

    def jwks(self) -> dict[str, list[dict[str, str]]]:
        """The public key as a JSON Web Key Set."""
        return {"keys": [{**self._public(), "kid": self._key_id(), "alg": "ES256", "use": "sig"}]}

    def token(self, wanted: TokenRequest, now: int) -> str:
        """A token that is valid for `LIFETIME_S` from `now`, which is in Unix seconds."""
        claims = {
            "iss": self.issuer,
            "aud": self.audience,
            "sub": wanted.user,
            "roles": list(wanted.roles),
            "iat": now,
            "exp": now + LIFETIME_S,
        }
        return jwt.encode(claims, self.key, algorithm="ES256", headers={"kid": self._key_id()})

    def app(self) -> Starlette:
        """The app with its two routes, one for tokens and one for the public key."""
        return Starlette(
            routes=[
                Route("/dev/token", self._issue, methods=["POST"]),
                Route("/dev/jwks.json", self._publish),
            ]
        )

    async def _issue(self, request: Request) -> Response:
        try:
            wanted = _wanted(await _body(request))
        except Refused as refused:
            return _problem(refused)
        answer = {"accessToken": self.token(wanted, int(time.time())), "expiresIn": LIFETIME_S}
        return JSONResponse(answer, headers={"Cache-Control": "no-store"})

    async def _publish(self, request: Request) -> Response:
        return JSONResponse(self.jwks())

    def _public(self) -> dict[str, str]:
        algorithm = jwt.algorithms.ECAlgorithm(jwt.algorithms.ECAlgorithm.SHA256)
        public: dict[str, str] = json.loads(algorithm.to_jwk(self.key.public_key()))
        return public

    def _key_id(self) -> str:
        """The thumbprint of RFC 7638: required members only, in order, without spaces."""
        public = self._public()
        members = {name: public[name] for name in ("crv", "kty", "x", "y")}
        digest = hashes.Hash(hashes.SHA256())
        digest.update(json.dumps(members, separators=(",", ":")).encode())
        return digest.finalize().hex()


def ensure_key(path: Path) -> None:
    """Make the signing key unless it is there; it is kept, so that tokens survive a restart."""
    if not path.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        pem = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        write_private(path, pem)
    read_key(path)


def read_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """The signing key. Raises `CannotRun` when the file holds something else."""
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise CannotRun(f"{path} is damaged: remove it, and a new key is made") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise CannotRun(f"{path} holds another kind of key: remove it, and a new one is made")
    return key


async def _body(request: Request) -> bytes:
    """The body of a request that only a local program or page can have sent.

    The check of `Host` keeps out a page whose name was rebound to 127.0.0.1. The content type makes
    a browser ask before it sends the request of another site's page, and it gets no answer.
    """
    if _host(request) not in LOOPBACK:
        raise Refused(403, "forbidden", "dev tokens are given on the loopback interface only")
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(415, "unsupported_media_type", "send application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise Refused(413, "body_too_large", f"at most {LARGEST_BODY} bytes")
    return body


def _host(request: Request) -> str | None:
    """The host that the client believes to talk to; `request.url` would hide a malformed header."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname
    except ValueError:
        return None


def _wanted(body: bytes) -> TokenRequest:
    try:
        wanted = msgspec.json.decode(body, type=TokenRequest)
    except msgspec.ValidationError as error:
        raise Refused(422, "invalid_request", str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(400, "malformed_body", "the body is not JSON in UTF-8") from error
    readable = wanted.user.isprintable() and wanted.user.strip()
    if not readable or len(wanted.user.encode()) > LONGEST_USER:
        raise Refused(
            422, "invalid_request", f"user must be 1 to {LONGEST_USER} bytes of printable text"
        )
    return wanted


def _problem(refused: Refused) -> Response:
    problem = Problem(
        type="about:blank",
        title="No token",
        status=refused.status,
        detail=refused.detail,
        code=refused.code,
        request_id=show("req", new_id()),
    )
    return Response(
        msgspec.json.encode(problem), refused.status, media_type="application/problem+json"
    )
