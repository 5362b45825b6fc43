"""Published benchmarks of implementations: clones of their repositories, and the boards in them.

`nist` reads a clone of NIST's lightweight cryptography benchmark, `nist_boards` describes its
boards and `nist_harness` what its harness adds to a call; `felics` reads FELICS-AE's result files.
"""

from __future__ import annotations

REAL_BOARD = "none: a real board"
"""In place of the simulator's version."""

THEIRS = "theirs: "
"""What the name of a simulator that is not ours begins with, where others measured on one."""
