"""All figures of a results folder as objects, for notebooks."""

from __future__ import annotations

from pennyweight.model import Kind
from pennyweight.report.curve_figures import boards_figure
from pennyweight.report.data import load
from pennyweight.report.figures import Figure
from pennyweight.report.pages import board, implementation, maps
from pennyweight.report.pages.shared import Ranking
from pennyweight.report.studies import page as studies
from pennyweight.store import ResultStore


def figures(store: ResultStore) -> dict[str, Figure]:
    """The figures of boards, algorithms, implementations, maps and studies, by their files' names.

    Raises UserError if there are no results.
    """
    data = load(store)
    rankings = [
        ranking
        for facts in data.boards.values()
        for kind in data.kinds
        if (ranking := Ranking.of(data, facts, kind)) is not None
    ]
    found: list[Figure] = []
    for facts in data.boards.values():
        for section in board.sections(data, facts, rankings):
            found += section.figures
    for name, each in data.algorithms.items():
        builds = {
            ranking.board.id: own
            for ranking in rankings
            if ranking.kind is Kind(each.kind) and (own := ranking.of_algorithm(name))
        }
        figure = boards_figure(data, name, builds) if builds else None
        if figure is not None:
            found.append(figure)
    for page in implementation.pages(data, rankings):
        found += page.figures
    drawn = maps.content(data, rankings)
    if drawn is not None:
        found += drawn["figures"]
    for study in studies.write_pages(data):
        for _, analysis in study.sections:
            found += analysis.all_figures()
    return {figure.slug: figure for figure in found}
