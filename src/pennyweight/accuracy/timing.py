"""Builds one package and times it: the task of a worker for one row."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pennyweight import cache
from pennyweight.build.failure import BuildError
from pennyweight.build.firmware import headers_folder
from pennyweight.build.link import Linker, roots
from pennyweight.build.mapfile import pieces
from pennyweight.build.objects import compile_all, compile_firmware
from pennyweight.build.programs import Program, completed_by_description
from pennyweight.build.sources import ASSEMBLY_SUFFIXES, Sources, collect
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.root import data_root
from pennyweight.job import Job
from pennyweight.measure import job_key
from pennyweight.measure.case_costs import Counts
from pennyweight.measure.one_shot import OneShot
from pennyweight.model import Case, Operation
from pennyweight.pool import Task, available_cores, run_tasks
from pennyweight.progress import Progress
from pennyweight.target import Target
from pennyweight.target.buffers import DoesNotFitError
from pennyweight.target.interface import RefusedImageError
from pennyweight.toolchains import for_job

_ROOM = "accuracy"
_FORMAT = 3
"""Increased when the cached result, or the way it is computed, changes."""

_BUDGET = 4_000_000_000
"""Cycles for one call: the slowest row takes a tenth of it."""


_LIBRARY = "bytewise.o"
_BYTEWISE = "accuracy/bytewise.c"
_OURS = ("start.o", _LIBRARY)
_BYTEWISE_FLAGS = ("-fno-tree-loop-distribute-patterns",)


@dataclass(frozen=True)
class Timing:
    """What to time: a job without verification."""

    job: Job
    bytewise: bool = False
    """Whether the library's copying functions work byte by byte."""

    @cached_property
    def key(self) -> str:
        """The name of the result, from everything that it depends on; computed on first use. Raises
        `UserError`.
        """
        library = ""
        if self.bytewise:
            source = data_root() / "firmware" / _BYTEWISE
            library = f" {hashlib.sha256(source.read_bytes()).hexdigest()}"
        return hashlib.sha256(f"{_FORMAT} {job_key(self.job)}{library}".encode()).hexdigest()


def timing(
    implementation: Implementation,
    board: Board,
    flags: str,
    cases: Sequence[Case],
    bytewise: bool = False,
) -> Timing:
    """The timing of one package at one optimisation level on one board."""
    return Timing(Job(implementation, board, flags, cases, "none", _BUDGET), bytewise)


@dataclass(frozen=True, slots=True)
class Timed:
    """What was timed.

    `assembly` is the fraction of the package's own code bytes that came from assembly files.
    `reason` states why there is no result, or why some cases have no cycles.
    """

    cycles: dict[Case, int]
    assembly: float = 0.0
    reason: str = ""


def time_all(
    timings: Iterable[Timing], workers: int | None, progress: Progress
) -> Iterator[tuple[Timing, Timed]]:
    """Yields each with its times as they finish; cached results come first.

    If a worker dies, nothing is cached, so that the next run tries again.
    """
    by_key = {each.key: each for each in timings}
    progress.start(len(by_key))
    tasks = []
    for key, timing in by_key.items():
        cached = _recall(key)
        if cached is None:
            tasks.append(Task(key, time_build, (timing,)))
        else:
            yield timing, cached
            progress.step()
    for outcome in run_tasks(
        tasks,
        workers or available_cores(),
        lambda task: progress.working_on(by_key[task.key].job.title),
    ):
        timing = by_key[outcome.task.key]
        if outcome.error is not None:
            raise outcome.error
        if outcome.died:
            yield timing, Timed({}, reason=f"the process that timed it died: {outcome.died}")
        else:
            if replace(timing).key == timing.key:  # otherwise its input has changed meanwhile
                _remember(timing.key, outcome.value)
            yield timing, outcome.value
        progress.step()


def time_build(timing: Timing) -> Timed:
    """Builds the program with all functions, and calls it once for each case."""
    job = timing.job
    if job.implementation.problem:
        return Timed({}, reason=job.implementation.problem)
    try:
        with tempfile.TemporaryDirectory(prefix="pennyweight-") as name:
            program, assembly = _link(timing, Path(name))
        target = Target(job.board, program, job.budget)
    except BuildError as failure:
        return Timed({}, reason=f"{failure.status.value}: {failure.reason}")
    except RefusedImageError as error:
        return Timed({}, assembly, str(error))
    if target.boot_failure is not None:
        return Timed({}, assembly, target.boot_failure.reason)
    cycles, reasons = _call(target, job)
    return Timed(cycles, assembly, "; ".join(reasons[:1]))


def _link(timing: Timing, folder: Path) -> tuple[Program, float]:
    """The linked program, and the fraction of assembly. Raises `BuildError`."""
    job = timing.job
    board, implementation = job.board, job.implementation
    toolchain = for_job(job)
    flags = (*board.file.compiler.flags, *job.options)
    firmware = data_root() / "firmware"
    sources = _with_own_random(collect(implementation))
    objects = compile_all(toolchain, sources, flags, headers_folder(firmware), folder)
    linker = Linker(toolchain, board, flags, firmware, folder, cplusplus=sources.has_cplusplus)
    wanted = roots(implementation)
    made = completed_by_description(toolchain, sources, flags, linker, objects, wanted)
    names = [each.file for each in made.objects]
    if timing.bytewise:
        source = firmware / _BYTEWISE
        own = (*board.file.compiler.flags, *_BYTEWISE_FLAGS)
        compile_firmware(toolchain, source, own, folder / _LIBRARY)
        names.append(_LIBRARY)
    linked = linker.link("full", names, wanted["full"], made.aliases)
    from_assembly = {each.file for each in objects if each.source.endswith(ASSEMBLY_SUFFIXES)}
    share = _assembly_share(linked.map_text, from_assembly)
    image = linked.image
    return Program("full", image.elf, image.flash, image.ram), share


def _with_own_random(sources: Sources) -> Sources:
    """The sources with the package's own functions for random numbers, as on the real boards."""
    own = [each.name for each in sources.bindings if (sources.folder / each.name).is_file()]
    if not own:
        return sources
    return replace(sources, compiled=tuple(sorted((*sources.compiled, *own))))


def _assembly_share(map_text: str, assembly: set[str]) -> float:
    """Bytes of code from assembly files, divided by those of all but libraries and start-up code.

    With -flto the linker names C code after temporary objects, so everything outside libraries
    counts.
    """
    ours = total = 0
    for piece in pieces(map_text):
        library = "(" in piece.object or piece.object.startswith("crt")
        if library or piece.object in _OURS or not piece.section.startswith(".text"):
            continue
        total += piece.size
        ours += piece.size if piece.object in assembly else 0
    return ours / total if total else 0.0


def _call(target: Target, job: Job) -> tuple[dict[Case, int], list[str]]:
    one_shot = OneShot(target, job.implementation, job.board.has_memory_effects)
    cycles: dict[Case, int] = {}
    reasons: list[str] = []
    for case in job.cases:
        try:
            found = one_shot.measure(case, in_place=False)
        except DoesNotFitError as error:
            reasons.append(f"{case.op.value}({case.ad}:{case.m}): buffers are {error}")
            continue
        if isinstance(found, Counts):
            cycles[case] = found.cycles
        else:
            reasons.append(f"{case.op.value}({case.ad}:{case.m}): {found.reason}")
    return cycles, reasons


def _recall(key: str) -> Timed | None:
    data = cache.read(_ROOM, key)
    try:
        cached = json.loads(data) if data else None
        if cached is None:
            return None
        cycles = {_case(name): int(value) for name, value in cached["cycles"].items()}
        return Timed(cycles, float(cached["assembly"]), str(cached["reason"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _remember(key: str, timed: Timed) -> None:
    cycles = {f"{case.op.value} {case.ad} {case.m}": n for case, n in timed.cycles.items()}
    cached = {"cycles": cycles, "assembly": timed.assembly, "reason": timed.reason}
    cache.write(_ROOM, key, json.dumps(cached, sort_keys=True).encode())


def _case(name: str) -> Case:
    op, ad, m = name.split(" ")
    return Case(Operation(op), int(ad), int(m))
