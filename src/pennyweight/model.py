"""The words that the rooms share: cases, statuses and measurements.

A *case* is what is called with which lengths. A *job* is one implementation on one board with
one set of compiler flags and a list of cases. A *measurement* is one row of the store: one case
of one job, or the reason why there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MOST_CASES = 1 << 19
"""Of one job: two operations at every pair of 0 to 500 bytes, and some more. Its rows are in memory
at once, here and with whoever reads them.
"""


class Kind(StrEnum):
    """What an algorithm does."""

    AEAD = "aead"
    HASH = "hash"
    AUTH = "auth"


class Operation(StrEnum):
    """What a case calls.

    The first group are one-shot functions, the second the incremental parts that a one-shot
    function is made of.
    """

    ENC = "enc"
    DEC = "dec"
    HASH = "hash"
    AUTH = "auth"
    AUTH_VERIFY = "auth-verify"

    INIT = "init"
    KEY = "key"
    START = "start"
    AD = "ad"
    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"
    FINALIZE = "finalize"
    TAG = "tag"
    VERIFY = "verify"
    UPDATE = "update"
    SQUEEZE = "squeeze"


class Status(StrEnum):
    """How a case, or the whole job, ended."""

    OK = "ok"
    BUILD_FAILED = "build failed"
    WRONG_ANSWER = "wrong answer"
    REJECTED_VALID = "rejected a valid message"
    ACCEPTED_FORGERY = "accepted a forgery"
    CRASHED = "crashed"
    OUT_OF_CYCLES = "ran out of cycles"
    STACK_OVERFLOW = "stack overflow"
    DOES_NOT_FIT = "does not fit"
    WROTE_OUTSIDE = "wrote outside its buffer"
    READ_OUTSIDE = "read outside its buffer"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, order=True)
class Case:
    """One call to measure: the operation and its lengths in bytes.

    `ad` is the associated data of an AEAD, the customisation string of a customised XOF or MAC,
    else 0. `m` is the message, and for `squeeze` the bytes of output after the first.
    """

    op: Operation
    ad: int
    m: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of a program beyond the empty program of the same board and flags.

    `flash` counts code, read-only data and the initial values of data in flash; `ram` counts
    data and zero-initialised data, without the stack. `None`: not built.
    """

    flash: int | None = None
    flash_enc: int | None = None
    flash_dec: int | None = None
    ram: int | None = None
    ram_enc: int | None = None
    ram_dec: int | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of the store. Cycles, instructions and stack are `None` unless `status` is ok.

    `stack` is the high-water mark in bytes, `flash` and `ram` are those of the whole
    implementation (both directions) beyond the empty program, in bytes.
    """

    algorithm: str
    implementation: str
    board: str
    flags: str
    op: str
    ad: int
    m: int
    cycles: int | None = None
    cycles_cold: int | None = None
    instructions: int | None = None
    stack: int | None = None
    flash: int | None = None
    flash_enc: int | None = None
    flash_dec: int | None = None
    ram: int | None = None
    buffers: str = "separate"
    status: str = Status.OK.value
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain values in field order."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a job's numbers come from; kept with every row."""

    job: str
    sources_sha256: str
    board_sha256: str
    firmware_sha256: str
    compiler: str
    compiler_version: str
    compiler_sha256: str
    simulator_version: str
    pennyweight_version: str
    verified: str
    """Which known answers passed, in words; 'not verified' if there were none."""


@dataclass(frozen=True, slots=True)
class SymbolSize:
    """Bytes of one function or object in the linked program."""

    name: str
    section: str
    object: str
    bytes: int


@dataclass(frozen=True, slots=True)
class JobResult:
    """All that one job produced."""

    provenance: Provenance
    measurements: list[Measurement]
    symbols: list[SymbolSize] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def printable(text: str) -> str:
    """Words that came from somebody's files, for terminals and results: spaces for breaks, and
    U+FFFD for what else is no letter, such as control characters and bytes that are not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else " " if letter in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def shortened(text: str, most: int = 1000) -> str:
    """The same in no more than so many letters: names in somebody's assembly have any length."""
    return printable(text if len(text) <= most else f"{text[: most - 1]}…")


class UserError(Exception):
    """Bad input: the message is one clear sentence that names the file, the field and the remedy.

    The command line prints it without a traceback and exits with status 2.
    """
