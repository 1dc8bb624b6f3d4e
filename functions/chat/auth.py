"""Who is asking: JWTs of the configured issuer, checked against its published keys."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import jwt

from gieok import telemetry
from gieok.errors import GieokError, Unavailable
from gieok.types import UserId

ALGORITHMS = ("RS256", "ES256")
LEEWAY_S = 60
"""Seconds by which the issuer's clock and ours may differ."""
FRESH_S = 600
"""Seconds after which the issuer's keys are fetched again."""
PAUSE_S = 10
"""Seconds between two fetches, at least, once there are keys, so that forged key ids cannot make us
hammer the issuer."""
LONGEST_SUBJECT = 255
"""Bytes of a `sub`, at most. OpenID Connect Core, section 2, allows as many ASCII characters;
users' ids are in index entries, whose size is bounded (docs/decisions/10)."""


class Unauthorized(GieokError):
    """The request has no valid token; the error says no more than that."""

    code = "unauthorized"


class IdentityUnavailable(Unavailable):
    """The issuer's keys could not be fetched."""

    code = "identity_unavailable"


@dataclass(slots=True)
class Issuer:
    """An OIDC issuer and its keys."""

    issuer: str
    audience: str
    jwks_url: str
    http: httpx.AsyncClient
    _keys: Sequence[jwt.PyJWK]
    _fetched: float = float("-inf")
    _asked: float = float("-inf")

    @classmethod
    def at(cls, issuer: str, audience: str, jwks_url: str) -> "Issuer":
        """An issuer whose keys are fetched when first needed."""
        return cls(issuer, audience, jwks_url, httpx.AsyncClient(timeout=5), ())

    async def user_of(self, headers: Mapping[str, str]) -> UserId:
        """The user of a request. Raises `Unauthorized`, `IdentityUnavailable`."""
        # A signing CDN takes the Authorization header for itself.
        value = headers.get("x-gieok-authorization") or headers.get("authorization", "")
        scheme, _, token = value.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthorized
        return _subject(await self._claims(token.strip()))

    async def _claims(self, token: str) -> dict[str, Any]:
        try:
            header = jwt.get_unverified_header(token)
            algorithm, key_id = header.get("alg"), header.get("kid")
            if algorithm not in ALGORITHMS or not isinstance(key_id, str | None):
                raise Unauthorized
            return jwt.decode(
                token,
                await self._key(key_id),
                algorithms=[algorithm],
                audience=self.audience,
                issuer=self.issuer,
                leeway=LEEWAY_S,
                options={"require": ["exp", "sub", "aud", "iss"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Unauthorized from error

    async def _key(self, key_id: str | None) -> jwt.PyJWK:
        """The key of an id; without one the only key that there is."""
        now = time.monotonic()
        wanted = now - self._fetched > FRESH_S or self._known(key_id) is None
        if wanted and (now - self._asked > PAUSE_S or not self._keys):
            self._asked = now
            await self._fetch()
        if (key := self._known(key_id)) is None:
            raise Unauthorized
        return key

    def _known(self, key_id: str | None) -> jwt.PyJWK | None:
        if key_id is None:
            return self._keys[0] if len(self._keys) == 1 else None
        return next((key for key in self._keys if key.key_id == key_id), None)

    async def _fetch(self) -> None:
        try:
            response = await self.http.get(self.jwks_url)
            response.raise_for_status()
            keys = jwt.PyJWKSet.from_dict(response.json()).keys
        except (httpx.HTTPError, jwt.PyJWTError, ValueError, AttributeError) as error:
            if self._keys:
                telemetry.setback("issuer_keys_stale")
                return  # the last known keys serve until the issuer is back
            raise IdentityUnavailable("the issuer's keys could not be fetched") from error
        self._keys = keys
        self._fetched = time.monotonic()


def _subject(claims: Mapping[str, Any]) -> UserId:
    subject = claims["sub"]
    printable = isinstance(subject, str) and subject.isprintable() and subject.strip()
    if not printable or len(subject.encode()) > LONGEST_SUBJECT:
        raise Unauthorized
    return UserId(subject)
