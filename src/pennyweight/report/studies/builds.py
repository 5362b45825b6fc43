"""The best builds of a study, and the styles of their lines."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.analysis.choice import Purpose, best_builds
from pennyweight.charts.palette import MOST_LINES, OTHERS, LineStyle, line_styles
from pennyweight.model import Kind
from pennyweight.report.data import NOT_CONSTANT_TIME
from pennyweight.report.studies.view import StudyView


@dataclass(frozen=True, slots=True)
class Best:
    """The best build of an algorithm on a board; `cycles` is the sum that decided."""

    algorithm: str
    title: str
    board: str
    implementation: str
    flags: str
    cycles: int
    flash: int
    ram: int
    stack: int

    @property
    def key(self) -> tuple[str, str, str]:
        """The values that identify its rows."""
        return self.algorithm, self.implementation, self.flags


def best_of(
    view: StudyView, kind: Kind, purpose: Purpose = "cycles", where: str = "true"
) -> list[Best]:
    """The best build of each algorithm of a kind on each board, best first for each board.

    Decided over the study's one-shot cases that satisfy the SQL condition `where`.
    """
    ops = {"aead": "op IN ('enc', 'dec')", "hash": "op = 'hash'", "auth": "op = 'auth'"}[kind.value]
    rows = view.table(f"SELECT * FROM study_rows WHERE kind = ? AND {ops} AND {where}", kind.value)
    return [
        Best(
            algorithm=row["algorithm"],
            title=view.data.title_of(row["algorithm"]),
            board=row["board"],
            implementation=row["implementation"],
            flags=row["flags"],
            cycles=row["cycles"],
            flash=row["flash"],
            ram=row["ram"],
            stack=row["stack"],
        )
        for row in best_builds(rows, purpose).to_pylist()
    ]


def drawn(view: StudyView, best: list[Best]) -> list[Best]:
    """The best builds on one board to distinguish in a figure: baselines, then the fastest."""
    first = [b for b in best if b.algorithm in view.baselines][:MOST_LINES]
    others = [b for b in best if b.algorithm not in view.baselines]
    chosen = first + others[: MOST_LINES - len(first)]
    return [b for b in best if b in chosen]


def line_styles_for(view: StudyView, algorithms: list[str]) -> dict[str, LineStyle]:
    """The styles of algorithms: baselines heavy, the same in all figures with the same names."""
    heavy = [name for name in view.baselines if name in algorithms]
    found = line_styles(sorted(algorithms)[:MOST_LINES], heavy)
    return {name: found.get(name, OTHERS) for name in algorithms}


def named(view: StudyView, best: Best) -> str:
    """An algorithm's name in a figure, with a dagger if its build is not constant-time."""
    return best.title + view.data.mark(best.algorithm, best.implementation)


def dagger(view: StudyView, builds: list[Best]) -> str:
    """The explanation of the dagger, if one of the builds has it."""
    marked = any(view.data.mark(b.algorithm, b.implementation) for b in builds)
    return NOT_CONSTANT_TIME if marked else ""
