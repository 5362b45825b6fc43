"""The only module that imports the simulators' bindings.

Without them, the names that it exports raise `UserError` when they are used, so that commands that
need no simulator work.
"""

import platform
from typing import TYPE_CHECKING

from pennyweight.model import UserError

_problem = ""

try:
    from pennyweight_simulator import (
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
except ImportError as error:
    _problem = (
        f"the simulators cannot be loaded ({error}): install them with `pip install "
        "pennyweight-simulator`; there are wheels for Linux on x86-64 and aarch64 with glibc 2.17 "
        f"or newer, and on {platform.system()} {platform.machine()} the same command builds them "
        "if Rust is installed"
    )


def _unavailable(name: str) -> object:
    if name in __all__:
        raise UserError(_problem)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    __getattr__ = _unavailable


def problem() -> str:
    """Why the simulators cannot be loaded, and the remedy; empty if they are loaded."""
    return _problem


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
