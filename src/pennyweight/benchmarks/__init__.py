"""Published benchmarks of implementations: clones of their repositories, and the boards in them.

`nist` reads a clone of NIST's lightweight cryptography benchmark, `nist_boards` describes its
boards, and `nist_harness` the overhead of its harness; `felics` reads FELICS-AE's result files.
"""

from __future__ import annotations

REAL_BOARD = "none: a real board"
"""Replaces the simulator's version."""

EXTERNAL = "third-party: "
"""Prefix of the names of third-party simulators."""
