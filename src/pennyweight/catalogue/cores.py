"""Core files: instruction set, calling convention, timing model, and the flags that select a core.

The simulators check what they use of a file (instruction set, extensions, width, timing); this
module checks names and types and reads the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Field

from pennyweight.catalogue.root import data_root
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import Table, parse, read_text
from pennyweight.model import UserError

if TYPE_CHECKING:
    from pennyweight._simulator import Core as SimulatedCore

FOLDER = "cores"


class CoreTiming(Table):
    """The timing model and its parameters; the simulators check them."""

    model_config = ConfigDict(extra="allow", frozen=True)

    model: str


class Selection(Table):
    """A compiler flag that selects the core, and the values that do.

    `{part}` means the board's part, `{isa}` a RISC-V instruction set: the core's and the board's
    extensions, or a subset of them.
    """

    flag: str
    values: tuple[str, ...]


class CoreCompiler(Table):
    """The flags of a board file that select the core; an empty list: the compiler has no other."""

    select: tuple[Selection, ...] = ()


class Packages(Table):
    """The names that package formats have for the core."""

    felics_ae: str = ""
    """FELICS-AE's platform; empty if it has none."""


class CoreFile(Table):
    """A file of `cores/`."""

    name: str
    title: str
    instruction_set: str
    bits: Literal[8, 16, 32]
    endianness: str
    abi: str
    extensions: tuple[str, ...] = ()
    """Extensions of the instruction set that every part with this core has."""
    optional: tuple[str, ...] = ()
    """Extensions that a board file may add."""
    timing: CoreTiming
    compiler: CoreCompiler
    packages: Packages = Packages()
    cpuid: Annotated[int, Field(ge=0, le=0xFFF)] | None = None
    """The part number in an Arm core's CPUID register; None: a real board's core is not checked."""


_NOT_OF_CODE = {"title", "compiler", "timing", "cpuid", "packages"}
"""Fields of a core's file that code and its outputs do not depend on."""


@dataclass(frozen=True, slots=True)
class Core:
    """A core file that has been read."""

    file: CoreFile
    path: Path
    text: str

    def meaning(self) -> dict[str, Any]:
        """The values that code and its outputs on this core depend on."""
        return self.file.model_dump(mode="json", exclude=_NOT_OF_CODE)

    def simulated(self) -> SimulatedCore:
        """The core as the simulators read it. Raises `UserError`."""
        from pennyweight._simulator import Core as SimulatedCore

        try:
            return SimulatedCore.from_toml(self.text, str(self.path))
        except ValueError as error:
            raise UserError(str(error)) from None


def load_core(path: Path) -> Core:
    """The core that a file describes. Raises `UserError`."""
    text = read_text(path)
    core = Core(parse(text, path, CoreFile), path, text)
    if can_simulate():
        core.simulated()
    return core


def can_simulate() -> bool:
    """Whether the simulators can check files. Without them, files are listed unchecked."""
    from pennyweight import _simulator

    return not _simulator.problem()


def bundled_cores() -> dict[str, Path]:
    """The files of the bundled cores by name."""
    return {each.stem: each for each in sorted((data_root() / FOLDER).glob("*.toml"))}


def find_core(name: str, board_file: Path) -> Core:
    """The bundled core that a board file names. Raises `UserError`."""
    known = bundled_cores()
    if name not in known:
        raise UserError(
            f"{board_file}: field 'core.name': there is no core '{name}':"
            f"{did_you_mean(name, known)} the bundled cores are {', '.join(known)}; give "
            "'core.file' for a core file of your own"
        )
    return load_core(known[name])
