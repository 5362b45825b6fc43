"""Cycle-accurate simulators of microcontrollers: boards, images, calls by the ABI."""

from ._native import (
    Board,
    Core,
    Leakage,
    Machine,
    Outcome,
    Profile,
    __version__,
    defined_symbols,
    effects_of_call,
    translator_version,
    version_of,
)

__all__ = [
    "Board",
    "Core",
    "Leakage",
    "Machine",
    "Outcome",
    "Profile",
    "__version__",
    "defined_symbols",
    "effects_of_call",
    "translator_version",
    "version_of",
]
