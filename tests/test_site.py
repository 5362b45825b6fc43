"""The public site: start page, documentation, report, search index."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scripts.site.__main__ import build, main

from example_results import all_results, campaign
from pennyweight.model import UserError
from pennyweight.store import ResultStore

MOST_BYTES = 1_000_000


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = ResultStore(tmp_path_factory.mktemp("measured") / "results")
    for result in all_results():
        made.add(result, datetime(2024, 5, 17, tzinfo=UTC))
    made.add_campaign("default", campaign())
    return Path(made.folder)


@pytest.fixture(scope="module")
def site(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(results, tmp_path_factory.mktemp("site") / "site").parent


def test_links_of_the_start_page_exist(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    links = [link for link in re.findall(r'(?:href|src)="([^"]+)"', text) if link != "data:,"]
    assert {"report/part.html", "report/choose.html", "docs/tutorial.html"} <= set(links)
    for link in links:
        assert (site / link).is_file(), link


def test_the_report_links_back_and_nothing_needless_is_published(site: Path) -> None:
    for page in site.glob("report/*.html"):
        assert page.read_text(encoding="utf-8").count('href="../index.html"') == 1, page
    assert not list(site.glob("docs/.doctrees"))
    assert (site / "docs" / "_static" / "icon.svg").is_file()


def test_all_pages_are_in_the_search_index_and_none_is_large(site: Path) -> None:
    pages = [*site.glob("*.html"), *site.glob("report/*.html"), *site.glob("docs/**/*.html")]
    fragments = list(site.glob("pagefind/fragment/*"))
    assert len(pages) > 30 and 0.8 * len(pages) < len(fragments) <= len(pages)
    assert (site / "pagefind" / "pagefind-ui.js").is_file()
    assert max(page.stat().st_size for page in pages) < MOST_BYTES


def test_a_second_build_replaces_the_first_and_nothing_else(
    site: Path, results: Path, tmp_path: Path
) -> None:
    marked = site / "report" / "old.html"
    marked.write_text("from an earlier build\n")
    assert build(results, site) == site / "index.html"
    assert not marked.exists()
    other = tmp_path / "thesis"
    other.mkdir()
    (other / "index.html").write_text("years of work\n")
    with pytest.raises(UserError, match="do not belong to a report"):
        build(results, other)
    assert [each.name for each in other.iterdir()] == ["index.html"]
    assert not list(site.parent.glob(".*.new"))


def test_missing_results_are_one_sentence(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(site.rglob("*.html"))
    assert main(["--results", str(tmp_path / "none"), "--into", str(site)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("site: ") and len(error.strip().splitlines()) == 1
    assert sorted(site.rglob("*.html")) == before
