"""What may show in time of implementations that say they are constant time, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pennyweight.model import Operation
from pennyweight.target.machine import Leak

IMPLEMENTATIONS = Path(__file__).resolve().parents[2] / "implementations"


@dataclass(frozen=True, slots=True)
class Expected:
    """Instructions of one kind: of lines of one source that have a certain text; or, if no source
    is known, of the function of that name.
    """

    kind: str
    source: str
    text: str
    core: str = ""
    """Only there; empty: everywhere."""


EXPECTED = (
    # That two words of x are equal, as with one key in 2^29, is what the specification asks for.
    Expected("branch", "drygascon/drygascon.c", "while (equal)"),
    # Of the register that is asked only the public 1 behind the secret bits counts; secrets are
    # followed by whole registers.
    Expected("branch", "ascon/halves32/permutation.c", "while (left !="),
    # All factors have their highest bit set, so that all are long; again, a register is secret or
    # is not. tests/test_constant_time.py has the cycles of many keys.
    Expected("time", "ghash/ct32/ghash_ct32.c", " * ", core="m4k"),
    Expected("time", "poly1305/fast32/words.c", "__asm__", core="m4k"),
    Expected("time", "poly1305/fast32/words.c", "(a4 * (r0 | LONG))", core="m4k"),
    # Products of bytes: all factors are short.
    Expected("time", "poly1305/multiply.h", "*sum += (unsigned)x * y", core="m4k"),
    Expected("time", "poly1305/multiply.h", "(unsigned)x * *(*r)++", core="m4k"),
    Expected("time", "poly1305/multiply.h", "*sum += *below + product", core="m4k"),
    # Tweaks are nonce and counter; LWL and LWR, which load them, each keep a part of the register,
    # in which a secret was before.
    Expected("branch", "forkskinny/fast32/schedule.c", "half.row[0] | half.row", core="m4k"),
    # RETI, with which libgcc's multiplications return, takes flags and address from the stack; the
    # flags with which they were called may be secret, the address is not.
    Expected("branch", "", "__mulhi2", core="msp430"),
    Expected("branch", "", "__mulsi2", core="msp430"),
    Expected("branch", "", "__umulhisi2", core="msp430"),
)

DECIDES = {Operation.DEC: "crypto_aead_decrypt"}
"""The function of an operation that has to branch on a secret: on whether the tag was right."""

PLACE = re.compile(r"^(?P<function>\S+) \((?:(?P<source>.+):(?P<line>\d+)|0x[0-9a-f]+)\)$")


def may_show(leak: Leak, operation: Operation, core: str) -> bool:
    """Whether a place may tell something about a secret."""
    place = PLACE.match(leak.location)
    if place is None:
        return False
    if leak.kind == "branch" and place["function"] == DECIDES.get(operation):
        return True
    source = place["source"] or ""
    text = _line(source, int(place["line"])) if source else place["function"]
    return any(
        (leak.kind, source) == (each.kind, each.source)
        and each.core in ("", core)
        and (each.text in text if source else each.text == text)
        for each in EXPECTED
    )


@cache
def _lines(source: str) -> list[str]:
    if not (IMPLEMENTATIONS / source).is_file():
        return []
    return (IMPLEMENTATIONS / source).read_text(encoding="utf-8").splitlines()


def _line(source: str, number: int) -> str:
    lines = _lines(source)
    return lines[number - 1] if 0 < number <= len(lines) else ""
