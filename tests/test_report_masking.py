"""The analysis of masked implementations, on made-up results whose answers are known by hand."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from example_results import provenance
from pennyweight import published
from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts, ImplementationFacts
from pennyweight.charts.curves import Curves
from pennyweight.model import JobResult, Measurement
from pennyweight.report.data import load
from pennyweight.report.site import write_site
from pennyweight.report.studies.page import write_pages
from pennyweight.report.studies.section import Section
from pennyweight.store import ResultStore
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages")

PACKETS = (("enc", 128), ("dec", 128), ("enc", 16), ("dec", 16))
SHARES = {
    **{"masked2": 2, "masked4": 4, "masked2-init": 2, "fast32": None, "small": None},
    **{"rhys-2shares": 2, "rhys-4shares": 4},
}
ISAP = "C. Dobraunig et al., ISAP, version 2.0, 2021"


def add(
    store: ResultStore,
    name: str,
    cycles: tuple[int, int, int, int],
    random: str | None = None,
    algorithm: str = "ascon-128",
) -> None:
    """A job on the Due: cycles of the packets, a quarter of them waiting."""
    flags = f"-O2 (random: {random})" if random else "-O2"
    rows = [
        Measurement(
            algorithm=algorithm,
            implementation=name,
            board="sam3x8e",
            flags=flags,
            op=op,
            ad=0,
            m=m,
            cycles=count,
            stack=400,
            flash=3000,
            ram=4,
            random=random,
            random_words=10 * m if random else None,
            random_wait_cycles=count // 4 if random == "trng" else 0 if random else None,
        )
        for (op, m), count in zip(PACKETS, cycles, strict=True)
    ]
    store.add(JobResult(provenance(f"{algorithm}/{name}{random}", "sam3x8e", flags), rows))


def sections(store: ResultStore, shows: tuple[str, ...]) -> dict[str, Section]:
    board = BoardFacts("sam3x8e", "Due", bits=32, hz=84_000_000)
    kept = {
        "id": "mine",
        "title": "My study",
        "shows": list(shows),
        "published": ["masking-overhead-due"],
        "flags": ["-O2", "-O2 (random: trng)", "-O2 (random: free)"],
        "baselines": [],
        "boards": [asdict(board)],
        "algorithms": [
            asdict(AlgorithmFacts("ascon-128", "ASCON-128", "ascon", kind="aead", block=8)),
            *(
                asdict(AlgorithmFacts(name, name.upper(), "isap", "aead", specification=ISAP))
                for name in ("isap-a-128a", "isap-k-128a")
            ),
        ],
        "implementations": [
            *(
                asdict(ImplementationFacts("ascon-128", name, True, shares=shares))
                for name, shares in SHARES.items()
            ),
            *(
                asdict(ImplementationFacts(algorithm, name, True))
                for algorithm in ("isap-a-128a", "isap-k-128a")
                for name in ("fast32", "small")
            ),
        ],
        "scenarios": [
            {
                "name": "packets",
                "title": "Packets",
                "kind": "aead",
                "cases": [[op, 0, m] for op, m in PACKETS],
            }
        ],
    }
    store.add_campaign("mine", kept)
    (page,) = write_pages(load(store))
    return dict(page.sections)


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    found = ResultStore(tmp_path / "results")
    add(found, "small", (5000, 5000, 2000, 2000))
    add(found, "fast32", (2000, 2000, 1000, 1000))
    return found


def test_overheads_by_shares_next_to_the_published_ones(store: ResultStore) -> None:
    add(store, "masked2", (16_000, 16_000, 8000, 8000), "trng")
    add(store, "masked2", (12_000, 12_000, 6000, 6000), "free")
    add(store, "masked4", (64_000, 64_000, 32_000, 32_000), "trng")
    add(store, "masked2-init", (6000, 6000, 5000, 5000), "trng")
    section = sections(store, ("masking", "published"))["masking"]
    [part] = section.parts
    overheads, costs = part.tables
    shown = [[cell.text for cell in row.cells] for row in overheads.rows]
    # The fastest without masks: 2 * 2000 + 6 * 1000 = 10,000 cycles.
    assert [row[1:] for row in shown] == [
        ["all", "the part's generator", "10,000", "8.00", "32.00"],
        ["all", "almost free words", "10,000", "6.00", "–"],
        ["initialization and finalization", "the part's generator", "10,000", "4.20", "–"],
    ]
    assert overheads.rows[0].cells[3].small == "fast32 -O2"
    assert [cell.small for cell in overheads.rows[0].cells[4:]] == [
        "published 8.03",
        "published 33.44",
    ]
    assert overheads.rows[2].cells[4].small == "published 3.93"
    # The published overheads are with the part's generator.
    assert [cell.small for cell in overheads.rows[1].cells[4:]] == ["", ""]
    first = [cell.text for cell in costs.rows[0].cells]
    assert first[1:] == [
        *("masked2", "the part's generator", "16,000"),
        *("1,280", "25%", "3,000", "404"),
    ]
    [figure] = part.figures
    assert isinstance(figure.chart, Curves)
    lines = {line.name: line.points for line in figure.chart.lines}
    assert lines["ASCON-128"] == ((1, 1.0), (2, 8.0), (4, 32.0))
    assert lines["ASCON-128, ends"] == ((1, 1.0), (2, 4.2))
    assert lines["ASCON-128, published"][:2] == ((1, 1.0), (2, 8.03))
    assert len(lines) == 4 and (figure.chart.first, figure.chart.logarithmic) == (1, True)
    assert "from the part's generator" in figure.caption
    words = " ".join(section.words)
    assert "No leakage was tested" in words and "secure" not in words.casefold()


def ranks(section: Section) -> list[list[str]]:
    [part] = section.parts
    *_, table = part.tables
    assert table.id == "study-mine-sam3x8e-masking-ranks"
    return [[cell.text for cell in row.cells] for row in table.rows]


def test_masked_builds_are_ranked_by_order_and_isap_without_masks(store: ResultStore) -> None:
    add(store, "masked2", (16_000, 16_000, 8000, 8000), "trng")
    add(store, "masked2", (12_000, 12_000, 6000, 6000), "free")
    add(store, "masked2-init", (6000, 6000, 5000, 5000), "trng")
    add(store, "masked4", (64_000, 64_000, 32_000, 32_000), "trng")
    for algorithm, fast in (("isap-a-128a", 8000), ("isap-k-128a", 39_000)):
        add(store, "fast32", (fast, fast, fast, fast), algorithm=algorithm)
        add(store, "small", (2 * fast, 2 * fast, fast, fast), algorithm=algorithm)
    section = sections(store, ("masking",))["masking"]
    isap = ["fast32", "nothing", "–", "64,000", "1.00", "0", "3,000", "404"]
    last = ["fast32", "nothing", "–", "312,000", "4.88", "0", "3,000", "404"]
    trng = "the part's generator"
    masked = ["1,280", "3,000", "404"]
    ends = "initialization and finalization"
    # The packets: twice the first count, and six times the last.
    assert ranks(section) == [
        ["1", "1", "ASCON-128", "masked2-init", ends, trng, "42,000", "0.66", *masked],
        ["1", "2", "ISAP-A-128A", *isap],
        ["1", "3", "ASCON-128", "masked2", "all", trng, "80,000", "1.25", *masked],
        ["1", "4", "ISAP-K-128A", *last],
        ["3", "1", "ISAP-A-128A", *isap],
        ["3", "2", "ISAP-K-128A", *last],
        ["3", "3", "ASCON-128", "masked4", "all", trng, "320,000", "5.00", *masked],
    ]
    words = " ".join(section.words)
    assert "ISAP is ranked without masks" in words and f"the specification ({ISAP}) states" in words
    assert "That is not masking" in words and "compare costs, not protection" in words


def test_without_isap_there_are_no_ranks(store: ResultStore) -> None:
    add(store, "masked2", (16_000, 16_000, 8000, 8000), "trng")
    section = sections(store, ("masking",))["masking"]
    assert len(section.parts[0].tables) == 2 and "ISAP" not in " ".join(section.words)


def test_almost_free_words_are_ranked_only_if_nothing_else_was_measured(store: ResultStore) -> None:
    add(store, "masked2", (12_000, 12_000, 6000, 6000), "free")
    add(store, "fast32", (8000, 8000, 8000, 8000), algorithm="isap-a-128a")
    found = ranks(sections(store, ("masking",))["masking"])
    assert [row[3:7] for row in found] == [
        ["masked2", "all", "almost free words", "60,000"],
        ["fast32", "nothing", "–", "64,000"],
    ]


def test_packages_have_lines_of_their_own(store: ResultStore) -> None:
    add(store, "masked2", (16_000, 16_000, 8000, 8000), "trng")
    add(store, "rhys-2shares", (20_000, 20_000, 10_000, 10_000), "trng")
    add(store, "rhys-4shares", (40_000, 40_000, 20_000, 20_000), "trng")
    [part] = sections(store, ("masking",))["masking"].parts
    overheads = part.tables[0]
    shown = [[cell.text for cell in row.cells[4:]] for row in overheads.rows]
    assert shown == [["8.00", "–"], ["10.00", "20.00"]]
    assert [row.cells[1].small for row in overheads.rows] == ["", "rhys"]
    [figure] = part.figures
    assert isinstance(figure.chart, Curves)
    assert {line.name for line in figure.chart.lines} == {
        "ASCON-128",
        "ASCON-128 rhys",
        "ASCON-128, published",
    }


def test_published_overheads_are_compared_with_the_parts_generator(store: ResultStore) -> None:
    add(store, "masked2", (12_000, 12_000, 6000, 6000), "free")
    add(store, "masked2", (16_000, 16_000, 8000, 8000), "trng")
    [part] = sections(store, ("published",))["published"].parts
    [table] = part.tables
    [row] = table.rows
    assert [cell.text for cell in row.cells][2:6] == ["Overhead", "full, 2 shares", "8.03", "8.00"]


def test_measurements_have_the_columns_of_masks(store: ResultStore, tmp_path: Path) -> None:
    def columns(where: str) -> list[str]:
        sections(store, ("masking",))
        write_site(store, tmp_path / where, "state")
        found = (tmp_path / where / "data" / "measurements.csv").read_text().splitlines()
        header = next(line for line in found if not line.startswith("#"))
        return [name.strip('"') for name in header.split(",")]

    own = {"shares", "random", "random_words", "random_wait_cycles"}
    assert not own & set(columns("plain"))
    add(store, "masked2", (16_000, 16_000, 8000, 8000), "trng")
    assert own <= set(columns("masked"))


def test_without_masked_builds_or_a_baseline_there_is_no_section(store: ResultStore) -> None:
    assert "masking" not in sections(store, ("masking",))


def test_the_published_table_is_complete() -> None:
    figures = published.load("masking-overhead-due").figures
    assert len(figures) == 60
    assert {figure.of("shares") for figure in figures} == {2, 3, 4, 5, 6}
    found = {
        (figure.algorithm, figure.of("degree"), figure.of("shares")): figure.value
        for figure in figures
    }
    assert found["xoodyak", "init", 2] == 1.94 and found["gift-cofb", "full", 6] == 91.22
