"""Finds Pennyweight's figures for published ones."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.model import Kind
from pennyweight.published import Figure, Published
from pennyweight.report.data import Row
from pennyweight.report.studies.masking_rows import MASKING_OVERHEAD, MaskedBuild, masked_builds
from pennyweight.report.studies.merits import merits
from pennyweight.report.studies.scenarios import balanced_builds, named_cases
from pennyweight.report.studies.unit_rows import UnitRow, ranked, unit_rows
from pennyweight.report.studies.view import StudyView

SCALED_HZ = 48_000_000
"""The clock frequency of the EUR 1 study's throughput."""

_UNITS = (
    "chachapoly_units",
    "blake2s_units",
    "chachapoly_units_average",
    "blake2s_units_average",
    "average",
    "rate_average",
    "per_rate_byte",
    "rank",
)

_CASES = """
SELECT algorithm, board, implementation, flags, op, ad, m, cycles, stack, ram, flash, flash_enc
FROM study_rows WHERE cycles IS NOT NULL ORDER BY cycles, flash, implementation, flags
"""


@dataclass(frozen=True, slots=True)
class OwnFigure:
    """One of Pennyweight's figures and its build; empty if it is of several builds."""

    value: float
    implementation: str = ""
    flags: str = ""


Case = tuple[str, str, str | int | None, str | int | None, str | int | None]


class OwnFigureFinder:
    """Finds Pennyweight's figure for each of a set of published ones."""

    def __init__(self, view: StudyView, found: Published) -> None:
        self._set = found
        self._rows: dict[Case, list[Row]] = {}
        for row in view.query(_CASES):
            key = (row["algorithm"], row["board"], row["op"], row["ad"], row["m"])
            self._rows.setdefault(key, []).append(row)
        self._of_build: dict[tuple[str, str], list[Row]] = {}
        for (algorithm, board, _, _, _), rows in self._rows.items():
            self._of_build.setdefault((algorithm, board), []).extend(rows)
        self._builds = self._fastest() if found.source.compared_with == "fastest build" else {}
        self._scenarios = {c.name: balanced_builds(view, c) for c in named_cases(view)}
        self._merits = merits(view) if self._scenarios else {}
        self._units: dict[tuple[Kind, str, str], UnitRow] = {}
        self._ranks: dict[Kind, dict[str, tuple[dict[str, float], int | None]]] = {}
        if any(each.metric in _UNITS for each in found.figures):
            for kind in (Kind.AEAD, Kind.HASH):
                for unit in unit_rows(view, kind):
                    self._units[kind, unit.algorithm, unit.board] = unit
                self._ranks[kind] = ranked(view, kind)
        self._masked: dict[tuple[str, str, str, int], MaskedBuild] = {}
        if any(each.metric == MASKING_OVERHEAD for each in found.figures):
            for build in masked_builds(view):
                part = (build.algorithm, build.board, build.degree, build.shares)
                if build.random == "trng":
                    self._masked.setdefault(part, build)

    def find(self, figure: Figure) -> OwnFigure | None:
        """Pennyweight's figure, or None if it was not measured."""
        if figure.of("scenario") is not None:
            return self._of_scenario(figure)
        if figure.metric == "rank":
            return self._rank(figure)
        if figure.metric in _UNITS:
            return self._of_units(figure)
        if figure.metric == "kb_per_s":
            return self._throughput(figure)
        if figure.metric == MASKING_OVERHEAD:
            return self._of_masking(figure)
        return self._plain(figure)

    def _fastest(self) -> dict[tuple[str, str], tuple[str, str]]:
        """For each algorithm and board, the build with the fewest cycles over the set's cases."""
        sums: dict[tuple[str, str], dict[tuple[str, str], list[int]]] = {}
        for figure in self._set.figures:
            if figure.metric != "cycles":
                continue
            for row in self._of_case(figure):
                if figure.of("flags") in (None, row["flags"]):
                    own = sums.setdefault((figure.algorithm, figure.board), {})
                    own.setdefault((row["implementation"], row["flags"]), []).append(row["cycles"])
        return {
            key: min(own, key=lambda build: (-len(own[build]), sum(own[build]), build))
            for key, own in sums.items()
        }

    def _of_case(self, figure: Figure) -> list[Row]:
        key = (figure.algorithm, figure.board, figure.of("op"), figure.of("ad"), figure.of("m"))
        return self._rows.get(key, [])

    def _plain(self, figure: Figure) -> OwnFigure | None:
        column = figure.metric
        if column == "flash" and figure.of("op") == "enc":
            column = "flash_enc"
        if figure.of("op") is None:
            rows = self._of_build.get((figure.algorithm, figure.board), [])
        else:
            rows = self._of_case(figure)
        chosen = self._builds.get((figure.algorithm, figure.board))
        if self._set.source.compared_with == "fastest build":
            rows = [row for row in rows if (row["implementation"], row["flags"]) == chosen]
        known = [row for row in rows if row.get(column) is not None]
        return _of(min(known, key=lambda row: row[column]), column) if known else None

    def _throughput(self, figure: Figure) -> OwnFigure | None:
        chosen = self._builds.get((figure.algorithm, figure.board))
        rows = [
            row
            for row in self._of_build.get((figure.algorithm, figure.board), [])
            if row["op"] == figure.of("op") and (row["implementation"], row["flags"]) == chosen
        ]
        if not rows:
            return None
        longest = max(rows, key=lambda row: row["ad"] + row["m"])
        speed = (longest["ad"] + longest["m"]) * SCALED_HZ / longest["cycles"]
        return OwnFigure(speed / 1000, longest["implementation"], longest["flags"])

    def _of_scenario(self, figure: Figure) -> OwnFigure | None:
        name = str(figure.of("scenario"))
        if figure.metric == "fom":
            _, _, figures = self._merits.get(name, ({}, {}, {}))
            value = figures.get(figure.algorithm)
            return None if value is None else OwnFigure(value)
        row = self._scenarios.get(name, {}).get((figure.algorithm, figure.board))
        if row is None or figure.metric not in row:
            return None
        return _of(row, figure.metric, int(figure.of("buffers") or 0))

    def _of_units(self, figure: Figure) -> OwnFigure | None:
        row = self._unit_row(figure)
        if row is None:
            return None
        if figure.metric in ("chachapoly_units", "blake2s_units"):
            value = row.units.get((str(figure.of("op")), int(figure.of("m") or 0)))
        elif figure.metric == "per_rate_byte":
            value = row.per_rate_byte
        else:
            value = row.average
        return None if value is None else OwnFigure(value, row.implementation, row.flags)

    def _unit_row(self, figure: Figure) -> UnitRow | None:
        for kind in self._kinds(figure):
            row = self._units.get((kind, figure.algorithm, figure.board))
            if row is not None:
                return row
        return None

    def _of_masking(self, figure: Figure) -> OwnFigure | None:
        degree, shares = str(figure.of("degree")), int(figure.of("shares") or 0)
        build = self._masked.get((figure.algorithm, figure.board, degree, shares))
        if build is None:
            return None
        return OwnFigure(build.overhead, build.implementation, build.flags)

    def _rank(self, figure: Figure) -> OwnFigure | None:
        for kind in self._kinds(figure):
            _, place = self._ranks.get(kind, {}).get(figure.algorithm, ({}, None))
            if place is not None:
                return OwnFigure(place)
        return None

    @staticmethod
    def _kinds(figure: Figure) -> list[Kind]:
        named = figure.of("kind")
        return [Kind(str(named))] if named else [Kind.AEAD, Kind.HASH]


def _of(row: Row, column: str, more: int = 0) -> OwnFigure:
    return OwnFigure(float(row[column] + more), row["implementation"], row["flags"])
