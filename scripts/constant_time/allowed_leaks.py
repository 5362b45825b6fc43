"""Places where secrets may affect the timing of constant-time implementations, with reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pennyweight.model import Operation
from pennyweight.target.machine import Leak

IMPLEMENTATIONS = Path(__file__).resolve().parents[2] / "implementations"


@dataclass(frozen=True, slots=True)
class AllowedLeak:
    """Instructions of one kind: those of the lines in a bundled source with a certain text; or, if
    there is no source, those of the compiler's function with that name.
    """

    kind: str
    source: str
    text: str
    core: str = ""
    """Restricted to these cores; empty: all."""


ALLOWED = (
    # The specification requires a test for equal words of x, which are equal for one key in 2^29.
    AllowedLeak("branch", "drygascon/drygascon.c", "while (equal)"),
    # Only the public 1 after the secret bits of this register matters, but registers are tracked as
    # a whole.
    AllowedLeak("branch", "ascon/halves32/permutation.c", "while (left !="),
    # All factors have their highest bit set, so that all are long; again, registers are tracked as
    # a whole. tests/test_constant_time.py checks the cycles of many keys.
    AllowedLeak("time", "ghash/ct32/multiply.h", " * ", core="m4k"),
    AllowedLeak("time", "poly1305/fast32/words.c", "__asm__", core="m4k"),
    AllowedLeak("time", "poly1305/fast32/words.c", "(a4 * (r0 | LONG))", core="m4k"),
    # Products of bytes: all factors are short.
    AllowedLeak("time", "poly1305/multiply.h", "*sum += (unsigned)x * y", core="m4k"),
    AllowedLeak("time", "poly1305/multiply.h", "(unsigned)x * *(*r)++", core="m4k"),
    AllowedLeak("time", "poly1305/multiply.h", "*sum += *below + product", core="m4k"),
    # Tweaks are nonce and counter; LWL and LWR, which load them, each keep a part of the register,
    # which contained a secret before.
    AllowedLeak("branch", "forkskinny/fast32/schedule.c", "half.row[0] | half.row", core="m4k"),
    # RETI, at the end of libgcc's multiplications, pops flags and address from the stack. The
    # caller's flags may be secret; the address is not.
    *(
        AllowedLeak("branch", "", name, core=core)
        for core in ("msp430", "msp430x")
        for name in ("__mulhi2", "__mulsi2", "__umulhisi2")
    ),
    # The core has no multiplier. libgcc's multiplication ends when the rest of a factor is 0, so
    # that code that multiplies secrets is not constant-time here: ascon/small shifts in this way.
    AllowedLeak("branch", "", "__mulhi3", core="avre"),
)

DECIDES = {Operation.DEC: "crypto_aead_decrypt"}
"""The operation's function that must branch on whether the tag is correct."""

PLACE = re.compile(r"^(?P<function>\S+) \((?:(?P<source>.+):(?P<line>\d+)|0x[0-9a-f]+)\)$")


def may_show(leak: Leak, operation: Operation, core: str) -> bool:
    """Whether a place is expected to depend on a secret."""
    place = PLACE.match(leak.location)
    if place is None:
        return False
    if leak.kind == "branch" and place["function"] == DECIDES.get(operation):
        return True
    source = place["source"] or ""
    if not (IMPLEMENTATIONS / source).is_file():
        source = ""
    text = _line(source, int(place["line"])) if source else place["function"]
    return any(
        (leak.kind, source) == (each.kind, each.source)
        and each.core in ("", core)
        and (each.text in text if source else each.text == text)
        for each in ALLOWED
    )


@cache
def _lines(source: str) -> list[str]:
    return (IMPLEMENTATIONS / source).read_text(encoding="utf-8").splitlines()


def _line(source: str, number: int) -> str:
    lines = _lines(source)
    return lines[number - 1] if 0 < number <= len(lines) else ""
