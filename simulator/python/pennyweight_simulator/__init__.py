"""Cycle-accurate simulators of microcontrollers: boards, images, calls by the ABI."""

from ._native import Board, Machine, Outcome, Profile, __version__, cores, defined_symbols

__all__ = ["Board", "Machine", "Outcome", "Profile", "__version__", "cores", "defined_symbols"]
