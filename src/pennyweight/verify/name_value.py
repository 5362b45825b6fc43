"""Reads known answers written as `Name = value` lines.

One reader for NIST LWC, CAVP and RFC files, which differ only in the names of the fields. Section
headings in brackets and comments are skipped; a line `FAIL` or a `Result` other than success marks
a record that must be rejected. A record with an input that the API does not have (a NORX trailer)
is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from pennyweight.verify.records import AeadRecord, HashRecord, MacRecord

_NONCE = ("nonce", "iv")
_AD = ("ad", "aad")
_MESSAGE = ("pt", "plaintext", "msg", "message")
_CIPHERTEXT = ("ct", "ciphertext")
_DIGEST = ("md", "output")
_TAG = ("tag", "md", "mac", "output")
_CUSTOM = ("z", "custom")
_FOREIGN = "trailer"


class FormatError(ValueError):
    """The text does not follow its format."""


def aead_records(text: str) -> Iterator[AeadRecord]:
    """The records of an AEAD file, numbered from 1 in file order. Raises `FormatError`."""
    for number, fields in enumerate(_blocks(text), start=1):
        if fields.get(_FOREIGN):
            continue
        valid = "fail" not in fields and "error" not in fields.get("result", "").casefold()
        valid = valid and fields.get("result", "").casefold() not in ("fail", "invalid")
        sealed = _field(fields, _CIPHERTEXT, number) + _optional(fields, ("tag",), number)
        yield AeadRecord(
            count=number,
            key=_field(fields, ("key",), number),
            nonce=_field(fields, _NONCE, number),
            ad=_optional(fields, _AD, number),
            message=_field(fields, _MESSAGE, number) if valid else b"",
            sealed=sealed,
            valid=valid,
        )


def hash_records(text: str) -> Iterator[HashRecord]:
    """The records of a hash or XOF file. Raises `FormatError`."""
    for number, fields in enumerate(_blocks(text), start=1):
        yield HashRecord(
            count=number,
            message=_message(fields, number),
            digest=_field(fields, _DIGEST, number),
            custom=_optional(fields, _CUSTOM, number),
        )


def mac_records(text: str) -> Iterator[MacRecord]:
    """The records of a MAC file. Raises `FormatError`."""
    for number, fields in enumerate(_blocks(text), start=1):
        tag = _field(fields, _TAG, number)
        yield MacRecord(
            count=number,
            key=_field(fields, ("key",), number),
            message=_message(fields, number),
            tag=tag,
            size=len(tag),
            custom=_optional(fields, _CUSTOM, number),
        )


def _message(fields: dict[str, str], number: int) -> bytes:
    """The message, cut to `Len` bits if that is given."""
    message = _field(fields, _MESSAGE, number)
    if "len" not in fields:
        return message
    bits = int(fields["len"])
    if bits % 8:
        raise FormatError(f"record {number}: Len = {bits} is not a whole number of bytes")
    return message[: bits // 8]


def _blocks(text: str) -> Iterator[dict[str, str]]:
    """The fields of each record; records are separated by blank lines."""
    fields: dict[str, str] = {}
    for raw in [*text.splitlines(), ""]:
        line = raw.strip()
        if not line:
            if len(fields) > 1:
                yield fields
            fields = {}
        elif not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            fields[name.strip().casefold()] = value.strip()


def _optional(fields: dict[str, str], names: tuple[str, ...], number: int) -> bytes:
    return _field(fields, names, number) if any(name in fields for name in names) else b""


def _field(fields: dict[str, str], names: tuple[str, ...], number: int) -> bytes:
    for name in names:
        if name in fields:
            try:
                return bytes.fromhex(fields[name])
            except ValueError:
                raise FormatError(f"record {number}: {name} is not hexadecimal") from None
    raise FormatError(f"record {number}: the field {names[0]} is missing")
