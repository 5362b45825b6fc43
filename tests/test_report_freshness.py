"""When a report is written again: after a change to anything that it depends on, and only then."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

import pennyweight
from example_results import campaign, job_result
from pennyweight.catalogue import data_root
from pennyweight.fingerprint.own_code import code_digest
from pennyweight.report import write_report
from pennyweight.report.freshness import code_roots, layout_digest, state_of
from pennyweight.store import ResultStore
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages")

WHEN = datetime(2024, 5, 17, tzinfo=UTC)
DATA = ("algorithms", "boards", "cores", "firmware", "implementations", "published")


def test_a_report_of_the_same_results_is_not_written_again(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    store.add(job_result("sha-256"), WHEN)
    store.add_campaign("default", campaign() | {"started": "today"})
    page = write_report(store, tmp_path / "report")
    before = page.stat().st_ino
    store.add_campaign("default", campaign() | {"started": "tomorrow"})
    assert write_report(store, tmp_path / "report").stat().st_ino == before
    (page.parent / "method.html").write_text("edited")
    assert write_report(store, tmp_path / "report").stat().st_ino != before
    assert (page.parent / "method.html").read_text() != "edited"
    before = page.stat().st_ino
    store.add(job_result("ascon-hash256"), WHEN)
    assert write_report(store, tmp_path / "report").stat().st_ino != before


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of Pennyweight's package."""
    folder = tmp_path_factory.mktemp("code") / "pennyweight"
    package = Path(pennyweight.__file__).parent
    shutil.copytree(package, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path.name} has no {old!r}: correct the test"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("report/columns.py", "COLUMNS = {", "COLUMNS = {'new': 'A new column.', "),
        ("report/studies/sections/ranks.py", "def section(", "def section(more: int, "),
        ("charts/palette.py", '"#', '"##'),
        ("analysis/plausibility.py", "SAME_PLACE_LIMIT = ", "SAME_PLACE_LIMIT = 1 + "),
        ("published.py", 'NEEDED = ("label", ', "NEEDED = ("),
    ],
)
def test_code_that_writes_pages_makes_a_report_stale(
    code: Path, module: str, old: str, new: str
) -> None:
    roots = code_roots()
    before, text = code_digest(code, *roots), (code / module).read_text(encoding="utf-8")
    edit(code / module, old, new)
    try:
        assert code_digest(code, *roots) != before
    finally:
        (code / module).write_text(text, encoding="utf-8")
    assert code_digest(code, *roots) == before


def test_comments_and_code_of_other_commands_leave_a_report_current(code: Path) -> None:
    before = code_digest(code, *code_roots())
    edit(code / "report" / "site.py", "def write_site(", "# A comment.\ndef write_site(")
    edit(code / "cli" / "commands" / "report.py", '"pennyweight report', '"pennyweight  report')
    edit(code / "tuning" / "search.py", "def ", "def _added():\n    return 1\n\n\ndef ")
    assert code_digest(code, *code_roots()) == before


def test_templates_and_scripts_make_a_report_stale(code: Path) -> None:
    package = code / "report"
    seen = {layout_digest(package)}
    edit(package / "templates" / "base.html.j2", "<head>", "<head >")
    seen.add(layout_digest(package))
    (package / "assets" / "table.js").write_text("// empty", encoding="utf-8")
    seen.add(layout_digest(package))
    assert len(seen) == 3
    (package / "site.py").write_text("", encoding="utf-8")
    assert layout_digest(package) in seen


@pytest.mark.parametrize(
    ("name", "stale"),
    [
        ("published/one-euro.csv", True),
        ("published/one-euro.toml", True),
        ("boards/stm32f030.toml", True),
        ("algorithms/ascon.toml", True),
        ("firmware/include/pennyweight/first.h", False),
    ],
)
def test_data_that_a_report_reads_makes_it_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, stale: bool
) -> None:
    root = tmp_path / "root"
    changed = Path(name)
    for folder in DATA:
        if folder == changed.parts[0]:
            shutil.copytree(data_root() / folder, root / folder)
        else:
            root.mkdir(exist_ok=True)
            (root / folder).symlink_to(data_root() / folder)
    store = ResultStore(tmp_path / "results")
    store.add(job_result("sha-256"), WHEN)
    monkeypatch.setenv("PENNYWEIGHT_ROOT", str(root))
    before = state_of(store)
    (root / changed).write_text("# changed", encoding="utf-8")
    assert (state_of(store) != before) is stale
