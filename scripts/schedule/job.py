"""One run of the scheduler: from a file to the text of the result and its gains."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.schedule.equivalence import check_outputs, check_regions
from scripts.schedule.expand import expandable, expanded
from scripts.schedule.program import Image, Setting
from scripts.schedule.regions import Region, regions
from scripts.schedule.rename import Renaming, proposals, renamed
from scripts.schedule.search import SLOWER, Budget, Costs, search
from scripts.schedule.source import Source

from pennyweight.build.failure import BuildError
from pennyweight.model import UserError

_QUIET_S = 10
"""The longest time without a report during the search."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Cycles of a call on a board, before and after, with one region, or all, reordered."""

    lines: str
    """The region's first and last line, or `all`."""
    instructions: int
    board: str
    flags: str
    call: str
    """The function's name, with its arguments if it is called with others too."""
    before: int
    after: int

    @property
    def percent(self) -> float:
        """Cycles saved of those before."""
        return 100 * (self.before - self.after) / self.before


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The result."""

    text: str
    changed: bool
    gains: list[Gain]
    best: list[tuple[int, int]]
    """First and last line of the regions whose order is the best that was found."""
    evaluations: int


def schedule(
    path: Path,
    settings: Sequence[Setting],
    seed: int,
    budget: Budget,
    lines: tuple[int, int] | None = None,
    least: int = 4,
    expand: bool = False,
    rename: bool = False,
    report: Callable[[str], None] = lambda text: None,
) -> Scheduled:
    """Searches for the best order of a file's lines and checks the result.

    `lines` limits the regions to those in a range of lines; `least` is the number of lines of the
    smallest region. Raises `UserError`, `BuildError`.
    """
    source = Source(path.read_text(encoding="utf-8"))
    report("observing the calls")
    images = _observed(settings, source)
    where = f"lines {lines[0]} to {lines[1]}" if lines else "the file"
    if expand:
        source, images, lines = _expanded(source, settings, images, lines, report)

    def chosen() -> list[Region]:
        each = regions(source, settings, images, lines)
        return [region for region in each if len(region.lines) >= least]

    found = chosen()
    if not found:
        raise UserError(
            f"{path}: {where} has no {least} consecutive lines of instructions that may change "
            "places and that a call executes; name more calls, or use --expand if a line is a "
            "macro's call"
        )
    base = images
    renamings = 0
    if rename:
        source, images, renamings = _renamed(source, settings, images, found)
        report(f"{renamings} values got other registers")
        found = chosen()
    before = [setting.check(image.elf) for setting, image in zip(settings, base, strict=True)]
    costs = Costs(settings, images, found, budget, before)
    report(
        f"{len(found)} regions, {sum(len(region.lines) for region in found)} lines; "
        f"{_sum(costs.before):,} cycles"
    )

    progress = Progress(report, costs.cost(costs.before))
    budget.after_each = progress.evaluated
    orders = search(costs, found, seed, budget, progress.gain)
    if not all(region.allows(order) for region, order in zip(found, orders, strict=True)):
        raise AssertionError("the search keeps the dependences")
    moved = [
        (region, order)
        for region, order in zip(found, orders, strict=True)
        if order != region.lines
    ]
    text = source.reordered([order for _, order in moved])
    after = before
    if moved or renamings:
        report("checking the result")
        after = _checked(text, settings, base, found, seed)
    gains = _gains(settings, costs, found, orders, after, renamings > 0)
    best = [
        (min(region.lines), max(region.lines))
        for region, order in zip(found, orders, strict=True)
        if order == region.lines
    ]
    return Scheduled(text, costs.cost(after) < costs.cost(before), gains, best, budget.used)


@dataclass(slots=True)
class Progress:
    """Reports each gain of a search, and its evaluations at least every ten seconds."""

    report: Callable[[str], None]
    start: int
    """The cost before."""
    cost: int = field(init=False)
    _reported: float = field(init=False)

    def __post_init__(self) -> None:
        self.cost = self.start
        self._reported = time.monotonic()

    def gain(self, cost: int, used: int) -> None:
        """Reports a gain."""
        if cost < SLOWER:
            self.cost = cost
            self._report(used)

    def evaluated(self, used: int) -> None:
        """Reports the evaluations if nothing was reported lately."""
        if time.monotonic() - self._reported >= _QUIET_S:
            self._report(used)

    def _report(self, used: int) -> None:
        self._reported = time.monotonic()
        self.report(
            f"{used:,} evaluations: cost {100 * self.cost / self.start:.2f} % of that before"
        )


def _observed(settings: Sequence[Setting], source: Source) -> list[Image]:
    """The source's programs, with the effects of their instructions."""
    images = []
    for setting in settings:
        image = setting.image(source)
        setting.check(image.elf)
        setting.observe(image)
        images.append(image)
    return images


def _expanded(
    source: Source,
    settings: Sequence[Setting],
    images: Sequence[Image],
    lines: tuple[int, int] | None,
    report: Callable[[str], None],
) -> tuple[Source, list[Image], tuple[int, int] | None]:
    """The source with expanded calls, its programs, and where the range of lines is in it."""
    calls = [expandable(source, image) for image in images]
    if any(each != calls[0] for each in calls):
        raise UserError(
            "--expand: the macros have other instructions on some of the boards; name boards of "
            "one instruction set, and one set of flags"
        )
    result = expanded(source, calls[0])
    report(f"expanded {len(calls[0])} macro calls")
    try:
        found = _observed(settings, result)
    except BuildError as error:
        raise UserError(
            f"--expand: the assembler rejects the source with expanded macros: {error}; leave the "
            "option out"
        ) from None
    for old, new in zip(images, found, strict=True):
        code = [
            [image.bytes_of(image.instructions[at]) for at in image.stacks] for image in (old, new)
        ]
        if code[0] != code[1]:
            raise UserError(
                "--expand: the assembler makes other instructions of the disassembled ones; leave "
                "the option out"
            )
    if lines is not None:
        first, last = lines
        first += sum(len(texts) for line, texts in calls[0].items() if line < lines[0])
        last += sum(len(texts) for line, texts in calls[0].items() if line <= lines[1])
        lines = first, last
    return result, found, lines


def _sum(cycles: Sequence[Sequence[int]]) -> int:
    return sum(sum(each) for each in cycles)


def _checked(
    text: str,
    settings: Sequence[Setting],
    images: Sequence[Image],
    found: Sequence[Region],
    seed: int,
) -> list[list[int]]:
    """The cycles of the result, assembled again and checked. Raises `UserError`."""
    result = Source(text)
    # A region covers the same lines of the file as before; comments may be on others of them.
    changed = []
    for region in found:
        span = range(min(region.lines), max(region.lines) + 1)
        changed.append((region.lines, tuple(line for line in span if result.lines[line].is_code)))
    cycles = []
    for setting, image, again in zip(settings, images, _observed(settings, result), strict=True):
        check_regions(setting, image, again, changed)
        check_outputs(setting, image.elf, again.elf, seed)
        cycles.append(setting.check(again.elf))
    return cycles


def _renamed(
    source: Source,
    settings: Sequence[Setting],
    images: Sequence[Image],
    found: Sequence[Region],
) -> tuple[Source, list[Image], int]:
    """The source with values in other registers, as far as it provably computes the same."""
    kept: list[Renaming] = []
    result, built = source, list(images)
    waiting = [proposals(source, found, images)]
    while waiting:
        tried = waiting.pop(0)
        if not tried:
            continue
        candidate = renamed(source, found, images, [*kept, *tried])
        try:
            again = _observed(settings, candidate)
            for setting, old, new in zip(settings, images, again, strict=True):
                check_regions(setting, old, new, [(region.lines, region.lines) for region in found])
        except (UserError, BuildError):
            if len(tried) > 1:
                half = len(tried) // 2
                waiting[:0] = [tried[:half], tried[half:]]
            continue
        kept += tried
        result, built = candidate, again
    return result, built, len(kept)


def _gains(
    settings: Sequence[Setting],
    costs: Costs,
    found: Sequence[Region],
    orders: Sequence[tuple[int, ...]],
    after: Sequence[Sequence[int]],
    renamed: bool,
) -> list[Gain]:
    """A row for each changed region alone, and then for all, if that is not the same."""
    given = [region.lines for region in found]
    gains = []
    cases: list[tuple[str, int, Sequence[Sequence[int]]]] = []
    for index, region in enumerate(found):
        if orders[index] == region.lines:
            continue
        alone = [*given[:index], orders[index], *given[index + 1 :]]
        cycles = costs.cycles(alone)
        assert cycles is not None, "an allowed order runs"
        cases.append((f"{min(region.lines)}-{max(region.lines)}", region.count, cycles))
    if len(cases) != 1 or renamed:
        cases.append(("all", costs.count, after))
    for lines, count, case in cases:
        for setting, now, before in zip(settings, case, costs.before, strict=True):
            functions = Counter(each.call.function for each in setting.calls)
            for call, new, old in zip(setting.calls, now, before, strict=True):
                function = call.call.function
                name = call.text if functions[function] > 1 else function
                gains.append(Gain(lines, count, setting.board.id, setting.flags, name, old, new))
    return gains
