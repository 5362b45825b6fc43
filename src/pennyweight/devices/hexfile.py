"""Intel HEX files, which all loaders read.

Intel, "Hexadecimal Object File Format Specification", revision A (1988): record types data
(00), end of file (01) and extended linear address (04).
"""

from __future__ import annotations

_ROW = 16


def intel_hex(flash: list[tuple[int, bytes]]) -> str:
    """The text of a file with these (address, bytes)."""
    rows: list[str] = []
    upper = 0
    for start, data in flash:
        for at in range(0, len(data), _ROW):
            address = start + at
            if address >> 16 != upper:
                upper = address >> 16
                rows.append(_record(4, 0, upper.to_bytes(2, "big")))
            # A record must not cross a 64 KB boundary.
            piece = data[at : at + _ROW]
            room = 0x10000 - (address & 0xFFFF)
            rows.append(_record(0, address & 0xFFFF, piece[:room]))
            if len(piece) > room:
                upper += 1
                rows.append(_record(4, 0, upper.to_bytes(2, "big")))
                rows.append(_record(0, 0, piece[room:]))
    rows.append(_record(1, 0, b""))
    return "\n".join(rows) + "\n"


def _record(kind: int, address: int, data: bytes) -> str:
    body = bytes((len(data),)) + address.to_bytes(2, "big") + bytes((kind,)) + data
    return ":" + (body + bytes((-sum(body) & 0xFF,))).hex().upper()
