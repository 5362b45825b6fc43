"""Runs a tier of checks.

    python -m scripts.tiers lint     formatters, linters and type checkers
    python -m scripts.tiers check    also unit tests, and the Python tests that a change affects
    python -m scripts.tiers test     everything

A step whose inputs have not changed since it passed is answered from the user's cache. All
failures are listed at the end, and the exit status is then 1.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from scripts.tiers import steps
from scripts.tiers.runner import Runner, summary

TIERS = ("lint", "check", "test")


def main() -> int:
    """Runs the command and returns its exit status."""
    if len(sys.argv) != 2 or sys.argv[1] not in TIERS:
        print(__doc__, file=sys.stderr)
        return 2
    os.environ["PATH"] = f"{steps.BIN}{os.pathsep}{os.environ['PATH']}"
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    started = time.monotonic()
    try:
        chosen = steps.of(sys.argv[1])
        outcomes = Runner(chosen, steps.CORES).run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0 if summary(outcomes, time.monotonic() - started) else 1


if __name__ == "__main__":
    sys.exit(main())
