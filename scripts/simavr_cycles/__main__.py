"""Compares cycles measured through a debug server on simavr with those of the simulator.

    make simavr-cycles [ARGS="--lengths 0:0-128/16 'ascon-*'"]

simavr emulates an ATmega328P and counts cycles independently. Pennyweight loads each image through
simavr's debug server, calls the functions with its monitor and reads Timer1, as on a real board.
Prints a Markdown table; the exit status is 1 if a count differs or is missing.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pennyweight
from pennyweight.markdown import table
from pennyweight.model import UserError

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

BOARD = "atmega328p"
IMPLEMENTATIONS = (
    "aes-128-gcm/small-table",
    "ascon-aead128/fast8",
    "ascon-hash256/small",
    "chacha20-poly1305/fast8",
    "gift-cofb/fast8",
    "grain-128aeadv2/fast8",
    "hmac-sha256/small",
    "photon-beetle-aead-128/fast8",
    "schwaemm256-128/fast8",
    "sha-256/fast8",
    "tinyjambu-128/fast8",
    "xoodyak/fast8",
)
LENGTHS = "0:0-128"

_KEY = ("algorithm", "implementation", "op", "ad", "m")


def compare(names: Sequence[str], lengths: str) -> tuple[str, int]:
    """The table, and the number of counts that differ or are missing."""
    from emulators.running import avr_gdb

    simulated = _counts(names, lengths, {})
    with avr_gdb() as emulator:
        measured = _counts(names, lengths, {"on": emulator.place, "yes": True, "repeats": 1})
    groups: dict[tuple[str, str], list[tuple[int, int | None, int | None]]] = defaultdict(list)
    for (algorithm, name, op, _, m), cycles in simulated.items():
        both = (m, cycles, measured.get((algorithm, name, op, _, m)))
        groups[f"{algorithm}/{name}", op].append(both)
    rows, wrong = [], 0
    for (name, op), found in groups.items():
        different = sum(ours is None or ours != theirs for _, ours, theirs in found)
        wrong += different
        (_, first, _), (_, last, _) = min(found), max(found)
        rows.append((name, op, f"{len(found)}", _number(first), _number(last), f"{different}"))
    heads = ("implementation", "operation", "lengths", "shortest", "longest", "different counts")
    return table(heads, rows), wrong


def _counts(
    names: Sequence[str], lengths: str, place: dict[str, Any]
) -> dict[tuple[Any, ...], int | None]:
    rows: Iterable[dict[str, Any]] = pennyweight.measure(
        names, boards=[BOARD], lengths=lengths, verify=False, **place
    ).to_pylist()
    return {tuple(row[name] for name in _KEY): row["cycles"] for row in rows}


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="make simavr-cycles", description=__doc__)
    parser.add_argument("names", nargs="*", default=IMPLEMENTATIONS, metavar="PATH_OR_NAME")
    parser.add_argument("--lengths", default=LENGTHS)
    arguments = parser.parse_args()
    try:
        text, wrong = compare(arguments.names, arguments.lengths)
    except UserError as error:
        print(f"simavr-cycles: {error}", file=sys.stderr)
        return 2
    print(text)
    print(f"\n{wrong} counts differ.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
