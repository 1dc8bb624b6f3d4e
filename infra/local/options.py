"""What a user chooses for a laptop run, by environment variables."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.local.errors import CannotRun


@dataclass(frozen=True, slots=True)
class Options:
    """GIEOK_PORT and GIEOK_HOME; `environ` holds the model providers' settings as well."""

    port: int
    folder: Path
    environ: Mapping[str, str]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> "Options":
        """Raises `CannotRun` naming the variable that makes no sense."""
        port = environ.get("GIEOK_PORT") or "8700"
        if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            raise CannotRun("GIEOK_PORT must be 1 to 65535")
        if (environ.get("GIEOK_POLICY") or "companion") != "companion":
            raise CannotRun("GIEOK_POLICY: only 'companion' exists")
        return cls(int(port), Path(environ.get("GIEOK_HOME") or ".gieok"), environ)
