"""The report in headless Chromium, opened from disk, as a reader would see it."""

from __future__ import annotations

import csv
import json
import re
import shutil
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from example_results import all_results, campaign, many
from pennyweight.report import write_report
from pennyweight.store import ResultStore
from report_files import rows_of, text_of
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages in a browser")

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDE = (1440, 900)
PHONE = (390, 844)
PAGES = (
    "index.html",
    "study-default.html",
    "board-stm32f030.html",
    "algorithm-aes-128-gcm.html",
    "implementation-aes-128-gcm--table.html",
    "choose.html",
    "part.html",
    "maps.html",
    "not-measured.html",
    "method.html",
)
SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
"""Where each page is kept as it looked, in both sizes and schemes."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browsed site")
    store = ResultStore(folder / "results")
    for result in all_results():
        store.add(result, datetime(2024, 5, 17, tzinfo=UTC))
    store.add_campaign("default", campaign() | study())
    return write_report(store, folder / "report").parent


def study() -> dict[str, Any]:
    """What makes a study of the examples, with a page of its own."""
    curve = [["enc", 16, m] for m in range(0, 257, 4)]
    return {
        "shows": ["curves", "best", "sizes", "throughput", "pareto", "maps", "spread"],
        "flags": ["-Os", "-O3"],
        "scenarios": [
            *campaign()["scenarios"],
            {"name": "curve", "title": "Messages", "kind": "aead", "cases": curve},
        ],
    }


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "these tests need the package chromium"
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


class Visit:
    """A page in a window of some size, with its messages and requests."""

    def __init__(self, browser: Browser, size: tuple[int, int], scheme: str = "light") -> None:
        self._context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        self.page: Page = self._context.new_page()
        self.printed: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.printed.append(message.text))
        self.page.on("pageerror", lambda error: self.printed.append(str(error)))
        self.page.on("request", self._requested)
        self.page.on("requestfailed", self._failed)

    def _failed(self, request: Request) -> None:
        # Chromium aborts the loading of an image when it leaves the page or needs another size.
        if request.failure != "net::ERR_ABORTED":
            self.printed.append(f"failed: {request.url}")

    def _requested(self, request: Request) -> None:
        self.requests.append(request.url)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()

    def open(self, site: Path, name: str) -> Page:
        self.page.goto((site / name).as_uri())
        self.page.wait_for_load_state("networkidle")
        return self.page


@pytest.mark.parametrize("size", [WIDE, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_load_completely_without_errors_or_requests(
    browser: Browser, site: Path, size: tuple[int, int], scheme: str
) -> None:
    with Visit(browser, size, scheme) as visit:
        for name in PAGES:
            page = visit.open(site, name)
            figures = page.locator("figure img, .preview img")
            for image in figures.all():
                image.scroll_into_view_if_needed()
            page.wait_for_load_state("networkidle")
            # Images below the window are loaded lazily, when the network has been idle.
            page.wait_for_function(
                "[...document.querySelectorAll('figure img, .preview img')].every(i => i.complete)"
            )
            widths = figures.evaluate_all("all => all.map(i => i.complete && i.naturalWidth)")
            assert all(width > 300 for width in widths), name
            overflow = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert overflow == 0, name
            kept = SCREENSHOTS / f"{Path(name).stem}-{size[0]}-{scheme}.png"
            page.screenshot(path=kept, full_page=True)
            assert kept.stat().st_size > 10_000, name
        assert visit.printed == []
        folder = site.as_uri()
        assert all(url.startswith((folder, "data:")) for url in visit.requests)


def test_a_board_page_has_its_figures_and_a_phone_gets_narrow_ones(
    browser: Browser, site: Path
) -> None:
    for size, ending in ((WIDE, "cycles.svg"), (PHONE, "cycles-narrow.svg")):
        with Visit(browser, size) as visit:
            page = visit.open(site, "board-stm32f030.html")
            sources = page.locator("figure img").evaluate_all("all => all.map(i => i.currentSrc)")
            assert len(sources) == 8
            assert sources[0].endswith(ending)


def test_a_reason_is_seen_without_scrolling(browser: Browser, site: Path) -> None:
    """It is what the page is for."""
    for size in ((1280, 900), PHONE):
        with Visit(browser, size) as visit:
            page = visit.open(site, "not-measured.html")
            reasons = page.locator("#not-measured tbody td.long small")
            assert reasons.count() > 1
            for place in (reasons.nth(index).bounding_box() for index in range(reasons.count())):
                assert place is not None and place["x"] + place["width"] <= size[0], size


def first_cells(page: Page, table: str, column: int) -> list[str]:
    cells = page.locator(f"#{table} tbody tr:not([hidden]) > :nth-child({column})")
    return [text.strip() for text in cells.all_inner_texts()]


def numbers(texts: list[str]) -> list[int]:
    return [int(text.split()[0].replace(",", "")) for text in texts]


TABLE = "stm32f030-aead-builds"


def test_the_table_sorts_by_click_both_ways(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "board-stm32f030.html")
        heads = page.locator(f"#{TABLE} thead th")
        assert heads.nth(3).get_attribute("aria-sort") == "ascending"
        cycles = numbers(first_cells(page, TABLE, 4))
        assert cycles == sorted(cycles) and len(set(cycles)) > 5
        heads.nth(3).get_by_role("button").click()
        assert heads.nth(3).get_attribute("aria-sort") == "descending"
        assert numbers(first_cells(page, TABLE, 4)) == sorted(cycles, reverse=True)
        heads.nth(0).get_by_role("button").click()
        names = first_cells(page, TABLE, 1)
        assert names == sorted(names, key=str.casefold) and names[0] == "AES-128-GCM"
        assert heads.nth(3).get_attribute("aria-sort") is None


def test_numbers_sort_as_numbers_and_what_is_missing_comes_last(
    browser: Browser, site: Path
) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "board-stm32f030.html")
        values = ["1.5", "1.25", "", "10", "-2"]
        page.evaluate(
            """([table, values]) => {
                const rows = [...document.querySelectorAll(`#${table} tbody tr`)];
                rows.slice(values.length).forEach((row) => row.remove());
                values.forEach((value, i) => { rows[i].cells[10].dataset.value = value; });
            }""",
            [TABLE, values],
        )
        head = page.locator(f"#{TABLE} thead th").nth(10).get_by_role("button")
        rows = f"[...document.querySelectorAll('#{TABLE} tbody tr')]"
        order = f"{rows}.map((row) => row.cells[10].dataset.value)"
        head.click()
        assert page.evaluate(order) == ["-2", "1.25", "1.5", "10", ""]
        head.click()
        assert page.evaluate(order) == ["10", "1.5", "1.25", "-2", ""]


def test_the_table_sorts_by_keyboard(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "board-stm32f030.html")
        flash = page.locator(f"#{TABLE} thead th").get_by_role("button", name="Flash")
        flash.focus()
        page.keyboard.press("Enter")
        sizes = numbers(first_cells(page, TABLE, 11))
        assert sizes == sorted(sizes)
        page.keyboard.press("Space")
        assert numbers(first_cells(page, TABLE, 11)) == sorted(sizes, reverse=True)
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent")
        assert focused.startswith("Static RAM")


def test_the_table_filters(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "board-stm32f030.html")
        section = page.locator(f"#{TABLE}")
        assert section.locator("output").inner_text() == "14 rows"
        section.get_by_role("searchbox").fill("gcm -os")
        assert set(first_cells(page, TABLE, 3)) == {"-Os"}
        assert section.locator("output").inner_text() == "4 of 14 rows"
        section.get_by_role("searchbox").fill("")
        section.get_by_role("checkbox").check()
        names = first_cells(page, TABLE, 1)
        assert len(names) == len(set(names)) == 6
        section.get_by_role("searchbox").fill("nothing like this")
        assert first_cells(page, TABLE, 1) == []


def saved(page: Page, table: str, form: str) -> str:
    with page.expect_download() as download:
        page.locator(f"#{table} .save").get_by_role("button", name=form).click()
    return download.value.path().read_text(encoding="utf-8")


def test_what_a_table_shows_can_be_saved(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "board-stm32f030.html")
        page.locator(f"#{TABLE}").get_by_role("searchbox").fill("aes-128-gcm -os")
        head, rule, *lines, blank, note = saved(page, TABLE, "Markdown").splitlines()
        assert head.startswith("| Algorithm | Implementation | Flags | Encrypt cycles |")
        assert rule.startswith("| --- | --- | --- | ---: |") and len(lines) == 2
        assert lines[0].startswith("| AES-128-GCM | table† | -Os | ")
        assert not blank and note.startswith("† not constant-time")
        records = json.loads(saved(page, TABLE, "JSON"))
        assert [each["Implementation"] for each in records] == ["table†", "ref"]
        assert records[1]["Encrypt cycles"] == 20_400 + 5 * 15_100
        assert records[1]["Flash bytes"] == 2_644
        tex = saved(page, TABLE, "LaTeX")
        assert "\\begin{tabular}{lllrrrrrrrrrr}" in tex and "table\\dag{} & -Os" in tex
        assert tex.count(" \\\\\n") == 3 and "{\\footnotesize \\dag{} not constant" in tex
        assert page.locator(f"#{TABLE} .save button[value=csv]").count() == 0  # its file has all
        # The text below a cell is included: here the build of a figure.
        name = "stm32f030-aead-scenarios"
        assert re.search(r"\| [\d,]+ \(ref -O3\) \|", saved(page, name, "Markdown"))
        notes = [key for key in json.loads(saved(page, name, "JSON"))[0] if key.endswith(", note")]
        with (site / "data" / f"{name}.csv").open(encoding="utf-8") as kept:
            first = next(csv.DictReader(kept))
        assert notes and [key for key in first if key.endswith(", note")] == notes
        assert {first[key] for key in notes} == {"ref -O3"}
        page = visit.open(site, "not-measured.html")
        lines = saved(page, "outcomes", "CSV").splitlines()
        reported = json.loads(saved(page, "outcomes", "JSON"))
        read = list(csv.DictReader(lines))
        assert [{title: str(value) for title, value in each.items()} for each in reported] == read
        assert read[0]["Outcome"] == "ok" and int(read[0]["Cases"]) > 1000
        assert ", " in read[0]["Boards"] and len(read) == len(lines) - 1
        assert all(url.startswith((site.as_uri(), "data:", "blob:")) for url in visit.requests)
        assert visit.printed == []


def test_without_scripts_everything_is_readable(browser: Browser, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "board-stm32f030.html").as_uri())
    assert page.locator("figure img").count() == 8
    assert page.locator(f"#{TABLE} tbody tr").count() == 14
    assert not page.locator(f"#{TABLE} .controls").is_visible()
    context.close()


def test_figures_follow_the_colour_scheme(browser: Browser, site: Path) -> None:
    """The corner of a figure has the paper's colour, as the page behind it."""
    corners = {}
    for scheme in ("light", "dark"):
        with Visit(browser, WIDE, scheme) as visit:
            page = visit.open(site, "board-stm32f030.html")
            image = page.locator("figure img").first.screenshot()
            corners[scheme] = page.evaluate(
                """async data => {
                    const image = new Image();
                    image.src = "data:image/png;base64," + data;
                    await image.decode();
                    const canvas = document.createElement("canvas");
                    const context = canvas.getContext("2d");
                    context.drawImage(image, 0, 0);
                    return [...context.getImageData(2, 2, 1, 1).data].slice(0, 3);
                }""",
                b64encode(image).decode(),
            )
    assert corners == {"light": [0xFD, 0xFC, 0xFA], "dark": [0x15, 0x17, 0x1A]}


def test_paper_is_light_and_has_no_controls(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE, "dark") as visit:
        page = visit.open(site, "board-stm32f030.html")
        page.emulate_media(media="print")
        assert not page.locator(f"#{TABLE} .controls").is_visible()
        assert not page.locator(".masthead nav").is_visible()
        # The meaning of a dagger is printed too; the export links are not.
        notes = page.locator(f"#{TABLE} [data-footnote]")
        assert notes.is_visible() and "not constant-time" in notes.inner_text()
        assert not page.locator(f"#{TABLE} .save").is_visible()
        colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert colour == "rgb(255, 255, 255)"
        scheme = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
        assert scheme == "light only"
        # A heading's button of its own box is missing from the headings of the next sheets.
        heading = page.locator(f"#{TABLE} thead th button").first
        assert heading.evaluate("button => getComputedStyle(button).display") == "contents"
        # Blending makes the browser put in pictures of pixels, of many times the bytes.
        picture = page.locator("figure img").first
        assert picture.evaluate("image => getComputedStyle(image).mixBlendMode") == "normal"
        assert page.pdf().startswith(b"%PDF")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty algorithms in three builds on six boards."""
    folder = tmp_path_factory.mktemp("large site")
    return write_report(many(folder, 60, boards=6, builds=3), folder / "report").parent


LONG = "board0-aead-builds"


def test_a_long_table_contains_the_best_rows_and_a_file_the_others(large: Path) -> None:
    """Each page stays small, whatever is measured."""
    board = (large / "board-board0.html").read_text()
    assert board.count("<tr data-best>") == 60
    rest = (large / "data" / "board0-aead-builds.rows.js").read_text()
    head, _, rows = rest.partition(",")
    assert head == 'pennyweightRows("board0-aead-builds"'
    assert len(json.loads(rows.removesuffix(");\n"))) == 120
    assert len(rows_of(large / "data" / "board0-aead-builds.csv")) == 180
    for page in large.glob("*.html"):
        limit = 700_000 if page.name == "method.html" else 200_000
        assert page.stat().st_size < limit, page
    overview = text_of(large / "index.html")
    assert "cipher-000 on all 6 parts" in overview
    names = [text_of(large / "index.html").count(f"board{i}") for i in range(6)]
    assert min(names) > 0


def test_the_other_rows_of_a_long_table_come_when_asked_for(browser: Browser, large: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(large, "board-board0.html")
        section = page.locator(f"#{LONG}")
        assert section.locator("output").inner_text() == "60 of 180 rows"
        assert not any(url.endswith(".rows.js") for url in visit.requests)
        section.get_by_role("checkbox").uncheck()
        page.wait_for_function(f"document.querySelectorAll('#{LONG} tbody tr').length === 180")
        assert section.locator("output").inner_text() == "180 rows"
        cycles = numbers(first_cells(page, LONG, 4))
        assert cycles == sorted(cycles)
        flash = page.locator(f"#{LONG} thead th").nth(10)
        assert flash.inner_text().startswith("Flash")
        section.get_by_role("searchbox").fill("cipher-017 b2")
        assert first_cells(page, LONG, 1) == ["cipher-017"]
        link = page.locator(f"#{LONG} tbody tr:not([hidden]) a").first
        assert link.get_attribute("href") == "algorithm-cipher-017.html"
        section.get_by_role("searchbox").fill("")
        section.get_by_role("checkbox").check()
        assert section.locator("output").inner_text() == "60 of 180 rows"
        assert visit.printed == []


def test_a_phone_shows_one_algorithm_at_a_time_and_a_screen_all_without_scrolling(
    browser: Browser, large: Path
) -> None:
    with Visit(browser, PHONE) as visit:
        page = visit.open(large, "index.html")
        choice = page.locator("#glance-aead [data-column]")
        names = choice.locator("option").all_inner_texts()
        fastest = [f"cipher-{i:03}" for i in range(7)]
        assert names == ["all 8", *fastest, "AES-128-GCM"]
        assert choice.input_value() == "1"
        heads = page.locator("#glance-aead thead th:visible")
        assert [h.split()[0] for h in heads.all_inner_texts()] == ["Board", "cipher-000"]
        choice.select_option("4")
        assert [h.split()[0] for h in heads.all_inner_texts()] == ["Board", "cipher-003"]
        assert page.locator("#glance-aead tbody tr:visible").count() == 6
        choice.select_option("")
        assert heads.count() == 9
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    with Visit(browser, WIDE) as visit:
        page = visit.open(large, "index.html")
        assert page.locator("#glance-aead thead th:visible").count() == 9
        assert page.locator("#means-aead tbody tr:visible").count() == 60
        hidden = page.locator(".scroll").evaluate_all(
            "all => all.map(box => box.scrollWidth - box.clientWidth)"
        )
        assert hidden == [0, 0]


TEXTS_OUTSIDE = """() => {
    const paper = document.documentElement.getBoundingClientRect();
    return [...document.querySelectorAll("text")].filter(text => {
        const box = text.getBoundingClientRect();
        return box.left < paper.left || box.right > paper.right
            || box.top < paper.top || box.bottom > paper.bottom;
    }).map(text => text.textContent);
}"""


def test_no_text_of_a_figure_is_cut_off(browser: Browser, site: Path) -> None:
    with Visit(browser, (1600, 1200)) as visit:
        drawn = sorted((site / "figures").glob("*.svg"))
        assert len(drawn) > 40
        for path in drawn:
            visit.page.goto(path.as_uri())
            assert visit.page.evaluate(TEXTS_OUTSIDE) == [], path.name
            assert visit.page.locator("text").count() > 5, path.name


def test_images_are_loaded_when_they_are_seen(browser: Browser, large: Path) -> None:
    with Visit(browser, WIDE) as visit:
        visit.open(large, "index.html")
        asked = [url for url in visit.requests if url.endswith(".svg")]
        assert len(asked) < 6
