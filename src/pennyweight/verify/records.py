"""Known answers as records, and NIST LWC's sets, whose inputs follow a rule.

The rule and the text are those of genkat_aead.c and genkat_hash.c of the NIST Lightweight
Cryptography call for algorithms (2018). Byte i of every input is i plus a first value (0 in the
call; in the sets of SP 800-232, nonce, plaintext and associated data start at 10, 20 and 30 hex).
Plaintext and associated data have all lengths from 0 to 32, a message from 0 to 1024.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

AEAD_LONGEST = 32
AEAD_RECORDS = (AEAD_LONGEST + 1) ** 2
HASH_LONGEST = 1024
HASH_RECORDS = HASH_LONGEST + 1

_COUNTING = bytes(range(256)) * 16


@dataclass(frozen=True, slots=True)
class AeadRecord:
    """One call and its answer: `sealed` is ciphertext and tag; invalid records must be rejected.

    `tag` is the size of the record's tag, if its file states it.
    """

    count: int
    key: bytes
    nonce: bytes
    ad: bytes
    message: bytes
    sealed: bytes | None
    valid: bool = True
    tag: int | None = None

    def lengths(self) -> str:
        """The lengths in words, for messages."""
        return f"{len(self.ad)} bytes of associated data, {len(self.message)} of message"


@dataclass(frozen=True, slots=True)
class HashRecord:
    """One message and its digest, with a customisation string if there is one."""

    count: int
    message: bytes
    digest: bytes | None
    custom: bytes = b""

    def lengths(self) -> str:
        """The lengths in words, for messages."""
        under = f", {len(self.custom)} of customisation" if self.custom else ""
        return f"{len(self.message)} bytes{under}"


@dataclass(frozen=True, slots=True)
class MacRecord:
    """One message, a key and the tag; invalid records must be rejected.

    `size` is the size of the record's tag; `custom` is a customisation string.
    """

    count: int
    key: bytes
    message: bytes
    tag: bytes
    size: int
    custom: bytes = b""
    valid: bool = True

    def lengths(self) -> str:
        """The lengths in words, for messages."""
        under = f", {len(self.custom)} of customisation" if self.custom else ""
        return f"{len(self.message)} bytes{under}"


@dataclass(frozen=True, slots=True)
class Starts:
    """First byte of each input of a set."""

    nonce: int = 0
    message: int = 0
    ad: int = 0


def pattern(start: int, size: int) -> bytes:
    """`size` bytes counting up from `start`."""
    if size <= len(_COUNTING) - 256:
        return _COUNTING[start : start + size]
    return bytes((start + index) & 0xFF for index in range(size))


@functools.lru_cache(maxsize=16)
def aead_grid(key: int, nonce: int, starts: Starts, longest: int = 0) -> tuple[AeadRecord, ...]:
    """The inputs of the 1089 records for these sizes, without answers.

    For an AEAD with messages of at most `longest` bytes and without associated data, only those
    that are possible.
    """
    lengths = itertools.product(range(AEAD_LONGEST + 1), repeat=2)
    if longest:
        lengths = itertools.product(range(longest + 1), (0,))
    key_bytes = pattern(0, key)
    nonce_bytes = pattern(starts.nonce, nonce)
    return tuple(
        AeadRecord(
            count,
            key_bytes,
            nonce_bytes,
            pattern(starts.ad, ad),
            pattern(starts.message, message),
            None,
        )
        for count, (message, ad) in enumerate(lengths, start=1)
    )


def hash_grid() -> Iterator[HashRecord]:
    """The inputs of the 1025 records, without answers."""
    for size in range(HASH_LONGEST + 1):
        yield HashRecord(size + 1, pattern(0, size), None)


def cxof_grid() -> Iterator[HashRecord]:
    """The inputs of the 1089 records of a customised XOF: all lengths of message and string up to
    32; the string starts at 10 hex (the Ascon team's genkat_cxof.c).
    """
    count = 0
    for message in range(AEAD_LONGEST + 1):
        for custom in range(AEAD_LONGEST + 1):
            count += 1
            yield HashRecord(count, pattern(0, message), None, pattern(0x10, custom))


def in_spread(record: AeadRecord) -> bool:
    """Whether it is one of the sample's 33 records. Each length occurs once on both sides."""
    return len(record.ad) == len(record.message) * 7 % (AEAD_LONGEST + 1)


def hash_in_spread(record: HashRecord) -> bool:
    """Whether it is one of the 33 records of its set's sample. The lengths include every remainder
    modulo 32, so that messages end before, at and after the boundaries of blocks of 4 to 32 bytes.
    """
    turn, rest = divmod(len(record.message), 32)
    return rest == turn * 7 % 32


def cxof_in_spread(record: HashRecord) -> bool:
    """The same for a customised XOF: each length occurs once on both sides."""
    return len(record.custom) == len(record.message) * 7 % (AEAD_LONGEST + 1)


def short_digest(answer: bytes) -> str:
    """The short digest that the catalogue stores for an answer of the sample."""
    return hashlib.sha256(answer).hexdigest()[:8]


class LwcText:
    """The digest of a set's text as genkat writes it, with LF line ends."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add_aead(self, record: AeadRecord, sealed: bytes) -> None:
        """Adds one record with its answer."""
        self._add(
            f"Count = {record.count}\nKey = {_hex(record.key)}\nNonce = {_hex(record.nonce)}\n"
            f"PT = {_hex(record.message)}\nAD = {_hex(record.ad)}\nCT = {_hex(sealed)}\n\n"
        )

    def add_hash(self, record: HashRecord, digest: bytes) -> None:
        """Adds one record with its answer."""
        self._add(f"Count = {record.count}\nMsg = {_hex(record.message)}\nMD = {_hex(digest)}\n\n")

    def add_cxof(self, record: HashRecord, digest: bytes) -> None:
        """Adds one record with its answer."""
        self._add(
            f"Count = {record.count}\nMsg = {_hex(record.message)}\nZ = {_hex(record.custom)}\n"
            f"MD = {_hex(digest)}\n\n"
        )

    def _add(self, text: str) -> None:
        self._digest.update(text.encode())

    def sha256(self) -> str:
        """The digest of all added records."""
        return self._digest.hexdigest()


def _hex(value: bytes) -> str:
    return value.hex().upper()
