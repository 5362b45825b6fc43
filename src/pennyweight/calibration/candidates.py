"""The timings that a part's flash may have: the simulators' models with a grid of parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pennyweight._simulator import Board as SimulatedBoard
from pennyweight.catalogue.boards import Board, MemoryKind

Timing = Mapping[str, int | str]
"""The fields of a `timing` table."""

_WAITS = tuple(range(1, 16))
"""Flash controllers have up to 15 wait states (STM32F7 reference manual RM0385, FLASH_ACR.LATENCY:
four bits).
"""
_LINES = (4, 8, 16, 32, 64)
_CACHED = (0, 1, 2, 4, 8, 16, 32, 64)

_SETS = {
    "size": tuple(1 << power for power in range(8, 14)),
    "line": (8, 16, 32, 64),
    "ways": (1, 2, 4, 8, 16, 32),
}
"""Set-associative caches that fit into the benchmarks' code."""


@dataclass(frozen=True, slots=True)
class Model:
    """A timing model and the values to try.

    `code` are the fields on which fetches depend, `data` those on which only loads do. `solved`
    fields are a number of cycles that is added to each event, so they follow from two simulations;
    `data_solved` is such a field for loads.
    """

    name: str
    code: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    data: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    solved: str = ""
    data_solved: str = ""

    def timings(self) -> Iterator[dict[str, int | str]]:
        """All combinations of the fields for code; the others have the first value, or 0."""
        first = {name: values[0] for name, values in self.data.items()}
        first |= {name: 0 for name in (self.solved, self.data_solved) if name}
        for values in itertools.product(*self.code.values()):
            yield {"model": self.name, **dict(zip(self.code, values, strict=True)), **first}

    def with_data(self, timing: Timing) -> Iterator[dict[str, int | str]]:
        """A timing with all combinations of the fields for data."""
        for values in itertools.product(*self.data.values()):
            yield {**timing, **dict(zip(self.data, values, strict=True))}


MODELS = (
    Model("zero-wait"),
    Model("prefetch", {"wait_states": _WAITS, "line": _LINES, "lines": (1, 2, 3, 4, 6, 8)}),
    Model(
        "stream",
        {"wait_states": _WAITS, "line": _LINES, "cached_lines": _CACHED},
        {"data_lines": (0, 1, 2, 4, 8)},
    ),
    Model(
        "bus-matrix",
        {"wait_states": _WAITS, "line": _LINES, "pause_wait_states": tuple(range(8))},
        {"connect_wait_states": (0, 1, 2, 3)},
    ),
    Model("cache", {"wait_states": _WAITS, "line": _LINES, "lines": (*_CACHED[1:], 128)}),
    Model(
        "cache",
        {"wait_states": _WAITS, "line": _LINES, "lines": (*_CACHED[1:], 128)},
        {"data_wait_states": tuple(range(16))},
    ),
    Model("associative-cache", _SETS, solved="miss"),
    Model("associative-cache", _SETS, {"data_size": (64, 128, 256, 512, 1024)}, solved="miss"),
    Model(
        "instruction-cache",
        {
            "size": tuple(1 << power for power in range(8, 18)),
            "line": (8, 16, 32, 64, 128),
            "ways": (1, 2, 4, 8),
        },
        solved="miss",
        data_solved="data_read",
    ),
)
"""The simplest first: of two that explain the counts equally well, the first is proposed."""


def line_of(timing: Timing) -> str:
    """The line of a board file, such as `timing = { model = "zero-wait" }`."""
    fields = (
        f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}"
        for name, value in timing.items()
    )
    return f"timing = {{ {', '.join(fields)} }}"


def timing_of(board: Board) -> dict[str, int | str]:
    """The timing of a board's flash, as its file has it."""
    return dict(board.flash.timing.model_dump())


def simulated_board(board: Board, timing: Timing) -> SimulatedBoard:
    """The board with another timing of its flash. Raises `ValueError` for impossible values."""
    flash = board.flash
    extensions = ", ".join(f'"{each}"' for each in board.file.core.extensions)
    parts = [
        f'id = "{board.id}"',
        f'[core]\nname = "{board.core}"\nextensions = [{extensions}]',
        f"[clock]\nhz = {board.hz}",
    ]
    for memory in board.file.memory:
        own = timing if memory is flash else memory.timing.model_dump()
        kind = MemoryKind(memory.kind).value
        parts.append(
            f'[[memory]]\nname = "{memory.name}"\nkind = "{kind}"\nbase = {memory.base}\n'
            f"size = {memory.size}\n{line_of(own)}"
        )
    return SimulatedBoard.from_toml("\n".join(parts), "a candidate", board.core_file.simulated())
