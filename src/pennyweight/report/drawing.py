"""Draws figures on all cores, using cached drawings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from importlib.metadata import version

from pennyweight import cache
from pennyweight.charts.render import Drawing, draw
from pennyweight.pool import Outcome, Task, available_cores, run_tasks
from pennyweight.progress import Progress
from pennyweight.report.figures import Figure

_ROOM = "figures"
_DRAWN_BY = ("vl-convert-python", "pillow")
_WORTH_A_WORKER = 6
"""Number of figures per worker from which starting it pays off."""


def drawings(figures: Iterable[Figure], progress: Progress) -> Iterator[tuple[Figure, Drawing]]:
    """Yields each figure with its files, as they finish."""
    by_slug = {figure.slug: figure for figure in figures}
    progress.start(len(by_slug))
    tasks = []
    for slug, figure in by_slug.items():
        arguments = (figure.chart.wide(), figure.chart.narrow(), figure.label)
        known = _recall(_key(arguments))
        if known is None:
            tasks.append(Task(slug, draw, arguments))
        else:
            yield figure, known
            progress.step()
    for outcome in _run(tasks, progress):
        _remember(_key(outcome.task.arguments), outcome.value)
        yield by_slug[outcome.task.key], outcome.value
        progress.step()


def _run(tasks: list[Task], progress: Progress) -> Iterator[Outcome]:
    """Draws in workers if there are enough figures; figures on which they fail are drawn in this
    process.
    """
    workers = min(available_cores(), len(tasks) // _WORTH_A_WORKER)
    left = tasks
    if workers > 1:
        left = []
        for outcome in run_tasks(tasks, workers, lambda task: progress.working_on(task.key)):
            if outcome.value is None:
                left.append(outcome.task)
            else:
                yield outcome
    for task in left:
        progress.working_on(task.key)
        yield Outcome(task, draw(*task.arguments))


def _key(arguments: tuple[object, ...]) -> str:
    """The name of a drawing: a hash of everything that it depends on."""
    text = json.dumps([arguments, *map(version, _DRAWN_BY), Drawing.STYLE], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _recall(key: str) -> Drawing | None:
    parts = [cache.read(_ROOM, f"{key}-{name}") for name in ("wide", "narrow", "png", "pdf")]
    if any(part is None for part in parts):
        return None
    wide, narrow, png, pdf = (part or b"" for part in parts)
    return Drawing(wide.decode("utf-8"), narrow.decode("utf-8"), png, pdf)


def _remember(key: str, drawing: Drawing) -> None:
    cache.write(_ROOM, f"{key}-wide", drawing.wide.encode("utf-8"))
    cache.write(_ROOM, f"{key}-narrow", drawing.narrow.encode("utf-8"))
    cache.write(_ROOM, f"{key}-png", drawing.png)
    cache.write(_ROOM, f"{key}-pdf", drawing.pdf)
