"""One program loaded on one simulated board: buffers, calls, and the meaning of outcomes."""

from __future__ import annotations

from pennyweight.target.buffers import Buffer, DoesNotFitError, Layout, Request, lay_out
from pennyweight.target.failure import Failure
from pennyweight.target.interface import RefusedImageError
from pennyweight.target.machine import Result, Target

__all__ = [
    "Buffer",
    "DoesNotFitError",
    "Failure",
    "Layout",
    "RefusedImageError",
    "Request",
    "Result",
    "Target",
    "lay_out",
]
