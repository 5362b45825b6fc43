"""A device as a machine: the simulator's interface, through the monitor on the part."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pennyweight._simulator import Machine as SimulatedMachine
from pennyweight._simulator import Profile
from pennyweight.build import Program
from pennyweight.catalogue.boards import Board
from pennyweight.devices import mailbox
from pennyweight.devices.arguments import PLACING
from pennyweight.devices.counter import Counter, measure_counter, measure_overflow
from pennyweight.devices.errors import DeviceError, PartResetError, SilentError
from pennyweight.devices.families import Family, family_of
from pennyweight.devices.image import contents, merged, patched
from pennyweight.devices.link import Link
from pennyweight.devices.mailbox import Answer, Command, Ended, Request, unpack
from pennyweight.devices.monitor import Monitor
from pennyweight.devices.ram_copy import Shadow
from pennyweight.devices.reference import EMPTY, LOOP, reference
from pennyweight.pool import counts
from pennyweight.target.buffers import FILL, Zone
from pennyweight.target.interface import Argument, RefusedImageError

_PATTERNS = (0xC5, 0x3A)
"""The stack is painted with these in turn, so that data equal to one shows with the other."""

_ROUNDS = 60_000
"""Rounds of the monitor's loop that measures the part's speed with this machine's clock."""

_CANARY = 64
"""Bytes at the stack's end; a call that wrote there and did not return overflowed the stack."""

_STEP_S = 20.0
"""Seconds for every other request to the monitor."""


@dataclass(frozen=True, slots=True)
class DeviceOutcome:
    """How a call on a device ended."""

    exit: Literal["returned", "fault", "out of cycles"]
    cycles: int = 0
    stack: int = 0
    result: int = 0
    fault: str | None = None
    access: Literal["read", "write", "execute"] | None = None
    message: str = ""
    pc: int | None = None
    address: int | None = None
    size: int | None = None
    instructions: int | None = None
    """Devices do not count instructions."""
    random: tuple[int, int] = (0, 0)
    """Devices do not report what their random number generator did."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Measured on a part before the first call."""

    counter: Counter
    hz: float
    """Lower bound of the clock in Hz, for the time limit of a call."""


class Device:
    """A connected board with its monitor, shared by all programs."""

    def __init__(self, link: Link, board: Board, monitor: Monitor) -> None:
        self.link = link
        self.board = board
        self.monitor = monitor
        self.family: Family = family_of(board)
        self._place = PLACING[self.family.name]
        self._reference = reference(board)
        self._calibration: Calibration | None = None
        self.current: DeviceMachine | None = None
        """The program in flash."""
        self.pointer = 0
        """The global pointer of the loaded image, on RISC-V."""
        self.needs: dict[tuple[bytes, int], int] = {}
        """Bytes of stack that the function of an image, by its address, has used in a call."""

    def load(self, board: Board, program: Program) -> DeviceMachine:
        """A `Loader`: a program on this board. Raises `DeviceError`, `RefusedImageError`."""
        if board.sha256 != self.board.sha256:
            raise DeviceError(
                f"{self.link.place}: the connected board is {self.board.title}, not '{board.id}'; "
                "connect that board, or measure it in the simulator without --on"
            )
        return DeviceMachine(self, program)

    def ask(self, request: Request, seconds: float = _STEP_S) -> Answer | int:
        """The monitor's answer, or the address at which the part was when `seconds` had passed."""
        self.link.write(self.monitor.mailbox, request.packed())
        at = self.link.step(seconds)
        if at is not None:
            return at
        content = self.link.read(self.monitor.mailbox + mailbox.ANSWER_AT, mailbox.ANSWER_SIZE)
        try:
            return unpack(content)
        except ValueError:
            raise self._strange() from None

    def sure(self, request: Request) -> Answer:
        """The answer to a request that cannot fail."""
        answer = self.ask(request)
        if isinstance(answer, int) or answer.ended is not Ended.DONE:
            raise self._strange()
        return answer

    def start_clock(self) -> None:
        """Runs the board's clock set-up code, if it has any. Raises `DeviceError`."""
        table = self.board.file.device
        if table is None or not table.clock:
            return
        if self.sure(Request(Command.SETUP)).result != 0:
            raise DeviceError(
                f"{self.link.place}: the clock of {self.board.part} does not start at "
                f"{self.board.hz} Hz; check that the part and its crystal match the board file"
            )

    def reset(self) -> None:
        """Resets the part and sets its clock up again."""
        self.link.reset()
        self.start_clock()

    def call(
        self,
        function: int,
        arguments: list[Argument],
        limit: int,
        cycles: int,
        pattern: int,
        seconds: float,
    ) -> Answer | int:
        """Calls a function, limited to `cycles` and `seconds`."""
        registers, stack = self._place(arguments)
        if len(stack) > mailbox.STACKED_MOST:
            raise DeviceError(f"a call with {len(stack)} bytes of arguments on the stack")
        return self.ask(
            Request(
                Command.CALL,
                address=function | self.family.state,
                limit=limit,
                top=self.stack_top + self.family.below,
                budget=self.family.overflows(cycles),
                pattern=pattern,
                registers=registers,
                stack=stack,
                pointer=self.pointer,
            ),
            seconds,
        )

    def stacked(self, arguments: list[Argument]) -> int:
        """Bytes of arguments on the stack."""
        return len(self._place(arguments)[1])

    @property
    def stack_top(self) -> int:
        """The stack pointer at which calls start."""
        return self.monitor.mailbox - self.family.below

    def calibrated(self, limit: int) -> Calibration:
        """The counter's overhead, measured once; the stack must stay above `limit`."""
        if self._calibration is None:
            functions = self._functions(limit)
            counter = measure_counter(
                self.link.place, functions, self._reference, self.family.grain
            )
            begun = time.monotonic()
            functions(EMPTY, [])
            between = time.monotonic()
            functions(LOOP, [("size", _ROUNDS)])
            took = (time.monotonic() - between) - (between - begun)
            slowest = self._reference.round * _ROUNDS / max(took, 1e-6)
            self._calibration = Calibration(counter, min(float(self.board.hz), slowest))
        return self._calibration

    def cycles(self, answer: Answer, limit: int) -> int:
        """The cycles of a call without the counter's overhead."""
        calibration = self.calibrated(limit)
        if answer.overflows and calibration.counter.overflow is None:
            counter = measure_overflow(
                self.link.place, calibration.counter, self._functions(limit), self.family.rounds
            )
            calibration = self._calibration = replace(calibration, counter=counter)
        return calibration.counter.cycles(answer)

    def _functions(self, limit: int) -> Callable[[str, list[Argument]], Answer]:
        """Calls the monitor's own functions."""

        def call(name: str, arguments: list[Argument]) -> Answer:
            address = self.monitor.symbols[name]
            answer = self.call(address, arguments, limit, 1 << 30, _PATTERNS[0], _STEP_S)
            if isinstance(answer, int) or answer.ended is not Ended.DONE:
                raise self._strange()
            return answer

        return call

    def _strange(self) -> DeviceError:
        return SilentError(
            f"{self.link.place}: the monitor on the part gives no valid answer; the part was reset "
            "or its RAM was changed; run the command again"
        )


class DeviceMachine:
    """One program on a device."""

    def __init__(self, device: Device, program: Program) -> None:
        """Raises `DeviceError`, `RefusedImageError`."""
        self._device = device
        self._link = device.link
        board = device.board
        try:
            # The simulator reads symbols and line numbers.
            self._image = SimulatedMachine(board.simulated(), program.elf)
        except ValueError as error:
            raise RefusedImageError(str(error)) from None
        self._contents = contents(program.elf)
        monitor = device.monitor
        # Vectors may be above the monitor.
        below = [piece for piece in self._contents.flash if piece[0] < monitor.base + monitor.size]
        end = max((at + len(data) for at, data in below), default=0)
        if end > monitor.base:
            raise RefusedImageError(
                f"the image is {end - monitor.base} bytes too large: on a real part the last "
                f"{board.flash.end - monitor.base} bytes of flash hold the monitor"
            )
        bottom = self.symbol("pw_static_end")
        self._bottom = board.ram.base if bottom is None else bottom
        self._painted = 0
        self._digest = hashlib.sha256(program.elf).digest()
        self._shadow = Shadow(board.ram.base, board.ram.size)

    def symbol(self, name: str) -> int | None:
        """The address of a symbol of the image."""
        return self._image.symbol(name)

    def symbols(self) -> list[tuple[str, int, int, bool]]:
        """(name, address, size in bytes, is a function) of every symbol."""
        return self._image.symbols()

    def location(self, pc: int) -> str:
        """'function (file:line)' if the image has it, otherwise the address in hex."""
        monitor = self._device.monitor
        if monitor.base <= pc < monitor.base + monitor.size:
            return f"the monitor, at {pc:#x}"
        return self._image.location(pc)

    def boot(self, ready: int, budget: int) -> DeviceOutcome:
        """Writes the image and the monitor to flash and runs the start-up code."""
        self._shadow.forget_all()
        return self._loaded(ready)

    def _loaded(self, ready: int) -> DeviceOutcome:
        device, link = self._device, self._link
        symbols = device.monitor.symbols
        start = self._contents.flash[0][0]
        changes = device.family.vectors(symbols, start)
        if link.resets_to_monitor and device.family.reset is not None:
            changes += device.family.reset(symbols, start)
        flash = patched(self._contents.flash, changes)
        device.current = self
        link.load(merged(flash + device.monitor.flash))
        device.pointer = self.symbol("__global_pointer$") or 0
        if not link.runs_start_up:
            device.start_clock()
            self.restore()
            return DeviceOutcome("returned")
        at = link.start(self._contents.entry, ready, _STEP_S)
        if at is not None:
            return DeviceOutcome("out of cycles", pc=at)
        device.start_clock()
        return DeviceOutcome("returned")

    def _take_turn(self) -> None:
        """Loads this program again if another one was loaded meanwhile.

        The known contents of RAM are restored; static data is initialised again.
        """
        if self._device.current is self:
            return
        ready = self.symbol("pw_ready")
        assert ready is not None
        self._loaded(ready)
        for at, data in self._shadow.pieces():
            self._link.write(at, data)

    def call(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        zones: list[Zone] | None = None,
    ) -> DeviceOutcome:
        """Calls a function and checks afterwards that the write-protected zones are unchanged.

        Reads outside the buffers are not detected on a device.
        """
        self._take_turn()
        counts.add("calls")
        device = self._device
        calibration = device.calibrated(stack_limit)
        low = self._bottom
        guarded = [(start, end) for start, end, _, no_write in zones or () if no_write]
        for start, end in guarded:
            for at, size in self._shadow.unknown(start, end):
                self.write(at, bytes((FILL,)) * size)
        before = {start: self._shadow.get(start, end) for start, end in guarded}
        room = self.stack_top + device.family.below - device.stacked(args) - stack_limit
        needs, key = device.needs, (self._digest, function)
        if needs.get(key, 0) > room:
            # A call without enough stack may do anything to a part, unlike to a simulator.
            return _overflow(stack_limit, None)
        self._painted ^= 1
        pattern = _PATTERNS[self._painted]
        seconds = device.family.seconds(budget, calibration.hz, device.board.hz)
        try:
            answer = device.call(function, args, stack_limit, budget, pattern, seconds)
        except PartResetError as error:
            # A stack that ran into buffers and globals often ends in start-up code.
            is_full = self._is_full(stack_limit, pattern)
            device.reset()
            self._shadow.forget(device.board.ram.base, self.stack_top + device.family.below)
            if is_full:
                return _overflow(stack_limit, None)
            return DeviceOutcome("fault", fault="reset", message=str(error))
        self._shadow.forget(device.board.ram.base, self.stack_top + device.family.below)
        if isinstance(answer, int) or answer.ended is not Ended.DONE:
            return self._unreturned(answer, budget, stack_limit, pattern)
        cycles = device.cycles(answer, stack_limit)
        if answer.lowest <= stack_limit:
            return _overflow(stack_limit, None)
        known = sorted(before.items())
        for at, data in self._link.refresh(low, stack_limit, known):
            self._shadow.put(at, data)
        for start, end in guarded:
            after = self._shadow.get(start, end)
            if after != before[start]:
                differs = next(i for i, byte in enumerate(after) if byte != before[start][i])
                return DeviceOutcome(
                    "fault",
                    cycles=cycles,
                    fault="guard-zone",
                    access="write",
                    address=start + differs,
                    message="a byte outside its buffers was written",
                )
        stack = self.stack_top + device.family.below - device.stacked(args) - answer.lowest
        needs[key] = max(needs.get(key, 0), stack)
        return DeviceOutcome(
            "returned", cycles=cycles, stack=stack, result=device.family.signed(answer.result)
        )

    def _is_full(self, limit: int, pattern: int) -> bool:
        """Whether the stack was written down to its limit, by what a reset left in RAM: nowhere is
        much paint left. A boot loader that has run since then has overwritten less than that.
        """
        found = self._link.read(limit, self.stack_top - limit)
        paint = bytes((pattern,))
        return not found.startswith(paint * _CANARY) and paint * (2 * _CANARY) not in found

    def _unreturned(
        self, answer: Answer | int, budget: int, limit: int, pattern: int
    ) -> DeviceOutcome:
        """The outcome of a call that did not return; a stack overflow is checked first."""
        room = min(_CANARY, self.stack_top - limit)
        is_painted = self._link.read(limit, room) == bytes((pattern,)) * room
        # The call may have written to peripheral registers.
        self._device.reset()
        pc = answer if isinstance(answer, int) else answer.pc
        if not is_painted:
            return _overflow(limit, pc)
        if isinstance(answer, int) and pc == self.symbol("pw_ready"):
            # Only start-up code leads there.
            return DeviceOutcome(
                "fault",
                fault="reset",
                message=f"{self._link.place}: the part was reset during the call",
            )
        if isinstance(answer, int) or answer.ended is Ended.EXPIRED:
            return DeviceOutcome("out of cycles", cycles=budget, pc=pc)
        if answer.ended is Ended.FAULT:
            return DeviceOutcome("fault", fault="core", message="the core took a fault", pc=pc)
        raise DeviceError(f"{self._link.place}: the monitor rejected a call; run the command again")

    def profile(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        zones: list[Zone] | None = None,
    ) -> Profile:
        """Raises `ValueError`: not available on a device."""
        raise ValueError("a real board cannot be profiled; remove --on to profile in the simulator")

    def follow_secrets(
        self,
        function: int,
        args: list[Argument],
        budget: int,
        stack_limit: int,
        secrets: list[tuple[int, int]],
        zones: list[Zone] | None = None,
    ) -> tuple[DeviceOutcome, list[tuple[int, Literal["branch", "address", "time"], int]]]:
        """Raises `ValueError`: not available on a device."""
        raise ValueError(
            "secrets cannot be traced on a real board; remove --on to use the simulator"
        )

    def read(self, address: int, size: int) -> bytes:
        """Bytes of RAM or flash."""
        unknown = self._shadow.unknown(address, address + size)
        if unknown == [(address, size)]:
            self._take_turn()
            return self._link.read(address, size)
        found = bytearray(self._shadow.get(address, address + size))
        if unknown:
            self._take_turn()
        for at, count in unknown:
            found[at - address : at - address + count] = self._link.read(at, count)
        return bytes(found)

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes to RAM."""
        if data:
            self._take_turn()
            for at, piece in self._shadow.differing(address, data):
                self._link.write(at, piece)
            self._shadow.put(address, data)

    @property
    def stack_top(self) -> int:
        """Below the monitor's mailbox and stack."""
        return self._device.stack_top

    def allow_odd_words(self, allowed: bool) -> bool:
        """Whether the simulated part has this option; a device cannot be changed."""
        return self._image.allow_odd_words(allowed)

    def snapshot(self) -> None:
        """Does nothing: `restore` initialises RAM from the image."""

    def restore(self) -> None:
        """Initialises static data as start-up does."""
        self._take_turn()
        ram = self._device.board.ram
        self._shadow.forget(ram.base, self._bottom)
        for each in self._contents.copied:
            if not ram.base <= each.target < ram.end:
                continue  # an AVRxt shows constants in flash at a second address
            self._device.sure(
                Request(Command.COPY, address=each.target, limit=each.source, top=each.size)
            )
        for clear in self._contents.cleared:
            self._device.sure(Request(Command.FILL, address=clear.start, top=clear.size))


def _overflow(limit: int, pc: int | None) -> DeviceOutcome:
    """The lowest byte of the stack was written; how much further is unknown."""
    return DeviceOutcome(
        "fault",
        fault="stack-overflow",
        access="write",
        address=limit - 1,
        message="the stack is full",
        pc=pc,
    )
