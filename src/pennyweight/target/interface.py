"""What `target` needs of a machine: to load, read, write and call, and how a call ended.

The simulator is one such machine, a device on a cable another. Nothing above this interface knows
which of them it talks to. All addresses are ELF addresses.
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
    """The image cannot be loaded: something in it lies where the part has no memory."""


class Outcome(Protocol):
    """How a run ended and what it cost."""

    @property
    def exit(self) -> Literal["returned", "fault", "out of cycles"]:
        """Whether the function returned."""

    @property
    def fault(self) -> str | None:
        """Kind of fault, such as 'stack-overflow', 'guard-zone' or 'free-stack'."""

    @property
    def access(self) -> Literal["read", "write", "execute"] | None:
        """What the faulting access wanted, if it was an access."""

    @property
    def message(self) -> str:
        """The fault in words; empty if there was none."""

    @property
    def pc(self) -> int | None:
        """Address of the instruction that faulted or at which the budget ended, if it is known."""

    @property
    def address(self) -> int | None:
        """Data address of a faulting access."""

    @property
    def cycles(self) -> int:
        """Cycles from the function's first instruction to its return, both included."""

    @property
    def instructions(self) -> int | None:
        """Instructions executed; `None` on a machine that does not count them."""

    @property
    def stack(self) -> int:
        """High-water mark in bytes below the stack pointer before the call."""

    @property
    def result(self) -> int:
        """The function's result as an int of the ABI."""


class Machine(Protocol):
    """A part with an image loaded."""

    def symbol(self, name: str) -> int | None:
        """The address of a symbol of the image."""

    def symbols(self) -> list[tuple[str, int, int, bool]]:
        """(name, address, size in bytes, is a function) of every symbol."""

    def location(self, pc: int) -> str:
        """'function (file:line)' as far as the image tells, else the address in hex."""

    def boot(self, ready: int, budget: int) -> Outcome:
        """Resets and runs the start-up code until `ready` is reached."""

    def call(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        zones: list[Zone] = ...,
    ) -> Outcome:
        """Calls a function by the core's ABI; `budget` is in cycles.

        The stack may use RAM from `stack_limit` up to `stack_top`; what `zones` forbid is not
        touched, as far as the machine can find out.
        """

    def profile(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        zones: list[Zone] = ...,
    ) -> Profile:
        """As `call`, observed. Raises `ValueError` where that is not offered."""

    def follow_secrets(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        secrets: list[tuple[int, int]],
        zones: list[Zone] = ...,
    ) -> tuple[Outcome, list[tuple[int, Literal["branch", "address", "time"], int]]]:
        """As `call`, following the bytes `secrets`. Raises `ValueError` where it is not offered."""

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash. Raises `ValueError` outside the memories."""

    def write(self, address: int, data: bytes) -> None:
        """Puts bytes into RAM. Raises `ValueError` outside it."""

    @property
    def stack_top(self) -> int:
        """The stack pointer at which a call starts; known once booted."""

    def allow_odd_words(self, allowed: bool) -> bool:
        """Whether a word at an odd address is the one below instead of a fault. False if the part
        does not do so.
        """

    def snapshot(self) -> None:
        """Keeps the state of RAM and core for `restore`."""

    def restore(self) -> None:
        """Brings back what `snapshot` kept."""


Loader = Callable[[Board, Program], Machine]
"""Loads a program on a part. Raises `UserError` for a board that cannot be had, and
`RefusedImageError` for an image that does not go into its memories."""
