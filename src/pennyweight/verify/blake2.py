"""Reads the BLAKE2 designers' `blake2-kat.json`: an array of `hash`, `in`, `key`, `out`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import HashRecord, MacRecord


def hash_records(text: str, function: str) -> Iterator[HashRecord]:
    """The records of `function` without a key. Raises `FormatError`."""
    for number, (key, message, out) in enumerate(_entries(text, function), start=1):
        if not key:
            yield HashRecord(number, message, out)


def mac_records(text: str, function: str) -> Iterator[MacRecord]:
    """The records of `function` with a key. Raises `FormatError`."""
    for number, (key, message, out) in enumerate(_entries(text, function), start=1):
        if key:
            yield MacRecord(number, key, message, out, len(out))


def _entries(text: str, function: str) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Key, message and output of the entries of one function."""
    try:
        for entry in json.loads(text):
            if entry["hash"] == function:
                key, message, out = (bytes.fromhex(entry[name]) for name in ("key", "in", "out"))
                yield key, message, out
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not the BLAKE2 designers' file ({error})") from None
