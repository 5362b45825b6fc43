"""Method and origin: how the numbers were measured, and the files that they depend on."""

from __future__ import annotations

from pennyweight.report.data import NOT_VERIFIED, ReportData
from pennyweight.report.numbers import integer
from pennyweight.report.pages.shared import algorithm_page, board_page
from pennyweight.report.tables import Cell, Column, Table, number, rows_of, words

_JOBS = """
SELECT board, algorithm, title, implementation, flags, job, sources_sha256 AS sources, verified,
       host_time
FROM builds ORDER BY board, algorithm, implementation, flags, job
"""

_PROOFS = """
SELECT algorithm, any_value(title) AS title, verified, count(*) AS builds,
       list(DISTINCT implementation ORDER BY implementation) AS implementations
FROM builds WHERE measured > 0 GROUP BY algorithm, verified ORDER BY algorithm, builds DESC
"""

_TOOLS = """
SELECT board, compiler, compiler_version, compiler_sha256, simulator_version, device,
       pennyweight_version,
       board_sha256, firmware_sha256, count(*) AS jobs
FROM builds WHERE NOT lost GROUP BY ALL ORDER BY board, jobs DESC
"""

_SHOWN_DIGITS = 12


def tools(data: ReportData) -> Table:
    """The compiler, and the simulator or part, of each board's numbers."""
    kinds, kind = {
        "simulated part": ("simulators", "Simulator"),
        "part": ("parts", "Part"),
    }.get(data.part, ("simulators, parts", "Simulator or part"))
    return Table(
        id="tools",
        caption=f"Compilers, {kinds} and files by board",
        columns=(
            Column("Board"),
            Column("Compiler", long=True),
            Column("Compiler digest"),
            Column(kind, long=bool(data.real)),
            Column("Pennyweight"),
            Column("Board file"),
            Column("Firmware"),
        ),
        rows=rows_of(
            [
                words(data.boards[row["board"]].title, board_page(row["board"])),
                words(row["compiler_version"] or row["compiler"]),
                _digest(row["compiler_sha256"]),
                words(row["device"] or row["simulator_version"]),
                words(row["pennyweight_version"]),
                _digest(row["board_sha256"]),
                _digest(row["firmware_sha256"]),
            ]
            for row in data.query(_TOOLS)
        ),
        csv="jobs.csv",
    )


def proofs(data: ReportData) -> Table:
    """The known answers that verified the builds of each algorithm."""
    return Table(
        id="verification",
        caption=f"Verification on the {data.part} before the measurements",
        columns=(
            Column("Algorithm"),
            Column("Implemen\u00adtations", long=True),
            Column("Builds", numeric=True),
            Column("Verified with", long=True),
        ),
        rows=rows_of(
            [
                words(row["title"], algorithm_page(row["algorithm"])),
                words(", ".join(row["implementations"])),
                number(row["builds"], integer),
                words(row["verified"]),
            ]
            for row in data.query(_PROOFS)
        ),
        csv="jobs.csv",
    )


def jobs(data: ReportData) -> Table:
    """The sources, verification and time of each build."""
    return Table(
        id="jobs",
        caption="Origin of each build's numbers",
        columns=(
            Column("Board"),
            Column("Algorithm"),
            Column("Implemen\u00adtation"),
            Column("Flags"),
            Column("Verified"),
            Column("Sources"),
            Column("Job"),
            Column("Measured"),
        ),
        rows=rows_of(
            [
                words(data.boards[row["board"]].title, board_page(row["board"])),
                words(row["title"], algorithm_page(row["algorithm"])),
                words(row["implementation"]),
                words(row["flags"]),
                words("no" if row["verified"].startswith(NOT_VERIFIED) else "yes"),
                _digest(row["sources"]),
                _digest(row["job"]),
                words(row["host_time"].strftime("%Y-%m-%d %H:%M UTC")),
            ]
            for row in data.query(_JOBS)
        ),
        csv="jobs.csv",
        filters=True,
    )


def _digest(digest: str) -> Cell:
    """The first digits of a digest; all digits in a tooltip and in the CSV."""
    return words(digest[:_SHOWN_DIGITS], note=digest)
