"""ChaChaPoly and BLAKE2s units of a study's algorithms, board by board."""

from __future__ import annotations

from dataclasses import dataclass, field

from pennyweight.analysis.units import (
    AEAD_PACKETS,
    HASH_PACKETS,
    average_aead_units,
    average_hash_units,
    per_rate_byte,
    rank,
    units,
)
from pennyweight.model import Kind
from pennyweight.report.studies.view import StudyView

REFERENCES = {Kind.AEAD: "chacha20-poly1305", Kind.HASH: "blake2s"}
"""The reference algorithm by kind."""

PACKETS: dict[Kind, dict[tuple[str, int], int]] = {
    Kind.AEAD: AEAD_PACKETS,
    Kind.HASH: dict.fromkeys(HASH_PACKETS, 1),
}
"""Weights of the packets when the fastest build of an algorithm is selected."""

Packet = tuple[str, int]


@dataclass(frozen=True, slots=True)
class UnitRow:
    """An algorithm on a board: its fastest build, cycles and units of each packet, and their
    average.

    `per_rate_byte` is the average divided by the bytes that the algorithm processes at once; None
    if that number is unknown.
    """

    algorithm: str
    board: str
    implementation: str
    flags: str
    cycles: dict[Packet, int] = field(repr=False)
    units: dict[Packet, float]
    average: float
    per_rate_byte: float | None


def unit_rows(view: StudyView, kind: Kind) -> list[UnitRow]:
    """The algorithms of a kind, on boards that also measured the reference; fastest first.

    Algorithms without one of the packets are excluded, because their averages would not be
    comparable.
    """
    found: list[UnitRow] = []
    for board in view.boards:
        builds = _builds(view, kind, board.id)
        best: dict[str, tuple[tuple[str, str], dict[Packet, int]]] = {}
        for (algorithm, implementation, flags), cycles in builds.items():
            if set(cycles) >= set(PACKETS[kind]):
                total = _weighed(kind, cycles)
                if algorithm not in best or total < _weighed(kind, best[algorithm][1]):
                    best[algorithm] = ((implementation, flags), cycles)
        if REFERENCES[kind] not in best:
            continue
        reference = best[REFERENCES[kind]][1]
        rows = [
            _row(view, kind, board.id, algorithm, build, cycles, reference)
            for algorithm, (build, cycles) in best.items()
        ]
        found += sorted(rows, key=lambda row: (-row.average, row.algorithm))
    return found


def _builds(
    view: StudyView, kind: Kind, board: str
) -> dict[tuple[str, str, str], dict[Packet, int]]:
    found: dict[tuple[str, str, str], dict[Packet, int]] = {}
    for row in view.query(
        "SELECT algorithm, implementation, flags, op, m, cycles FROM study_rows WHERE board = ? "
        "AND kind = ? AND ad = 0 AND cycles > 0 ORDER BY algorithm, implementation, flags",
        board,
        kind.value,
    ):
        packet = (row["op"], row["m"])
        if packet in PACKETS[kind]:
            key = (row["algorithm"], row["implementation"], row["flags"])
            found.setdefault(key, {})[packet] = row["cycles"]
    return found


def _weighed(kind: Kind, cycles: dict[Packet, int]) -> int:
    return sum(often * cycles[packet] for packet, often in PACKETS[kind].items())


def _row(
    view: StudyView,
    kind: Kind,
    board: str,
    algorithm: str,
    build: tuple[str, str],
    cycles: dict[Packet, int],
    reference: dict[Packet, int],
) -> UnitRow:
    own = {packet: units(cycles[packet], reference[packet]) for packet in PACKETS[kind]}
    if kind is Kind.AEAD:
        average = average_aead_units(
            {k: float(v) for k, v in cycles.items()}, {k: float(v) for k, v in reference.items()}
        )
    else:
        average = average_hash_units(own.values())
    rate = view.data.algorithms[algorithm].block
    return UnitRow(
        algorithm=algorithm,
        board=board,
        implementation=build[0],
        flags=build[1],
        cycles=cycles,
        units=own,
        average=average,
        per_rate_byte=per_rate_byte(average, rate) if rate else None,
    )


def ranked(view: StudyView, kind: Kind) -> dict[str, tuple[dict[str, float], int | None]]:
    """By algorithm, its averages by board and its rank, best first; without those that lack a
    board.
    """
    averages: dict[str, dict[str, float]] = {}
    for row in unit_rows(view, kind):
        averages.setdefault(row.algorithm, {})[row.board] = row.average
    boards = {board for own in averages.values() for board in own}

    def mean(own: dict[str, float]) -> float:
        return average_hash_units(own.values())

    ordered = sorted(averages.items(), key=lambda item: (-mean(item[1]), item[0]))
    return {
        name: (own, rank(own.values()) if set(own) == boards else None) for name, own in ordered
    }
