"""The best of ours over the best of theirs, and whether that is good enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scripts.bench_implementations.measured import Figures, Key

ALLOWED = 1.10
"""What the best of ours may need of the best of theirs."""

FIELDS: dict[str, Callable[[Figures], int]] = {
    "16 bytes": lambda figures: figures.short,
    "128 bytes": lambda figures: figures.long,
    "flash": lambda figures: figures.flash,
}

CONSTANT_TIME = "constant time"
C_ALONE = "C alone"

Found = Mapping[Key, Sequence[Figures]]


@dataclass(frozen=True, slots=True)
class Line:
    """The best of each side at one key; of ours all, or (`among`) only some."""

    key: Key
    among: str
    ours: dict[str, Figures]
    """The best by field; empty if nothing runs."""
    theirs: dict[str, Figures]

    def ratio(self, name: str) -> float | None:
        """Ours over theirs; `None` if one side has nothing that runs."""
        if not self.ours or not self.theirs:
            return None
        value = FIELDS[name]
        return value(self.ours[name]) / value(self.theirs[name])

    @property
    def above(self) -> int:
        """How many of its ratios are above what is allowed."""
        ratios = (self.ratio(name) for name in FIELDS)
        return sum(ratio is not None and ratio > ALLOWED for ratio in ratios)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What counts against ours. Lines of some of ours only tell more, and do not count."""

    above: int
    """Ratios above what is allowed."""
    absent: list[Key] = field(default_factory=list)
    """Where nothing of ours runs."""
    failed: int = 0
    """Implementations of ours that fail somewhere, other than by their size."""
    alone: list[Key] = field(default_factory=list)
    """Where nothing of theirs runs, so that ours is compared with nothing; does not count."""

    @property
    def is_good(self) -> bool:
        """Does nothing count?"""
        return not (self.above or self.absent or self.failed)

    def __str__(self) -> str:
        counts = (
            f"{self.above} ratios above {ALLOWED:.2f} (marked !; lines of constant time and of C "
            f"alone do not count), {len(self.absent)} where nothing of ours runs, {self.failed} "
            "of ours that fail."
        )
        where: dict[tuple[str, str], list[str]] = {}
        for algorithm, board, flags in self.alone:
            where.setdefault((algorithm, board), []).append(flags)
        places = [f"{name} on {board} ({', '.join(some)})" for (name, board), some in where.items()]
        if places:
            counts += f" Compared with nothing, as nothing of theirs runs: {'; '.join(places)}."
        return counts


def compare(keys: Iterable[Key], ours: Found, ours_in_c: Found, theirs: Found) -> list[Line]:
    """For each key a line, and one for each part of ours that is not the best of all."""
    lines = []
    for key in sorted(keys):
        others = _best(theirs.get(key, ()))
        mine = ours.get(key, ())
        best = _best(mine)
        lines.append(Line(key, "", best, others))
        constant = [each for each in mine if each.is_constant_time]
        for among, some in ((CONSTANT_TIME, constant), (C_ALONE, ours_in_c.get(key, ()))):
            if best and _best(some) != best:
                lines.append(Line(key, among, _best(some), others))
    return lines


def _best(figures: Sequence[Figures]) -> dict[str, Figures]:
    if not figures:
        return {}
    return {name: min(figures, key=value) for name, value in FIELDS.items()}


def judge(lines: Iterable[Line], failed: int) -> Verdict:
    """What counts, of all lines; `failed` implementations of ours do not run as they should."""
    counted = [line for line in lines if not line.among]
    absent = [line.key for line in counted if not line.ours]
    alone = [line.key for line in counted if line.ours and not line.theirs]
    return Verdict(sum(line.above for line in counted), absent, failed, alone)
