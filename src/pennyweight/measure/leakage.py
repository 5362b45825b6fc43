"""Checks one call for leakage: fixed inputs against random ones, by a model of the core.

Each trace is a call with other random words. In half of them, at random, the inputs that vary have
fixed values, in the others random ones. The samples are the bits that change in registers, operand
latches, buses and memory. See docs/howto/leakage.md.

References: G. Goodwill, B. Jun, J. Jaffe, P. Rohatgi, "A testing methodology for side channel
resistance validation", NIAT 2011. T. Schneider, A. Moradi, "Leakage Assessment Methodology", CHES
2015.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pennyweight._simulator import Leakage
from pennyweight.build import Program
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.shared_api import SharedApi
from pennyweight.job import Job
from pennyweight.measure.call_analysis import prepared
from pennyweight.measure.disassembly import disassembled
from pennyweight.measure.one_shot import Call
from pennyweight.measure.shared_tracing import Generation, with_generation
from pennyweight.model import Operation, Status
from pennyweight.progress import Progress
from pennyweight.target import Failure, Layout, Target
from pennyweight.target.aead import AD, CIPHERTEXT, KEY, MESSAGE, NONCE
from pennyweight.target.hash import CUSTOM
from pennyweight.target.heap import Heap
from pennyweight.target.mac import TAG
from pennyweight.target.machine import BOOT_BUDGET, READY
from pennyweight.target.random_words import FREE
from pennyweight.target.shared_aead import SharedAead
from pennyweight.target.simulated import simulate
from pennyweight.verify.records import AeadRecord, pattern
from pennyweight.verify.shares import check_shares
from pennyweight.verify.verdict import Failed

Vary = Literal["key", "data"]
"""Which inputs are fixed in one group and random in the other."""

THRESHOLD = 4.5
"""The |t| of Goodwill et al. above which a sample depends on the inputs."""

FEWEST_TRACES = {1: 1000, 2: 16_000}
"""By order. Fewer traces decide nothing: they miss a difference of one in the mean, or in the
variance, of the ones of a 32-bit value.
"""

USUAL_TRACES = {1: 2000, 2: 20_000}
"""By order, the size of a set if none is given."""

MOST_TRACES = 1_000_000
"""The most traces for which the simulator's sums are exact."""

LARGEST_SEED = 2**64 - 1
"""The largest seed of the simulator's generator, a 64-bit number."""

_RANDOM = "pw_random32"
_VARYING = {"key": (KEY,), "data": (NONCE, AD, MESSAGE, CIPHERTEXT, TAG, CUSTOM)}
_BY_CHANCE = math.erfc(THRESHOLD / math.sqrt(2))
"""How often a sample that depends on nothing is beyond the threshold."""


def _spread(bits: int, order: int) -> float:
    """Of the ones of so many random bits, which are binomially distributed: their variance, n / 4,
    or that of their squared distance from the mean, which is the fourth central moment, 3 / 16 n^2
    - n / 8, less the square of the variance.
    """
    return bits / 4 if order == 1 else (bits * bits - bits) / 8


_FIRST_CHUNK = 8
_CHUNK_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Question:
    """What to trace. `traces` is the size of a set; `function` and `calls` select a part."""

    vary: Vary
    traces: int
    order: Literal[1, 2] = 1
    seed: int = 1
    function: str | None = None
    calls: int = 1
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a place, in the first trace."""

    place: str
    """The register or the memory that it came from; empty if neither."""
    instruction: str
    """The instruction that computed or loaded it; empty: the value is from before the call."""
    location: str
    """Function and line of that instruction."""
    has_input: bool
    """Whether it was made of the inputs that vary."""
    words: tuple[int, ...]
    """The random words that it was made of."""

    @property
    def is_unmasked(self) -> bool:
        """Whether it was made of the inputs that vary and of no random word."""
        return self.has_input and not self.words


@dataclass(frozen=True, slots=True)
class Finding:
    """A place and an instruction at which the inputs show. The place of a register that is
    accessed next to its neighbour is `r2 by r3`.
    """

    pc: int
    instruction: str
    location: str
    place: str
    kind: Literal["value", "change"]
    """`value`: the number of ones of the new value differs; `change`: only that of the bits that
    change, so that two values met.
    """
    t: float
    """The largest |t| of all times it was executed, with its sign."""
    times: int
    """How often it was executed with a |t| beyond the threshold."""
    old: Value
    new: Value

    @property
    def is_unmasked(self) -> bool:
        """Whether one of the values was made of the inputs that vary and of no random word."""
        return self.new.is_unmasked or (self.kind == "change" and self.old.is_unmasked)


@dataclass(slots=True)
class Report:
    """The result of a check."""

    question: Question
    model: str
    bits: int = 32
    """The size of a register."""
    instructions: int = 0
    """Those that a trace executes in the examined part."""
    samples: int = 0
    words: int = 0
    """Random words of 32 bits that a trace draws by `pw_random32`."""
    traces: int = 0
    """Traces of the first set."""
    repeated: int = 0
    """Traces of the second set."""
    unconfirmed: int = 0
    """Samples that were beyond the threshold in the first set only."""
    seconds: float = 0.0
    interrupted: bool = False
    diverged: str = ""
    """Where a trace executed other instructions than the first one."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def decides(self) -> bool:
        """Whether the traces are enough to decide."""
        return self.traces >= self.fewest and not self.diverged

    @property
    def fewest(self) -> int:
        """The fewest traces of a set that decide."""
        return FEWEST_TRACES[self.question.order]

    @property
    def confirmed(self) -> bool:
        """Whether the findings are those of two sets."""
        return self.repeated >= self.fewest

    @property
    def expected_by_chance(self) -> float:
        """Samples expected beyond the threshold in one set if nothing depends on the inputs."""
        return self.samples * _BY_CHANCE

    @property
    def unconfirmed_by_chance(self) -> bool:
        """Whether chance can explain the number of unconfirmed samples: it is at most four standard
        deviations above what is expected, and at least four are allowed.
        """
        expected = self.expected_by_chance
        return self.unconfirmed <= expected + 4 * max(1.0, math.sqrt(expected))

    @property
    def smallest_difference(self) -> float:
        """The difference in the mean of the ones of a register's random bits, or in their variance,
        that is as large as the threshold.
        """
        spread = _spread(self.bits, self.question.order)
        return THRESHOLD * math.sqrt(2 * spread / (max(self.traces, 2) / 2))


def check_leakage(job: Job, question: Question, progress: Progress) -> Report | Failure:
    """Builds the job's first case with random words that the simulator supplies, checks its
    answer, and traces it. Ctrl-C ends the current set, which `interrupted` records.

    Raises `UserError` for flags that the compiler rejects and for an invalid board file.
    """
    job = replace(job, random="free")

    def observe(target: Target, call: Call, program: Program) -> Report | Failure:
        before: Generation | None = None
        shared = job.implementation.shared
        if shared is not None:
            failure = _uncombined(target, job.implementation, shared)
            if failure is not None:
                return failure
            found = with_generation(target, job.implementation, shared, job.cases[0], call)
            if isinstance(found, Failure):
                return found
            before, call = found
        layouts = [call.layout] if before is None else [before.layout, call.layout]
        try:
            tracing = _tracing(job, question, layouts, call, before, program)
        except ValueError as error:
            return Failure(Status.SKIPPED, str(error))
        entries = _entries(tracing, question, target)
        if entries is not None and question.calls > len(entries):
            times = "once" if len(entries) == 1 else f"{len(entries)} times"
            return Failure(
                Status.SKIPPED,
                f"the call enters '{question.function}' {times}; use --calls {len(entries)} or "
                "fewer",
            )
        memory = _Memory(target, layouts)
        return _traced(tracing, question, job, target, memory, program, progress)

    model = Leakage.model(job.board.simulated())
    if model is None:
        core = job.board.core
        return Failure(
            Status.SKIPPED,
            f"the core '{core}' has no leakage model; use a board with a Cortex-M or an AVR core",
        )
    return prepared(job, observe)


def _uncombined(
    target: Target, implementation: Implementation, shared: SharedApi
) -> Failure | None:
    """The failure if the shares of a message or a ciphertext do not combine to it. Raises
    `DoesNotFitError`.
    """
    key, nonce = pattern(0, implementation.key), pattern(0, implementation.nonce)
    record = AeadRecord(1, key, nonce, b"", b"", None)
    try:
        check_shares(SharedAead(target, implementation.tag, shared), record, [])
    except Failed as failed:
        return failed.failure
    finally:
        target.reset()
    return None


def _tracing(
    job: Job,
    question: Question,
    layouts: Sequence[Layout],
    call: Call,
    before: Generation | None,
    program: Program,
) -> Leakage:
    """The first trace. The inputs are in the first layout. Raises `ValueError` with a sentence if
    there is none.
    """
    machine = simulate(job.board, program)

    def symbol(name: str) -> int:
        found = machine.symbol(name)
        if found is None:
            raise ValueError(
                f"the program has no function '{name}' (it may be inlined); name another one"
            )
        return found

    machine.boot(symbol(READY), BOOT_BUDGET)
    for layout in layouts:
        machine.write(layout.start, layout.image)
    forged = _forged(job, layouts[0])
    if forged is not None:
        machine.write(forged, bytes([machine.read(forged, 1)[0] ^ 0x80]))
    heap = Heap.of(machine, 4 if job.board.bits == 32 else 2)
    if heap is not None:
        heap.lay(layouts[-1].end, machine.stack_top)
    inputs = [(at, machine.read(at, size)) for at, size in _inputs(job, question, layouts[0])]
    if not inputs:
        other = "data" if question.vary == "key" else "key"
        raise ValueError(f"the call has no {question.vary} to vary; use --vary {other}")
    variable = machine.symbol(FREE)
    function = machine.symbol(_RANDOM)
    generator = None if variable is None or function is None else (function, variable)
    window = None if question.function is None else (symbol(question.function), question.calls)
    simulated = job.board.simulated()
    rams = [each for each in simulated.memories if each["kind"] == "ram"]
    return Leakage(
        simulated,
        program.elf,
        symbol(READY),
        job.budget,
        symbol(call.function),
        call.arguments,
        None if before is None else (symbol(before.function), before.arguments),
        [(ram["base"], machine.read(ram["base"], ram["size"])) for ram in rams],
        inputs,
        generator,
        window,
        question.order == 2,
        question.seed,
    )


def _entries(tracing: Leakage, question: Question, target: Target) -> list[int] | None:
    """The instructions of a trace with which it enters the selected function; `None` without
    one.
    """
    starts = {at & ~1 for name, at, _ in target.symbols() if name == question.function}
    return [i for i, pc in enumerate(tracing.addresses) if pc in starts] if starts else None


def _forged(job: Job, layout: Layout) -> int | None:
    """The address of the last byte of the tag that a decryption or a verification gets.

    It is changed, so that the tag is wrong in all traces: it is wrong for a random key or message
    anyway, and the code that is executed depends on it.
    """
    case, tag = job.cases[0], job.implementation.tag
    if case.op is Operation.DEC:
        return layout.address(CIPHERTEXT) + case.m + tag - 1
    if case.op is Operation.AUTH_VERIFY:
        return layout.address(TAG) + tag - 1
    return None


def _inputs(job: Job, question: Question, layout: Layout) -> list[tuple[int, int]]:
    """Addresses and sizes of the inputs that vary."""
    found = []
    for name in _VARYING[question.vary]:
        if name not in layout:
            continue
        size = layout.size(name)
        if layout.writable(name):
            # An output, unless the message is in the ciphertext's buffer.
            size = job.cases[0].m if name == CIPHERTEXT and MESSAGE not in layout else 0
        if size:
            found.append((layout.address(name), size))
    return found


def _traced(
    tracing: Leakage,
    question: Question,
    job: Job,
    target: Target,
    memory: _Memory,
    program: Program,
    progress: Progress,
) -> Report:
    report = Report(question, Leakage.model(job.board.simulated()) or "", job.board.bits)
    report.instructions = tracing.examined
    report.samples = tracing.samples
    report.words = tracing.words
    began = time.monotonic()
    progress.start(question.traces)
    try:
        _extend(tracing, question, report, target, progress)
    except KeyboardInterrupt:
        report.interrupted = True
    report.traces = sum(tracing.counts)
    found: dict[int, float] = dict(tracing.beyond(THRESHOLD))
    if found and not report.interrupted and not report.diverged:
        tracing.begin_set(sorted(found))
        progress.start(question.traces)
        try:
            _extend(tracing, question, report, target, progress)
        except KeyboardInterrupt:
            report.interrupted = True
        else:
            report.repeated = sum(tracing.counts)
            again = dict(tracing.beyond(THRESHOLD))
            kept = {
                sample: t
                for sample, t in found.items()
                if sample in again and (again[sample] > 0) == (t > 0)
            }
            report.unconfirmed = len(found) - len(kept)
            found = kept
    report.seconds = time.monotonic() - began
    texts = disassembled(job, program)
    report.findings = _findings(tracing, found, target, memory, texts, job.board.bits)
    return report


def _extend(
    tracing: Leakage, question: Question, report: Report, target: Target, progress: Progress
) -> None:
    """Fills the current set, in chunks after which Ctrl-C is handled."""
    chunk, done = _FIRST_CHUNK, 0
    while done < question.traces:
        count = min(chunk, question.traces - done)
        began = time.monotonic()
        diverged = tracing.extend(count, question.threads)
        if diverged is not None:
            trace, pc = diverged
            report.diverged = (
                f"trace {trace} executes other instructions than the first one after "
                f"{target.location(pc)}"
            )
            return
        done += count
        for _ in range(count):
            progress.step()
        seconds = max(time.monotonic() - began, 1e-4)
        chunk = max(1, min(4 * chunk, int(count * _CHUNK_SECONDS / seconds)))


def _findings(
    tracing: Leakage,
    found: dict[int, float],
    target: Target,
    memory: _Memory,
    texts: dict[int, str],
    bits: int,
) -> list[Finding]:
    """The findings in the order of the program: one for each instruction and place."""
    if not found:
        return []
    addresses = tracing.addresses
    grouped: dict[tuple[int, str], list[int]] = {}
    for sample in sorted(found):
        change = tracing.change(sample)
        place: str = change["place"]
        if change["register"] is not None:
            place = _register(change["register"], bits)
        if change["neighbour"] is not None:
            place += f" by {_register(change['neighbour'], bits)}"
        grouped.setdefault((addresses[change["instruction"]], place), []).append(sample)
    findings = []
    for (pc, place), samples in grouped.items():
        values = [sample for sample in samples if sample % 2]
        # A change next to a value that shows by itself adds nothing.
        chosen = values or samples
        strongest = max(chosen, key=lambda sample: abs(found[sample]))
        change = tracing.change(strongest)

        def value(which: Literal["old", "new"]) -> Value:
            origin = change[which]  # noqa: B023 - called in this turn only
            made = None if origin["made"] is None else addresses[origin["made"]]
            return Value(
                memory.name(origin["address"])
                if origin["address"] is not None
                else _register(origin["register"], bits),
                "" if made is None else texts.get(made, ""),
                "" if made is None else target.location(made),
                origin["has_input"],
                tuple(origin["words"]),
            )

        findings.append(
            Finding(
                pc,
                texts.get(pc, ""),
                target.location(pc),
                place,
                "value" if values else "change",
                found[strongest],
                len(chosen),
                value("old"),
                value("new"),
            )
        )
    return findings


def _register(number: int | None, bits: int) -> str:
    if number is None:
        return ""
    named = {13: "sp", 14: "lr"} if bits == 32 else {}
    return named.get(number, f"r{number}")


class _Memory:
    """Names of addresses: buffers, static data, the stack below the caller's stack pointer."""

    def __init__(self, target: Target, layouts: Sequence[Layout]) -> None:
        buffers = [each for layout in layouts for each in layout.buffers.values()]
        self._named: Sequence[tuple[int, int, str]] = [
            *((each.address, each.end, each.name) for each in buffers),
            *((at, at + size, name) for name, at, size in target.symbols()),
        ]
        self._end = layouts[-1].end
        self._top = target.top

    def name(self, address: int) -> str:
        """For example `key+4`, `table+0x1c` or `stack-0x20`."""
        for low, high, name in self._named:
            if low <= address < high:
                return f"{name}+{address - low:#x}" if address > low else name
        if self._end <= address <= self._top:
            return f"stack-{self._top - address:#x}"
        return f"{address:#x}"
