"""Bind a built template to its layer's architecture: `python -m infra.pin_architecture FILE NAME`.

The parameter's default says what was built, and nothing else is allowed. So a deployment that
remembers another architecture is refused before it changes anything.
"""

import re
import sys
from pathlib import Path

_PARAMETER = re.compile(
    r"^  Architecture:\n"
    r"    Type: String\n"
    r"    Default: \w+\n"
    r"    AllowedValues:(?: \[.*\]\n|\n(?:    - \w+\n)+)",
    re.MULTILINE,
)


class CannotPin(Exception):
    """The template cannot be pinned; the text is one line that says why."""


def pinned(template: str, architecture: str) -> str:
    """The template with one architecture. Raises `CannotPin` when it has no such parameter."""
    value = (
        "  Architecture:\n"
        "    Type: String\n"
        f"    Default: {architecture}\n"
        "    AllowedValues:\n"
        f"    - {architecture}\n"
    )
    changed, count = _PARAMETER.subn(value, template)
    if count != 1:
        raise CannotPin("the template has no parameter Architecture of the known form")
    return changed


def main() -> int:
    """Pin a file in place; returns the exit status."""
    path, architecture = Path(sys.argv[1]), sys.argv[2]
    try:
        path.write_text(pinned(path.read_text(), architecture))
    except CannotPin as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
