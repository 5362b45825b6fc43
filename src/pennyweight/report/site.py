"""Writes a report: a folder of pages, figures and data that opens from disk."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from pennyweight.analysis import plausibility
from pennyweight.charts.palette import CLASSES, DARK, LIGHT
from pennyweight.model import Kind
from pennyweight.progress import Progress, Silent
from pennyweight.report.board_rows import board_script, file_of
from pennyweight.report.columns import COLUMNS
from pennyweight.report.data import ReportData, load
from pennyweight.report.drawing import drawings
from pennyweight.report.figures import Figure
from pennyweight.report.freshness import mark
from pennyweight.report.html import templates
from pennyweight.report.numbers import count, tight
from pennyweight.report.output_folder import replacing
from pennyweight.report.pages import (
    algorithm,
    board,
    choose,
    implementation,
    maps,
    method,
    missing,
    overview,
    part,
)
from pennyweight.report.pages.shared import (
    Ranking,
    algorithm_page,
    board_page,
    board_traits,
    short_title,
)
from pennyweight.report.studies import page as studies
from pennyweight.report.tables import Table
from pennyweight.report.writing import csv_name, parquet_of, write_csv, write_parquet, write_table
from pennyweight.store import ResultStore
from pennyweight.version import __version__

_DATA = {
    "measurements": (
        "SELECT algorithm, implementation, board, flags, op, ad, m, cycles, cycles_least, "
        "cycles_spread, cycles_cold, "
        "cycles_per_byte::FLOAT AS cycles_per_byte, time_us::FLOAT AS time_us, "
        "energy_uj_estimate::FLOAT AS energy_uj_estimate, instructions, stack, flash, flash_enc, "
        "flash_dec, ram, shares, random, random_words, random_wait_cycles, buffers, status, "
        "reason, job FROM rows "
        "ORDER BY board, algorithm, implementation, flags, op, ad, m"
    ),
    "jobs": (
        "SELECT job, job AS job_sha256, algorithm, implementation, board, flags, verified, "
        "sources_sha256, "
        "board_sha256, firmware_sha256, compiler, compiler_version, compiler_sha256, "
        "simulator_version, device, pennyweight_version, strftime(host_time, '%Y-%m-%dT%H:%M:%SZ') "
        "AS host_time, notes FROM builds ORDER BY board, algorithm, implementation, flags, job"
    ),
    "symbols": (
        "SELECT j.board, j.algorithm, j.implementation, j.flags, s.* "
        "FROM symbols AS s JOIN builds AS j USING (job) ORDER BY j.board, j.algorithm, "
        "j.implementation, j.flags, s.bytes DESC, s.name"
    ),
    "fits": "SELECT * FROM fits ORDER BY board, algorithm, implementation, flags, op, ad",
    "not-measured": (
        "SELECT board, algorithm, implementation, flags, op, ad, m, status, reason, job "
        "FROM rows WHERE status != 'ok' ORDER BY board, algorithm, implementation, flags, op, ad, m"
    ),
}


_REAL = ("cycles_least", "cycles_spread", "device")
"""Columns that only reports with real boards have."""

_MASKED = ("shares", "random", "random_words", "random_wait_cycles")
"""Columns that only reports with masked implementations have."""

_LONG = ("measurements", "symbols", "fits")
"""Files that are compressed if they are long; the others are also tables of a page."""

_SCRIPTS = ("table.js", "weighing.js", "advice.js", "choose.js", "maps.js")

_MOST_BOARDS_NAMED = 4
"""Maximum number of boards that the head of every page lists; for more it links to the list."""


def write_site(
    store: ResultStore, output: Path, state: str, progress: Progress | None = None
) -> None:
    """Writes the report of `store` to `output`, replacing an existing one. Raises UserError.

    `state` is the digest of :mod:`pennyweight.report.freshness`.
    """
    data = load(store)
    with replacing(output) as made:
        _Site(data, made, progress or Silent()).write()
        mark(made, state)


class _Site:
    """The pages of one report."""

    def __init__(self, data: ReportData, folder: Path, progress: Progress) -> None:
        self._data = data
        self._folder = folder
        self._progress = progress
        self._figures: dict[str, Figure] = {}
        self._tables: dict[str, Table] = {}
        self._templates = templates()
        self._templates.filters["tight"] = tight
        self._templates.filters["parquet"] = parquet_of
        self._rankings = [
            ranking
            for facts in data.boards.values()
            for kind in data.kinds
            if (ranking := Ranking.of(data, facts, kind)) is not None
        ]
        self._data_files = {
            name: csv_name(name, self._rows(sql) if name in _LONG else 0)
            for name, sql in _DATA.items()
        }
        self._choice = choose.content(data)
        self._maps = maps.content(data, self._rankings)
        self._site = self._frame()

    def write(self) -> None:
        """Writes everything."""
        for name in ("assets", "figures", "data"):
            (self._folder / name).mkdir(parents=True)
        self._write_assets()
        board_sections = self._write_boards()
        self._write_algorithms()
        self._write_implementations()
        self._write_calculators()
        self._write_studies()
        self._write_overview(board_sections)
        self._write_rest()
        self._write_data()
        self._write_columns()
        self._draw()

    def _rows(self, sql: str) -> int:
        (found,) = self._data.query(f"SELECT count(*) AS n FROM ({sql})")
        return int(found["n"])

    def _frame(self) -> dict[str, Any]:
        """The common parts of every page."""
        (span,) = self._data.query(
            "SELECT min(host_time) AS first, max(host_time) AS last FROM origins"
        )
        first, last = (f"{span[end]:%Y-%m-%d}" for end in ("first", "last"))
        pages = [("index.html", "Overview"), *studies.pages_of(self._data)]
        if len(self._data.boards) <= _MOST_BOARDS_NAMED:
            pages += [(board_page(b.id), short_title(b)) for b in self._data.boards.values()]
        else:
            pages.append(("index.html#boards", "Boards"))
        pages.append(("index.html#algorithms", "Algorithms"))
        if self._choice:
            pages += [(part.FILE, "Which cipher?"), (choose.FILE, "Choose")]
        pages += [(maps.FILE, "Maps")] * bool(self._maps)
        pages += [("not-measured.html", "Not measured"), ("method.html", "Method and origin")]
        return {
            "title": "Pennyweight",
            "version": __version__,
            "made": f"{datetime.now(UTC):%Y-%m-%d}",
            "span": f"on {first}" if first == last else f"from {first} to {last}",
            "pages": pages,
            "files": self._data_files,
        }

    def _page(self, name: str, template: str, title: str, **content: Any) -> None:
        text = self._templates.get_template(template).render(
            site=self._site, page=name, title=title, **content
        )
        (self._folder / name).write_text(text, encoding="utf-8")

    def _keep(self, *items: Figure | Table | None) -> None:
        """Collects figures and tables, whose files are written at the end."""
        for item in items:
            if isinstance(item, Figure):
                self._figures[item.slug] = item
            elif isinstance(item, Table) and item.csv:
                self._tables[item.csv] = item

    def _write_boards(self) -> dict[str, list[board.KindSection]]:
        written = {}
        for facts in self._data.boards.values():
            sections = board.sections(self._data, facts, self._rankings)
            for section in sections:
                self._keep(*section.figures, section.table, section.scenarios)
            self._page(
                board_page(facts.id),
                "board.html.j2",
                facts.title,
                traits=board_traits(facts),
                accuracy="" if facts.id in self._data.real else facts.accuracy,
                validation=facts.validation,
                sections=sections,
                missing=missing.missing_table(self._data, facts.id),
                doubts=missing.doubts_table(self._data, facts.id),
            )
            written[facts.id] = sections
        return written

    def _write_algorithms(self) -> None:
        for facts in self._data.algorithms.values():
            measured = algorithm.measured(self._data, facts.name, self._rankings)
            if measured is not None:
                self._keep(measured.figure, measured.table, measured.symbols)
            self._page(
                algorithm_page(facts.name),
                "algorithm.html.j2",
                facts.title,
                traits=algorithm.traits(facts),
                note=facts.note,
                measured=measured,
            )

    def _write_implementations(self) -> None:
        for own in implementation.pages(self._data, self._rankings):
            self._keep(*own.figures, *((own.compilers.table,) if own.compilers else ()))
            self._page(own.file, "implementation.html.j2", own.title, own=own)

    def _write_calculators(self) -> None:
        """The pages that calculate in the browser, and their data."""
        if self._choice:
            self._page(
                choose.FILE, "choose.html.j2", "Choose for your messages and limits", **self._choice
            )
            self._page(
                part.FILE, "part.html.j2", "Which cipher for my part?", **part.content(self._data)
            )
        if self._maps:
            self._keep(*self._maps["figures"])
            self._page(
                maps.FILE,
                "maps.html.j2",
                "Maps: which build is faster at which lengths",
                **self._maps,
            )
        if self._choice or self._maps:
            for facts in self._data.boards.values():
                script = board_script(self._data, facts)
                (self._folder / "data" / file_of(facts.id)).write_text(script, encoding="utf-8")

    def _write_studies(self) -> None:
        for study in studies.write_pages(self._data):
            for _, section in study.sections:
                self._keep(*section.all_figures(), *section.all_tables())
            self._page(study.file, "study.html.j2", study.title, study=study)

    def _write_overview(self, board_sections: dict[str, list[board.KindSection]]) -> None:
        glances = overview.glances(self._data, self._rankings)
        self._keep(*(t for glance in glances for t in (glance.table, glance.means)))
        cards = overview.board_cards(self._data, self._rankings)
        for card in cards:
            sections = board_sections[str(card["id"])]
            card["figure"] = next((f for s in sections for f in s.figures[:1]), None)
        titles = [str(c["title"]) for c in self._data.campaigns if c.get("title")]
        (gaps,) = self._data.query("SELECT count(*) AS n FROM rows WHERE status != 'ok'")
        kinds = {Kind.AEAD.value: "authenticated encryption", Kind.HASH.value: "hash"}
        self._page(
            "index.html",
            "overview.html.j2",
            titles[0] if len(titles) == 1 else "The cost of ciphers on microcontrollers",
            opening=overview.opening(self._data, self._rankings),
            counted=overview.counted(self._data),
            validated=overview.validated(self._data),
            proof=overview.proof(self._data),
            glances=glances,
            boards=cards,
            absent=self._data.absent,
            algorithms=[
                (algorithm_page(a.name), a.title, kinds.get(a.kind, "message authentication"))
                for a in sorted(self._data.algorithms.values(), key=lambda a: (a.kind, a.name))
            ],
            missing=count(gaps["n"], "case") if gaps["n"] else "",
            doubts=count(len(self._data.doubts), "figure") if self._data.doubts else "",
        )

    def _write_rest(self) -> None:
        self._page(
            "not-measured.html",
            "missing.html.j2",
            "Not measured",
            outcomes=missing.outcomes_table(self._data),
            missing=missing.missing_table(self._data),
            doubts=missing.doubts_table(self._data),
            remarks=self._data.remarks,
            absent=self._data.absent,
            same_place=f"{plausibility.SAME_PLACE_LIMIT:.0%}",
            gathering=f"{plausibility.GATHERING_LIMIT:.0%}",
            direction=f"{plausibility.DIRECTION_LIMIT:.0%}",
            slower=f"{plausibility.LEVEL_SLOWER_LIMIT:g}",
            faster=f"{plausibility.LEVEL_FASTER_LIMIT:g}",
        )
        self._page(
            "method.html",
            "method.html.j2",
            "Method and origin",
            counted=overview.counted_by_parts(self._data),
            validated=overview.validated(self._data),
            part=self._data.part,
            tools=method.tools(self._data),
            proofs=method.proofs(self._data),
            jobs=method.jobs(self._data),
        )

    def _write_assets(self) -> None:
        assets = files("pennyweight.report") / "assets"
        style = f"{_properties()}\n{(assets / 'style.css').read_text(encoding='utf-8')}"
        (self._folder / "assets" / "style.css").write_text(style, encoding="utf-8")
        for name in _SCRIPTS:
            script = (assets / name).read_text(encoding="utf-8")
            (self._folder / "assets" / name).write_text(script, encoding="utf-8")

    def _write_data(self) -> None:
        folder = self._folder / "data"
        for name, sql in _DATA.items():
            rows = self._data.table(sql)
            if not self._data.real:
                rows = rows.drop_columns([each for each in _REAL if each in rows.column_names])
            own = [each for each in _MASKED if each in rows.column_names]
            if all(rows[each].null_count == rows.num_rows for each in own):
                rows = rows.drop_columns(own)
            write_csv(rows, folder / self._data_files[name])
            write_parquet(rows, folder / f"{name}.parquet")
        for name, table in self._tables.items():
            if table.loads:
                script = folder / f"{table.id}.rows.js"
                script.write_text(table.script(), encoding="utf-8")
            if name not in self._data_files.values():
                write_table(table, folder)
        for figure in self._figures.values():
            if not figure.shares:
                write_csv(figure.numbers, folder / figure.csv)

    def _write_columns(self) -> None:
        """Explanations of the CSV files' columns, in the same folder."""
        width = max(map(len, COLUMNS))
        lines = [f"{name:{width}}  {meaning}" for name, meaning in COLUMNS.items()]
        (self._folder / "data" / "columns.txt").write_text("\n".join(lines) + "\n", "utf-8")

    def _draw(self) -> None:
        folder = self._folder / "figures"
        for figure, drawing in drawings(self._figures.values(), self._progress):
            (folder / f"{figure.slug}.svg").write_text(drawing.wide, encoding="utf-8")
            (folder / f"{figure.slug}-narrow.svg").write_text(drawing.narrow, encoding="utf-8")
            (folder / f"{figure.slug}.png").write_bytes(drawing.png)
            (folder / f"{figure.slug}.pdf").write_bytes(drawing.pdf)


def _properties() -> str:
    """The palette as custom properties, for both colour schemes. Paper always uses the light
    one.
    """

    def block(colours: dict[str, str]) -> str:
        return "".join(f"--{role}:{value};" for role, value in colours.items())

    light = LIGHT | {f"class{i}": each.light for i, each in enumerate(CLASSES)}
    dark = DARK | {f"class{i}": each.dark for i, each in enumerate(CLASSES)}

    return (
        f":root{{color-scheme:light dark;{block(light)}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{block(dark)}}}}}"
    )
