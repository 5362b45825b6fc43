"""Board files: a part's memories and clock, its compiler, its supply current."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from pennyweight.catalogue import overlay
from pennyweight.catalogue.core_flags import contradiction, wrong_toolchain
from pennyweight.catalogue.cores import Core, Packages, can_simulate, find_core, load_core
from pennyweight.catalogue.device_clocks import clock_problem, wait_state_problem
from pennyweight.catalogue.device_table import Device, mismatch
from pennyweight.catalogue.part_names import flash_of, instruction_set_of
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import Table, parse, read_text
from pennyweight.model import UserError

if TYPE_CHECKING:
    from pennyweight._simulator import Board as SimulatedBoard

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.+-]*$", max_length=64)]


class MemoryKind(StrEnum):
    """The kind of a memory."""

    FLASH = "flash"
    RAM = "ram"
    MIRROR = "mirror"
    """The first bytes of the RAM at a second address."""


class Timing(Table):
    """Access times; the simulator defines the models and validates their fields."""

    model_config = ConfigDict(extra="allow", frozen=True)

    model: str

    @property
    def is_buffered(self) -> bool:
        """Whether the time of an access depends on earlier accesses."""
        return self.model != "zero-wait"

    @property
    def wait_states(self) -> int | None:
        """Wait states of a read that no buffer or cache shortens; `None` if the model has none."""
        if not self.is_buffered:
            return 0
        found = (self.model_extra or {}).get("wait_states")
        return found if isinstance(found, int) else None


class Memory(Table):
    """One memory of the map; `base` is an ELF address, `size` in bytes.

    The simulator checks their limits, and that the memories do not overlap.
    """

    name: str
    kind: MemoryKind
    base: int
    size: int
    timing: Timing

    @property
    def end(self) -> int:
        """One past the last address."""
        return self.base + self.size


class CoreChoice(Table):
    """Which core the part has: one of `cores/` by name, or a core file."""

    name: str = ""
    file: str = ""
    """Path of a core file, relative to the folder of the board file."""
    extensions: tuple[str, ...] = ()
    """Extensions of the instruction set that only some parts with this core have."""

    @model_validator(mode="after")
    def _name_or_file(self) -> CoreChoice:
        if bool(self.name) == bool(self.file):
            raise ValueError("give either 'name', a bundled core, or 'file', a core file's path")
        return self


class Clock(Table):
    """The clock that the core runs at; the simulator checks its limits."""

    hz: int


class Compiler(Table):
    """The compiler family for the part, and the flags that select the part."""

    toolchain: str
    flags: tuple[str, ...] = ()


class Random(Table):
    """The part's random number generator, as programs read it; the simulator checks the fields."""

    status: int
    """Address of the register that states whether a number is ready."""
    ready: int
    """Its bits of which one is set then."""
    data: int
    """Address of the register with the number."""
    bits: int
    """Bits of a number."""
    cycles: int
    """Cycles from the read of a number until the next one is ready."""
    acknowledge: bool = False
    """Whether the program writes to the status register to clear it."""


class Energy(Table):
    """Supply current at run and voltage, for the energy estimate."""

    current_ma: Annotated[float, Field(gt=0, le=10_000)]
    voltage_v: Annotated[float, Field(gt=0, le=100)]


class Price(Table):
    """What one part cost: in `currency` when buying `quantity`, on `date`, by `source`. Without a
    quantity, the source states none.
    """

    amount: Annotated[float, Field(gt=0, le=10_000)]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    quantity: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    date: Annotated[str, Field(pattern=r"^\d{4}-\d\d(-\d\d)?$")]
    source: Annotated[str, Field(min_length=1)]


class Errors(Table):
    """How far the board's cycles are from those of the part, absolute, in %."""

    median: Annotated[float, Field(strict=True, ge=0, le=1_000)]
    high: Annotated[float, Field(strict=True, ge=0, le=1_000)]
    """The 90th percentile; of fewer than 20 figures the largest error, and for `exact` always."""

    @model_validator(mode="after")
    def _ordered(self) -> Errors:
        if self.high < self.median:
            raise ValueError(f"'high' is {self.high:g}, below the median; correct one of them")
        return self

    @property
    def are_exact(self) -> bool:
        """Whether they are within the limit of `exact`."""
        return self.high <= EXACT_HIGH

    @property
    def are_validated(self) -> bool:
        """Whether they are within the limits of `validated`."""
        return self.median <= VALIDATED_MEDIAN and self.high <= VALIDATED_HIGH


EXACT_HIGH = 1.0
VALIDATED_MEDIAN, VALIDATED_HIGH = 3.0, 10.0
"""The largest errors of the classes, in %."""


class Accuracy(StrEnum):
    """What a simulated board's cycles were compared with."""

    EXACT = "exact"
    """Published cycle counts of assembly on the part agree within 1 %."""
    VALIDATED = "validated"
    """Compared with measurements of the part: the median error is at most 3 %, the 90th percentile
    at most 10 %."""
    PLAUSIBLE = "plausible"
    """Cycles were not compared, but ratios between implementations were; or core and memory timing
    are those of a board that was compared, or the core's are those of its published source.
    """
    NOT_VALIDATED = "not validated"
    """The rules are from manuals alone, or the errors exceed the limits of `validated`."""


class BoardFile(Table):
    """A file of `boards/`."""

    id: Name
    title: str
    part: str
    bits: Literal[8, 16, 32]
    core: CoreChoice
    clock: Clock
    memory: Annotated[tuple[Memory, ...], Field(min_length=1)]
    compiler: Compiler
    random: Random | None = None
    """The part's random number generator; without it, masked code has one in software."""
    no_random: str = ""
    """Why there is no `random`, in words: no generator, or one of unknown speed; empty:
    not stated."""
    energy: Energy | None = None
    price: Price | None = None
    device: Device | None = None
    """How to load a real board and count its cycles; without it, the board is only simulated."""
    accuracy: Accuracy | None = None
    """The board's class; by default, what `errors` allow: `validated` or `not validated`."""
    validation: str = ""
    """What was compared, with the errors, in one sentence; empty: not validated."""
    errors: Errors | None = None
    """The errors that `validation` states."""


@dataclass(frozen=True, slots=True)
class Board:
    """A parsed board file: its tables, its text, its path and its core."""

    file: BoardFile
    path: Path
    text: str
    core_file: Core

    @property
    def id(self) -> str:
        """Name on the command line and in results."""
        return self.file.id

    @property
    def title(self) -> str:
        """Name for people."""
        return self.file.title

    @property
    def part(self) -> str:
        """The microcontroller's order name."""
        return self.file.part

    @property
    def bits(self) -> int:
        """Width of the core: 8, 16 or 32."""
        return self.file.bits

    @property
    def core(self) -> str:
        """Name of the core."""
        return self.core_file.file.name

    @property
    def instruction_set(self) -> str:
        """The core's instruction set, without extensions."""
        return self.core_file.file.instruction_set

    @property
    def packages(self) -> Packages:
        """The names that package formats have for the core."""
        return self.core_file.file.packages

    @property
    def hz(self) -> int:
        """Clock in Hz."""
        return self.file.clock.hz

    @property
    def accuracy(self) -> Accuracy:
        """What the board's cycles were compared with."""
        if self.file.accuracy is not None:
            return self.file.accuracy
        errors = self.file.errors
        is_validated = errors is not None and errors.are_validated
        return Accuracy.VALIDATED if is_validated else Accuracy.NOT_VALIDATED

    @property
    def energy(self) -> Energy | None:
        """Current and voltage, if the file has them."""
        return self.file.energy

    @property
    def sha256(self) -> str:
        """Digest of the board's file and its core's."""
        return hashlib.sha256(f"{self.text}{self.core_file.text}".encode()).hexdigest()

    @property
    def flash(self) -> Memory:
        """The first flash, which programs are linked to."""
        return self._first(MemoryKind.FLASH)

    @property
    def ram(self) -> Memory:
        """The first RAM, for data, buffers and stack."""
        return self._first(MemoryKind.RAM)

    @property
    def has_memory_effects(self) -> bool:
        """Whether a second call can find prefetch buffers or caches in a different state."""
        return any(memory.timing.is_buffered for memory in self.file.memory)

    def simulated(self) -> SimulatedBoard:
        """The board as the simulators read it. Raises `UserError`."""
        from pennyweight._simulator import Board as SimulatedBoard

        core = self.core_file.simulated()
        try:
            return SimulatedBoard.from_toml(self.text, str(self.path), core)
        except ValueError as error:
            raise UserError(str(error)) from None

    def _first(self, kind: MemoryKind) -> Memory:
        return next(memory for memory in self.file.memory if memory.kind is kind)


def load_board(path: Path) -> Board:
    """The board that a file describes. Raises `UserError`."""
    text = read_text(path)
    file = parse(text, path, BoardFile)
    named = file.core.name
    core = find_core(named, path) if named else load_core(path.parent / file.core.file)
    board = Board(file, path, text, core)
    misplaced = wrong_toolchain(file.compiler.toolchain, core.file)
    if misplaced is not None:
        raise UserError(f"{path}: field 'compiler.toolchain': {misplaced}")
    # The simulator knows cores, memories and their timing, and checks them.
    if can_simulate():
        board.simulated()
    unfounded = _accuracy_problem(file)
    if unfounded is not None:
        raise UserError(f"{path}: field '{unfounded[0]}': {unfounded[1]}")
    bits = core.file.bits
    if board.bits != bits:
        raise UserError(
            f"{path}: field 'bits': is {board.bits}, but the core '{board.core}' has {bits}; "
            f"write bits = {bits}"
        )
    other = instruction_set_of(board.part)
    if other not in (None, board.instruction_set):
        raise UserError(
            f"{path}: field 'part': the {board.part} has a core of {other}, but '{board.core}' is "
            f"of {board.instruction_set}; correct 'part' or 'core'"
        )
    flags, extensions = file.compiler.flags, file.core.extensions
    wrong = contradiction(flags, board.part, core.file, extensions)
    if wrong is not None:
        raise UserError(f"{path}: field 'compiler.flags': {wrong}")
    problem = _flash_problem(board) or (
        _device_problem(board, file.device) if file.device else None
    )
    if problem is not None:
        raise UserError(f"{path}: field '{problem[0]}': {problem[1]}")
    return board


def _flash_problem(board: Board) -> tuple[str, str] | None:
    """A field of the flash that contradicts the part's name, and why: the end of a sentence."""
    flash = board.flash
    largest = flash_of(board.part)
    if largest is None or flash.size <= largest:
        return None
    size = f"{flash.size} bytes, but the {board.part} has {largest // 1024} KB of flash"
    return f"{_field_of(board, flash)}.size", f"is {size}; correct it, or 'part'"


def _device_problem(board: Board, device: Device) -> tuple[str, str] | None:
    """A field that contradicts the table `[device]`, and why: the end of a sentence."""
    flash = board.flash
    found = mismatch(device, board.instruction_set, board.part, flash.size)
    if found is not None:
        return f"device.{found[0]}", found[1]
    if not device.clock:
        return None
    problem = clock_problem(device.clock, board.instruction_set, board.part, board.hz)
    states = flash.timing.wait_states
    if problem is not None or states is None:
        return problem
    wrong = wait_state_problem(device.clock, board.part, board.hz, flash.base, states)
    return (f"{_field_of(board, flash)}.timing", wrong) if wrong is not None else None


def _field_of(board: Board, memory: Memory) -> str:
    return f"memory[{board.file.memory.index(memory) + 1}]"


def _accuracy_problem(file: BoardFile) -> tuple[str, str] | None:
    """A field of `accuracy`, `validation` and `errors` that contradicts another one, and why."""
    stated, errors = file.accuracy, file.errors
    if not file.validation:
        if stated not in (None, Accuracy.NOT_VALIDATED):
            problem = f"is '{stated}', but 'validation' is missing; state there what was compared"
            return "accuracy", problem
        if errors is not None:
            return "validation", "is missing; state there what 'errors' are of"
        return None
    within = errors is not None and errors.are_validated
    if stated is Accuracy.NOT_VALIDATED and (errors is None or within):
        return "accuracy", "is 'not validated', but there is a 'validation'; remove one of them"
    if errors is None:
        if stated is Accuracy.PLAUSIBLE:
            return None
        return "errors", (
            "is missing; add the errors that 'validation' states, in %, such as "
            '{ median = 0.5, high = 1.5 }, or accuracy = "plausible" if nothing was compared'
        )
    if stated is Accuracy.EXACT and not errors.are_exact:
        limit = f"at most {EXACT_HIGH:g} % is exact"
    elif stated is Accuracy.VALIDATED and not within:
        limit = f"at most {VALIDATED_MEDIAN:g} and {VALIDATED_HIGH:g} % are validated"
    else:
        return None
    figures = f"median {errors.median:g} %, high {errors.high:g} %"
    return "accuracy", f"is '{stated}', but the errors are larger ({figures}): {limit}; remove it"


def load_boards(folder: Path) -> dict[str, Board]:
    """All boards of a folder by id, in the order of their ids. Raises `UserError`."""
    found: dict[str, Board] = {}
    for path in sorted(folder.glob("*.toml")):
        board = load_board(path)
        if board.id in found:
            raise UserError(
                f"{path}: the id '{board.id}' is taken by {found[board.id].path}; choose another"
            )
        found[board.id] = board
    return dict(sorted(found.items()))


def find_board(name: str, known: dict[str, Board]) -> Board:
    """A board by id, or by the path of a board file. Raises `UserError`."""
    if name in known:
        return known[name]
    if name.endswith(".toml") or "/" in name:
        board = load_board(Path(name))
        bundled = known.get(board.id)
        if bundled is not None and bundled.sha256 != board.sha256:
            raise UserError(
                f"{name}: field 'id': '{board.id}' is the id of a bundled board, and results "
                "identify boards by it; choose another id, or replace the bundled file with "
                f"{overlay.VARIABLE}"
            )
        return board
    raise UserError(
        f"unknown board '{name}':{did_you_mean(name, known)} `pennyweight boards` lists them"
    )
