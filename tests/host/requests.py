"""Requests to the runners, and what they answer."""

from __future__ import annotations

from pathlib import Path

from host.build import ask, field_of
from host.known_answers import Aead, Mac


def encrypt(program: Path, records: list[Aead]) -> list[bytes]:
    """What the program makes of each record's message: ciphertext and tag."""
    requests = [
        f"encrypt {r.key.hex()} {field_of(r.nonce)} {field_of(r.ad)} {field_of(r.message)}"
        for r in records
    ]
    return [bytes.fromhex(answer) for answer in ask(program, requests)]


def decrypt(program: Path, records: list[Aead]) -> list[str]:
    """What the program makes of each record's ciphertext and tag: the message or `rejected`."""
    requests = [
        f"decrypt {r.key.hex()} {field_of(r.nonce)} {field_of(r.ad)} {field_of(r.sealed)}"
        for r in records
    ]
    return ask(program, requests)


def mac_requests(records: list[Mac], word: str) -> list[str]:
    """Lines that ask for tags (`sign`) or for their being right (`check`)."""
    requests = []
    for each in records:
        fields = [each.key, each.message, *([each.tag] if word == "check" else [])]
        fields += [each.custom] if each.custom else []
        name = f"{word}-custom" if each.custom else word
        requests.append(" ".join([name, *map(field_of, fields)]))
    return requests
