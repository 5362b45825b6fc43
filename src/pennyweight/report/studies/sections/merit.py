"""FELICS's Figure of Merit in each scenario, with adjustable weights."""

from __future__ import annotations

from pennyweight.report.numbers import MISSING, listed, rounded
from pennyweight.report.pages.shared import algorithm_page, short_title
from pennyweight.report.studies.merits import Values, merits
from pennyweight.report.studies.scenarios import METRICS, named_cases
from pennyweight.report.studies.section import Section, Slider, Weighing
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, words


def section(view: StudyView) -> Section | None:
    """A table of algorithms and scenarios, and a slider for each metric."""
    found = merits(view)
    if not any(figures for _, _, figures in found.values()):
        return None
    names = sorted(
        {name for values, _, _ in found.values() for name in values},
        key=lambda name: (
            sum(figures.get(name, 0.0) for _, _, figures in found.values())
            / max(1, sum(name in figures for _, _, figures in found.values())),
            name,
        ),
    )
    rows = tuple(
        TableRow(
            (
                words(view.data.title_of(name), algorithm_page(name)),
                *(_cell(figures.get(name)) for _, _, figures in found.values()),
            )
        )
        for name in names
    )
    slug = view.slug("merit")
    titles = {case.name: case.title for case in named_cases(view)}
    boards = [short_title(board) for board in view.boards]
    return Section(
        title="Figure of Merit",
        words=(
            "On each part, an algorithm's code, RAM and time are divided by the minimum of all "
            "builds in the study and multiplied by their weights. The figure is the sum, averaged "
            f"over {listed(boards)}; smaller is better. Each algorithm is represented by its best "
            "build at equal weights.",
        ),
        weighing=Weighing(
            id=f"{slug}-weights",
            sliders=tuple(Slider(metric, title) for metric, title in METRICS.items()),
            table=Table(
                id=slug,
                caption="Figure of Merit in each scenario",
                columns=(
                    Column("Algorithm"),
                    *(Column(name, numeric=True, note=titles[name]) for name in found),
                ),
                rows=rows,
                csv=f"{slug}.csv",
                footnote="The CSV has the figures at equal weights.",
            ),
            values={
                "groups": list(found),
                "boards": sorted({b for _, minima, _ in found.values() for b in minima}),
                "rows": [
                    [_ratios(values, minima, name) for values, minima, _ in found.values()]
                    for name in names
                ],
            },
        ),
    )


def _ratios(
    values: Values, minima: dict[str, dict[str, float]], name: str
) -> dict[str, dict[str, float]] | None:
    """By board and metric, the value divided by the smallest; None unless the algorithm has all
    boards.
    """
    own = values.get(name, {})
    if set(own) != set(minima):
        return None
    return {
        board: {metric: own[board][metric] / minima[board][metric] for metric in METRICS}
        for board in minima
    }


def _cell(figure: float | None) -> Cell:
    if figure is None:
        return Cell(MISSING, None, weak=True)
    return Cell(rounded(figure), figure)
