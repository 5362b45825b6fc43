"""Loads a program, boots it, and calls its functions."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pennyweight._simulator import Profile
from pennyweight.build import Program
from pennyweight.catalogue.boards import Board
from pennyweight.model import Status, UserError
from pennyweight.target.buffers import STACK_MARGIN, Layout, Plan, Request, Zone, arrange, lay_out
from pennyweight.target.cycle_limit import CycleLimit
from pennyweight.target.endless_loop import HANGS, jumps_to_itself
from pennyweight.target.failure import OUT_OF_CYCLES, RETURNED, Failure, from_outcome
from pennyweight.target.heap import Heap
from pennyweight.target.interface import Argument, Loader, Outcome
from pennyweight.target.random_words import SoftwareGenerator
from pennyweight.target.simulated import simulate
from pennyweight.toolchains import family

READY = "pw_ready"
STATIC_END = "pw_static_end"
BOOT_BUDGET = 10_000_000
"""Cycles for start-up, which copies and clears at most all of RAM."""

_UP = re.compile(r"\((?:/[^():]*/|(?:\.{1,2}/)+)")
"""Prefixes of source paths in debugging information that are outside the folder."""


class Result(NamedTuple):
    """A call that returned."""

    outcome: Outcome
    layout: Layout
    memory: bytes
    """The beginning of the arena after the call."""
    heap: int = 0
    """Bytes of heap that the call used."""
    generators: tuple[SoftwareGenerator, SoftwareGenerator] | None = None
    """The image's generator of random words before and after the call, if it is in software."""

    @property
    def random_words(self) -> int:
        """Random words of 32 bits that the call drew, rounded up."""
        if self.generators is None:
            return -(-self.outcome.random[0] // 32)
        before, after = self.generators
        return before.words_until(after)

    @property
    def stack(self) -> int:
        """Bytes of stack and heap: the RAM that the call needed beyond static data and buffers."""
        return self.outcome.stack + self.heap

    def content(self, name: str) -> bytes:
        """The content of a buffer after the call."""
        return self.layout.content(name, self.memory)

    def number(self, name: str) -> int:
        """A buffer's content as an unsigned little-endian number."""
        return int.from_bytes(self.content(name), "little")


@dataclass(frozen=True, slots=True)
class Leak:
    """An instruction through which a secret affects timing."""

    kind: Literal["branch", "address", "time"]
    """What the secret decides: a branch, an address, or the duration."""
    pc: int
    """Its address (ELF)."""
    location: str
    """Function, file and line, if the image contains them."""
    times: int
    """Number of executions."""


class Target:
    """One program on one board, booted; `reset` restores the state after start-up.

    The constructor raises the exceptions of `load`.
    """

    boot_failure: Failure | None
    """Why the start-up code did not reach `pw_ready`; no calls are possible then."""

    bottom: int
    """The first RAM byte after static data (ELF address)."""

    top: int
    """The stack pointer at which calls start (ELF address)."""

    allows_stray_reads: bool
    """Whether reads outside the buffers are allowed. Writes never are."""

    allows_below_stack: bool
    """Whether accesses below the stack pointer are allowed. Then none to RAM is forbidden."""

    bits: int
    """The core's width."""

    deepest: int
    """The most stack that a returned call has used, in bytes."""

    repeats: int
    """How often a call is measured: on a real board counts may vary."""

    warm: int
    """Calls before the measured one."""

    longest: int
    """The most cycles that a call has taken, whether it returned or not."""

    def __init__(
        self, board: Board, program: Program, budget: int, load: Loader = simulate
    ) -> None:
        self.budget = budget
        self.bits = board.bits
        self._family = family(board)
        self._machine = load(board, program)
        self.repeats = 1
        self.warm = 1
        self.deepest = 0
        self.longest = 0
        self.allows_stray_reads = False
        self.allows_below_stack = False
        self._limits: CycleLimit | None = None
        self._functions: dict[str, int] = {}
        outcome = self._machine.boot(self._symbol(READY), BOOT_BUDGET)
        self.boot_failure = None
        if outcome.exit != RETURNED:
            self.longest = budget  # it might return on a faster board
            failure = self._failure(outcome, BOOT_BUDGET, None, self._machine.stack_top)
            self.boot_failure = Failure(Status.CRASHED, f"start-up: {failure.reason}")
        self.bottom = self._symbol(STATIC_END)
        self.top = self._machine.stack_top
        self._heap = Heap.of(self._machine, 4 if board.bits == 32 else 2)
        self._generator = SoftwareGenerator.of(self._machine)
        self._machine.snapshot()

    def allow_odd_words(self, allowed: bool) -> bool:
        """Sets whether an access to a word at an odd address goes to the address below, as on the
        part, instead of crashing. Returns false if the part does not do that; then nothing changes.
        """
        return self._machine.allow_odd_words(allowed)

    def reset(self) -> None:
        """Restores RAM and core to the state after start-up."""
        self._machine.restore()

    @contextlib.contextmanager
    def extended_limits(self) -> Iterator[None]:
        """A context in which longer inputs may exceed the budget, depending on earlier calls."""
        self._limits = CycleLimit(self.budget)
        try:
            yield
        finally:
            self._limits = None

    def lay_out(self, requests: Sequence[Request], gap: int = 0) -> Layout:
        """Places buffers in this program's arena. Raises `DoesNotFitError`."""
        return lay_out(requests, self.bottom, self.top, gap)

    def arrange(self, plan: Plan, contents: Sequence[bytes], gap: int = 0) -> Layout:
        """As `lay_out`, for a plan's slots and their contents. Raises `DoesNotFitError`."""
        return arrange(plan, contents, self.bottom, self.top, gap)

    def write(self, layout: Layout) -> None:
        """Writes the buffers' contents to memory."""
        self._machine.write(layout.start, layout.image)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the part's memory."""
        return self._machine.read(address, size)

    def constant(self, name: str, size: int) -> int:
        """The value of an unsigned constant of the program."""
        return int.from_bytes(self._machine.read(self._symbol(name), size), "little")

    def call(self, function: str, arguments: list[Argument], layout: Layout) -> Result | Failure:
        """Calls a function whose buffers are already in memory, with guard zones."""
        region = self._heap.lay(layout.end, self.top) if self._heap else None
        limit = region.end if region else layout.end
        budget = self._limits.allowed(function, layout.used) if self._limits else self.budget
        zones = self._zones(layout)
        generator = self._generator.now(self._machine) if self._generator else None
        outcome = self._machine.call(self._symbol(function), arguments, budget, limit, zones)
        self.longest = max(self.longest, outcome.cycles)
        if outcome.exit != RETURNED:
            failure = self._failure(outcome, budget, layout, limit)
            return replace(failure, reason=failure.reason + region.remark()) if region else failure
        if self._limits:
            self._limits.record(function, layout.used, outcome.cycles)
        self.deepest = max(self.deepest, outcome.stack)
        memory = self._machine.read(layout.start, len(layout.image))
        generators = (generator, generator.now(self._machine)) if generator else None
        return Result(outcome, layout, memory, region.used() if region else 0, generators)

    def run(self, function: str, arguments: list[Argument], layout: Layout) -> Result | Failure:
        """`write`, then `call`."""
        self._machine.write(layout.start, layout.image)
        return self.call(function, arguments, layout)

    def profile(
        self, function: str, arguments: list[Argument], layout: Layout
    ) -> Profile | Failure:
        """`write`, then an observed call: its profile, or its failure."""
        limit = self._prepare(layout)
        try:
            profile = self._machine.profile(
                self._symbol(function), arguments, self.budget, limit, self._zones(layout)
            )
        except ValueError as error:
            return Failure(Status.SKIPPED, str(error))
        if profile.outcome.exit != RETURNED:
            return self._failure(profile.outcome, self.budget, layout, limit)
        return profile

    def follow_secrets(
        self, function: str, arguments: list[Argument], layout: Layout, secret: Sequence[str]
    ) -> list[Leak] | Failure:
        """`write`, then a call that tracks the buffers named `secret`; returns the leaks."""
        limit = self._prepare(layout)
        ranges = [(layout.buffers[name].address, layout.buffers[name].end) for name in secret]
        zones = self._zones(layout)
        try:
            outcome, leaks = self._machine.follow_secrets(
                self._symbol(function), arguments, self.budget, limit, ranges, zones
            )
        except ValueError as error:
            return Failure(Status.SKIPPED, str(error))
        if outcome.exit != RETURNED:
            return self._failure(outcome, self.budget, layout, limit)
        return [Leak(kind, pc, self._place(pc), times) for pc, kind, times in leaks]

    def location(self, address: int) -> str:
        """`function (file:line)` of code, if the image contains it."""
        return self._place(address)

    def symbols(self) -> list[tuple[str, int, int]]:
        """(name, address, size in bytes) of the program's symbols with a size."""
        return [(name, at, size) for name, at, size, _ in self._machine.symbols() if size]

    def comfortable_gap(self) -> int:
        """Forbidden bytes between buffers while answers are checked, so that a stray access does
        not hit another buffer; few if RAM is scarce.
        """
        return 32 if self.top - self.bottom >= 1024 else 8

    def lacks_room(self, failure: Failure) -> bool:
        """Whether a stack overflow was caused by buffers that left less than earlier calls
        needed.
        """
        overflow = failure.status is Status.STACK_OVERFLOW
        return overflow and 0 < failure.stack_room < self.deepest + STACK_MARGIN

    def _symbol(self, name: str) -> int:
        address = self._functions.get(name)
        if address is None:
            found = self._machine.symbol(name)
            if found is None:
                raise UserError(f"the image has no symbol '{name}': firmware/ must define it")
            address = self._functions[name] = found
        return address

    def _prepare(self, layout: Layout) -> int:
        """Writes the buffers and initialises the heap; returns the stack's limit."""
        self._machine.write(layout.start, layout.image)
        return self._heap.lay(layout.end, self.top).end if self._heap else layout.end

    def _zones(self, layout: Layout) -> list[Zone]:
        if self.allows_below_stack:
            return []
        if not self.allows_stray_reads:
            return layout.zones
        return [(start, end, False, no_write) for start, end, _, no_write in layout.zones]

    def _place(self, pc: int) -> str:
        return _UP.sub("(", self._machine.location(pc))

    def _failure(self, outcome: Outcome, budget: int, layout: Layout | None, limit: int) -> Failure:
        location = "" if outcome.pc is None else self._place(outcome.pc)
        buffers = tuple(layout.buffers.values()) if layout else ()
        top, machine = self._machine.stack_top, self._family.machine
        failure = from_outcome(outcome, location, budget, limit, top, buffers, machine)
        if (
            outcome.exit == OUT_OF_CYCLES
            and outcome.pc is not None
            and jumps_to_itself(self._family, outcome.pc, self._machine.read)
        ):
            return replace(failure, reason=f"{failure.reason}: {HANGS}")
        return failure
