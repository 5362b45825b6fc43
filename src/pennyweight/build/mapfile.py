"""Reads GNU ld's map: the object that each piece of a section came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_START = "Linker script and memory map"
_PIECE = re.compile(
    r"^ (?P<section>\.[^\s]+|COMMON)\s+"
    r"0x(?P<address>[0-9a-f]+)\s+0x(?P<size>[0-9a-f]+)\s(?P<object>.+)$"
)
_NAME_ONLY = re.compile(r"^ (?P<section>\.[^\s]+|COMMON)$")
_CONTINUED = re.compile(r"^\s+0x(?P<address>[0-9a-f]+)\s+0x(?P<size>[0-9a-f]+)\s(?P<object>.+)$")
_OUTPUT = re.compile(r"^(?P<output>[^\s(]+)(?:\s|$)")
_ARCHIVE = re.compile(r"([^/]+\.a)\(([^)]+)\)$")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an output section, from one section of one object."""

    output: str
    section: str
    address: int
    size: int
    object: str


def pieces(text: str) -> Iterator[Piece]:
    """The pieces that were kept, in the order of the map."""
    _, _, body = text.partition(_START)
    waiting: str | None = None
    output = ""
    for line in body.splitlines():
        heading = _OUTPUT.match(line)
        if heading:
            output = heading["output"]
        match = _PIECE.match(line)
        section = match["section"] if match else None
        if match is None and waiting is not None:
            match = _CONTINUED.match(line)
            section = waiting
        name_only = _NAME_ONLY.match(line)
        waiting = name_only["section"] if name_only else None
        if match is not None and section is not None and int(match["size"], 16) > 0:
            yield Piece(
                output=output,
                section=section,
                address=int(match["address"], 16),
                size=int(match["size"], 16),
                object=_object(match["object"].strip()),
            )


def _object(path: str) -> str:
    """`libgcc.a(_divsi3.o)` for a library's member, otherwise the file's name."""
    member = _ARCHIVE.search(path)
    if member:
        return f"{member[1]}({member[2]})"
    return path.rpartition("/")[2]
