"""Ranks under protection: masked builds by their order, and those of a mode that limits
leakage.
"""

from __future__ import annotations

from collections.abc import Sequence

from pennyweight.analysis.facts import BoardFacts
from pennyweight.report.numbers import MISSING, count, integer
from pennyweight.report.pages.shared import algorithm_page, short_title
from pennyweight.report.studies.masking_rows import BY_MODE, MaskedBuild, builds_by_mode
from pennyweight.report.studies.view import StudyView
from pennyweight.report.tables import Cell, Column, Table, TableRow, number, words

DEGREES = {"full": "all", "init": "initialization and finalization"}
SOURCES = {"trng": "the part's generator", "free": "almost free words", "lfsr": "software"}

FREE = "free"
PARTS_OWN = "trng"


def explanation(view: StudyView) -> tuple[str, ...]:
    """What the ranks compare; empty if the study has no algorithm to compare with."""
    found = [
        facts
        for board in view.boards
        for build in builds_by_mode(view, board.id)
        if (facts := view.data.algorithms.get(build.algorithm)) is not None
    ]
    if not found:
        return ()
    names = " and ".join(dict.fromkeys(facts.title.partition("-")[0] for facts in found))
    cited = "; ".join(dict.fromkeys(f.specification for f in found if f.specification))
    source = f" ({cited})" if cited else ""
    return (
        f"{names} is ranked without masks at every order. Its claim is about leakage by its mode: "
        f"the specification{source} states that the mode, which derives a fresh key for each "
        "message, is robust against attacks that collect the leakage of many calls. That is not "
        "masking, and has no order. A leak within one call is the implementation's problem there "
        "too. The ranks compare costs, not protection.",
    )


def rank_table(view: StudyView, board: BoardFacts, builds: Sequence[MaskedBuild]) -> Table | None:
    """The ranks on a board, order by order; `builds` are the masked ones on it. None without an
    algorithm to compare with.
    """
    others = builds_by_mode(view, board.id)
    if not others:
        return None
    fastest = min(each.cycles for each in others)
    rows = []
    for shares in sorted({build.shares for build in builds}):
        ranked = sorted((*_candidates(builds, shares), *others), key=lambda each: each.cycles)
        rows += [
            _row(view, build, shares - 1, place, fastest) for place, build in enumerate(ranked, 1)
        ]
    slug = view.slug(board.id, "masking-ranks")
    return Table(
        id=slug,
        caption=f"Ranks under protection on the {short_title(board)}, by order of masking",
        columns=(
            Column("Order", numeric=True),
            Column("Rank", numeric=True),
            Column("Algorithm"),
            Column("Implementation"),
            Column("Masked"),
            Column("Randomness"),
            Column("Packets", "cycles", numeric=True),
            Column("Packets", f"times the fastest {_names()}", numeric=True),
            Column("Random words", "of 32 bits", numeric=True),
            Column("Flash", "bytes", numeric=True),
            Column("RAM and stack", "bytes", numeric=True),
        ),
        rows=tuple(rows),
        csv=f"{slug}.csv",
        footnote=(
            "Order 1 is two shares. Ranked by the cycles of all packets, weighted as for the "
            "overhead; random words are those of the longest encrypted packet. Without masks there "
            f"is no order: {_names()} is listed at each for comparison."
        ),
    )


def _names() -> str:
    return " or ".join(name.upper() for name in BY_MODE)


def _candidates(builds: Sequence[MaskedBuild], shares: int) -> list[MaskedBuild]:
    """The fastest build of each masked implementation with these shares. Almost free words count
    only if nothing else was measured.
    """
    own = [each for each in builds if each.shares == shares]
    paid = [each for each in own if each.random != FREE]
    found: dict[tuple[str, str], MaskedBuild] = {}
    for build in paid or own:
        key = (build.algorithm, build.series)
        if key not in found or build.cycles < found[key].cycles:
            found[key] = build
    return list(found.values())


def _row(view: StudyView, build: MaskedBuild, order: int, place: int, fastest: int) -> TableRow:
    masked = build.shares > 1
    return TableRow(
        (
            number(order, integer),
            number(place, integer),
            words(view.data.title_of(build.algorithm), algorithm_page(build.algorithm)),
            Cell(
                build.implementation,
                build.implementation,
                small=count(build.shares, "share") if masked else "",
            ),
            words(DEGREES[build.degree] if masked else "nothing"),
            words(SOURCES.get(build.random, build.random) if masked else MISSING),
            number(build.cycles, integer),
            Cell(f"{build.cycles / fastest:.2f}", build.cycles / fastest),
            number(build.random_words, integer),
            number(build.flash, integer),
            number(build.ram, integer),
        ),
        best=place == 1,
    )
