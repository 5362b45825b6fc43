"""The pages of studies: every analysis on made-up results whose answers are known by hand."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from example_results import provenance
from pennyweight import catalogue, published
from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts, ImplementationFacts
from pennyweight.charts.bars import Bar, Bars
from pennyweight.model import JobResult, Measurement, Status
from pennyweight.report import write_report
from pennyweight.report.data import load
from pennyweight.report.studies.analyses import analyses
from pennyweight.report.studies.page import StudyPage, pages_of, write_pages
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView, latest_campaigns
from pennyweight.report.tables import Table
from pennyweight.store import ResultStore
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages")

BOARDS = {"avr": ("ATmega", 8, 16_000_000), "sam3x8e": ("Due", 32, 84_000_000)}
KINDS = {
    "aes-128-gcm": "aead",
    "chacha20-poly1305": "aead",
    "ascon-128": "aead",
    "blake2s": "hash",
    "esch256": "hash",
    "hmac-sha256": "auth",
}
Cases = dict[tuple[str, int, int], int]


def add(
    store: ResultStore,
    algorithm: str,
    board: str,
    cycles: Cases,
    name: str = "ref",
    flash: int = 1000,
    stack: int = 100,
) -> None:
    """A job with these cycles; static RAM is none."""
    rows = [
        Measurement(
            algorithm=algorithm,
            implementation=name,
            board=board,
            flags="-Os",
            op=op,
            ad=ad,
            m=m,
            cycles=count or None,
            stack=stack if count else None,
            flash=flash,
            flash_enc=flash - 100,
            flash_dec=flash - 50,
            ram=0,
            status=(Status.OK if count else Status.DOES_NOT_FIT).value,
            reason="" if count else "too long",
        )
        for (op, ad, m), count in cycles.items()
    ]
    store.add(JobResult(provenance(f"{algorithm}/{name}", board, "-Os"), rows))


def record(
    shows: Iterable[str], groups: dict[str, tuple[str, list[Any]]], **more: Any
) -> dict[str, Any]:
    """What the campaign of a study keeps; `groups` are named cases with their kind."""
    return {
        "id": "mine",
        "title": "My study",
        "shows": list(shows),
        "flags": ["-Os"],
        "baselines": ["aes-128-gcm", "blake2s"],
        "boards": [
            asdict(BoardFacts(name, title, bits=bits, hz=hz, current_ma=10.0, voltage_v=5.0))
            for name, (title, bits, hz) in BOARDS.items()
        ],
        "algorithms": [
            asdict(AlgorithmFacts(name, name.upper(), kind=kind, block=16))
            for name, kind in KINDS.items()
        ],
        "implementations": [
            asdict(ImplementationFacts(algorithm, name, constant_time=name != "table"))
            for algorithm in KINDS
            for name in ("ref", "table", "small")
        ],
        "scenarios": [
            {"name": name, "title": name.title(), "kind": kind, "cases": cases}
            for name, (kind, cases) in groups.items()
        ],
        **more,
    }


def page(store: ResultStore, kept: dict[str, Any]) -> StudyPage:
    store.add_campaign(kept["id"], kept)
    (found,) = write_pages(load(store))
    return found


def only(found: StudyPage) -> Section:
    ((_, section),) = found.sections
    return section


def texts(table: Table) -> list[list[str]]:
    """The cells, row by row."""
    return [[cell.text for cell in row.cells] for row in table.rows]


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "results")


def test_every_analysis_of_the_five_studies_exists() -> None:
    assert {"best", "curves", "maps", "merit", "parts", "phases", "published"} <= set(analyses())
    assert {"pareto", "ranks", "scenarios", "sizes", "spread", "throughput"} <= set(analyses())


def test_a_view_has_its_own_rows_only(store: ResultStore) -> None:
    add(store, "ascon-128", "avr", {("enc", 0, 16): 10, ("enc", 8, 16): 20})
    add(store, "ascon-128", "sam3x8e", {("enc", 0, 16): 10})
    kept = record(["best"], {"a": ("aead", [["enc", 0, 16]])})
    kept["boards"] = kept["boards"][:1]
    store.add_campaign("mine", kept)
    data = load(store)
    view = StudyView.open(data, kept)
    assert view.query("SELECT board, ad, m FROM study_rows") == [{"board": "avr", "ad": 0, "m": 16}]


def test_a_subset_has_no_page_if_the_whole_study_has_one() -> None:
    whole, quick = {"id": "a", "shows": ["best"]}, {"id": "a-quick", "shows": ["x"], "quick": True}
    assert latest_campaigns([whole, quick]) == [whole]
    assert latest_campaigns([quick]) == [quick]
    assert latest_campaigns([{"id": "old"}]) == []


def test_the_best_of_each(store: ResultStore) -> None:
    case = ("enc", 0, 64)
    add(store, "ascon-128", "avr", {case: 500}, "ref", flash=900)
    add(store, "ascon-128", "avr", {case: 400}, "table", flash=2000)
    add(store, "aes-128-gcm", "avr", {case: 450}, "ref", flash=1500)
    section = only(page(store, record(["best"], {"a": ("aead", [list(case)])})))
    fastest, smallest = section.tables
    assert texts(fastest) == [["ASCON-128", "400"], ["AES-128-GCM", "450"]]
    assert fastest.rows[0].cells[1].small == "table† -Os"
    assert texts(smallest) == [["ASCON-128", "900"], ["AES-128-GCM", "1,500"]]
    assert fastest.footnote and not smallest.footnote


def test_room_has_prices_fits_and_free_memory(store: ResultStore) -> None:
    case = ("enc", 0, 64)
    add(store, "ascon-128", "avr", {case: 16_000}, "ref", flash=900, stack=100)
    add(store, "ascon-128", "avr", {case: 32_000}, "small", flash=500, stack=100)
    add(store, "aes-128-gcm", "avr", {case: 0}, "ref", flash=9000)
    kept = record(["room"], {"a": ("aead", [list(case)])})
    kept["boards"] = [each for each in kept["boards"] if each["id"] == "avr"]
    kept["boards"][0] |= {
        "hz": 16_000_000,
        "flash_bytes": 8192,
        "ram_bytes": 512,
        "price": "0.10 USD",
        "price_source": "for 100, 2026-11: a shop",
    }
    section = only(page(store, kept))
    parts, aead = section.tables
    [row] = parts.rows
    assert [cell.text for cell in row.cells][1:] == [
        *("16 MHz", "8 KB", "512 bytes", "0.10 USD", "1 of 2"),
    ]
    assert row.cells[4].small == "for 100, 2026-11: a shop"
    assert texts(aead) == [
        ["ASCON-128", "ref -Os", "1.00", "50.0", "7,292", "412"],
        ["ASCON-128", "small -Os", "2.00", "100", "7,692", "412"],
    ]
    assert [row.cells[1].small for row in aead.rows] == ["fastest", "smallest"]
    assert [note.partition(" the ")[0] for note in section.notes] == ["No build fits or runs on"]
    assert section.notes[0].endswith(": AES-128-GCM.")


def test_room_states_that_price_and_current_are_missing(store: ResultStore) -> None:
    case = ("enc", 0, 64)
    add(store, "ascon-128", "avr", {case: 16_000})
    kept = record(["room"], {"a": ("aead", [list(case)])})
    kept["boards"] = [each | {"current_ma": None} for each in kept["boards"] if each["id"] == "avr"]
    section = only(page(store, kept))
    parts, aead = section.tables
    assert parts.rows[0].cells[4].text == "no price recorded"
    assert "Energy" not in [column.title for column in aead.columns]
    [note] = section.notes
    assert note.startswith("No supply current is recorded, and so no energy estimated, for the ")


def test_phases_and_what_is_authenticated_only(store: ResultStore) -> None:
    parts = {"init": 160, "ad": 320, "finalize": 80, "tag": 16}
    lengths = (40, 140, 240)
    aead = {
        (op, m, 0): n * (m // 40 if op == "ad" else 1) for op, n in parts.items() for m in lengths
    }
    apart = {("key", 40, 0): 96, ("start", 40, 0): 64}
    add(store, "aes-128-gcm", "avr", aead | apart | {("enc", 40, 0): 600})
    mac = {"init": 16, "update": 64, "finalize": 16, "tag": 0 + 16}
    add(store, "hmac-sha256", "avr", {(op, 0, m): n for op, n in mac.items() for m in lengths})
    kept = record(
        ["phases"],
        {
            "AO": ("aead", [list(case) for case in aead | apart] + [["enc", 40, 0]]),
            "MAC": ("auth", [[op, 0, m] for op in mac for m in lengths]),
        },
    )
    section = only(page(store, kept))
    table, *others = section.tables
    assert others == []
    # At 16 MHz: HMAC's 96 cycles after its key are 6 µs, GCM's 480 at 40 bytes 30 µs.
    assert texts(table)[0] == ["HMAC-SHA256", "40", "1.00", "0", "4.00", "2.00", "6.00", "–"]
    assert texts(table)[2] == ["AES-128-GCM", "40", "6.00", "4.00", "20.0", "6.00", "30.0", "600"]
    assert texts(table)[3][2:5] == ["–", "10.0", "120"]  # no set-up apart; 6 * 320 cycles
    curve, bars = section.figures
    assert curve.slug == "study-mine-avr-ao"
    assert isinstance(bars.chart, Bars)
    assert bars.chart.bars == (
        Bar("HMAC-SHA256", (0.0, 4.0, 2.0)),
        Bar("AES-128-GCM", (4.0, 20.0, 6.0)),
    )


def scenario_store(store: ResultStore) -> dict[str, Any]:
    """Two algorithms, one of them in two builds, on two boards in one scenario."""
    case = ("enc", 25, 86)
    add(store, "ascon-128", "avr", {case: 1000, ("init", 25, 86): 300}, flash=520, stack=50)
    add(store, "ascon-128", "avr", {case: 4000}, "small", flash=400, stack=50)
    add(store, "aes-128-gcm", "avr", {case: 2000}, flash=1000, stack=100)
    add(store, "ascon-128", "sam3x8e", {case: 100}, flash=600, stack=60)
    add(store, "aes-128-gcm", "sam3x8e", {case: 300}, flash=600, stack=120)
    return record(["merit", "scenarios", "parts"], {"1c": ("aead", [list(case), ["init", 25, 86]])})


def test_merit_of_balanced_builds_by_hand(store: ResultStore) -> None:
    found = dict(page(store, scenario_store(store)).sections)
    merit = found["merit"].weighing
    assert merit is not None
    # Least: avr 400 bytes, 50 bytes, 1000 cycles; Due 600, 60, 100.
    # Ascon: avr 1.3 + 1 + 1, Due 3; AES: avr 2.5 + 2 + 2, Due 1 + 2 + 3.
    assert texts(merit.table) == [["ASCON-128", "3.15"], ["AES-128-GCM", "6.25"]]
    assert merit.values["rows"][1] == [
        {
            "avr": {"flash": 2.5, "ram_and_stack": 2.0, "cycles": 2.0},
            "sam3x8e": {"flash": 1.0, "ram_and_stack": 2.0, "cycles": 3.0},
        }
    ]
    table = found["scenarios"].tables[0]
    assert texts(table) == [
        ["AES-128-GCM", "2,000", "1,000", "100"],
        ["ASCON-128", "1,000", "520", "50"],
    ]
    assert texts(found["parts"].tables[0]) == [["ASCON-128", "300"]]


def test_sliders_change_figures_and_order(store: ResultStore) -> None:
    kept = scenario_store(store)
    store.add_campaign("mine", kept)
    folder = write_report(store, store.folder.parent / "report").parent
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "these tests need the package chromium"
    with sync_playwright() as playwright:
        arguments = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        for width, scheme in ((1440, "light"), (390, "dark")):
            view = browser.new_page(
                viewport={"width": width, "height": 900},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            reported: list[str] = []
            listen(view, reported)
            view.goto((folder / "study-mine.html").as_uri())
            cells = view.locator("#study-mine-merit tbody tr")
            assert cells.all_inner_texts()[1].split() == ["AES-128-GCM", "6.25"]
            for metric, weight in (("ram_and_stack", 0), ("cycles", 0), ("flash", 2)):
                slider = view.locator(f"input[data-metric={metric}]")
                slider.fill(str(weight))
            # Twice 1.3 and 1, twice 2.5 and 1, in the mean over the two boards.
            assert [row.split() for row in cells.all_inner_texts()] == [
                ["ASCON-128", "2.30"],
                ["AES-128-GCM", "3.50"],
            ]
            view.get_by_role("button", name="Equal weights").click()
            view.wait_for_timeout(50)
            assert cells.all_inner_texts()[0].split() == ["ASCON-128", "3.15"]
            overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert view.evaluate(overflow) == 0
            assert reported == []
        browser.close()


def listen(view: Page, text: list[str]) -> None:
    """Records all messages of a page."""
    view.on("console", lambda message: text.append(message.text))
    view.on("pageerror", lambda error: text.append(str(error)))


def units_store(store: ResultStore) -> dict[str, Any]:
    packets = [("enc", 0, 128), ("dec", 0, 128), ("enc", 0, 16), ("dec", 0, 16)]
    hashes = [("hash", 0, m) for m in (1024, 128, 16)]
    add(
        store,
        "chacha20-poly1305",
        "sam3x8e",
        dict(zip(packets, (1000, 1000, 400, 400), strict=True)),
    )
    add(store, "ascon-128", "sam3x8e", dict(zip(packets, (500, 1000, 200, 100), strict=True)))
    add(
        store,
        "ascon-128",
        "sam3x8e",
        dict(zip(packets, (600, 1000, 900, 900), strict=True)),
        "small",
    )
    add(store, "aes-128-gcm", "sam3x8e", dict(zip(packets, (9, 9, 9, 0), strict=True)))
    add(store, "blake2s", "sam3x8e", dict(zip(hashes, (800, 160, 40), strict=True)))
    add(store, "esch256", "sam3x8e", dict(zip(hashes, (1600, 200, 40), strict=True)))
    return record(
        ["units", "ranks", "published"],
        {
            "packets": ("aead", [list(each) for each in packets]),
            "messages": ("hash", [list(each) for each in hashes]),
        },
        published=["chachapoly-units", "unheard-of"],
    )


def test_units_averages_and_ranks_by_hand(store: ResultStore) -> None:
    found = dict(page(store, units_store(store)).sections)
    aead, hashes = found["units"].tables
    # (2000 + 3 * 800) / (1500 + 3 * 300); AES lacks a packet, and has no average.
    assert texts(aead) == [
        ["ASCON-128", "2.00", "1.00", "2.00", "4.00", "1.83", "0.1146"],
        ["CHACHA20-POLY1305", "1.00", "1.00", "1.00", "1.00", "1.00", "0.0625"],
    ]
    assert texts(hashes)[1][:5] == ["ESCH256", "0.50", "0.80", "1.00", "0.77"]
    aead_ranks, hash_ranks = found["ranks"].tables
    assert [row[:2] for row in texts(aead_ranks)] == [
        ["ASCON-128", "18"],
        ["CHACHA20-POLY1305", "10"],
    ]
    assert texts(hash_ranks)[1][:2] == ["ESCH256", "7"]


def test_published_figures_are_next_to_measured_ones_with_reasons(store: ResultStore) -> None:
    found = dict(page(store, units_store(store)).sections)["published"]
    (part,) = found.parts
    assert "Weatherley" in part.words[0]
    assert any("assembly" in note for note in part.notes)
    rows = {(row[0], row[2]): row for row in texts(part.tables[0])}
    average = rows["ASCON-128", "Average of units"]
    assert average[5] == "1.83"
    assert float(average[6]) == pytest.approx(1.83 / float(average[4]), rel=0.01)


def test_ambiguous_names_have_a_line_for_each_meaning(store: ResultStore) -> None:
    """The page's "Xoodyak" is an AEAD and a hash; its two codes for SHA-256 have averages each."""
    kept = units_store(store) | {"published": ["chachapoly-units-ranks"]}
    packets = [("enc", 0, 128), ("dec", 0, 128), ("enc", 0, 16), ("dec", 0, 16)]
    hashes = [("hash", 0, m) for m in (1024, 128, 16)]
    own = {"xoodyak": packets, "xoodyak-hash": hashes, "sha-256": hashes}
    for name, cases in own.items():
        add(store, name, "sam3x8e", dict.fromkeys(cases, 400))
        kept["implementations"].append(asdict(ImplementationFacts(name, "ref")))
        kind = cases[0][0].replace("enc", "aead")
        kept["algorithms"].append(asdict(AlgorithmFacts(name, name.upper(), kind=kind, block=16)))
    (part,) = dict(page(store, kept).sections)["published"].parts
    lines = [
        [*(cell.text for cell in row.cells), row.cells[4].small]
        for row in part.tables[0].rows
        if row.cells[2].text == "Average of units"
    ]
    # As an AEAD (2000 + 3 * 800) / (8 * 400), as a hash (2 + 0.4 + 0.1) / 3.
    assert [row[4:7] for row in lines if row[0] == "XOODYAK"] == [["1.62", "1.38", "0.849"]]
    assert [row[4:7] for row in lines if row[0] == "XOODYAK-HASH"] == [["0.930", "0.833", "0.896"]]
    (per_rate,) = (part for part in part.tables[0].rows if part.cells[4].text == "0.00810")
    assert (per_rate.cells[0].text, per_rate.cells[4].small) == ("SHA-256", "SHA256-C")


def published_rows(
    store: ResultStore, name: str, group: str, cases: Iterable[Any]
) -> list[list[str]]:
    """The table next to a published set of a study with one group of cases."""
    groups = {group: ("aead", [list(case) for case in cases])}
    kept = record(["published"], groups, published=[name])
    kept["boards"] = [
        asdict(BoardFacts(board, board, bits=32, hz=8_000_000))
        for board in ("stm32f030", "atmega128", "msp430f1611", "sam3x8e")
    ]
    return texts(only(page(store, kept)).parts[0].tables[0])


def test_comparison_with_the_eur_1_study_by_hand(store: ResultStore) -> None:
    cases = {("enc", 16, 0): 9000, ("enc", 16, 256): 73431, ("enc", 0, 1024): 512_000}
    add(store, "chacha20-poly1305", "stm32f030", cases, "ref", flash=1000, stack=378)
    add(store, "chacha20-poly1305", "stm32f030", {k: v + 1 for k, v in cases.items()}, "small", 10)
    rows = {row[2]: row[3:] for row in published_rows(store, "one-euro", "a", cases)}
    assert rows["Cycles"][:3] == ["enc 16:256", "146,862", "73,431"]
    # 378 bytes of stack next to 756, code for encryption next to 2,728, 1,024 bytes at 48 MHz.
    assert rows["Stack, bytes"][1:] == ["756", "378", "0.500"]
    assert rows["Code, bytes"][1:3] == ["2,728", "900"]
    assert rows["KB/s"][1:3] == ["94.2", "96.0"]


def test_comparison_with_felics_by_hand(store: ResultStore) -> None:
    case = ("enc", 0, 102)
    for board in ("atmega128", "msp430f1611", "sam3x8e"):
        add(store, "aes-128-gcm", board, {case: 10_000}, flash=1000, stack=100)
        add(store, "ascon-128", board, {case: 20_000}, flash=500, stack=100)
    rows = {
        (row[0], row[1], row[2]): row for row in published_rows(store, "felics-aead", "1a", [case])
    }
    assert rows["ASCON-128", "atmega128", "Cycles"][5] == "20,000"
    # 100 of stack, and FELICS's buffers: 102 of message, 44 of key, nonce and tag.
    assert rows["AES-128-GCM", "atmega128", "RAM, bytes"][5] == "246"
    # Ascon: 1 + 1 + 2 everywhere; AES: 2 + 1 + 1.
    assert {rows[name, "all", "Figure of Merit"][5] for name in ("ASCON-128", "AES-128-GCM")} == {
        "4.00"
    }


def test_comparison_with_nists_best_by_hand(store: ResultStore) -> None:
    cases = {("enc", 16, 16): 4000, ("enc", 16, 64): 9000}
    add(store, "ascon-128", "sam3x8e", cases, "ref", flash=3000)
    faster = {("enc", 16, 16): 5000, ("enc", 16, 64): 8000}
    add(store, "ascon-128", "sam3x8e", faster, "small", flash=1000)
    rows = {row[2]: row[3:] for row in published_rows(store, "nist-lwc", "a", cases)}
    # Each figure has the best build: 4000 / 5376 of one, 8000 / 9072 of the other.
    assert rows["Cycles"][2] == "8,000"
    assert float(rows["Cycles"][3]) == pytest.approx((4000 / 5376 * 8000 / 9072) ** 0.5, abs=0.001)
    assert rows["Code, bytes"][2] == "1,000"


def test_every_published_figure_is_of_a_known_algorithm() -> None:
    known = catalogue.load().algorithms
    for name in published.names():
        found = published.load(name)
        assert {figure.algorithm for figure in found.figures} <= set(known), name
        # A reason that holds for nothing is a slip of the pen.
        held = {reason for figure in found.figures for reason in found.reasons(figure)}
        assert held == {each.reason for each in found.source.differences}, name


def test_maps_against_the_baseline(store: ResultStore) -> None:
    pairs = [(ad, m) for ad in (0, 16) for m in (0, 16)]
    add(store, "aes-128-gcm", "avr", {("enc", ad, m): 400 for ad, m in pairs}, name="table")
    cycles = dict(zip(pairs, (200, 800, 100, 400), strict=True))
    add(store, "ascon-128", "avr", {("enc", *lengths): n for lengths, n in cycles.items()})
    kept = record(["maps", "spread"], {"pairs": ("aead", [["enc", *lengths] for lengths in pairs])})
    found = dict(page(store, kept).sections)
    (table,) = found["maps"].tables
    ((name, mean, won, best, worst),) = texts(table)
    assert (name, won, best, worst) == ("ASCON-128", "2 of 4", "4.00", "0.500")
    assert float(mean) == pytest.approx(2**0.5, abs=0.005)
    assert [cell.small for cell in table.rows[0].cells[3:]] == ["16:0", "0:16"]
    (figure,) = found["maps"].figures
    assert "faster at 2 of 4 pairs" in figure.caption
    # The baseline's build uses table lookups, which is marked wherever it is compared.
    assert figure.title.startswith("ASCON-128 compared with AES-128-GCM† on")
    assert "AES-128-GCM† (table -Os), divided by those of ASCON-128 (ref -Os)" in figure.caption
    assert "relative to AES-128-GCM† (table -Os)" in table.caption
    assert "not constant-time" in figure.caption and "not constant-time" in table.footnote
    assert "maps are drawn for" in found["maps"].words[0]
    (spread,) = found["spread"].tables
    assert texts(spread)[0][0] in ("ASCON-128", "AES-128-GCM")
    # Of one length of associated data there is no map, and none is announced.
    line = [["enc", 0, 0], ["enc", 0, 16]]
    maps = only(page(store, record(["maps"], {"line": ("aead", line)})))
    assert maps.figures == () and "Drawn are" not in maps.words[0]
    assert texts(maps.tables[0])[0][2] == "1 of 2"


def test_throughput_sizes_and_fronts(store: ResultStore) -> None:
    aead = {("enc", 0, m): 1600 + 100 * m for m in (16, 32, 64, 1600)}
    add(store, "ascon-128", "avr", aead, flash=700)
    add(store, "aes-128-gcm", "avr", {case: 2 * n for case, n in aead.items()}, flash=600)
    add(store, "chacha20-poly1305", "avr", {case: 3 * n for case, n in aead.items()}, flash=600)
    kept = record(
        ["throughput", "sizes", "pareto", "curves"],
        {"a": ("aead", [list(case) for case in aead])},
    )
    found = dict(page(store, kept).sections)
    # 161,600 cycles for 1,600 bytes at 16 MHz: 158.4 KB/s; 50 mW for 101 cycles: 0.3156 µJ.
    assert texts(found["throughput"].tables[0])[0] == [
        "ASCON-128",
        "1,600",
        "158",
        "101",
        "100",
        "1,600",
        "1,600",
        "0.316",
    ]
    assert texts(found["sizes"].tables[0])[2][3:6] == ["700", "600", "650"]
    assert [row[0] for row in texts(found["pareto"].tables[0])] == ["ASCON-128", "AES-128-GCM"]
    assert len(found["curves"].figures) == 2


def test_what_is_missing_is_reported(store: ResultStore) -> None:
    add(store, "ascon-128", "avr", {("enc", 0, 16): 10, ("enc", 0, 9999): 0})
    kept = record(
        ["best", "of-the-future"],
        {"a": ("aead", [["enc", 0, 16], ["enc", 0, 9999]])},
        quick=True,
        id="mine-quick",
        absent=[{"board": "esp32", "reason": "this version of Pennyweight has no board 'esp32'"}],
        unknown=["rot13"],
    )
    found = page(store, kept)
    assert found.file == "study-mine.html"
    reported = " ".join(found.remarks)
    for words in (
        "quick subset",
        "Board esp32 was skipped",
        "The study also names algorithms without a bundled implementation: rot13.",
        "1 case",
    ):
        assert words in reported


def test_a_study_without_results_has_a_page_that_states_it(store: ResultStore) -> None:
    add(store, "ascon-128", "avr", {("enc", 0, 16): 10})
    store.add_campaign("other", {"id": "other", "flags": []})
    kept = record(analyses(), {"a": ("aead", [["enc", 0, 4096]])})
    found = page(store, kept)
    assert found.sections == []


def test_every_analysis_copes_with_one_row(store: ResultStore) -> None:
    add(store, "ascon-128", "avr", {("enc", 0, 16): 10})
    kept = record(analyses(), {"a": ("aead", [["enc", 0, 16]])}, published=["one-euro"])
    names = [name for name, _ in page(store, kept).sections]
    assert {"best", "sizes", "merit", "scenarios", "throughput"} <= set(names)


def test_the_navigation_has_the_short_titles_of_studies(store: ResultStore) -> None:
    add(store, "aes-128-gcm", "stm32f030", {("enc", 0, 16): 1000})
    store.add_campaign("mine", record(["best"], {}))
    assert pages_of(load(store)) == [("study-mine.html", "mine")]
    store.add_campaign("mine", record(["best"], {}, short_title="Mine and yours"))
    assert pages_of(load(store)) == [("study-mine.html", "Mine and yours")]
