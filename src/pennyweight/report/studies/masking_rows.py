"""What masking costs: times of masked builds divided by those without masks, and those of
algorithms whose mode limits leakage.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pennyweight.analysis.facts import ENDS
from pennyweight.analysis.units import AEAD_PACKETS
from pennyweight.report.data import Row
from pennyweight.report.studies.view import StudyView

MASKING_OVERHEAD = "masking_overhead"
"""The metric of published overheads."""

BUNDLED_SERIES = ("masked", f"masked{ENDS}")
"""Names of bundled masked implementations, without the number of shares."""

BY_MODE = ("isap",)
"""Families of algorithms that claim robustness against side channels by their mode, without masks.
"""

_NUMBER = re.compile(r"(?<=^masked)\d+|-\d+shares")
"""The number of shares in the name of an implementation."""

Packet = tuple[str, int]


@dataclass(frozen=True, slots=True)
class MaskedBuild:
    """A masked build on a board, or one of `BY_MODE`, which has one share.

    `cycles` is the total over the packets, weighted as in the published table, and `overhead` that
    total divided by the one of `baseline`, the fastest build of the algorithm without masks. The
    other figures are those of encrypting the longest packet; `waiting` is a share of its cycles.
    """

    algorithm: str
    board: str
    implementation: str
    flags: str
    random: str
    shares: int
    cycles: int
    baseline: str
    baseline_cycles: int
    random_words: int
    waiting: float
    flash: int
    ram: int
    packets: dict[Packet, int] = field(repr=False)

    @property
    def degree(self) -> str:
        """Which part is masked: `init` or `full`."""
        return "init" if self.implementation.endswith(ENDS) else "full"

    @property
    def series(self) -> str:
        """The implementation's name without the number of shares."""
        return _NUMBER.sub("", self.implementation)

    @property
    def overhead(self) -> float:
        """How many times the cycles of the baseline."""
        return self.cycles / self.baseline_cycles


def masked_builds(view: StudyView) -> list[MaskedBuild]:
    """All masked builds of algorithms that were also measured without masks on the same board, by
    board, algorithm, part that is masked, source of random words and number of shares.
    """
    found = []
    for board in view.boards:
        builds = _builds(view, board.id)
        totals = {key: _total(rows) for key, rows in builds.items()}
        baselines: dict[str, tuple[int, str]] = {}
        for (algorithm, implementation, flags), total in totals.items():
            if total is not None and not _shares(view, algorithm, implementation):
                candidate = (total, f"{implementation} {flags}")
                baselines[algorithm] = min(candidate, baselines.get(algorithm, candidate))
        for (algorithm, implementation, flags), rows in builds.items():
            total = totals[algorithm, implementation, flags]
            shares = _shares(view, algorithm, implementation)
            if total is None or shares is None or algorithm not in baselines:
                continue
            found.append(_build(rows, shares, total, *baselines[algorithm]))
    return sorted(
        found,
        key=lambda b: (
            *(_place(view, b.board), b.algorithm, b.degree, b.series),
            *(b.random != "trng", b.random, b.shares),
        ),
    )


def builds_by_mode(view: StudyView, board: str) -> list[MaskedBuild]:
    """The fastest build without masks of each algorithm of `BY_MODE` on a board."""
    found: dict[str, MaskedBuild] = {}
    for (algorithm, implementation, flags), rows in _builds(view, board).items():
        facts = view.data.algorithms.get(algorithm)
        total = _total(rows)
        if facts is None or facts.family not in BY_MODE or total is None:
            continue
        if _shares(view, algorithm, implementation):
            continue
        build = _build(rows, 1, total, total, f"{implementation} {flags}")
        if algorithm not in found or total < found[algorithm].cycles:
            found[algorithm] = build
    return list(found.values())


def _build(
    rows: dict[Packet, Row], shares: int, total: int, baseline_cycles: int, baseline: str
) -> MaskedBuild:
    longest = rows[max((p for p in rows if p[0] == "enc"), key=lambda p: p[1])]
    return MaskedBuild(
        algorithm=longest["algorithm"],
        board=longest["board"],
        implementation=longest["implementation"],
        flags=longest["flags"],
        random=longest["random"] or "",
        shares=shares,
        cycles=total,
        baseline=baseline,
        baseline_cycles=baseline_cycles,
        random_words=longest["random_words"] or 0,
        waiting=(longest["random_wait_cycles"] or 0) / longest["cycles"],
        flash=longest["flash"],
        ram=longest["ram"] + longest["stack"],
        packets={packet: row["cycles"] for packet, row in rows.items()},
    )


def _place(view: StudyView, board: str) -> int:
    return [each.id for each in view.boards].index(board)


def _builds(view: StudyView, board: str) -> dict[tuple[str, str, str], dict[Packet, Row]]:
    found: dict[tuple[str, str, str], dict[Packet, Row]] = {}
    for row in view.query(
        "SELECT algorithm, board, implementation, flags, op, m, cycles, random, random_words, "
        "random_wait_cycles, flash, ram, stack FROM study_rows WHERE board = ? AND kind = 'aead' "
        "AND ad = 0 AND cycles > 0 ORDER BY algorithm, implementation, flags",
        board,
    ):
        packet = (row["op"], row["m"])
        if packet in AEAD_PACKETS:
            key = (row["algorithm"], row["implementation"], row["flags"])
            found.setdefault(key, {})[packet] = row
    return found


def _total(rows: dict[Packet, Row]) -> int | None:
    """Cycles of all packets with their weights; None if one is missing."""
    if set(rows) < set(AEAD_PACKETS):
        return None
    return sum(often * int(rows[packet]["cycles"]) for packet, often in AEAD_PACKETS.items())


def _shares(view: StudyView, algorithm: str, implementation: str) -> int | None:
    facts = view.data.implementations.get((algorithm, implementation))
    return None if facts is None else facts.shares
