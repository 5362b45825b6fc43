"""What runs simulated programs: the interpreters or translated code, with the same results."""

from __future__ import annotations

import os

VARIABLE = "PENNYWEIGHT_ENGINE"
"""The environment variable that the simulators read."""

AUTO = "auto"
"""Translated code for what runs often."""


def demanded() -> str | None:
    """The engine that the user wants to see at work; None if it may be chosen."""
    name = os.environ.get(VARIABLE, "")
    return None if name in ("", AUTO) else name
