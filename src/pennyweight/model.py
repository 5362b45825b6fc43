"""The types that all packages share: cases, statuses and measurements.

A *case* is a function to call with its input lengths. A *job* is one implementation on one board
with one set of compiler flags and a list of cases. A *measurement* is one row of the store: one
case of one job, or the reason why it has no figure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MOST_CASES = 1 << 19
"""Most cases of one job: two operations at every pair of 0 to 500 bytes, and some more. A job's
rows are held in memory at once.
"""


class Kind(StrEnum):
    """What an algorithm does."""

    AEAD = "aead"
    HASH = "hash"
    AUTH = "auth"


class Operation(StrEnum):
    """The function that a case calls.

    The first group are one-shot functions, the second the parts of the incremental API.
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

    `ad` is the length of an AEAD's associated data or of the customisation string of a customised
    XOF or MAC, otherwise 0. `m` is that of the message, and for `squeeze` the bytes of output after
    the first.
    """

    op: Operation
    ad: int
    m: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of a program, minus those of the empty program with the same board and flags.

    `flash` counts code, read-only data and the initial values of data in flash; `ram` counts data
    and zero-initialised data, without the stack. `None` if the program was not built.
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

    `stack` is the high-water mark in bytes. `flash` and `ram`, in bytes, are those of the whole
    implementation (both directions), minus the empty program.
    """

    algorithm: str
    implementation: str
    board: str
    flags: str
    """Compiler flags; with the source of random words, if the implementation uses some."""
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
    cycles_spread: int | None = None
    """On a real board: between the least and the most cycles of the repeated call."""
    cycles_least: int | None = None
    """On a real board: the least cycles of the repeated call; `cycles` is the median."""
    shares: int | None = None
    """The number of shares of a masked implementation; its order is one less."""
    random: str | None = None
    """The source of random words: `trng`, `free` or `lfsr`; `None` for those that use none."""
    random_words: int | None = None
    """Random words of 32 bits that the call drew, rounded up."""
    random_wait_cycles: int | None = None
    """Of `cycles`, those in which the call waited for the part's generator."""
    buffers: str = "separate"
    status: str = Status.OK.value
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain values in the order of the fields."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a job's numbers; stored with every row."""

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
    """The known answers that passed, in words; 'not verified' if there are none."""
    device: str | None = None
    """Part, core, identity and server of the real board; `None` if the job was simulated."""


@dataclass(frozen=True, slots=True)
class SymbolSize:
    """Bytes of one function or object in the linked program."""

    name: str
    section: str
    object: str
    bytes: int


@dataclass(frozen=True, slots=True)
class JobResult:
    """The complete result of a job."""

    provenance: Provenance
    measurements: list[Measurement]
    symbols: list[SymbolSize] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def printable(text: str) -> str:
    """Text from third-party files, made safe for terminals and results: line breaks become spaces;
    control characters, invalid UTF-8 and other unprintable characters become U+FFFD.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else " " if letter in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def shortened(text: str, most: int = 1000) -> str:
    """The same, cut to `most` characters, because names in assembly can have any length."""
    return printable(text if len(text) <= most else f"{text[: most - 1]}…")


class UserError(Exception):
    """Invalid input. The message is one sentence that names the file, the field and the remedy.

    The command line prints the message without a traceback and exits with status 2.
    """
