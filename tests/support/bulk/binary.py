"""COPY in PostgreSQL's binary format, where a vector costs no parsing."""

import json
import struct
from collections.abc import Iterable

import psycopg
from psycopg import sql

_HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)
_TRAILER = struct.pack("!h", -1)


def copy_binary(
    connection: psycopg.Connection, table: sql.Composable, rows: Iterable[bytes]
) -> None:
    """Write rows made by `row` to a table, named with its columns."""
    statement = sql.SQL("COPY {} FROM STDIN WITH (FORMAT binary)").format(table)
    with connection.cursor().copy(statement) as sink:
        sink.write(_HEADER)
        for one in rows:
            sink.write(one)
        sink.write(_TRAILER)


def row(*fields: bytes) -> bytes:
    """One row of fields in their binary form."""
    sized = (struct.pack("!i", len(field)) + field for field in fields)
    return struct.pack("!h", len(fields)) + b"".join(sized)


def integer(value: int) -> bytes:
    """A field of type integer."""
    return struct.pack("!i", value)


def jsonb(value: object) -> bytes:
    """A field of type jsonb, whose binary form begins with its version."""
    return b"\x01" + json.dumps(value, ensure_ascii=False).encode()
