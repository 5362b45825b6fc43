"""The documentation: it builds without a warning, and what it shows works."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli_runs import Command, runner
from pennyweight.campaign.plan import plan_study
from pennyweight.catalogue import load
from pennyweight.report.studies.analyses import analyses
from pennyweight.studies import find_study, read_study, study_names

DOCS = Path(__file__).parent.parent / "docs"
OWN = ("default", "catalogue", "everything")
"""Studies that no literature has."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in a language."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(tmp_path / "trees"), str(DOCS), str(tmp_path / "site")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "reference" / "generated" / "algorithms.html").read_text()
    catalogue = load()
    assert all(f">{name}<" in page for name in catalogue.algorithms)
    commands = (tmp_path / "site" / "reference" / "generated" / "cli.html").read_text()
    assert "--fail-above" in commands
    sources = [p for p in (tmp_path / "site").rglob("*.html") if "http-equiv" in p.read_text()]
    assert sources == []


def test_the_page_of_algorithms_states_what_each_digest_is_that_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(DOCS / "_extensions"))
    page = importlib.import_module("catalogue_pages").algorithms_page(load())
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    files = [row for row in rows if len(row) == 5 and re.fullmatch("`[0-9a-f]{64}`", row[3])]
    variants = [each.variant for each in load().algorithms.values()]
    count = sum(len(each.known_answers) for each in variants)
    known, others = files[:count], files[count:]
    listed = {(name.strip("`"), file) for name, file, *_ in others}
    assert listed == {(each.name, other.file) for each in variants for other in each.other_files}
    of: dict[str, set[str]] = {}
    for _, file, _, _, which in known:
        of.setdefault(which, set()).add(file)

    readme = (DOCS.parent / "algorithms" / "vectors" / "README.md").read_text(encoding="utf-8")
    official = dict(re.findall(r"^\| `(gcm\w+\.rsp)` \| (`[0-9a-f]{64}`) \|", readme, re.MULTILINE))
    assert len(official) == 6
    parts = {row[1]: row[4] for row in known if row[4].startswith("a part of ")}
    for size in (128, 192, 256):
        both = [f"gcm{name}{size}" for name in ("EncryptExtIV", "Decrypt")]
        reported = [f"{name}.rsp: {official[f'{name}.rsp']}" for name in both]
        for name, one in zip(both, reported, strict=True):
            assert parts.pop(f"{name}-96-128.rsp.xz") == f"a part of {one}"
        assert parts.pop(f"AES-{size}-GMAC_cavp.txt.xz") == f"a part of {' and '.join(reported)}"
    assert not parts
    assert {"CCM_VNT128.rsp.xz", "blake2-kat.json.xz", "aes_gcm_test.json.xz"} <= of["a whole file"]
    written = {"NORX32-4-1_v3.txt.xz", "SipHash-2-4-64.txt", "KMAC128_sp800-185.txt.xz"}
    assert written <= of["records written out"]
    assert {"ORANGISH_first_byte.txt", "ref"} <= of["the output of a program"]


def test_the_readme_shows_what_its_example_prints(run: Command) -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^<!-- example -->\n```console\n(.*?)^```$", readme, re.DOTALL | re.M)
    command, shown = example.split("\n", 1)
    printed = run(*command.removeprefix("$ pennyweight ").split())
    assert printed.status == 0
    version = re.compile(r"simulator \S+")
    assert version.sub("", printed.out).strip() == version.sub("", shown).strip()


def test_associated_data_alone_is_measured_as_the_tutorial_states(run: Command) -> None:
    (command,) = [x for x in blocks("tutorial.md", "console") if "64:0" in x]
    words = command.removeprefix("$ pennyweight ").split()
    alone, encrypted = run(*words, "--verify", "none", "--format", "json").rows
    assert (alone["ad"], alone["m"], encrypted["ad"], encrypted["m"]) == (64, 0, 0, 64)
    assert alone["cycles"] < 0.8 * encrypted["cycles"]


def test_the_tutorials_cipher_measures(run: Command, tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    header, source = blocks("tutorial.md", "c")
    (folder / "api.h").write_text(header)
    (folder / "encrypt.c").write_text(source)
    words = ("--board", "atmega328p,stm32f030", "--lengths", "0:16", "--flags", "-Os")
    done = run("measure", folder, *words, "--format", "json")
    assert done.status == 0, done
    assert len(done.rows) == 4 and all(row["cycles"] > 0 for row in done.rows)
    # As the tutorial says: a comparison of fifteen bytes accepts a forgery.
    (folder / "encrypt.c").write_text(
        source.replace("i < 16; i++)\n        differs", "i < 15; i++)\n        differs")
    )
    broken = run("measure", folder, *words, "--format", "json")
    assert broken.status == 1
    assert {row["status"] for row in broken.rows} == {"accepted a forgery"}


def test_the_tutorials_advice_makes_it_faster(run: Command, tmp_path: Path) -> None:
    header, source = blocks("tutorial.md", "c")
    cycles = []
    for kind in ("unsigned long long", "size_t"):
        folder = tmp_path / kind.split()[0]
        folder.mkdir()
        (folder / "api.h").write_text(header)
        private, public = source.split("int crypto_aead_encrypt")
        private = private.replace("unsigned long long", kind)
        (folder / "encrypt.c").write_text(f"{private}int crypto_aead_encrypt{public}")
        words = ("--board", "atmega328p", "--lengths", "0:16", "--flags", "-Os", "--op", "enc")
        cycles.append(run("measure", folder, *words, "--format", "json").rows[0]["cycles"])
    assert cycles[1] < cycles[0] / 2


def test_the_study_that_is_shown_runs_and_has_its_page(run: Command, tmp_path: Path) -> None:
    (text,) = blocks("howto/study.md", "toml")
    path = tmp_path / "radio-frames.toml"
    path.write_text(text)
    jobs = plan_study(read_study(path), load()).jobs
    assert {job.board.id for job in jobs} == {"atmega328p", "stm32f030"}
    words = ("--study", path, "--quick", "--results", tmp_path / "radio")
    done = run("run", *words, "--report", tmp_path / "report")
    assert done.status == 0, done
    page = (tmp_path / "report" / "study-radio-frames.html").read_text(encoding="utf-8")
    assert "This is the quick subset of the study" in page
    state = run("status", *words, "--format", "json")
    assert state.status == 0 and {row["to_do"] for row in state.rows} == {0}
    for analysis in ("best", "curves", "maps", "pareto", "sizes"):
        assert f'<section id="{analysis}">' in page


def test_every_analysis_and_study_is_in_the_documentation() -> None:
    how_to = (DOCS / "howto" / "study.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in how_to for name in analyses())
    reported = (DOCS / "reference" / "studies.md").read_text(encoding="utf-8")
    assert all(f"## {name}" in reported for name in study_names() if name not in OWN)


def test_the_studies_are_as_large_as_their_table_states() -> None:
    reported = (DOCS / "reference" / "studies.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (\d+) \| ([\d,]+) \| ([\d,]+) \|.*\| (\d+) jobs,",
        reported,
        re.MULTILINE,
    )
    assert {name for name, *_ in rows} == set(study_names()) - set(OWN)
    catalogue, compared = load(), []
    for name, *numbers in rows:
        boards, jobs, measurements, quick_jobs = (int(n.replace(",", "")) for n in numbers)
        study = find_study(name)
        plan, quick = plan_study(study, catalogue), plan_study(study.quick_subset(), catalogue)
        if plan.absent or plan.unreachable or quick.absent or quick.unreachable:
            continue  # a compiler or a package is not here: a part of the study only
        assert len({job.board.id for job in plan.jobs}) == boards, name
        assert len(plan.jobs) == jobs, name
        assert sum(len(job.cases) for job in plan.jobs) == measurements, name
        assert len(quick.jobs) == quick_jobs, name
        compared.append(name)
    assert "one-euro" in compared


def test_the_notebook_runs() -> None:
    text = (DOCS / "notebooks" / "two-ciphers.ipynb").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["rows"].num_rows == 88
    assert {row["status"] for row in names["rows"].to_pylist()} == {"ok"}
    assert {row["board"] for row in names["best"]} == {"atmega328p", "stm32f030"}
    assert len(names["ratios"]) == 11
    assert names["drawing"].startswith("<svg")
    fastest = min(names["frame"], key=lambda row: row["cycles"])
    assert fastest in names["front"]


def test_the_board_that_is_shown_can_be_measured_on(run: Command, tmp_path: Path) -> None:
    board, random, device = blocks("howto/board.md", "toml")
    text = f"{board}\n{random}\n{device}"
    path = tmp_path / "my-board.toml"
    path.write_text(text)
    assert tomllib.loads(text)["clock"]["hz"] == 24_000_000
    words = ("--lengths", "0:16", "--no-verify", "--op", "enc", "--format", "json")
    rows = run("measure", "ascon-aead128/small", "--board", path, *words).rows
    assert rows[0]["board"] == "my-board" and rows[0]["cycles"] > 0


PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(DOCS.parent.glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"
