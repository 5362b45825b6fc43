"""The only module that imports the simulators' bindings."""

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
