"""Taking over results of real boards: NIST's CSV files."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from cli_runs import Command, runner
from example_results import all_results
from nist_clone import HEADER, clone
from pennyweight.benchmarks import EXTERNAL
from pennyweight.benchmarks.nist_boards import NIST_BOARDS
from pennyweight.catalogue.root import data_root
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

ROWS = (
    f"{HEADER}enc(0:16),dec(0:16)\n"
    "toy,toy,yes,ref,o2,1234,100,104\n"
    "toy,ascon128v12,yes,gone,os,987,2000,-\n"
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def test_nist_rows_become_results_in_cycles_with_their_source(run: Command, tmp_path: Path) -> None:
    clone(tmp_path / "lwc", ROWS)
    done = run("import", "nist", tmp_path / "lwc", "--results", tmp_path / "nist")
    assert done.status == 0 and "atmega328p" in done.out
    with open_results(ResultStore(tmp_path / "nist")) as results:
        rows = results.query("SELECT * FROM latest ORDER BY algorithm, op").to_pylist()
    assert [
        (r["algorithm"], r["implementation"], r["op"], r["cycles"], r["flash"]) for r in rows
    ] == [
        ("ascon-128", "gone", "enc", 32_000, 987),
        ("toy", "ref", "dec", 1_664, 1_234),
        ("toy", "ref", "enc", 1_600, 1_234),
    ]
    assert rows[0]["flags"] == "-Os -flto" and rows[0]["board"] == "atmega328p"
    assert rows[0]["simulator_version"] == "none: a real board"
    assert "benchmarks/uno-aead-summary.csv (SHA-256 " in rows[0]["verified"]
    assert rows[0]["sources_sha256"] == "" and len(rows[1]["sources_sha256"]) == 64


def test_what_is_published_of_an_aead_is_not_that_of_a_hash_of_its_name(tmp_path: Path) -> None:
    """Xoodyak's packages are called xoodyakround3 as AEAD and as hash."""
    name = "xoodyak,xoodyakround3,yes"
    made = clone(tmp_path / "nist", aead=f"{HEADER}enc(0:16)\n{name},ref,os,3164,500\n")
    hashes = f"{HEADER}h(16)\n{name},ref,os,2098,300\n{name},rhys,os,2618,-\n"
    # NaCl's takes an int for 32 bits: fast, and wrong on a part whose int has 16.
    hashes += "x,sha256,yes,nacl_ref,o3,2000,792\nx,sha256,yes,mbedtls,o2,4000,2000\n"
    (tmp_path / "nist" / "benchmarks" / "uno-hash-summary.csv").write_text(hashes)
    script = runpy.run_path(str(data_root() / "scripts" / "published_nist"))
    (uno,) = (board for board in NIST_BOARDS if board.id == "uno")
    found = {(line[1], line[6]): line[7] for line in script["lines"](made, uno)}
    assert found == {
        ("xoodyak", "cycles"): 8000,
        ("xoodyak", "flash"): 3164,
        ("xoodyak-hash", "cycles"): 4800,
        ("xoodyak-hash", "flash"): 2098,
        ("sha-256", "cycles"): 32_000,
        ("sha-256", "flash"): 4000,
    }


def test_imported_rows_compare_with_those_that_measure_prints(run: Command, tmp_path: Path) -> None:
    clone(tmp_path / "lwc", ROWS)
    run("import", "nist", tmp_path / "lwc", "--results", tmp_path / "nist")
    bundled: dict[str, object] = {
        "algorithm": "toy",
        "implementation": "ref",
        "board": "atmega328p",
        "op": "enc",
    }
    bundled |= {"flags": "-O2 -flto", "ad": 0, "m": 16, "cycles": 1_680, "status": "ok"}
    (tmp_path / "own.json").write_text(json.dumps([bundled]))
    sides = (tmp_path / "nist", tmp_path / "own.json")
    compared = run("compare", *sides, "--metric", "cycles", "--common", "--format", "json").rows
    assert [(row["before"], row["after"]) for row in compared] == [(1_600, 1_680)]
    everything = run("compare", *sides, "--metric", "cycles", "--format", "json").rows
    assert len(everything) == 3


def test_imported_results_keep_to_a_folder_of_their_own(run: Command, tmp_path: Path) -> None:
    clone(tmp_path / "lwc", ROWS)
    ResultStore(tmp_path / "results").add(all_results()[0])
    refused = run("import", "nist", tmp_path / "lwc", "--results", tmp_path / "results").refused()
    assert "has simulated results" in refused
    missing = run("import", "nist", tmp_path, "--results", tmp_path / "x").refused()
    assert "PATH: " in missing and "has no folder 'benchmarks'" in missing


FELICS = {
    "cipher_name": "Ascon-128",
    "architecture": "AVR",
    "version": "ref",
    "compiler_options": "-O3",
    "code_size": 5838,
    "code_ram": 265,
    "code_time": 193_031,
}


def felics(folder: Path, *rows: dict[str, object]) -> Path:
    (folder / "results").mkdir(parents=True)
    content = {"commit": "0.4.0", "branch": "release", "data": list(rows)}
    (folder / "results" / "all.json").write_text(json.dumps(content))
    return folder


def test_felics_files_become_results_with_their_source(run: Command, tmp_path: Path) -> None:
    folder = felics(tmp_path / "felics-ae", FELICS, {**FELICS, "architecture": "PC"})
    done = run("import", "felics", folder, "--results", tmp_path / "felics")
    assert done.status == 0 and "atmega128" in done.out
    with open_results(ResultStore(tmp_path / "felics")) as results:
        [row] = results.query("SELECT * FROM latest").to_pylist()
    reported = ("algorithm", "implementation", "board", "flags", "op", "ad", "m", "cycles", "flash")
    assert tuple(row[name] for name in reported) == (
        *("ascon-128", "ref", "atmega128", "-O3"),
        *("enc", 16, 16, 193_031, 5_838),
    )
    assert row["simulator_version"] == f"{EXTERNAL}simavr 1.6"
    again = run("import", "felics", folder, "--results", tmp_path / "felics")
    assert again.status == 0
    own = {**dict.fromkeys(row), **{name: row[name] for name in reported}, "status": "ok"}
    own |= {"implementation": "fast8", "cycles": 96_000, "notes": ""}
    (tmp_path / "own.json").write_text(json.dumps([own]))
    sides = ("--a", "implementation=ref", "--b", "implementation=fast8", "--common")
    found = run(
        *("compare", tmp_path / "felics", tmp_path / "own.json", *sides),
        *("--metric", "cycles", "--format", "json"),
    )
    [each] = json.loads(found.out)
    assert (each["before"], each["after"]) == (193_031, 96_000)
    assert "all.json (SHA-256 " in row["verified"] and row["notes"].endswith("265 bytes")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"code_time": "many"}, r"data\[1\]\.code_time is not a non-negative number"),
        ({"version": None}, r"data\[1\]\.version is not a string"),
        ({"architecture": "PC"}, "no result of a supported architecture"),
    ],
)
def test_what_is_wrong_in_a_felics_file_is_one_sentence(
    run: Command, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    folder = felics(tmp_path / "felics-ae", {**FELICS, **change})
    refused = run("import", "felics", folder, "--results", tmp_path / "x").refused()
    assert re.search(message, refused)
