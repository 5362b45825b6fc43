"""The pages that calculate in the browser, choice and maps, agree with Python."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from example_results import all_results, campaign, failed_result, job_result
from pennyweight.analysis.advice import RECOMMENDED, STATUSES, Aim, Limits, advise
from pennyweight.analysis.facts import ImplementationFacts
from pennyweight.model import Case, JobResult, Operation, Status
from pennyweight.report import write_report
from pennyweight.report.data import ReportData, load
from pennyweight.store import ResultStore
from test_report_browser import ARGUMENTS, PHONE, WIDE, Visit, chromium
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages")

WHEN = datetime(2024, 5, 17, tzinfo=UTC)
GRID = [Case(op, ad, m) for op in (Operation.ENC, Operation.DEC) for ad in range(0, 41, 8)
        for m in range(0, 65, 8)]  # fmt: skip
LONGER = [*GRID, *(Case(op, 40, 260) for op in (Operation.ENC, Operation.DEC))]
MASKED = (("ascon-aead128", "masked2", 2), ("ascon-aead128", "masked3", 3),
          ("aes-128-gcm", "masked2", 2))  # fmt: skip
PARTS = (Operation.INIT, Operation.AD, Operation.ENCRYPT, Operation.FINALIZE, Operation.TAG)


def withdrawn() -> dict[str, Any]:
    """The examples' campaign, with one algorithm withdrawn and one no standard, tags of all."""
    reported = campaign()
    for facts in reported["algorithms"]:
        facts["tag"] = 0 if facts["kind"] == "hash" else 16
        facts["digest"] = 32 if facts["kind"] == "hash" else 0
        if facts["name"] == "aes-192-gcm":
            facts["status"], facts["attack"] = "withdrawn", "Forgery with two queries."
            facts["attack_source"] = "A. Author, A Forgery, ePrint 2020/1"
        if facts["name"] == "ascon-128":
            facts["status"], facts["tag"] = "winner", 12
    reported["implementations"] += [
        asdict(ImplementationFacts(algorithm, name, True, shares=shares))
        for algorithm, name, shares in MASKED
    ]
    return reported


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ResultStore:
    made = ResultStore(tmp_path_factory.mktemp("calculated") / "results")
    for result in all_results():
        made.add(result, WHEN)
    for algorithm, scale in (("ascon-aead128", 1.0), ("aes-128-gcm", 0.4)):
        made.add(job_result(algorithm, "stm32f030", "-O3", "grid", GRID, scale), WHEN)
    for algorithm, name, shares in MASKED:
        plain = job_result(algorithm, "stm32f030", "-O3", name, LONGER, shares * 3.0)
        drawn = [
            replace(
                row,
                flags="-O3 (random: lfsr)",
                random="lfsr",
                random_words=shares * row.m + row.ad,
                random_wait_cycles=row.m,
            )
            for row in plain.measurements
        ]
        made.add(replace(plain, measurements=drawn), WHEN)
    parts = job_result(
        "ascon-aead128", "stm32f030", "-Os", "parts", [Case(op, 16, 64) for op in PARTS]
    )
    rows = [replace(row, cycles=100 * i) for i, row in enumerate(parts.measurements, start=1)]
    made.add(JobResult(parts.provenance, rows, parts.symbols), WHEN)
    reason = "a fault: <here> & there"
    made.add(failed_result("sha-256", "stm32f030", "-Os", "bad", Status.CRASHED, reason), WHEN)
    made.add_campaign("default", withdrawn())
    return made


@pytest.fixture(scope="module")
def site(store: ResultStore) -> Path:
    return write_report(store, store.folder.parent / "report").parent


@pytest.fixture(scope="module")
def data(store: ResultStore) -> ReportData:
    return load(store)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield found
        found.close()


ROWS = """
SELECT r.* FROM rows AS r JOIN (SELECT unnest(?) AS op) USING (op)
WHERE board = ? AND kind = ? AND ad = ? AND m = ?
ORDER BY algorithm, implementation, flags, op
"""

ASK = """async ([board, query]) => {
    const facts = JSON.parse(document.getElementById("choose-algorithms").textContent);
    const rows = await new Promise((then) => pennyweightAdvice.load(board, then));
    return pennyweightAdvice.advise(rows, facts, query);
}"""


def questions() -> Iterator[tuple[str, str, list[str], Aim, Limits, float | None, int, int]]:
    """Questions of all sorts, the same ones every time."""
    chance = random.Random(6)
    aims: tuple[Aim, ...] = ("cycles", "flash", "ram", "stack")
    for _ in range(400):
        kind = chance.choice(["aead", "aead", "hash"])
        ops = (
            [["enc"], ["dec"], ["enc", "dec"]][chance.randrange(3)] if kind == "aead" else ["hash"]
        )
        limits = Limits(
            flash=chance.choice([None, None, 1500, 2800, 5000]),
            ram=chance.choice([None, None, 0]),
            stack=chance.choice([None, None, 150, 600]),
            tag=chance.choice([None, None, 12, 16, 20]),
            constant_time=chance.random() < 0.3,
            protected=chance.choice([0, 0, 1, 2]),
            statuses=chance.choice(
                [RECOMMENDED, RECOMMENDED, ("standard",), ("winner", "withdrawn"), STATUSES]
            ),
        )
        lengths = (chance.choice([0, 7, 16, 40]) if kind == "aead" else 0, chance.randrange(260))
        battery = chance.choice([None, 225.0, 1000.5])
        board = chance.choice(["atmega328p", "stm32f030"])
        yield board, kind, ops, chance.choice(aims), limits, battery, *lengths


def test_the_page_advises_as_python_does(browser: Browser, site: Path, data: ReportData) -> None:
    ranked = excluded = unanswered = masked = 0
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "choose.html")
        for board, kind, ops, aim, limits, battery, ad, m in questions():
            query = {"kind": kind, "ops": ops, "aim": aim, "battery": battery, "ad": ad, "m": m}
            found = page.evaluate(ASK, [board, {**query, "limits": asdict(limits)}])
            if found is None:
                unanswered += 1
                continue
            assert found["ad"] >= ad and found["m"] >= m
            rows = data.query(ROWS, ops, board, kind, found["ad"], found["m"])
            if not limits.protected:
                rows = [row for row in rows if row["random"] is None]
            choices, exclusions = advise(
                rows,
                data.algorithms,
                data.implementations,
                data.boards[board],
                limits,
                aim,
                battery,
            )
            for one, other in zip(found["ranking"], choices, strict=True):
                assert {name: one[name] for name in asdict(other)} == pytest.approx(asdict(other))
            measured = {row["algorithm"] for row in rows}
            masked += sum(each.shares is not None for each in choices)
            reported = [each for each in found["excluded"] if each["algorithm"] in measured]
            assert reported == [asdict(each) for each in exclusions]
            ranked += len(choices)
            excluded += len(exclusions)
        assert visit.printed == []
    assert masked > 15
    assert ranked > 150 and excluded > 150 and 0 < unanswered < 200


def test_three_clicks_lead_from_the_start_to_a_ranking(browser: Browser, site: Path) -> None:
    with Visit(browser, PHONE) as visit:
        page = visit.open(site, "index.html")
        page.click("nav >> text=Which cipher?")
        page.click("summary:has-text('STM32F030')")
        assert page.locator("details[open]").count() == 1
        page.click("details[open] tr:has-text('Hashing') a >> nth=1")
        page.wait_for_selector("#choice tbody tr")
        assert page.input_value("select[name=board]") == "stm32f030"
        assert page.input_value("select[name=kind]") == "hash"
        assert page.input_value("input[name=message]") == "64"
        assert "64 bytes of message" in page.inner_text("[data-says]")
        assert visit.printed == []


def test_the_address_of_a_ranking_restores_it(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "choose.html")
        assert "?" not in page.url
        page.fill("input[name=max-flash]", "4k")
        page.click("input[name=steady]")
        page.click("input[name=status][value=winner]")
        page.select_option("select[name=aim]", "flash")
        address = page.url
        ranking = page.inner_text("#choice tbody")
        assert ranking and "max-flash=4k" in address and "steady=1" in address
        page.goto(address)
        page.wait_for_selector("#choice tbody tr")
        assert page.inner_text("#choice tbody") == ranking
        assert page.input_value("select[name=aim]") == "flash"
        assert page.is_checked("input[name=status][value=winner]")
        page.goto(f"{address.partition('?')[0]}?board=none&message=x&nothing=1")
        page.wait_for_load_state("networkidle")
        assert page.input_value("select[name=board]") != ""
        assert "Enter lengths" in page.inner_text("[data-says]")
        assert visit.printed == []


def texts(page: Page, selector: str) -> list[str]:
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def test_the_choice_follows_the_form_and_shows_why(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "choose.html")
        page.get_by_label("Board").select_option("stm32f030")
        page.get_by_label("Message (bytes)").fill("61")
        page.get_by_label("Associated data (bytes)").fill("9")
        says = page.locator("[data-says]")
        assert "64 bytes of message, 16 bytes of associated data" in says.inner_text()
        assert texts(page, "#choice tbody th")[0] == "Ascon-AEAD128"
        dagger = page.locator("#choice [data-footnote]")
        assert dagger.is_visible() == ("†" in page.inner_text("#choice tbody"))
        by_status = page.locator("[data-by-status]")
        assert by_status.inner_text() == "By status: 1 withdrawn, 1 winner."
        assert "AES-192-GCM" not in page.locator("#left-out").inner_text()
        with page.expect_download() as download:
            page.locator("#choice .save").get_by_role("button", name="JSON").click()
        first = json.loads(download.value.path().read_text(encoding="utf-8"))[0]
        assert first["Throughput KB/s"] == pytest.approx(80_000 / first["Time µs"])
        page.get_by_label("Flash (bytes)").fill("1600")
        assert texts(page, "#choice tbody th") == []
        assert not dagger.is_visible()
        omitted = page.locator("#left-out").inner_text()
        assert (
            "ref -Os, the closest build, needs 1,610 bytes of flash, more than the limit of 1,600"
            in omitted
        )
        command = page.locator("[data-command]").inner_text()
        assert command == (
            "pennyweight choose --board stm32f030 --message 61 --ad 9 --flags -Os --flags -O3 "
            "--max-flash 1600 --battery 225"
        )
        page.get_by_label("Flash (bytes)").fill("many")
        assert "Enter lengths and limits in bytes" in says.inner_text()
        assert texts(page, "#left-out li") == []  # the earlier list was for another request
        assert page.locator("[data-command]").text_content() == ""
        page.get_by_label("Flash (bytes)").fill("")
        for length in ("", "1048577", "6.5"):
            page.get_by_label("Message (bytes)").fill("64")
            assert "meet these limits" in says.inner_text()
            page.get_by_label("Message (bytes)").fill(length)
            assert "Enter lengths and limits in bytes" in says.inner_text()
        page.get_by_label("Message (bytes)").fill("99999")
        assert "or longer, was measured" in says.inner_text()
        assert visit.printed == []


WITH_CLANG = """() => {
    const load = pennyweightAdvice.load;
    pennyweightAdvice.load = (id, then) => load(id, (rows) => then({
        ...rows,
        builds: rows.builds.flatMap(
            (each) => [each, { ...each, flags: `clang-14.0.6 ${each.flags}` }],
        ),
    }));
}"""


def test_the_command_names_the_compilers_of_the_ranking(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "choose.html")
        page.evaluate(WITH_CLANG)
        page.get_by_label("Board").select_option("stm32f030")
        page.get_by_label("Message (bytes)").fill("61")
        command = page.locator("[data-command]").inner_text()
        assert command == (
            "pennyweight choose --board stm32f030 --message 61 --ad 16 --compiler gcc,clang-14.0.6 "
            "--flags -Os --flags -O3 --battery 225"
        )
        assert visit.printed == []


def test_masked_builds_are_ranked_on_request(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "choose.html")
        page.get_by_label("Board").select_option("stm32f030")
        assert "masked" not in page.inner_text("#choice tbody")
        page.get_by_label("Masked at order").select_option("2")
        assert texts(page, "#choice tbody th") == ["Ascon-AEAD128"]
        assert "masked3" in page.inner_text("#choice tbody")
        assert page.get_by_role("columnheader", name="Shares").is_visible()
        omitted = page.locator("#left-out").inner_text()
        assert "no implementation of it is masked at order 2 or more." in omitted
        command = page.locator("[data-command]").inner_text()
        assert "--protected 2" in command and "random" not in command
        assert visit.printed == []


def test_statuses_are_ranked_on_request_with_their_attacks(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "choose.html")
        page.get_by_label("Board").select_option("atmega328p")
        boxes = page.get_by_role("group", name="Status").get_by_role("checkbox")
        assert {box.input_value(): box.is_checked() for box in boxes.all()} == {
            "standard": True, "withdrawn": False, "winner": False,
        }  # fmt: skip
        command = page.locator("[data-command]")
        assert "--status" not in command.inner_text()
        assert "AES-192-GCM" not in texts(page, "#choice tbody th")
        page.get_by_label("withdrawn").check()
        assert "AES-192-GCM" in texts(page, "#choice tbody th")
        row = page.locator("#choice tbody tr", has_text="AES-192-GCM")
        assert row.locator("td").all_inner_texts()[0] == "withdrawn"
        known = page.locator("[data-attacks] li", has_text="AES-192-GCM").inner_text()
        assert known == "AES-192-GCM: Forgery with two queries."
        # A ranking of unmasked builds has no columns for shares and random words.
        assert not page.get_by_role("columnheader", name="Shares").is_visible()
        assert "--status standard,withdrawn" in command.inner_text()
        page.get_by_label("winner").check()
        assert "--status all" in command.inner_text()
        assert page.locator("[data-by-status]").inner_text() == ""
        for box in boxes.all():
            box.uncheck()
        assert page.locator("[data-says]").inner_text() == "Select at least one status."
        assert texts(page, "#choice tbody th") == [] and command.inner_text() == ""
        assert visit.printed == []


def test_the_choice_works_by_keyboard_and_its_table_sorts(browser: Browser, site: Path) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "choose.html")
        page.get_by_label("Kind").focus()
        page.keyboard.press("h")
        page.wait_for_function("document.querySelectorAll('#choice tbody tr').length === 2")
        assert set(texts(page, "#choice tbody th")) == {"SHA-256", "Ascon-Hash256"}
        assert page.get_by_label("Associated data").is_disabled()
        first = texts(page, "#choice tbody th")[0]
        head = page.locator("#choice thead th").get_by_role("button", name="Cycles")
        head.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        assert texts(page, "#choice tbody th")[1] == first


def test_a_map_of_any_two_builds_names_the_faster_one(browser: Browser, site: Path) -> None:
    """Of the builds AES-128-GCM takes 0.4 of (20,400 + 15,100 a block) cycles."""
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "maps.html")
        page.get_by_label("Board").select_option("stm32f030")
        page.get_by_label("First build").select_option("ascon-aead128/grid -O3")
        page.get_by_label("Second build").select_option("aes-128-gcm/grid -O3")
        cells = page.locator("#picked-map svg[role=img] rect")
        assert cells.count() == 6 * 9
        one, other = 6_450 + 2_780 * 2, 0.4 * (20_400 + 15_100 * 2)
        (reported,) = [t for t in texts_of(page, "rect title") if t.startswith("16:16:")]
        assert reported == f"16:16: Ascon-AEAD128 {other / one:.2f} times as fast"
        won = page.locator("[data-says]").inner_text()
        assert "Ascon-AEAD128 (grid -O3) is faster than AES-128-GCM (grid -O3) at 54 of 54" in won
        assert page.locator("#picked-map svg[role=img] circle").count() == 0
        page.get_by_role("button", name="Swap").click()
        assert "at 0 of 54 pairs" in page.locator("[data-says]").inner_text()
        assert page.locator("#picked-map svg[role=img] circle").count() == 54
        assert {"Associated data (bytes)", "Message length (bytes)"} <= set(texts_of(page, "text"))
        page.locator("select[name=op]").select_option("dec")
        assert page.locator("#picked-map svg[role=img] rect").count() == 54
        assert visit.printed == []


def texts_of(page: Page, selector: str) -> list[str]:
    found = page.locator(f"#picked-map {selector}").all_text_contents()
    return [text.strip() for text in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_calculators_fit_a_phone(browser: Browser, site: Path, scheme: str) -> None:
    with Visit(browser, PHONE, scheme) as visit:
        for name in ("choose.html", "maps.html", "implementation-ascon-aead128--parts.html"):
            page = visit.open(site, name)
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0], name
        folder = site.as_uri()
        assert all(url.startswith((folder, "data:")) for url in visit.requests)
        assert visit.printed == []


def test_an_implementation_has_a_page_with_its_phases_bytes_and_origin(
    browser: Browser, site: Path
) -> None:
    with Visit(browser, WIDE) as visit:
        page = visit.open(site, "algorithm-ascon-aead128.html")
        page.goto((site / "implementation-ascon-aead128--parts.html").as_uri())
        assert page.locator("figure").get_attribute("id") == "ascon-aead128--parts-phases"
        svg = (site / "figures" / "ascon-aead128--parts-phases.svg").read_text(encoding="utf-8")
        for text in ("Cycles", "Initialise", "Associated data", "Message", "1,500"):
            assert f">{text}<" in svg
        page.goto((site / "implementation-aes-128-gcm--table.html").as_uri())
        text = page.locator("main").inner_text()
        assert "this implementation is not constant-time" in text
        assert "cores without caches" in text and "The tables lie in flash." in text
        assert "1089 known answers passed" in text and "7.3.0" in text
        page.locator("summary", has_text="STM32F030F4").click()
        shown = page.locator("details[open] tbody th").all_inner_texts()
        assert shown == ["aes_128_gcm_permute", "crypto_aead_encrypt"]
        assert visit.printed == []
