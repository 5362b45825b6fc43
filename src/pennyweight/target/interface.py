"""The interface of a machine: load, read, write and call, and how a call ended.

The simulator is one such machine, a connected device another. Code above this interface does not
depend on which one is used. All addresses are ELF addresses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from pennyweight._simulator import Profile
from pennyweight.build import Program
from pennyweight.catalogue.boards import Board
from pennyweight.target.buffers import Zone

Argument = tuple[Literal["pointer", "size", "u64", "int"], int]
"""Kind and value."""


class RefusedImageError(Exception):
    """The image cannot be loaded: it uses addresses without memory."""


class Outcome(Protocol):
    """How a run ended, and its costs."""

    @property
    def exit(self) -> Literal["returned", "fault", "out of cycles"]:
        """Whether the function returned."""

    @property
    def fault(self) -> str | None:
        """Kind of fault, such as 'stack-overflow', 'guard-zone' or 'free-stack'."""

    @property
    def access(self) -> Literal["read", "write", "execute"] | None:
        """The kind of the faulting access, if it was an access."""

    @property
    def message(self) -> str:
        """The fault in words; empty if there was none."""

    @property
    def pc(self) -> int | None:
        """Address of the instruction that faulted or at which the budget ended, if known."""

    @property
    def address(self) -> int | None:
        """Data address of a faulting access."""

    @property
    def size(self) -> int | None:
        """Bytes of a faulting access, if known."""

    @property
    def cycles(self) -> int:
        """Cycles from the function's first instruction to its return, inclusive."""

    @property
    def instructions(self) -> int | None:
        """Executed instructions; `None` on a machine that does not count them."""

    @property
    def stack(self) -> int:
        """High-water mark in bytes below the stack pointer before the call."""

    @property
    def result(self) -> int:
        """The function's result as an `int` of the ABI."""

    @property
    def random(self) -> tuple[int, int]:
        """Bits of random numbers read from the part's generator, and cycles of waiting for them."""


class Machine(Protocol):
    """A part with a loaded image."""

    def symbol(self, name: str) -> int | None:
        """The address of a symbol of the image."""

    def symbols(self) -> list[tuple[str, int, int, bool]]:
        """(name, address, size in bytes, is a function) of every symbol."""

    def location(self, pc: int) -> str:
        """'function (file:line)' if the image contains it, otherwise the address in hex."""

    def boot(self, ready: int, budget: int) -> Outcome:
        """Resets and runs the start-up code up to `ready`."""

    def call(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        zones: list[Zone] = ...,
    ) -> Outcome:
        """Calls a function by the core's ABI; `budget` is in cycles.

        The stack may use RAM from `stack_limit` up to `stack_top`. Accesses that `zones` forbid are
        detected as far as the machine can.
        """

    def profile(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        zones: list[Zone] = ...,
    ) -> Profile:
        """As `call`, with observation. Raises `ValueError` if unsupported."""

    def follow_secrets(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        secrets: list[tuple[int, int]],
        zones: list[Zone] = ...,
    ) -> tuple[Outcome, list[tuple[int, Literal["branch", "address", "time"], int]]]:
        """As `call`, tracking the bytes `secrets`. Raises `ValueError` if unsupported."""

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash. Raises `ValueError` outside the memories."""

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM. Raises `ValueError` outside it."""

    @property
    def stack_top(self) -> int:
        """The stack pointer at which a call starts; known after booting."""

    def allow_odd_words(self, allowed: bool) -> bool:
        """Sets whether an access to a word at an odd address goes to the address below instead of
        faulting. Returns false if the part does not do that.
        """

    def snapshot(self) -> None:
        """Saves the state of RAM and core for `restore`."""

    def restore(self) -> None:
        """Restores the state that `snapshot` saved."""


Loader = Callable[[Board, Program], Machine]
"""Loads a program on a part. Raises `UserError` for an unavailable board, and `RefusedImageError`
for an image that does not fit its memories."""
