"""One job from sources to rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pennyweight.catalogue import Board, Implementation
from pennyweight.model import Case, JobResult

DEFAULT_BUDGET = 200_000_000
"""Cycles after which one call is given up."""


def job_key(
    implementation: Implementation,
    board: Board,
    flags: str,
    cases: Sequence[Case],
    verify: Literal["full", "quick", "none"] = "full",
) -> str:
    """The content hash that names the job: 64 hexadecimal digits.

    Equal keys give equal rows: sources, headers, firmware, board file, compiler identity, flags,
    cases, simulator version, known answers and `verify` all enter it. Raises `UserError` for
    flags that no measurement may use.
    """
    raise NotImplementedError


def run_job(
    implementation: Implementation,
    board: Board,
    flags: str,
    cases: Sequence[Case],
    *,
    verify: Literal["full", "quick", "none"] = "full",
    budget: int = DEFAULT_BUDGET,
) -> JobResult:
    """Builds, verifies and measures; one row per case, in the order of `cases`.

    Whatever the implementation does wrong, and a compiler that is not there (`skipped`), becomes
    the rows' status with a reason. Raises `UserError` only for what the caller did wrong: a flag
    that no measurement may use or that the compiler refuses.
    """
    raise NotImplementedError
