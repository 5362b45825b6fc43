"""Reads the Ketje designers' files of sessions.

A session begins with a line of stars and has a key and a nonce; its messages continue one state, so
that only the first of them is what a one-shot call gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import AeadRecord

_FIELD = re.compile(r"^[<>] (\w) \([^)]*\):(.*)$")
_NEEDED = ("K", "N", "A", "B", "C", "T")


def aead_records(text: str) -> Iterator[AeadRecord]:
    """The first message of each session, numbered by session. Raises `FormatError`."""
    sessions = re.split(r"^\*\*\*+\s*$", text, flags=re.MULTILINE)[1:]
    for number, session in enumerate(sessions, start=1):
        fields = _first_of_each(session)
        missing = [name for name in _NEEDED if name not in fields]
        if missing:
            raise FormatError(f"session {number}: there is no field {missing[0]}")
        yield AeadRecord(
            count=number,
            key=fields["K"],
            nonce=fields["N"],
            ad=fields["A"],
            message=fields["B"],
            sealed=fields["C"] + fields["T"],
            tag=len(fields["T"]),
        )


def _first_of_each(session: str) -> dict[str, bytes]:
    """The first value of each field of a session."""
    values: dict[str, str] = {}
    for line in session.splitlines():
        field = _FIELD.match(line)
        if field:
            values.setdefault(field[1], field[2])
    try:
        return {name: bytes.fromhex(value) for name, value in values.items()}
    except ValueError as error:
        raise FormatError(f"not the Ketje designers' file ({error})") from None
