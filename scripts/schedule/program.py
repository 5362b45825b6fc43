"""Builds a source for a board, calls its functions there, and shows what they execute."""

from __future__ import annotations

import contextlib
import io
import random
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from scripts.schedule.instructions import Text
from scripts.schedule.source import MARKER, Source

from pennyweight._simulator import Machine, effects_of_call
from pennyweight.build.failure import BuildError
from pennyweight.build.failure_causes import with_cause
from pennyweight.build.firmware import headers_folder
from pennyweight.build.flag_check import check_flags
from pennyweight.build.link import Linker
from pennyweight.build.objects import compile_all, compile_one
from pennyweight.build.programs import Program, check_fit
from pennyweight.build.sources import Sources
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.flags import parse_flags
from pennyweight.catalogue.root import data_root
from pennyweight.measure.disassembly import objdump_of, without_remarks
from pennyweight.measure.function_call import FunctionCall, requests_of
from pennyweight.measure.single_function import count_calls, find_sources
from pennyweight.model import UserError
from pennyweight.target import Failure, Target
from pennyweight.target.board_check import check_board
from pennyweight.target.buffers import Request
from pennyweight.target.interface import Loader
from pennyweight.target.simulated import simulate
from pennyweight.toolchains import for_board

FAMILIES = {"arm-none-eabi-gcc": "arm", "riscv64-unknown-elf-gcc": "riscv"}
"""By compiler, the names that `instructions` uses."""
BUDGET = 100_000_000
"""Cycles of a call."""

_TIME_LIMIT_S = 60
_INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2,8} )+) *\t(.*)$")
_ROW = re.compile(rf"^{MARKER}\s+(?P<line>\d+|-)\s+(?P<address>0x[0-9a-f]+|0)\b")


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction of an image."""

    address: int
    size: int
    text: Text
    shown: str
    """As the disassembler prints it, without its remarks."""

    @property
    def end(self) -> int:
        """The address that follows it."""
        return self.address + self.size


@dataclass(frozen=True, slots=True)
class Use:
    """What an instruction reads and writes: bits by number of a register or flag."""

    reads: int
    writes: int
    loads: bool
    stores: bool
    times: int = 1


@dataclass(frozen=True, slots=True)
class Call:
    """A function to call, after an optional other one."""

    call: FunctionCall
    setup: FunctionCall | None = None
    text: str = ""
    """As the user wrote it."""

    @property
    def functions(self) -> frozenset[str]:
        """The functions that it needs."""
        setup = {self.setup.function} if self.setup else set()
        return frozenset({self.call.function} | setup)

    def requests(self) -> list[Request]:
        """Its buffers."""
        return requests_of((self.call, self.setup) if self.setup else (self.call,), "--call")


Stack = tuple[tuple[int, int], ...]
"""Where an instruction comes from: pairs of a macro's expansion and a line in it, the outermost
first. Expansion 0 is the file.
"""


@dataclass(slots=True)
class Image:
    """A linked program."""

    elf: bytes
    instructions: dict[int, Instruction]
    stacks: dict[int, Stack]
    """Where each instruction of the source comes from, in the order of addresses."""
    segments: list[tuple[int, int, int]] = field(init=False)
    """(first address, end, position in the file) of loaded segments."""
    labels: frozenset[int] = field(init=False)
    """Addresses of symbols."""
    uses: dict[int, Use] = field(default_factory=dict)
    """Of the executed instructions."""
    _by_text: dict[str, Use] = field(default_factory=dict)

    def __post_init__(self) -> None:
        file = ELFFile(io.BytesIO(self.elf))
        self.segments = [
            (each["p_vaddr"], each["p_vaddr"] + each["p_filesz"], each["p_offset"])
            for each in file.iter_segments("PT_LOAD")
        ]
        symbols = file.get_section_by_name(".symtab")
        assert isinstance(symbols, SymbolTableSection), "the linker keeps symbols"
        # Addresses of Thumb code are odd; `$t` and the like separate code from data.
        self.labels = frozenset(
            each["st_value"] & ~1
            for each in symbols.iter_symbols()
            if each.name and not each.name.startswith(("$", ".L"))
        )

    def add_uses(self, uses: Iterable[tuple[int, Use]]) -> None:
        """Adds what instructions at some addresses read and write."""
        for address, use in uses:
            known = self.uses.get(address, Use(0, 0, False, False, 0))
            found = self.uses[address] = Use(
                known.reads | use.reads,
                known.writes | use.writes,
                known.loads or use.loads,
                known.stores or use.stores,
                known.times + use.times,
            )
            instruction = self.instructions.get(address)
            if instruction is not None and not instruction.text.is_fixed:
                self._by_text[instruction.shown] = found

    def use_of(self, instruction: Instruction) -> Use | None:
        """An instruction's effects: as executed, or those of one with the same text that was."""
        return self.uses.get(instruction.address) or self._by_text.get(instruction.shown)

    def patched(self, changes: Mapping[int, bytes]) -> bytes:
        """The ELF file with other bytes at some addresses."""
        elf = bytearray(self.elf)
        for start, end, at in self.segments:
            for address, content in changes.items():
                if start <= address < end:
                    elf[at + address - start : at + address - start + len(content)] = content
        return bytes(elf)

    def bytes_of(self, instruction: Instruction) -> bytes:
        """An instruction's encoding."""
        for start, end, at in self.segments:
            if start <= instruction.address < end:
                begin = at + instruction.address - start
                return self.elf[begin : begin + instruction.size]
        raise AssertionError("instructions are in loaded segments")


class Setting:
    """A board with compiler flags, and the files that are linked with the source."""

    def __init__(
        self,
        path: Path,
        others: Sequence[Path],
        include: Sequence[Path],
        board: Board,
        flags: str,
        calls: Sequence[Call],
        weight: int = 1,
    ) -> None:
        """Raises `UserError`, `BuildError`."""
        self.board = board
        self.flags = flags
        self.calls = tuple(calls)
        self.weight = weight
        self._toolchain = for_board(board)
        self.family = FAMILIES.get(self._toolchain.family.name, "")
        if self.family == "":
            raise UserError(
                f"--board: {board.id}: the order of instructions does not matter on its core, or "
                "the scheduler does not support the core; name a board with an Arm or a RISC-V core"
            )
        check_flags(self._toolchain, board, parse_flags(flags))
        check_board(board, self._toolchain)
        self._temporary = tempfile.TemporaryDirectory(prefix="pennyweight-schedule-")
        self._folder = Path(self._temporary.name)
        self._written = self._folder / "source"
        self._written.mkdir()
        self._name = path.name
        self._path = path
        firmware = data_root() / "firmware"
        self._flags = (*board.file.compiler.flags, *parse_flags(flags))
        self._headers = headers_folder(firmware)
        self._include = [path.resolve().parent, *(each.resolve() for each in include)]
        self._objects: list[str] = []
        if others:
            found = find_sources(list(others), self._include)
            with self._causes(found):
                compiled = compile_all(
                    self._toolchain, found, self._flags, self._headers, self._folder
                )
            for each in compiled:
                (self._folder / each.file).rename(self._folder / f"other-{each.file}")
                self._objects.append(f"other-{each.file}")
        self._linker = Linker(self._toolchain, board, self._flags, firmware, self._folder)

    @contextlib.contextmanager
    def _causes(self, sources: Sources) -> Iterator[None]:
        """A context in which a failed build is explained."""
        try:
            yield
        except BuildError as error:
            raise with_cause(error, sources, self._toolchain.family, self.board) from None

    def build(self, source: str) -> bytes:
        """Assembles and links the source's text. Raises `UserError`, `BuildError`."""
        candidate = self._written / self._name
        candidate.write_text(source, encoding="utf-8")
        found = find_sources([candidate], self._include)
        roots = frozenset[str]().union(*(each.functions for each in self.calls))
        with self._causes(found):
            made = compile_one(
                self._toolchain,
                replace(found, compiled=()),
                self._name,
                self._flags,
                self._headers,
                self._folder,
            )
            image = self._linker.link("program", [made.file, *self._objects], roots)
        check_fit(image, self.board)
        return image.image.elf

    def image(self, source: Source) -> Image:
        """The program of a source, and where its instructions come from."""
        elf = self.build(source.marked())
        instructions = self._disassembled()
        return Image(elf, instructions, _origins(self._rows(), instructions, source))

    def _objdump(self, *arguments: str) -> str:
        tool = objdump_of(self._toolchain.driver)
        if tool is None:
            raise UserError(
                f"{self._toolchain.driver}: there is no objdump in its folder; install the "
                "compiler's binutils"
            )
        command = [str(tool), *arguments, str(self._folder / "program.elf")]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIME_LIMIT_S, check=False
        )
        if done.returncode != 0:
            raise UserError(f"{tool}: {done.stderr.strip()}; install the compiler's binutils")
        return done.stdout

    def _disassembled(self) -> dict[int, Instruction]:
        found = {}
        for line in self._objdump("-d").splitlines():
            matched = _INSTRUCTION.match(line)
            if matched is None:
                continue
            address = int(matched[1], 16)
            size = len(matched[2].replace(" ", "")) // 2
            shown = without_remarks(matched[3])
            found[address] = Instruction(address, size, Text.of(shown, self.family), shown)
        return found

    def _rows(self) -> list[list[tuple[int, int]]]:
        """Addresses and lines in order, for each section that was not removed."""
        found: list[list[tuple[int, int]]] = [[]]
        for line in self._objdump("--dwarf=decodedline").splitlines():
            row = _ROW.match(line)
            if row is None:
                continue
            if row["line"] == "-":
                found[-1].append((int(row["address"], 16), 0))
                found.append([])
            else:
                found[-1].append((int(row["address"], 16), int(row["line"])))
        # The linker moves removed sections to address 0, where the vectors are.
        return [rows for rows in found if rows and rows[0][0] != 0]

    def cycles(self, elf: bytes) -> list[int] | None:
        """The cycles of each call, once memories' buffers are warm; `None` if one fails."""
        found = [counted for counted in self._cycles(elf) if isinstance(counted, int)]
        return found if len(found) == len(self.calls) else None

    def check(self, elf: bytes) -> list[int]:
        """The same; raises `UserError` for a call that fails."""
        found = []
        for call, counted in zip(self.calls, self._cycles(elf), strict=True):
            if isinstance(counted, Failure):
                raise UserError(
                    f"--call: {call.call.function} on {self.board.id}: {counted.reason}; correct "
                    "the call or the source"
                )
            found.append(counted)
        return found

    def _cycles(self, elf: bytes) -> list[int | Failure]:
        target = self.target(elf)
        if target.boot_failure:
            return [target.boot_failure] * len(self.calls)
        found: list[int | Failure] = []
        for call in self.calls:
            target.reset()
            counts = count_calls(target, call.call, call.setup, self.board.has_memory_effects)
            found.append(counts if isinstance(counts, Failure) else counts.cycles)
        return found

    def target(self, elf: bytes, load: Loader = simulate) -> Target:
        """A booted board with the program."""
        return Target(self.board, Program("program", elf, 0, 0), BUDGET, load)

    def observe(self, image: Image) -> None:
        """Gives an image the effects of what the calls execute."""
        for call in self.calls:
            image.add_uses(self._uses(image, call))

    def _uses(self, image: Image, call: Call) -> list[tuple[int, Use]]:
        machine = Machine(self.board.simulated(), image.elf)
        target = self.target(image.elf, lambda board, program: machine)
        layout = target.lay_out(call.requests())
        target.write(layout)
        if call.setup is not None:
            target.call(call.setup.function, call.setup.values(layout), layout)
        address = machine.symbol(call.call.function)
        assert address is not None, "the call was made before"
        arguments = call.call.values(layout)
        _, rows = effects_of_call(machine, address, arguments, BUDGET, layout.end, layout.zones)
        return [
            (pc, Use(reads, writes, loads, stores, times))
            for pc, times, reads, writes, loads, stores in rows
        ]


def random_requests(call: Call, generator: random.Random) -> list[Request]:
    """The buffers of a call with random bytes."""
    return [each._replace(content=generator.randbytes(each.size)) for each in call.requests()]


def _origins(
    sections: Iterable[Sequence[tuple[int, int]]],
    instructions: Mapping[int, Instruction],
    source: Source,
) -> dict[int, Stack]:
    """The stack of expansions for each instruction of the source."""
    found: dict[int, Stack] = {}
    expansions = 0
    for rows in sections:
        frames: list[tuple[int, str | None, int]] = [(0, None, 0)]
        for position, (address, line) in enumerate(rows[:-1]):
            macro = source.lines[line].macro
            while frames[-1][1] != macro and any(macro == frame[1] for frame in frames[:-1]):
                frames.pop()
            if frames[-1][1] == macro:
                frames[-1] = (frames[-1][0], macro, line)
            else:
                expansions += 1
                frames.append((expansions, macro, line))
            stack = tuple((frame[0], frame[2]) for frame in frames)
            at, end = address, rows[position + 1][0]
            while at < end and at in instructions:
                found[at] = stack
                at = instructions[at].end
    return dict(sorted(found.items()))
