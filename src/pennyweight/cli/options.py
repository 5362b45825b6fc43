"""Options shared by commands without a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from pennyweight.api.options import BOARDS, BUILDS, DEFAULT_FLAGS, JOBS, RESULTS
from pennyweight.cli.requests import option

F = TypeVar("F", bound=Callable[..., Any])


def board_option(required: bool) -> Callable[[F], Any]:
    """``--board B[,B...]``, which may be repeated; passed as `boards`."""
    text = BOARDS.help if required else f"{BOARDS.help} [all]"
    return option("boards", replace(BOARDS, help=text, required=required))


def flags_option(function: F) -> Any:
    """``--flags "-O2"``; repeat for more builds."""
    return option("flags", BUILDS, DEFAULT_FLAGS)(function)


def jobs_option(function: F) -> Any:
    """``--jobs N``."""
    return option("jobs", JOBS)(function)


def results_option(function: F) -> Any:
    """``--results DIR``."""
    return option("results", RESULTS, "results")(function)
