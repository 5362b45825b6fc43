"""The one place where the package takes hold of the simulators."""

from pennyweight_simulator import Board, Machine, Outcome, Profile, __version__, cores

__all__ = ["Board", "Machine", "Outcome", "Profile", "__version__", "cores"]
