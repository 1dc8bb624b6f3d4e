"""JSON as models write it: in prose, behind thoughts, with a comma too many.

Not a general repair of JSON: what is mended here is what models were seen to write, and each mend
is one that no string of the answer can be changed by. Work is bounded on any input.
"""

import json
import re
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress

_ATTEMPTS = 20
"""Braces at which an object is looked for: more is no answer with prose around it."""
_DEPTH = 6
"""Levels of a value in which numbers and nulls are mended: more than any answer has."""
_JSON = json.JSONDecoder(strict=False)
_COMMA_TOO_MANY = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


def objects(text: str, lists: Set[str] = frozenset()) -> Iterator[Mapping[str, object]]:
    """The outermost JSON objects of a text, in order.

    A comma behind the last item and raw line breaks in strings do no harm, "6.0" is a whole number,
    and null is an empty list under the names in `lists`. What is nested too deeply to be read is
    passed over.
    """
    for _ in range(_ATTEMPTS):
        _, brace, text = text.partition("{")
        for written in (brace + text, _COMMA_TOO_MANY.sub(r"\1", brace + text)):
            with suppress(ValueError, RecursionError):
                found, end = _JSON.raw_decode(written)
                text = written[end:]
                yield _mended(found, lists, _DEPTH)
                break


def _plain(value: object, lists: Set[str], depth: int) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list) and depth:
        return [_plain(one, lists, depth - 1) for one in value]
    if isinstance(value, dict) and depth:
        return _mended(value, lists, depth - 1)
    return value


def _mended(found: Mapping[str, object], lists: Set[str], depth: int) -> Mapping[str, object]:
    return {
        name: [] if value is None and name in lists else _plain(value, lists, depth)
        for name, value in found.items()
    }
