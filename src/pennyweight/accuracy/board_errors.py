"""Errors of the simulator against a connected board, and a page about them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight.accuracy.instruction_classes import CLASSES, MECHANISMS
from pennyweight.markdown import table
from pennyweight.model import Measurement, Status
from pennyweight.store.atomic import make_folder, write_whole

_WORST = 10

_CONTRAST = 0.25
"""A class of instructions is named if at least this part of the error with large shares of the
class is absent with small ones.
"""

_MOST_WAITS = 3
"""Cycles that an instruction is assumed to wait at most for each one that is simulated."""

_FACTOR, _SCATTER = 1.1, 0.25
"""The smallest common factor of errors, and how much the calls may differ from it: as logarithms,
this part of the factor.
"""


@dataclass(frozen=True, slots=True)
class CallError:
    """One call in the simulator and on the board."""

    implementation: str
    what: str
    """The operation and lengths, such as `enc 0:128`."""
    simulated: int
    measured: int
    spread: int
    """Cycles between the smallest and the largest count on the board."""
    shares: dict[str, float]
    """The fraction of simulated cycles in each class of instructions."""

    @property
    def error(self) -> float:
        """As a fraction of the measured cycles; positive: the simulated value is larger."""
        return self.simulated / self.measured - 1


@dataclass(frozen=True, slots=True)
class ClassError:
    """Errors of the calls with the larger and the smaller share of one class of instructions."""

    name: str
    share: float
    """Median of the shares."""
    more: float
    """Median absolute error of the half with the larger shares."""
    less: float
    """The same for the other half."""

    @property
    def is_contrast(self) -> bool:
        """Whether the class can explain the errors."""
        return self.more - self.less > _CONTRAST * self.more and _explains(self.share, self.more)


def pair(
    simulated: Sequence[Measurement],
    measured: Sequence[Measurement],
    shares: dict[tuple[str, str], dict[str, float]],
) -> tuple[list[CallError], list[str]]:
    """The errors of all calls that both measured, and a reason for each other call.

    `shares` has the instruction mix by implementation and operation.
    """
    found, reasons = [], []
    others = {_key(row): row for row in measured}
    for row in simulated:
        other = others.get(_key(row))
        mix = shares.get((_name(row), row.op))
        if other is None or row.cycles is None or other.cycles is None or mix is None:
            failed = row if row.status != Status.OK or other is None else other
            reasons.append(f"{_name(row)}, {_what(row)}: {failed.reason or 'no profile'}")
            continue
        found.append(
            CallError(
                _name(row),
                _what(row),
                row.cycles,
                other.cycles,
                other.cycles_spread or 0,
                mix,
            )
        )
    return found, reasons


def by_class(errors: Sequence[CallError]) -> list[ClassError]:
    """The errors by instruction mix, the largest contrast first. Needs two calls or more."""
    found = []
    for name in CLASSES:
        ordered = sorted(errors, key=lambda each: each.shares[name])
        half = len(ordered) // 2
        if not half or ordered[0].shares[name] == ordered[-1].shares[name]:
            continue
        found.append(
            ClassError(
                name,
                statistics.median(each.shares[name] for each in ordered),
                _median(ordered[-half:]),
                _median(ordered[:half]),
            )
        )
    return sorted(found, key=lambda each: each.less - each.more)


def summary(errors: Sequence[CallError]) -> str:
    """The errors of at least one call, in a sentence."""
    ordered = sorted(abs(each.error) for each in errors)
    ninth = ordered[max(0, math.ceil(0.9 * len(ordered)) - 1)]
    calls = "1 call" if len(errors) == 1 else f"{len(errors)} calls"
    return (
        f"{calls}: the median absolute error is {_percent(statistics.median(ordered))}, "
        f"the 90th percentile {_percent(ninth)}, the maximum {_percent(ordered[-1])}."
    )


def factor(errors: Sequence[CallError]) -> float | None:
    """The factor between measured and simulated cycles, if nearly all errors are this one."""
    logs = sorted(math.log(each.measured / each.simulated) for each in errors)
    middle = statistics.median(logs)
    away = sorted(abs(each - middle) for each in logs)
    ninth = away[max(0, math.ceil(0.9 * len(away)) - 1)]
    is_one = abs(middle) >= math.log(_FACTOR) and ninth <= _SCATTER * abs(middle)
    return math.exp(middle) if is_one and len(errors) > 1 else None


def warning(errors: Sequence[CallError]) -> str:
    """A sentence for errors that are one factor; otherwise empty."""
    found = factor(errors)
    if found is None:
        return ""
    return (
        f"Nearly all calls take {found:.2f} times the simulated cycles, so the counter probably "
        "does not count the core's cycles: check device.counter and the clock in the board file."
    )


def page(title: str, device: str, errors: Sequence[CallError], reasons: Sequence[str]) -> str:
    """The page in Markdown."""
    if not errors:
        return f"# Accuracy: {title}\n\nNo call could be compared.\n\n{_list(reasons)}"
    medians = {name: statistics.median(each.shares[name] for each in errors) for name in CLASSES}
    unsteady = sum(each.spread > 0 for each in errors)
    warned = warning(errors)
    classes = by_class(errors)
    named = [] if warned else [each.name for each in classes if each.is_contrast]
    parts = [
        f"# Accuracy: {title}",
        f"Measured on: {device}.",
        f"{summary(errors)} The count varied between repeats in {unsteady} calls.",
        *([warned] if warned else []),
        "## Errors by instruction mix",
        "Each row splits the calls at the median share of cycles in one class of instructions. "
        "A class whose calls with larger shares have larger errors points to its timing rules.",
        table(
            ("class", "median share", "error, larger shares", "error, smaller shares", "mechanism"),
            (
                (
                    each.name,
                    _percent(each.share),
                    _percent(each.more),
                    _percent(each.less),
                    MECHANISMS[each.name] if each.name in named else "",
                )
                for each in classes
            ),
        ),
        "## Largest errors",
        "The last column names, of the classes with a mechanism above, the one that the call uses "
        "most in comparison with the other calls, if it can explain the error.",
        table(
            ("implementation", "call", "simulated", "measured", "spread", "error", "points to"),
            (
                (
                    each.implementation,
                    each.what,
                    f"{each.simulated:,}",
                    f"{each.measured:,}",
                    f"{each.spread:,}",
                    f"{100 * each.error:+.2f} %",
                    _points_to(each, medians, named),
                )
                for each in sorted(errors, key=lambda each: -abs(each.error))[:_WORST]
            ),
        ),
    ]
    if reasons:
        parts += ["## Not compared", _list(reasons)]
    return "\n\n".join(parts) + "\n"


def write(folder: Path, name: str, text: str) -> Path:
    """Writes the page. Raises `UserError` if that fails."""
    make_folder(folder)
    path = folder / f"accuracy-{name}.md"
    write_whole(path, text.encode())
    return path


def _points_to(call: CallError, medians: dict[str, float], named: Sequence[str]) -> str:
    """The named class whose share is the most above the median, and its mechanism; empty if it
    cannot explain the error.
    """
    if call.simulated == call.measured or not named:
        return ""
    name = max(named, key=lambda each: call.shares[each] - medians[each])
    share, error = call.shares[name], abs(call.measured / call.simulated - 1)
    if share <= medians[name] or not _explains(share, error):
        return ""
    return f"{name}: {MECHANISMS[name]}"


def _explains(share: float, error: float) -> bool:
    """Whether instructions with this share of the cycles can be wrong by this part of all."""
    return error <= _MOST_WAITS * share


def _key(row: Measurement) -> tuple[str, str, int, int]:
    return _name(row), row.op, row.ad, row.m


def _name(row: Measurement) -> str:
    return f"{row.algorithm}/{row.implementation}"


def _what(row: Measurement) -> str:
    return f"{row.op} {row.ad}:{row.m}"


def _median(errors: Sequence[CallError]) -> float:
    return statistics.median(abs(each.error) for each in errors)


def _percent(value: float) -> str:
    return f"{100 * value:.2f} %"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) + "\n"
