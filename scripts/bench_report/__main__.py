"""Measures how long the pages of a large report take to load.

    make bench-report [ARGS="--results DIR"]

Creates results of 100,000 measurements (or uses those of a folder), writes their report to a
temporary folder, and opens every kind of page in headless Chromium. Prints the seconds until it is
loaded and, for pages that calculate, until the result appears; the best of three tries. The exit
status is 1 if a page takes two seconds or more.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts
from pennyweight.model import JobResult, Measurement, Provenance, SymbolSize, UserError
from pennyweight.report import write_report
from pennyweight.report.data import load
from pennyweight.store import ResultStore

ALGORITHMS, BOARDS, FLAGS = 25, 4, ("-Os", "-O3")
LENGTHS = [(ad, m) for ad in range(0, 129, 8) for m in range(0, 121, 8)][:250]
_TRIES = 3
LIMIT = 2.0
"""Maximum seconds for a page."""

READY = {
    "choose.html": "document.querySelectorAll('#choice tbody tr').length > 0",
    "maps.html": "document.querySelectorAll('#picked-map rect').length > 0",
}


def main() -> int:
    """Runs the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="bench-report", description=__doc__)
    parser.add_argument(
        "--results", type=Path, help="results folder to use instead of generated rows"
    )
    parser.add_argument("--rows", type=int, default=100_000, help="number of rows to generate")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-report-") as folder:
        store = ResultStore(options.results or Path(folder) / "results")
        if options.results is None:
            fill(store, options.rows)
        begin = time.perf_counter()
        report = write_report(store, Path(folder) / "report").parent
        seconds = time.perf_counter() - begin
        (counted,) = load(store).query("SELECT count(*) AS n FROM rows")
        size = sum(path.stat().st_size for path in report.rglob("*") if path.is_file())
        print(f"{counted['n']:,} rows: report of {size / 1e6:.1f} MB written in {seconds:.1f} s")
        return 1 if max(visit(report)) >= LIMIT else 0


def fill(store: ResultStore, wanted: int) -> None:
    """Generated results of at least this many rows: a grid of lengths, encrypted and decrypted."""
    per_job = 2 * len(LENGTHS)
    builds = -(-wanted // (per_job * BOARDS * len(FLAGS) * ALGORITHMS))
    when = datetime(2024, 5, 17, tzinfo=UTC)
    boards = [f"board{number}" for number in range(BOARDS)]
    names = ["aes-128-gcm", *(f"cipher-{number:02}" for number in range(1, ALGORITHMS))]
    for number, name in enumerate(names):
        for board in boards:
            for build in range(builds):
                for flags in FLAGS:
                    store.add(job(number, name, board, f"b{build}", flags), when)
    store.add_campaign(
        "default",
        {
            "id": "default",
            "title": "Made-up results",
            "algorithms": [
                vars_of(AlgorithmFacts(n, n, kind="aead", tag=16, block=16)) for n in names
            ],
            "boards": [vars_of(BoardFacts(b, b, hz=8_000_000)) for b in boards],
        },
    )


def vars_of(facts: AlgorithmFacts | BoardFacts) -> dict[str, object]:
    """The facts that a campaign stores."""
    return {name: getattr(facts, name) for name in facts.__slots__}


def job(number: int, name: str, board: str, build: str, flags: str) -> JobResult:
    """The result of a generated job; its cycles grow by blocks of 16 bytes."""
    scale = 1 + number / 7 + (flags == "-Os") / 3
    rows = [
        Measurement(
            algorithm=name,
            implementation=build,
            board=board,
            flags=flags,
            op=op,
            ad=ad,
            m=m,
            cycles=round(scale * (2000 * (number % 5 + 1) + 900 * (-(-ad // 16) + -(-m // 16)))),
            instructions=round(scale * 1500),
            stack=200 + number,
            flash=1500 + 31 * number,
            ram=0,
        )
        for op in ("enc", "dec")
        for ad, m in LENGTHS
    ]
    key = f"{name}-{board}-{build}{flags}"
    origin = Provenance(
        key, "made up", "made up", "made up", "gcc", "1", "made up", "0", "0", "not verified"
    )
    symbols = [SymbolSize(f"function_{i}", ".text", "a.o", 900 - i) for i in range(20)]
    return JobResult(origin, rows, symbols)


def visit(report: Path) -> list[float]:
    """Prints and returns the seconds of each kind of page."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise UserError("this needs the package chromium")
    pages = ["index.html", "choose.html", "maps.html", "method.html", "not-measured.html"]
    for kind in ("board", "algorithm", "implementation", "study"):
        largest = sorted(report.glob(f"{kind}-*.html"), key=lambda path: path.stat().st_size)
        pages += [path.name for path in largest[-1:]]
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        for name in pages:
            if (report / name).is_file():
                seconds = min(load_time(browser, report / name) for _ in range(_TRIES))
                times.append(seconds)
                size = (report / name).stat().st_size
                print(f"{seconds:6.2f} s  {name} ({size / 1e3:,.0f} KB)", flush=True)
        browser.close()
    return times


def load_time(browser: Browser, page: Path) -> float:
    """Seconds from requesting a page until it is loaded and shows its result."""
    tab = browser.new_page(viewport={"width": 1440, "height": 900})
    tab.goto("about:blank")
    begin = time.perf_counter()
    tab.goto(page.as_uri(), wait_until="load")
    if page.name in READY:
        tab.wait_for_function(READY[page.name])
    seconds = time.perf_counter() - begin
    tab.close()
    return seconds


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        print(f"bench-report: {error}", file=sys.stderr)
        sys.exit(2)
