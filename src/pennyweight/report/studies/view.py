"""The rows of one study: those of its boards, builds and cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from pennyweight.analysis.facts import BASELINES, BoardFacts
from pennyweight.model import Kind
from pennyweight.report.data import Reference, ReportData, Row
from pennyweight.studies import QUICK_SUFFIX

_CASES = pa.schema(
    [
        ("name", pa.string()),
        ("position", pa.int64()),
        ("kind", pa.string()),
        ("op", pa.string()),
        ("ad", pa.int64()),
        ("m", pa.int64()),
    ]
)

_ROWS = """
CREATE OR REPLACE TEMP TABLE study_rows AS
SELECT r.* FROM rows AS r
SEMI JOIN (SELECT DISTINCT kind, op, ad, m FROM study_cases) AS c USING (kind, op, ad, m)
WHERE list_contains(?, r.board) AND list_contains(?, r.flags)
  AND list_contains(?, concat(r.algorithm, '/', r.implementation))
"""


@dataclass
class StudyView:
    """One study in a report; `record` is the campaign's record.

    While it is open, the connection of `data` has the tables ``study_rows`` (the columns of
    ``rows``) and ``study_cases`` (name and position of each named group of cases, kind, op, ad, m).
    """

    data: ReportData
    record: Row
    _references: dict[Kind, Reference | None] = field(default_factory=dict)

    @classmethod
    def open(cls, data: ReportData, record: Row) -> StudyView:
        """Opens the view, and closes the previous one."""
        view = cls(data, record)
        cases = [
            {
                "name": group["name"],
                "position": position,
                "kind": group["kind"],
                "op": op,
                "ad": ad,
                "m": m,
            }
            for position, group in enumerate(record.get("scenarios", []))
            for op, ad, m in group["cases"]
        ]
        data.connection.register("given", pa.Table.from_pylist(cases, schema=_CASES))
        data.connection.execute("CREATE OR REPLACE TEMP TABLE study_cases AS SELECT * FROM given")
        data.connection.unregister("given")
        builds = [f"{i['algorithm']}/{i['name']}" for i in record.get("implementations", [])]
        boards = [b["id"] for b in record.get("boards", [])]
        data.connection.execute(_ROWS, [boards, list(record.get("flags", [])), builds])
        return view

    @property
    def id(self) -> str:
        """The study's name, without the suffix of a subset."""
        return str(self.record["id"]).removesuffix(QUICK_SUFFIX)

    @property
    def title(self) -> str:
        """The study's title."""
        return str(self.record.get("title") or self.id)

    @property
    def short_title(self) -> str:
        """The name of the study's page in the navigation."""
        return str(self.record.get("short_title") or self.id)

    def slug(self, *parts: str) -> str:
        """The name of a figure's or table's files."""
        return "-".join(("study", self.id, *parts))

    def query(self, sql: str, *parameters: object) -> list[Row]:
        """The result of an SQL query, as plain rows."""
        return self.data.query(sql, *parameters)

    def table(self, sql: str, *parameters: object) -> pa.Table:
        """The result of an SQL query, as an Arrow table."""
        return self.data.table(sql, *parameters)

    @cached_property
    def boards(self) -> list[BoardFacts]:
        """The boards with rows, in the study's order."""
        found = {row["board"] for row in self.query("SELECT DISTINCT board FROM study_rows")}
        ordered = [str(each["id"]) for each in self.record.get("boards", [])]
        return [self.data.boards[board] for board in ordered if board in found]

    @cached_property
    def kinds(self) -> list[Kind]:
        """The kinds with measurements."""
        found = {
            row["kind"]
            for row in self.query("SELECT DISTINCT kind FROM study_rows WHERE cycles IS NOT NULL")
        }
        return [kind for kind in Kind if kind.value in found and self.reference(kind) is not None]

    @cached_property
    def baselines(self) -> list[str]:
        """The study's measured baselines."""
        named = self.record.get("baselines") or BASELINES
        found = {row["a"] for row in self.query("SELECT DISTINCT algorithm AS a FROM study_rows")}
        return [str(name) for name in named if name in found]

    def baseline(self, kind: Kind) -> str | None:
        """The first baseline of a kind."""
        facts = self.data.algorithms
        return next((b for b in self.baselines if facts[b].kind == kind.value), None)

    def reference(self, kind: Kind) -> Reference | None:
        """The reference case of this study's builds of a kind.

        It is that of the curve with the most lengths, near 64 bytes.
        """
        if kind not in self._references:
            self._references[kind] = self.data.find_reference(kind, "study_rows")
        return self._references[kind]

    def build_label(self, algorithm: str, implementation: str, flags: str) -> str:
        """Implementation and flags, with a dagger if it is not constant-time."""
        return f"{implementation}{self.data.mark(algorithm, implementation)} {flags}"


def latest_campaigns(campaigns: list[Row]) -> list[Row]:
    """The campaigns that have a page; a study that ran as a whole replaces its subset."""
    whole = {str(each["id"]) for each in campaigns if each.get("id") and not each.get("quick")}
    return [
        each
        for each in campaigns
        if each.get("id")
        and each.get("shows")
        and not (each.get("quick") and str(each["id"]).removesuffix(QUICK_SUFFIX) in whole)
    ]
