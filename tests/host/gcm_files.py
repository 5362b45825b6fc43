"""NIST's files of AES-GCM: their inputs, as `algorithms/vectors/pack_gcm.py` has packed them, and
the official text, which the inputs and what an implementation makes of them give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from host.build import ROOT
from host.known_answers import Aead

IV_BITS = (96, 8, 1024)
MESSAGE_BITS = (0, 128, 104, 256, 408)
AD_BITS = (0, 128, 160, 384, 720)
TAG_BITS = (128, 120, 112, 104, 96, 64, 32)
RECORDS = 15


@dataclass(frozen=True)
class Section:
    """Records with the same sizes; all calculated values are left empty."""

    iv: int
    message: int
    ad: int
    tag: int
    records: tuple[Aead, ...]

    @property
    def sizes(self) -> tuple[int, int]:
        """Bytes of nonce and tag."""
        return self.iv // 8, self.tag // 8


def read(file: str, key_bits: int) -> tuple[str, list[Section]]:
    """The comments at the top of an official file, and its sections in order."""
    data = (ROOT / "algorithms" / "vectors" / f"{file}.inputs").read_bytes()
    head, _, data = data.partition(b"\n\n")
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    sections = []
    for iv, message, ad, tag in product(IV_BITS, MESSAGE_BITS, AD_BITS, TAG_BITS):
        flags = int.from_bytes(take(2), "big")
        records = []
        for i in range(RECORDS):
            key, nonce, ad_ = (take(bits // 8) for bits in (key_bits, iv, ad))
            if flags >> i & 1:
                sealed = take((message + tag) // 8)
                records.append(Aead(key, nonce, ad_, b"", sealed, valid=False))
            else:
                records.append(Aead(key, nonce, ad_, take(message // 8), b""))
        sections.append(Section(iv, message, ad, tag, tuple(records)))
    assert at == len(data)
    return head.decode("ascii"), sections


def text(head: str, key_bits: int, sections: Sequence[Section], decrypting: bool) -> str:
    """The official file, whose records are complete now."""
    lines = [*head.split("\n"), "", "", ""]
    names = (
        ("Key", "IV", "CT", "AAD", "Tag") if decrypting else ("Key", "IV", "PT", "AAD", "CT", "Tag")
    )
    for section in sections:
        bits = (key_bits, section.iv, section.message, section.ad, section.tag)
        headings = ("Keylen", "IVlen", "PTlen", "AADlen", "Taglen")
        lines += [f"[{name} = {size}]" for name, size in zip(headings, bits, strict=True)] + [""]
        for count, record in enumerate(section.records):
            end = section.message // 8
            values = {
                "Key": record.key,
                "IV": record.nonce,
                "AAD": record.ad,
                "PT": record.message,
                "CT": record.sealed[:end],
                "Tag": record.sealed[end:],
            }
            lines.append(f"Count = {count}")
            lines += [f"{name} = {values[name].hex()}" for name in names]
            if decrypting:
                lines.append(f"PT = {record.message.hex()}" if record.valid else "FAIL")
            lines.append("")
    return "".join(f"{line}\r\n" for line in lines)
