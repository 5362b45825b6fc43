"""The one place where the package takes hold of the simulators."""

from pennyweight_simulator import (
    Board,
    Machine,
    Outcome,
    Profile,
    __version__,
    cores,
    defined_symbols,
)

__all__ = ["Board", "Machine", "Outcome", "Profile", "__version__", "cores", "defined_symbols"]
