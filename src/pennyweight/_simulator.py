"""The only module that imports the simulators' bindings."""

import platform

from pennyweight.model import UserError

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
        version_of,
    )
except ImportError as error:
    raise UserError(
        f"the simulators cannot be loaded ({error}): install them with `pip install "
        "pennyweight-simulator`; there are wheels for Linux on x86-64 and aarch64 with glibc 2.17 "
        f"or newer, and on {platform.system()} {platform.machine()} the same command builds them "
        "if Rust is installed"
    ) from error

__all__ = [
    "Board",
    "Core",
    "Leakage",
    "Machine",
    "Outcome",
    "Profile",
    "__version__",
    "defined_symbols",
    "version_of",
]
