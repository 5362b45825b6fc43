"""One run of the scheduler: from a file to the text of the result and its gains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Gain:
    """Cycles of a call on a board, before and after, with one region, or all, reordered."""

    first: int
    last: int
    """Its lines; those of the first and the last region for all of them."""
    instructions: int
    board: str
    flags: str
    function: str
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

    def progress(cost: int, used: int) -> None:
        if cost < SLOWER:
            start = costs.cost(costs.before)
            report(f"{used:,} evaluations: cost {100 * cost / start:.2f} % of that before")

    orders = search(costs, found, seed, budget, progress)
    if not all(region.allows(order) for region, order in zip(found, orders, strict=True)):
        raise AssertionError("the search keeps the dependences")
    moved = [
        (region, order)
        for region, order in zip(found, orders, strict=True)
        if order != region.lines
    ]
    text = source.reordered([order for _, order in moved])
    after = _checked(text, settings, base, found, seed) if moved or renamings else before
    gains = _gains(settings, costs, found, orders, after)
    best = [
        (min(region.lines), max(region.lines))
        for region, order in zip(found, orders, strict=True)
        if order == region.lines
    ]
    return Scheduled(text, costs.cost(after) < costs.cost(before), gains, best, budget.used)


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
    found = _observed(settings, result)
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
) -> list[Gain]:
    """A row for each changed region alone, and then for all."""
    given = [region.lines for region in found]
    gains = []
    cases: list[tuple[int, int, int, Sequence[Sequence[int]]]] = []
    for index, region in enumerate(found):
        if orders[index] == region.lines:
            continue
        alone = [*given[:index], orders[index], *given[index + 1 :]]
        cycles = costs.cycles(alone)
        assert cycles is not None, "an allowed order runs"
        cases.append((min(region.lines), max(region.lines), region.count, cycles))
    lines = [line for region in found for line in region.lines]
    cases.append((min(lines), max(lines), costs.count, after))
    for first, last, count, case in cases:
        for setting, now, before in zip(settings, case, costs.before, strict=True):
            for call, new, old in zip(setting.calls, now, before, strict=True):
                gains.append(
                    Gain(
                        first,
                        last,
                        count,
                        setting.board.id,
                        setting.flags,
                        call.call.function,
                        old,
                        new,
                    )
                )
    return gains
