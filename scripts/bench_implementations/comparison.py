"""The ratio of the bundled best to NIST's best, and whether it is within the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scripts.bench_implementations.measurements import Figures, Key

ALLOWED = 1.10
"""Maximum ratio of the bundled best to NIST's best."""

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
    """The best of each side at one key; of the bundled implementations all, or only `among`."""

    key: Key
    among: str
    bundled: dict[str, Figures]
    """The best by field; empty if none runs."""
    rival: dict[str, Figures]
    """The same of NIST's implementations."""

    def ratio(self, name: str) -> float | None:
        """Bundled divided by NIST's; `None` if no implementation of one side runs."""
        if not self.bundled or not self.rival:
            return None
        value = FIELDS[name]
        return value(self.bundled[name]) / value(self.rival[name])

    @property
    def above(self) -> int:
        """Number of its ratios above the limit."""
        ratios = (self.ratio(name) for name in FIELDS)
        return sum(ratio is not None and ratio > ALLOWED for ratio in ratios)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The failed checks. Lines about subsets of the bundled implementations do not count."""

    above: int
    """Number of ratios above the limit."""
    absent: list[Key] = field(default_factory=list)
    """Where no bundled implementation runs."""
    failed: int = 0
    """Number of bundled implementations that fail somewhere, other than by their size."""
    alone: list[Key] = field(default_factory=list)
    """Where no implementation of NIST's runs, so that there is nothing to compare with; not
    counted.
    """

    @property
    def is_good(self) -> bool:
        """Whether all checks pass."""
        return not (self.above or self.absent or self.failed)

    def __str__(self) -> str:
        counts = (
            f"{self.above} ratios above {ALLOWED:.2f} (marked !; lines of constant time and of C "
            f"alone do not count), {len(self.absent)} where no bundled implementation runs, "
            f"{self.failed} bundled implementations that fail."
        )
        where: dict[tuple[str, str], list[str]] = {}
        for algorithm, board, flags in self.alone:
            where.setdefault((algorithm, board), []).append(flags)
        places = [f"{name} on {board} ({', '.join(some)})" for (name, board), some in where.items()]
        if places:
            counts += f" Not compared, because none of NIST's runs: {'; '.join(places)}."
        return counts


def compare(keys: Iterable[Key], bundled: Found, in_c: Found, rivals: Found) -> list[Line]:
    """A line for each key, and one for each subset of the bundled ones that does not contain the
    best.
    """
    lines = []
    for key in sorted(keys):
        rival = _best(rivals.get(key, ()))
        found = bundled.get(key, ())
        best = _best(found)
        lines.append(Line(key, "", best, rival))
        constant = [each for each in found if each.is_constant_time]
        for among, some in ((CONSTANT_TIME, constant), (C_ALONE, in_c.get(key, ()))):
            if best and _best(some) != best:
                lines.append(Line(key, among, _best(some), rival))
    return lines


def _best(figures: Sequence[Figures]) -> dict[str, Figures]:
    if not figures:
        return {}
    return {name: min(figures, key=value) for name, value in FIELDS.items()}


def judge(lines: Iterable[Line], failed: int) -> Verdict:
    """Evaluates all lines; `failed` bundled implementations do not run correctly."""
    counted = [line for line in lines if not line.among]
    absent = [line.key for line in counted if not line.bundled]
    alone = [line.key for line in counted if line.bundled and not line.rival]
    return Verdict(sum(line.above for line in counted), absent, failed, alone)
