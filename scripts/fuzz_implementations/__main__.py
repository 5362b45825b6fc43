"""Fuzzes each decryption and each verification of a MAC on this machine.

    make fuzz-implementations [SECONDS=10] [ARGS="ascon-* romulus-n/small"]

Every bundled implementation is built by Clang, with warnings as errors, libFuzzer, and the address
and undefined-behaviour sanitizers, and run for the given seconds on the targets
tests/host/aead_fuzz.c and mac_fuzz.c. Interesting inputs are kept in `target/fuzz-implementations`,
where the next run starts; so is an input that fails.
"""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from host.build import FUZZED, Bundled, bundled  # noqa: E402
from host.fuzz import Fuzzing, fuzz  # noqa: E402

PLACE = ROOT / "target" / "fuzz-implementations"


def main(arguments: list[str]) -> int:
    """Fuzzes the matching implementations; 1 if anything fails, 2 if there is nothing to do."""
    parser = argparse.ArgumentParser(prog="fuzz-implementations", description=__doc__)
    parser.add_argument("patterns", nargs="*", default=["*"], help="of algorithm/implementation")
    parser.add_argument("--seconds", type=int, default=10, help="for each implementation")
    given = parser.parse_args(arguments)
    chosen = [each for each in bundled() if each.kind in FUZZED and _named(each, given.patterns)]
    if not chosen:
        wanted = " ".join(given.patterns)
        print(
            f"fuzz-implementations: no AEAD or MAC matches {wanted}: "
            "see `pennyweight implementations`",
            file=sys.stderr,
        )
        return 2
    failed = 0
    for each in chosen:
        found = fuzz(each, PLACE / each.id, Fuzzing(seconds=given.seconds))
        print(f"{each.id}: {found.printed}", flush=True)
        failed += not found.passed
    print(f"{len(chosen) - failed} of {len(chosen)} implementations passed.")
    return 1 if failed else 0


def _named(each: Bundled, patterns: list[str]) -> bool:
    return any(
        fnmatchcase(name, pattern) for name in (each.id, each.algorithm) for pattern in patterns
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
