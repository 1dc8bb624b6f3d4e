"""`make run`: the laptop run as a command. Whatever goes wrong is one line and a status of 1."""

import os
import sys
import traceback
from collections.abc import Mapping

from infra.local.errors import CannotRun
from infra.local.home import Home
from infra.local.options import Options
from infra.local.run import run


def main(environ: Mapping[str, str]) -> int:
    """Run until somebody asks to stop; returns the exit status, 0 or 1."""
    try:
        options = Options.read(environ)
        run(options, lambda line: print(line, flush=True))
    except CannotRun as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.strerror}: {error.filename}" if error.filename else str(error))
    except Exception as error:  # noqa: BLE001 - the outermost edge: a fault of ours, told in one line
        log = Home.open(options.folder).logs / "run.log"
        log.write_text(traceback.format_exc())
        return _fail(f"a fault in Gieok itself, {type(error).__name__} (see {log})")
    return 0


def _fail(line: str) -> int:
    print(f"gieok: {line}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(os.environ))
