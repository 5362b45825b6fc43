"""The report's folder: pages, files, texts, and the handling of an existing folder."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from example_results import MODELS, all_results, campaign, failed_result, job_result, many
from pennyweight.model import JobResult, Kind, Status, UserError
from pennyweight.report import write_report
from pennyweight.report.board_rows import board_script
from pennyweight.report.data import load
from pennyweight.report.pages import overview
from pennyweight.report.pages.shared import Ranking
from pennyweight.report.tables import Table
from pennyweight.store import ResultStore
from report_files import rows_of, text_of
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages")

WHEN = datetime(2024, 5, 17, tzinfo=UTC)


class Links(HTMLParser):
    """Collects what a page refers to, its identifiers, and its images without a description."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.refers: set[str] = set()
        self.ids: list[str] = []
        self.undescribed: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        for name in ("href", "src", "srcset"):
            if values.get(name):
                self.refers.add(str(values[name]))
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag == "img" and not values.get("alt"):
            self.undescribed.append(str(values.get("src")))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    store = ResultStore(folder / "results")
    for result in all_results():
        store.add(result, WHEN)
    store.add_campaign("default", campaign())
    return write_report(store, folder / "report").parent


def test_there_is_a_page_for_everything(site: Path) -> None:
    pages = {page.name for page in site.glob("*.html")}
    assert pages == {
        "index.html",
        "method.html",
        "not-measured.html",
        "board-atmega328p.html",
        "board-stm32f030.html",
        *(f"algorithm-{name}.html" for name in MODELS),
        *(f"implementation-{name}--ref.html" for name in MODELS),
        "implementation-aes-128-gcm--table.html",
        "implementation-ascon-aead128--wide.html",
        "choose.html",
        "part.html",
        "maps.html",
    }


def test_every_reference_is_to_something_in_the_folder(site: Path) -> None:
    for page in site.glob("*.html"):
        links = Links(page)
        assert len(links.ids) == len(set(links.ids)), page
        assert links.undescribed == [], page
        for reference in links.refers - {"data:,"}:
            assert "://" not in reference and not reference.startswith("/"), (page, reference)
            name, _, fragment = reference.partition("#")
            name = name.partition("?")[0]
            target = site / name if name else page
            assert target.is_file(), (page, reference)
            if fragment:
                assert fragment in Links(target).ids, (page, reference)


def test_every_figure_has_its_files(site: Path) -> None:
    slugs = {path.stem for path in (site / "figures").glob("*.png")}
    assert {"atmega328p-aead-cycles", "stm32f030-hash-flash", "sha-256-boards"} <= slugs
    for slug in slugs:
        for name in (f"figures/{slug}.svg", f"figures/{slug}-narrow.svg", f"figures/{slug}.pdf"):
            assert (site / name).stat().st_size > 200, name
    shown = {Path(r).stem for page in site.glob("*.html") for r in Links(page).refers}
    assert slugs <= shown


def figures_in(page: Path) -> dict[str, list[str]]:
    """The figures of a page by their slug, each with the files that it links to."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'<figure id="([^"]+)">(.*?)</figure>', text, re.DOTALL)
    return {slug: re.findall(r'href="([^"]+)"', figure) for slug, figure in found}


AEAD_FIGURES = ("cycles", "per-byte", "flash", "ram")


def test_every_expected_figure_exists_with_its_numbers(
    site: Path,
) -> None:
    for board in ("atmega328p", "stm32f030"):
        found = figures_in(site / f"board-{board}.html")
        wanted = {f"{board}-{kind}-{what}" for kind in ("aead", "hash") for what in AEAD_FIGURES}
        assert wanted <= set(found)
        for slug, links in found.items():
            assert {Path(link).suffix for link in links} == {".svg", ".png", ".pdf", ".csv"}, slug
            (numbers,) = [link for link in links if link.endswith(".csv")]
            assert len(rows_of(site / numbers)) > 1, slug
    for algorithm in MODELS:
        assert f"{algorithm}-boards" in figures_in(site / f"algorithm-{algorithm}.html")


AXES = {
    "-cycles": {"Message length (bytes)", "Cycles to "},
    "-per-byte": {"Message length (bytes)", "Cycles per byte"},
    "-flash": {"Flash (bytes)", "Cycles to "},
    "-ram": {"Static RAM and stack (bytes)", "Cycles to "},
    "-boards": {"bytes", "Cycles to "},
}


def test_every_figure_states_on_its_axes_what_they_are_and_in_which_unit(site: Path) -> None:
    drawn = sorted((site / "figures").glob("*.svg"))
    seen = set()
    for path in drawn:
        texts = re.findall(r"<text[^>]*>([^<]+)</text>", path.read_text(encoding="utf-8"))
        for ending, titles in AXES.items():
            if path.stem.removesuffix("-narrow").endswith(ending):
                seen.add(ending)
                for title in titles:
                    assert any(text.startswith(title) for text in texts), (path.name, title)
    assert seen == set(AXES)


def test_a_scatter_marks_what_is_not_constant_time(site: Path) -> None:
    """Of AES-128-GCM the fastest build is `table`, which looks up tables by secrets."""
    for what in ("flash", "ram"):
        text = (site / "figures" / f"stm32f030-aead-{what}.svg").read_text(encoding="utf-8")
        assert "AES-128-GCM†" in text
        assert "†" not in (site / "figures" / f"stm32f030-hash-{what}.svg").read_text("utf-8")
    page = (site / "board-stm32f030.html").read_text(encoding="utf-8")
    (caption,) = re.findall(
        r'<figure id="stm32f030-aead-flash">(.*?)</figcaption>', page, re.DOTALL
    )
    assert "† not constant-time" in caption


def test_the_overview_has_a_row_for_each_board_and_a_mean_over_all(site: Path) -> None:
    """ASCON-128 takes 27,800 and Ascon-AEAD128 20,350 cycles at -Os on 32 bits: 1.37 times."""
    text = (site / "index.html").read_text(encoding="utf-8")
    (table,) = re.findall(r'<section class="table" id="glance-aead".*?</table>', text, re.DOTALL)
    assert re.findall(r"<tr>\s*<th[^>]*><a[^>]*>([^<]+)", table) == [
        "ATmega328P",
        "STM32F030F4 at 8 MHz",
    ]
    means = {r["Algorithm"]: r for r in rows_of(site / "data" / "means-aead.csv")}
    assert len(means) == 6
    assert float(means["ASCON-128"]["Mean times the fastest"]) == pytest.approx(
        27_800 / 20_350, abs=1e-4
    )
    assert means["Ascon-AEAD128"]["Fastest on boards"] == "2"


def test_the_report_is_small(site: Path) -> None:
    figures = sorted((site / "figures").iterdir())
    for path in figures:
        limit = {".png": 90_000, ".svg": 60_000, ".pdf": 60_000}[path.suffix]
        assert path.stat().st_size < limit, path.name


def test_the_opening_states_what_was_measured_and_the_fastest_algorithm(site: Path) -> None:
    """On the ATmega328P at -O3: (6,450 + 5 x 2,780) x 3.4 x 0.82 = 56,736 cycles."""
    text = text_of(site / "index.html")
    assert "9 implementations of 8 algorithms, compiled with -Os and -O3 and measured on" in text
    assert (
        "Fastest to encrypt 64 bytes with 16 bytes of associated data: Ascon-AEAD128, with "
        "56,736 cycles (3.55 ms) on the ATmega328P and 16,687 cycles (2.09 ms) on the STM32F030"
    ) in text
    assert "Smallest in flash: ASCON-128, with 1,530 bytes on the ATmega328P" in text


def test_a_board_page_shows_the_costs(site: Path) -> None:
    text = text_of(site / "board-stm32f030.html")
    assert "cycles (2.09 ms at 8 MHz, about 24.1 µJ)" in text
    assert "Agrees within 0.3 % with 12 published counts" in text
    assert "FELICS 2c" in text and "Encrypt and authenticate 1224 bytes" in text
    assert "table†" in text and "† not constant-time" in text


def test_the_numbers_behind_a_figure_are_those_of_the_store(site: Path) -> None:
    rows = rows_of(site / "data" / "stm32f030-aead-cycles.csv")
    ascon = {int(r["m"]): int(r["cycles"]) for r in rows if r["algorithm"] == "ascon-128"}
    assert ascon[64] == round((6_300 + 2_150 * 10) * 0.82)
    assert sorted(ascon) == list(range(0, 257, 4))
    assert {r["flags"] for r in rows} == {"-O3"}


def test_the_table_of_builds_has_fits_and_both_directions(site: Path) -> None:
    rows = rows_of(site / "data" / "stm32f030-aead-builds.csv")
    (row,) = [r for r in rows if r["Algorithm"] == "ASCON-128" and r["Flags"] == "-Os"]
    assert row["Encrypt cycles"] == "27800" and row["Decrypt cycles"] == "28040"
    assert float(row["Set-up cycles"]) == pytest.approx(6_300 + 2 * 2_150)
    assert float(row["Marginal cycles/byte"]) == pytest.approx(2_150 / 8)
    assert float(row["Long messages KB/s"]) == pytest.approx(8e6 / (2_150 / 8) / 1000)
    assert float(row["Time µs"]) == pytest.approx(27_800 / 8)


def test_all_rows_and_their_origin_are_exported(site: Path) -> None:
    results = all_results()
    rows = rows_of(site / "data" / "measurements.csv")
    assert len(rows) == sum(len(r.measurements) for r in results)
    jobs = {r["job"]: r for r in rows_of(site / "data" / "jobs.csv")}
    assert {r["job"] for r in rows} == set(jobs)
    origin = results[0].provenance
    first = jobs[origin.job[:16]]
    assert (first["job_sha256"], first["sources_sha256"]) == (origin.job, origin.sources_sha256)
    assert rows_of(site / "data" / "symbols.csv")[0]["bytes"].isdigit()


def test_every_table_is_exported_as_parquet_too(site: Path) -> None:
    tables = set(re.findall(r'href="(data/[^"]+)\.parquet"', "".join(
        page.read_text(encoding="utf-8") for page in site.glob("*.html"))))  # fmt: skip
    assert len(tables) > 15
    for name in tables:
        table = pq.read_table(site / f"{name}.parquet")
        assert table.num_rows == len(rows_of(site / f"{name}.csv")), name
    builds = pq.read_table(site / "data" / "stm32f030-aead-builds.parquet").to_pylist()
    (row,) = [r for r in builds if (r["Algorithm"], r["Flags"]) == ("ASCON-128", "-Os")]
    assert row["Encrypt cycles"] == 27_800 and row["Time µs"] == 27_800 / 8


def test_figures_are_objects_for_notebooks(site: Path) -> None:
    import pennyweight

    found = pennyweight.figures(site.parent / "results")
    drawn = {path.stem for path in (site / "figures").glob("*.png")}
    assert set(found) == drawn
    figure = found["stm32f030-aead-cycles"]
    assert figure._repr_svg_() == (site / "figures" / "stm32f030-aead-cycles.svg").read_text(
        "utf-8"
    )
    assert figure.png().startswith(b"\x89PNG") and figure.pdf().startswith(b"%PDF-")
    assert "m" in figure.numbers.column_names


def test_results_are_one_table_for_notebooks(site: Path, tmp_path: Path) -> None:
    import pennyweight

    table = pennyweight.results(site.parent / "results")
    rows = table.to_pylist()
    wanted = ("stm32f030", "ascon-128", "-Os", "enc", 16, 64)
    (row,) = [
        r
        for r in rows
        if (r["board"], r["algorithm"], r["flags"], r["op"], r["ad"], r["m"]) == wanted
    ]
    assert row["cycles_per_byte"] == row["cycles"] / 80
    assert row["time_us"] == pytest.approx(row["cycles"] / 8)
    assert row["energy_uj_estimate"] is not None and row["compiler"] == "arm-none-eabi-gcc"
    assert [r["board"] for r in rows] == sorted(r["board"] for r in rows)
    with pytest.raises(UserError, match="no results in this folder"):
        pennyweight.results(tmp_path / "nothing")


def test_results_without_a_record_have_the_facts_of_their_files(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    store.prepare()
    for board in ("atmega328p", "stm32f030"):
        store.add(job_result("ascon-128", board=board))
    store.add(job_result("aes-128-gcm", name="table", board="atmega328p"))
    # The study ran again, with another board and fewer algorithms.
    left = campaign()
    for facts, name in (("boards", "id"), ("algorithms", "name"), ("implementations", "algorithm")):
        kept = ("stm32f030", "ascon-128")
        left[facts] = [each for each in left[facts] if each[name] in kept]
    store.add_campaign("default", left)
    data = load(store)
    assert data.boards["atmega328p"].hz == 16_000_000 and data.boards["atmega328p"].validation
    assert data.algorithms["aes-128-gcm"].title == "AES-128-GCM"
    assert data.mark("aes-128-gcm", "table") == "†"


def test_headlines_omit_broken_algorithms_and_calculations_omit_masked_builds(
    tmp_path: Path,
) -> None:
    store = ResultStore(tmp_path / "results")
    store.prepare()
    store.add(job_result("aes-128-gcm"))
    store.add(job_result("ascon-128", scale=0.5))
    masked = job_result("aes-128-gcm", flags="-O3", name="masked7", scale=0.1)
    rows = [replace(row, random="lfsr", flags="-O3 (random: lfsr)") for row in masked.measurements]
    store.add(replace(masked, measurements=rows))
    facts = campaign()
    for each in facts["algorithms"]:
        each["status"] = "broken" if each["name"] == "ascon-128" else "standard"
    store.add_campaign("default", facts)
    data = load(store)
    ranking = Ranking.of(data, data.boards["stm32f030"], Kind.AEAD)
    assert ranking is not None
    assert [each.algorithm for each in ranking.fastest] == ["aes-128-gcm", "ascon-128"]
    what, fastest, smallest = overview.opening(data, [ranking])
    assert "compiled with -Os and" in what and "random" not in what
    assert "AES-128-GCM" in fastest and "ASCON-128" not in fastest + smallest
    assert "ASCON-128" not in ranking.headline()
    script = board_script(data, data.boards["stm32f030"])
    assert '"ref"' in script and "masked7" not in script and "random" not in script


def test_what_is_sorted_by_is_stated_only_where_it_is(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    store.prepare()
    for board in ("atmega328p", "stm32f030"):
        store.add(job_result("aes-128-gcm", board=board))
    store.add(job_result("ascon-128"))
    store.add_campaign("default", campaign())
    kind = Kind.AEAD

    def means() -> Table:
        data = load(store)
        rankings = [Ranking.of(data, board, kind) for board in data.boards.values()]
        (glance,) = overview.glances(data, [each for each in rankings if each])
        assert glance.means is not None
        return glance.means

    # Ascon, faster, is on one board only: by the mean it would come first.
    table = means()
    assert [row.cells[0].text for row in table.rows] == ["AES-128-GCM", "ASCON-128"]
    assert table.sorted_by is None and "on the most boards come first" in table.caption
    store.add(job_result("ascon-128", board="atmega328p"))
    assert means().sorted_by == 2 and "most boards" not in means().caption


def test_every_column_of_a_figures_numbers_is_explained(site: Path) -> None:
    lines = (site / "data" / "columns.txt").read_text(encoding="utf-8").splitlines()
    with_cause = {line.split()[0] for line in lines}
    linked = [figures_in(page) for page in site.glob("*.html")]
    names = {link for page in linked for links in page.values() for link in links}
    files = sorted(name for name in names if name.endswith(".csv"))
    assert len(files) > 10
    for name in files:
        assert set(next(csv.reader((site / name).open(encoding="utf-8")))) <= with_cause, name


def test_what_could_not_be_measured_is_reported_with_its_reason(site: Path) -> None:
    text = text_of(site / "not-measured.html")
    assert "build failed" in text and "unknown type name 'uint128_t'" in text.replace("&#39;", "'")
    assert "does not fit" in text and "dec, enc of 40:1224" in text
    assert text.index("Outcomes") < text.index("Cases without a measurement")
    failed = rows_of(site / "data" / "not-measured.csv")
    assert {r["status"] for r in failed} == {"build failed", "does not fit"}
    assert all(r["reason"] for r in failed)


def test_an_implementation_s_page_lists_its_unmeasured_cases(site: Path) -> None:
    failed = rows_of(site / "data" / "not-measured.csv")
    for row in failed:
        page = site / f"implementation-{row['algorithm']}--{row['implementation']}.html"
        text = text_of(page).replace("&#39;", "'")
        assert row["reason"] in text and row["status"] in text
    reported = {
        f"implementation-{row['algorithm']}--{row['implementation']}.html" for row in failed
    }
    pages = {page.name for page in site.glob("implementation-*.html")}
    assert reported < pages
    for name in pages - reported:
        assert '-not-measured"' not in (site / name).read_text(encoding="utf-8")


def test_the_method_page_shows_each_builds_origin(site: Path) -> None:
    text = text_of(site / "method.html")
    origin = all_results()[0].provenance
    assert origin.sources_sha256[:12] in text and "1089 known answers passed" in text
    assert "7.3.0" in text and "12.2.1" in text


def test_a_newer_report_replaces_an_older_one_whole(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    store.add(job_result("sha-256"), WHEN)
    first = write_report(store, tmp_path / "report")
    (first.parent / "stale.html").write_text("old")
    again = write_report(store, tmp_path / "report")
    assert again == first and again.is_file()
    assert not (first.parent / "stale.html").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report", "results"]


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    store.add(job_result("sha-256"), WHEN)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("important")
    with pytest.raises(UserError, match="contains files that do not belong to a report"):
        write_report(store, mine)
    assert (mine / "thesis.tex").read_text() == "important"
    with pytest.raises(UserError, match="this is a file"):
        write_report(store, mine / "thesis.tex")


def test_of_many_algorithms_the_baseline_is_drawn_however_slow_and_each_has_a_panel(
    tmp_path: Path,
) -> None:
    page = write_report(many(tmp_path, 20), tmp_path / "report").parent / "board-board0.html"
    text = text_of(page)
    assert "The 7 fastest of 20 algorithms at 64 bytes, and the baselines as heavy lines" in text
    curves = (page.parent / "figures" / "board0-aead-cycles.svg").read_text()
    drawn = set(re.findall(r"cipher-\d+|AES-128-GCM", curves))
    assert len(drawn) == 8 and {"cipher-000", "cipher-006", "AES-128-GCM"} <= drawn
    # All three figures have their numbers in one file.
    assert page.read_text(encoding="utf-8").count('href="data/board0-aead-cycles.csv"') == 3
    each = rows_of(page.parent / "data" / "board0-aead-cycles.csv")
    assert len({r["algorithm"] for r in each}) == 20
    svg = (page.parent / "figures" / "board0-aead-each.svg").read_text()
    assert "cipher-018" in svg and "AES-128-GCM" in svg


@pytest.mark.parametrize(
    ("verified", "sentence"),
    [
        ("all 1089 NIST LWC records, in-place buffers", "Each build passed all official"),
        ("1089 of 1089 NIST LWC records", "Each build passed all official"),
        (
            "1 of 1025 NIST LWC records, 33 of 1089 round trips with forgeries rejected",
            "Each build passed a sample of the official known-answer tests on the simulated "
            "part (1 of 1,025 records) and rejected forgeries",
        ),
        ("not verified: no known answers", "Each build had no known answers to verify against"),
    ],
)
def test_the_opening_states_how_much_was_verified(
    tmp_path: Path, verified: str, sentence: str
) -> None:
    store = ResultStore(tmp_path / "results")
    whole = job_result("sha-256")
    origin = replace(whole.provenance, verified=verified)
    store.add(JobResult(origin, whole.measurements, whole.symbols), WHEN)
    assert sentence in text_of(write_report(store, tmp_path / "report"))


def test_boards_that_were_skipped_are_reported(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    store.add(job_result("sha-256"), WHEN)
    why = "board 'msp430f1611' needs a compiler: msp430-gcc is not installed"
    absent = [{"board": "msp430f1611", "reason": why}]
    store.add_campaign("default", campaign() | {"absent": absent})
    page = write_report(store, tmp_path / "report")
    assert "1 board was skipped; Not measured lists the reasons" in text_of(page)
    missing = (page.parent / "not-measured.html").read_text().replace("&#39;", "'")
    assert f"msp430f1611: {why}" in missing


def test_damaged_records_of_studies_are_reported(tmp_path: Path) -> None:
    """And a report is written again when one is damaged."""
    store = ResultStore(tmp_path / "results")
    store.add(job_result("sha-256"), WHEN)
    store.add_campaign("default", campaign())
    page = write_report(store, tmp_path / "report")
    assert not (page.parent / "not-measured.html").exists() or "not a campaign" not in text_of(
        page.parent / "not-measured.html"
    )
    record = tmp_path / "results" / "campaigns" / "b.json"
    for content, problem in (
        ('{"a": 1}', "its field 'id' is not the file's name"),
        ("[]", "it is not a table of fields"),
        ("{", "it is not JSON"),
    ):
        record.write_text(content)
        page = write_report(store, tmp_path / "report")
        text = text_of(page.parent / "not-measured.html").replace("&#39;", "'")
        assert "b.json is not a campaign of Pennyweight and is skipped" in text
        assert f"{problem}; run the study again." in text


def test_no_results_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"no results in this folder; create some with `pennyweight run"
    ):
        write_report(ResultStore(tmp_path / "results"), tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_results_without_a_campaign_or_a_single_measurement_still_make_a_report(
    tmp_path: Path,
) -> None:
    store = ResultStore(tmp_path / "results")
    reason = "f.c:1: error: <nothing> & 'quoted'"
    store.add(failed_result("sha-256", "stm32f030", "-Os", "ref", Status.BUILD_FAILED, reason))
    page = write_report(store, tmp_path / "report")
    assert "No case could be measured" in text_of(page)
    missing = (page.parent / "not-measured.html").read_text()
    assert "f.c:1: error: &lt;nothing&gt; &amp; &#39;quoted&#39;" in missing
    assert list((page.parent / "figures").iterdir()) == []


def test_one_length_makes_no_curve_but_a_table(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    whole = job_result("sha-256")
    store.add(type(whole)(whole.provenance, whole.measurements[16:17], whole.symbols), WHEN)
    page = write_report(store, tmp_path / "report")
    assert "to hash 64 bytes" in text_of(page.parent / "board-stm32f030.html")
    slugs = {p.stem for p in (page.parent / "figures").glob("*.png")}
    assert slugs == {"stm32f030-hash-flash", "stm32f030-hash-ram"}


def test_a_cost_that_does_not_grow_with_the_message_has_no_throughput(tmp_path: Path) -> None:
    """A cipher may always take the longest message's time; the report must still be written."""
    store = ResultStore(tmp_path / "results")
    made = job_result("sha-256")
    rows = [replace(row, cycles=1000) for row in made.measurements]
    store.add(replace(made, measurements=rows))
    page = write_report(store, tmp_path / "report").parent / "board-stm32f030.html"
    [row] = rows_of(page.parent / "data" / "stm32f030-hash-builds.csv")
    assert float(row["Marginal cycles/byte"]) == 0 and row["Long messages KB/s"] == ""
    assert page.is_file()
