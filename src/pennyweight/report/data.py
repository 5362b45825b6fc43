"""The data of a report: the stored rows, prepared for queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from pennyweight.analysis.advice import RECOMMENDED, status_of
from pennyweight.analysis.compilers import LABELLED_FLAGS
from pennyweight.analysis.facts import (
    BASELINES,
    AlgorithmFacts,
    BoardFacts,
    ImplementationFacts,
    facts_from,
)
from pennyweight.analysis.fit import fit_lines
from pennyweight.analysis.plausibility import Doubt, doubts
from pennyweight.analysis.rows import with_rates
from pennyweight.catalogue.real_board import measured_on
from pennyweight.model import Kind, Measurement, Operation, Provenance
from pennyweight.report.catalogue_facts import (
    unrecorded_algorithms,
    unrecorded_boards,
    unrecorded_implementations,
)
from pennyweight.report.numbers import count
from pennyweight.store import ResultStore
from pennyweight.store.campaign_records import oldest_first
from pennyweight.store.database import connect
from pennyweight.store.reading import open_results, without_results

Row = dict[str, Any]
T = TypeVar("T", BoardFacts, AlgorithmFacts, ImplementationFacts)

FIRST = {Kind.AEAD: Operation.ENC, Kind.HASH: Operation.HASH, Kind.AUTH: Operation.AUTH}
"""The operation by which algorithms of each kind are compared."""

_KIND_OF = {op.value: kind for kind, op in FIRST.items()}

SECOND = {Kind.AEAD: Operation.DEC, Kind.AUTH: Operation.AUTH_VERIFY}
"""The second operation of kinds with two directions."""

_WANTED_LENGTH = 64

_MOST_SYMBOLS = 4
"""Maximum number of functions and objects listed for a build."""

NOT_CONSTANT_TIME = "† not constant-time: its timing may depend on key or message."

NOT_VERIFIED = "not verified"
"""Prefix of the verification of a build that no known answer has verified."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The case by which builds of one kind are compared; lengths in bytes."""

    kind: Kind
    op: Operation
    ad: int
    m: int

    @property
    def words(self) -> str:
        """The operation in words, such as "encrypt 64 bytes with 16 bytes of associated data"."""
        verb = {Operation.ENC: "encrypt", Operation.HASH: "hash"}.get(self.op, "authenticate")
        return f"{verb} {count(self.m, 'byte')}{self.beside}"

    @property
    def beside(self) -> str:
        """The associated data in words, such as " with 16 bytes of associated data"; empty for a
        hash.
        """
        if self.kind is not Kind.AEAD:
            return ""
        return (
            f" with {count(self.ad, 'byte')} of associated data"
            if self.ad
            else " without associated data"
        )


@dataclass(frozen=True, slots=True)
class Scenario:
    """A case that a study has named."""

    name: str
    title: str
    kind: Kind
    ad: int
    m: int


@dataclass
class ReportData:
    """The newest rows of a results folder, and the texts and facts that its campaigns stored.

    `connection` has the tables ``rows`` (with rates, and `kind`), ``builds`` (a row for each job
    with its build and origin), ``symbols`` and ``fits``.
    """

    connection: duckdb.DuckDBPyConnection
    campaigns: list[Row]
    remarks: list[str]
    doubts: list[Doubt]
    boards: dict[str, BoardFacts]
    algorithms: dict[str, AlgorithmFacts]
    implementations: dict[tuple[str, str], ImplementationFacts]
    missing: list[Row] | None = None
    """Cases without a measurement, computed on first use."""
    _references: dict[Kind, Reference | None] = field(default_factory=dict)

    def query(self, sql: str, *parameters: object) -> list[Row]:
        """The result of an SQL query, as plain rows."""
        found: list[Row] = self.table(sql, *parameters).to_pylist()
        return found

    def table(self, sql: str, *parameters: object) -> pa.Table:
        """The result of an SQL query, as an Arrow table."""
        return self.connection.sql(sql, params=list(parameters)).to_arrow_table()

    def mark(self, algorithm: str, implementation: str) -> str:
        """A dagger for an implementation whose author states that it is not constant-time."""
        facts = self.implementations.get((algorithm, implementation))
        return "†" if facts is not None and facts.constant_time is False else ""

    @cached_property
    def doubtful(self) -> frozenset[str]:
        """The algorithms that are not recommended, such as broken ones."""
        return frozenset(
            name for name, each in self.algorithms.items() if status_of(each) not in RECOMMENDED
        )

    @cached_property
    def baselines(self) -> list[str]:
        """The baselines, in the order of the campaigns."""
        named = [str(n) for each in self.campaigns for n in each.get("baselines", BASELINES)]
        return [n for n in dict.fromkeys(named or BASELINES) if n in self.algorithms]

    @cached_property
    def absent(self) -> dict[str, str]:
        """Boards that campaigns skipped, with the reason; without boards that other campaigns
        measured.
        """
        found = {
            str(each["board"]): str(each["reason"])
            for campaign in self.campaigns
            for each in campaign.get("absent", [])
        }
        return {board: why for board, why in found.items() if board not in self.boards}

    @cached_property
    def real(self) -> frozenset[str]:
        """The boards that were measured as real ones."""
        rows = self.query("SELECT DISTINCT board FROM builds WHERE device IS NOT NULL")
        return frozenset(row["board"] for row in rows)

    @property
    def part(self) -> str:
        """What code ran on, in words."""
        if not self.real:
            return "simulated part"
        return "part" if self.real >= set(self.boards) else "simulated or real part"

    @cached_property
    def largest_symbols(self) -> dict[str, list[Row]]:
        """The largest functions and objects of each job, by job."""
        found: dict[str, list[Row]] = {}
        for row in self.query(
            "SELECT job, name, section, object, bytes FROM symbols QUALIFY row_number() OVER "
            "(PARTITION BY job ORDER BY bytes DESC, name, object) <= ? "
            "ORDER BY job, bytes DESC, name, object",
            _MOST_SYMBOLS,
        ):
            found.setdefault(row["job"], []).append(row)
        return found

    @property
    def kinds(self) -> list[Kind]:
        """The kinds with measurements."""
        return [kind for kind in Kind if self.reference(kind) is not None]

    def title_of(self, algorithm: str) -> str:
        """An algorithm's full name."""
        return self.algorithms[algorithm].title

    def reference(self, kind: Kind) -> Reference | None:
        """The reference case of this kind: that of the most measured curve, near 64 bytes."""
        if kind not in self._references:
            self._references[kind] = self.find_reference(kind)
        return self._references[kind]

    def curve_ad(self, kind: Kind) -> int:
        """Bytes of associated data of the curve over message lengths."""
        reference = self.reference(kind)
        return 0 if reference is None else reference.ad

    def find_reference(self, kind: Kind, rows: str = "rows") -> Reference | None:
        """The case of the most measured curve in a table of `rows`, near 64 bytes."""
        op = FIRST[kind]
        curves = self.query(
            f"SELECT ad, list(DISTINCT m) AS lengths FROM {rows} WHERE kind = ? AND op = ? "
            "AND cycles IS NOT NULL GROUP BY ad ORDER BY len(lengths) DESC, ad LIMIT 1",
            kind.value,
            op.value,
        )
        if not curves:
            return None
        nearest = min(curves[0]["lengths"], key=lambda m: (abs(m - _WANTED_LENGTH), m))
        return Reference(kind, op, curves[0]["ad"], nearest)

    @cached_property
    def scenarios(self) -> list[Scenario]:
        """The named single cases of all campaigns, in their order."""
        found: dict[str, Scenario] = {}
        for campaign in self.campaigns:
            for scenario in campaign.get("scenarios", []):
                lengths = {(ad, m) for _, ad, m in scenario["cases"]}
                if len(lengths) == 1:
                    ((ad, m),) = lengths
                    kind = Kind(scenario["kind"])
                    found.setdefault(
                        scenario["name"],
                        Scenario(scenario["name"], scenario["title"], kind, ad, m),
                    )
        return list(found.values())


def load(store: ResultStore) -> ReportData:
    """Reads a results folder. Raises UserError if it is empty."""
    campaigns, skipped = store.campaigns_and_remarks()
    with open_results(store) as results:
        latest = _compact(
            results.query(
                f"SELECT {', '.join(_COLUMNS)} FROM "
                f"(SELECT * REPLACE ({LABELLED_FLAGS} AS flags) FROM latest)"
            )
        )
        origins = results.query(
            f"SELECT DISTINCT {', '.join(_ORIGIN)} FROM measurements "
            "SEMI JOIN latest USING (job, lost)"
        )
        symbols = results.query("SELECT * FROM symbols SEMI JOIN latest USING (job)")
        devices = results.query(
            "SELECT board, list_sort(list(DISTINCT device)) AS devices FROM latest "
            "WHERE device IS NOT NULL GROUP BY board"
        ).to_pylist()
        remarks = [*skipped, *results.remarks]
    if latest.num_rows == 0:
        raise without_results(store.folder, remarks)
    records = oldest_first(campaigns)  # the last entry counts
    boards = {each.id: each for each in _facts(BoardFacts, records, "boards")}
    algorithms = {each.name: each for each in _facts(AlgorithmFacts, records, "algorithms")}
    implementations = _facts(ImplementationFacts, records, "implementations")
    used = set(latest["board"].unique().to_pylist())
    boards |= unrecorded_boards(sorted(used - set(boards)))
    for row in devices:
        words = measured_on(row["devices"])
        boards[row["board"]] = replace(boards[row["board"]], validation=words)
    measured = set(latest["algorithm"].unique().to_pylist())
    algorithms = {name: each for name, each in algorithms.items() if name in measured}
    algorithms |= unrecorded_algorithms(sorted(measured - set(algorithms)), latest, _KIND_OF)
    implementations += unrecorded_implementations(
        _implementations_in(latest) - {(each.algorithm, each.name) for each in implementations}
    )
    rows = with_rates(latest, boards.values())
    connection = connect()
    kinds = [{"name": a.name, "kind": a.kind, "title": a.title} for a in algorithms.values()]
    connection.register("kinds", pa.Table.from_pylist(kinds))
    connection.register("rates", rows)
    connection.execute(
        "CREATE TABLE rows AS SELECT r.*, k.kind, k.title FROM rates AS r "
        "JOIN kinds AS k ON k.name = r.algorithm ORDER BY r.algorithm, r.board, r.op, r.ad, r.m"
    )
    for name, table in (
        ("origins", origins),
        ("symbols", symbols),
        ("fits", fit_lines(rows, algorithms.values())),
    ):
        connection.register("given", table)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
        connection.unregister("given")
    connection.execute(_BUILDS)
    return ReportData(
        connection=connection,
        campaigns=campaigns,
        remarks=remarks,
        doubts=doubts(rows, algorithms.values()),
        boards={name: facts for name, facts in boards.items() if name in used},
        algorithms=algorithms,
        implementations={(each.algorithm, each.name): each for each in implementations},
    )


_COLUMNS = [*(f.name for f in fields(Measurement)), "job", "lost"]
_ORIGIN = [*(f.name for f in fields(Provenance)), "host_time", "notes", "lost"]

_BUILDS = """
CREATE TABLE builds AS
SELECT o.*, b.* EXCLUDE (job) FROM origins AS o JOIN (
    SELECT job, any_value(algorithm) AS algorithm, any_value(title) AS title,
           any_value(implementation) AS implementation, any_value(board) AS board,
           any_value(flags) AS flags, count(*) FILTER (status = 'ok') AS measured
    FROM rows GROUP BY job
) AS b USING (job)
"""


def _compact(table: pa.Table) -> pa.Table:
    """The same table with each text stored once, because many rows have few different texts."""
    for index, column in enumerate(table.schema):
        if column.type == pa.string():
            encoded = table.column(index).combine_chunks().dictionary_encode()
            table = table.set_column(index, column.name, encoded)
    return table


def _facts(record: type[T], campaigns: Iterable[Mapping[str, Any]], name: str) -> list[T]:
    """The facts that campaigns stored, in order, without incomplete ones."""
    found = []
    for campaign in campaigns:
        for values in campaign.get(name, []):
            try:
                found.append(facts_from(record, values))
            except (TypeError, AttributeError):
                continue
    return found


def _implementations_in(rows: pa.Table) -> set[tuple[str, str]]:
    """Algorithm and name of each implementation."""
    found = rows.group_by(["algorithm", "implementation"]).aggregate([]).to_pylist()
    return {(each["algorithm"], each["implementation"]) for each in found}
