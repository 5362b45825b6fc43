"""The copy of every bundled implementation builds alone with gcc and clang, outside the repository,
and its known-answer tests pass.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from host.units import Compiler, Program, Unit, clang
from test_host_warnings import compiler
from verdicts import Inputs, cached
from verdicts.code import ROOT

FLAGS = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror")

# Imported by name, so that their code is not an input of verdicts: their output is.
CATALOGUE: Any = importlib.import_module("pennyweight.catalogue")
STANDALONE: Any = importlib.import_module("pennyweight.standalone")


@functools.cache
def implementations() -> dict[str, Any]:
    """All bundled ones by name."""
    return {each.id: each for each in CATALOGUE.load(ROOT).implementations}


@functools.lru_cache(maxsize=4)
def copies(name: str) -> dict[str, dict[str, str]]:
    """The files of a copy, for each API that the implementation has."""
    implementation = implementations()[name]
    apis = ["one-shot", *(["incremental"] if implementation.manifest.incremental else [])]
    return {api: STANDALONE.package(implementation, api) for api in apis}


def compilers() -> tuple[Compiler, ...]:
    gcc = compiler("gcc")
    return Compiler(gcc.driver, FLAGS, gcc.identity), Compiler("clang", FLAGS, clang())


def inputs(name: str) -> Inputs:
    text = json.dumps(copies(name), sort_keys=True)
    identities = [each.identity for each in compilers()]
    return Inputs([hashlib.sha256(text.encode()).hexdigest(), FLAGS, identities])


def written(files: dict[str, str], folder: Path) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def passes(folder: Path, test: Path, chosen: Compiler) -> str:
    """What a test of a copy prints; its sources are compiled without any option to find headers."""
    sources = [*sorted(folder.glob("*.c")), test]
    program = Program(tuple(Unit(chosen, each, ()) for each in sources), ())
    done = subprocess.run(
        [program.link(folder / "program")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", implementations())
@cached("vendored copies", inputs)
def test_a_copy_builds_alone_and_gives_the_known_answers(name: str, tmp_path: Path) -> None:
    found = copies(name)
    for api, files in found.items():
        folder = written(files, tmp_path / api)
        tests = sorted(folder.glob("test/*.c"))
        assert len(tests) == (2 if api == "incremental" else 1)
        for test in tests:
            for chosen in compilers() if api == list(found)[-1] else compilers()[1:]:
                assert " known answers passed" in passes(folder, test, chosen)


def test_a_wrong_answer_fails(tmp_path: Path) -> None:
    folder = written(copies("ascon-aead128/small")["incremental"], tmp_path)
    source = folder / "constants.h"
    text = source.read_text()
    header = folder / "test" / "known_answers.h"
    known = header.read_text()
    assert "bf79d747" in known and text
    header.write_text(known.replace("bf79d747", "bf79d746"))
    for test in sorted(folder.glob("test/*.c")):
        with pytest.raises(AssertionError, match=r"FAILED: wrong ciphertext.*record 571"):
            passes(folder, test, compilers()[0])


@pytest.mark.parametrize("name", ["ascon-aead128/fast32", "aes-128-ccm/ct32", "kmac128/bi32"])
@pytest.mark.parametrize("driver", ["gcc", "clang"])
def test_make_test_runs_them(name: str, driver: str, tmp_path: Path) -> None:
    files = list(copies(name).values())[-1]
    written(files, tmp_path)
    done = subprocess.run(
        ["make", "test", f"CC={driver}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" known answers passed") == len(list(tmp_path.glob("test/*.c")))
    assert done.stderr == ""
