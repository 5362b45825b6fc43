"""Divides rows into a calibration set, an evaluation set, and invalid rows.

A model must not be evaluated on the rows that it was fitted to. Timing rules come from manuals; if
a manual leaves a parameter open, it is chosen with the calibration set. All other rows, including
all hash functions, are the evaluation set, which is never used for choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from pennyweight.model import Kind

CALIBRATION = frozenset(
    (
        "ascon128v12",
        "giftcofb128v1",
        "tinyjambu128v2",
        "schwaemm256128v2",
        "romulusn",
        "elephant160v2",
        "isapa128av20",
        "aes-gcm",
    )
)
"""AEAD variants: one of most families, so that bitsliced, table-driven and 32-bit code, small loops
and unrolled code are all included, and the AES-GCM references."""


def is_calibration(kind: Kind, variant: str) -> bool:
    """Whether rows of this variant may be used to choose a parameter."""
    return kind is Kind.AEAD and variant in CALIBRATION


@dataclass(frozen=True, slots=True)
class BadRow:
    """Rows of a board with invalid figures; names are shell patterns."""

    board: str
    variant: str
    implementation: str
    level: str
    reason: str


BAD_ROWS = (
    BadRow(
        "uno",
        "asconhashav12",
        "ref",
        "-Os",
        "at -Os 2.4 times slower than the same build on nano_every, and slower than asconhashv12, "
        "which has more rounds",
    ),
    BadRow(
        "nano_every",
        "ascon128v12",
        "avr_lowsize",
        "*",
        "a third faster than the uno, which this core's faster stores and calls do not explain: a "
        "different version of the sources was measured",
    ),
    BadRow(
        "mkrzero",
        "xoodyak*",
        "XKCP-ARMv6M",
        "*",
        "11 to 15 times slower than the same code on every other part",
    ),
    BadRow(
        "nano33ble",
        "xoodyak*",
        "*ARMv6M*",
        "*",
        "many times slower than the same code on every other part",
    ),
    *(
        BadRow(
            board,
            "*",
            "rhys_masked",
            "*",
            "its random words are from the board's generator; here they are computed",
        )
        for board in ("nodemcuv2", "dueUSB")
    ),
)


def bad_reason(board: str, variant: str, implementation: str, level: str) -> str:
    """Why a row is excluded; empty if it is not."""
    for bad in BAD_ROWS:
        if (
            bad.board == board
            and fnmatchcase(variant, bad.variant)
            and fnmatchcase(implementation, bad.implementation)
            and fnmatchcase(level, bad.level)
        ):
            return bad.reason
    return ""


SHRINKS = "the board's figures decrease as the message grows"
"""Why a single difference is excluded: NodeMCU has such rows."""

TOO_SMALL = "the value to compare is no larger than the resolution of the board's clock"
"""Why a single figure or difference is excluded: some packages store a length in one byte, so that
512 bytes of associated data equal 256, which equal none."""

TOO_LARGE = "the figures are larger than the board's counter can count"
"""Why a row is excluded: MKR Zero counts with 24 bits, and with interrupts disabled, overflows are
not counted, so larger figures are wrong. An overflowed figure may be small; the simulated value
reveals it."""
