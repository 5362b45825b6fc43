"""Reads NIST CAVP's files of AES-CCM: DVPT, VADT, VNT, VPT and VTT.

Unlike other CAVP files they state lengths, key and nonce once for many records, in separate lines
or in a section's heading; a value applies until another line changes it. An input without bytes is
written `00`, with its length 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import AeadRecord


def aead_records(text: str) -> Iterator[AeadRecord]:
    """The records of a file, numbered from 1 in file order. Raises `FormatError`."""
    number = 0
    common: dict[str, str] = {}
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields = dict(_assignments(block))
        if "ct" not in fields:
            common |= fields
            continue
        number += 1
        yield _record(number, common | fields)


def _assignments(block: str) -> Iterator[tuple[str, str]]:
    """Names and values of all lines, including headings such as `[Alen = 0, Plen = 0]`."""
    for raw in block.splitlines():
        line = raw.strip()
        if line.startswith("#"):
            continue
        for part in line.strip("[]").split(","):
            name, equals, value = part.partition("=")
            if equals:
                yield name.strip().casefold(), value.strip()


def _record(number: int, fields: dict[str, str]) -> AeadRecord:
    try:
        valid = fields.get("result", "Pass").casefold() == "pass"
        message = bytes.fromhex(fields["payload"]) if valid else b""
        return AeadRecord(
            count=number,
            key=bytes.fromhex(fields["key"]),
            nonce=bytes.fromhex(fields["nonce"]),
            ad=bytes.fromhex(fields["adata"])[: int(fields["alen"])],
            message=message[: int(fields["plen"])],
            sealed=bytes.fromhex(fields["ct"]),
            valid=valid,
            tag=int(fields["tlen"]),
        )
    except (KeyError, ValueError) as error:
        raise FormatError(f"record {number}: not one of CAVP's CCM files ({error})") from None
