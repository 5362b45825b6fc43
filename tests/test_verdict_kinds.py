"""Of each kind of verdict: a change of any of its inputs makes the test run again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hatch_build import data_folders

import test_catalogue_offers
import test_constant_time
import test_host_counts
import test_host_limits
import test_host_narrow_int
import test_host_warnings
import test_small_flash
import test_studies_fastest
import test_vendor_host
import test_verify_packages
import test_wheel
from host import build, fuzz, inputs, known_answers
from host.build import Bundled
from packages_for_tests import ARM
from pennyweight import _simulator
from pennyweight.measure.naming import key
from pennyweight.studies import find_study
from verdicts import Inputs, project
from verdicts.code import ROOT

API = "#define CRYPTO_KEYBYTES 1\n#define CRYPTO_NPUBBYTES 1\n#define CRYPTO_ABYTES 2\n"
ENTRY = {
    "name": "toy",
    "tag": 2,
    "known_answers": [{"format": "lwc-aead", "file": "toy.txt", "sha256": "0"}],
}


class Toy:
    """An implementation whose files, catalogue entry and known answers may be changed."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = place / "crypto_aead" / "toy" / "ref"
        self.folder.mkdir(parents=True)
        self.vector = place / "toy.txt"
        self.files = {
            self.folder / "toy.c": '#include "api.h"\n',
            self.folder / "api.h": API,
            self.vector: "Count = 1\n",
        }
        for path, text in self.files.items():
            path.write_text(text)
        self.entry = dict(ENTRY)
        self.manifest: dict[str, object] = {"incremental": True}
        monkeypatch.setattr(known_answers, "VECTORS", place)
        monkeypatch.setattr(known_answers, "_variants", lambda: {"toy": self.entry})

    def bundled(self) -> Bundled:
        return Bundled(self.folder, dict(self.manifest))


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    return Toy(tmp_path, monkeypatch)


KINDS: dict[str, Callable[[Bundled], Inputs]] = {
    "known answers, forgeries, long inputs": lambda each: inputs.inputs_of([each]),
    "warnings": lambda each: test_host_warnings.inputs(each, "gcc"),
    "16-bit int": test_host_narrow_int.inputs,
    "limits": test_host_limits.inputs,
    "limits of counters": test_host_counts.counter_inputs,
    "fuzzing": lambda each: Inputs(units=(fuzz.fuzzer(each),)),
}
"""On the host; by name, with the inputs of one implementation."""


@pytest.mark.parametrize("kind", KINDS)
def test_of_each_kind_a_change_of_sources_changes_the_verdict(kind: str, toy: Toy) -> None:
    before = KINDS[kind](toy.bundled()).digest()
    for name in ("toy.c", "api.h"):
        text = toy.files[toy.folder / name]
        (toy.folder / name).write_text(text + "/* */\n")
        assert KINDS[kind](toy.bundled()).digest() != before, name
        (toy.folder / name).write_text(text)
        assert KINDS[kind](toy.bundled()).digest() == before
    toy.manifest["defines"] = ["CRYPTO_ABYTES 3"]
    assert KINDS[kind](toy.bundled()).digest() != before


@pytest.mark.parametrize("kind", ["known answers, forgeries, long inputs", "limits"])
def test_a_change_of_the_expected_answers_changes_the_verdict(kind: str, toy: Toy) -> None:
    before = KINDS[kind](toy.bundled()).digest()
    toy.vector.write_text("Count = 2\n")
    assert KINDS[kind](toy.bundled()).digest() != before
    toy.vector.write_text("Count = 1\n")
    assert KINDS[kind](toy.bundled()).digest() == before
    toy.entry["tag"] = 3
    assert KINDS[kind](toy.bundled()).digest() != before
    toy.entry["tag"] = 2
    toy.manifest["xof"] = True
    assert KINDS[kind](toy.bundled()).digest() != before


@pytest.mark.parametrize("kind", KINDS)
def test_another_compiler_or_other_flags_change_the_verdict(
    kind: str, toy: Toy, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = KINDS[kind](toy.bundled())
    before = found.digest()
    gcc = test_host_warnings.compiler("gcc")
    with monkeypatch.context() as patch:
        for module in (build, test_host_narrow_int):
            patch.setattr(module, "clang", lambda: "another")
        other = replace(gcc, identity="another")
        patch.setattr(test_host_warnings, "compiler", lambda _: other)
        assert KINDS[kind](toy.bundled()).digest() != before
    for module, name in ((build, "WARNINGS"), (test_host_narrow_int, "FLAGS")):
        monkeypatch.setattr(module, name, (*getattr(module, name), "-DOTHER"))
    flagged = replace(gcc, flags=(*gcc.flags, "-DOTHER"))
    monkeypatch.setattr(test_host_warnings, "compiler", lambda _: flagged)
    assert KINDS[kind](toy.bundled()).digest() != before


def test_the_runner_and_its_headers_are_inputs(toy: Toy) -> None:
    read = inputs.inputs_of([toy.bundled()])
    for name in ("aead_runner.c", "lines.h", "blocks.h"):
        assert read.covers(build.HERE / name)
    assert read.covers(ROOT / "firmware" / "include" / "pennyweight" / "aead.h")
    assert not read.covers(build.HERE / "hash_runner.c")


SMALL = "ascon-aead128/small"
WITH_ASSEMBLY = next(iter(test_catalogue_offers.KINDS.values()))

ON_BOARDS: dict[str, Callable[[], Inputs]] = {
    "known answers on boards": lambda: test_verify_packages.bundled_inputs(SMALL, ARM),
    "constant-time checks": lambda: test_constant_time.inputs(ARM, SMALL),
    "flash of small implementations": lambda: test_small_flash.inputs("ascon"),
    "C that replaces assembly": lambda: test_catalogue_offers.inputs(WITH_ASSEMBLY),
    "fastest implementations": lambda: test_studies_fastest.keys(find_study("default"), ARM),
}
"""Those whose inputs are names of jobs."""

OF_JOBS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "code": lambda patch: patch.setattr(key, "own_code", lambda *_roots: "other"),
    "simulators": lambda patch: patch.setattr(_simulator, "version_of", lambda _set: "other"),
    "firmware": lambda patch: patch.setattr(
        key, "firmware_digest_without_comments", lambda _board: "other"
    ),
    "compiler": lambda patch: patch.setattr(key, "compiler_digest", lambda _job: "other"),
    "board": lambda patch: patch.setattr(key, "board_meaning", lambda _board: {}),
    "implementation": lambda patch: patch.setattr(
        key, "implementation_meaning", lambda _implementation: {}
    ),
}
"""What names a job; `test_measure_keys` changes what these are made of."""


@pytest.mark.parametrize("change", OF_JOBS)
@pytest.mark.parametrize("kind", ON_BOARDS)
def test_of_each_kind_on_boards_a_change_changes_the_verdict(
    kind: str, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ON_BOARDS[kind]().digest()
    assert ON_BOARDS[kind]().digest() == before
    OF_JOBS[change](monkeypatch)
    assert ON_BOARDS[kind]().digest() != before


def test_a_change_of_a_copy_or_its_compilers_changes_the_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = test_vendor_host.inputs(SMALL).digest()
    found = test_vendor_host.copies(SMALL)
    text = found["one-shot"]["LICENSE"]
    changes: tuple[tuple[str, object], ...] = (
        ("FLAGS", (*test_vendor_host.FLAGS, "-Os")),
        ("clang", lambda: "another"),
        ("copies", lambda _: {**found, "one-shot": {**found["one-shot"], "LICENSE": f"{text} "}}),
    )
    for name, changed in changes:
        with monkeypatch.context() as patch:
            patch.setattr(test_vendor_host, name, changed)
            assert test_vendor_host.inputs(SMALL).digest() != before, name
    assert test_vendor_host.inputs(SMALL).digest() == before


def test_what_goes_into_the_wheel_is_an_input_of_its_verdict() -> None:
    packed = data_folders(ROOT)
    assert {"boards", "cores", "firmware", "studies"} <= {*packed}
    found = test_wheel.everything()
    for name in (*packed, "src", "pyproject.toml", "hatch_build.py"):
        assert ROOT / name in found.files, name


BY_PROJECT = [
    path
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if re.search(r"^(pytestmark = |@)cached_by_project\(", path.read_text(encoding="utf-8"), re.M)
]


@pytest.mark.parametrize("module", BY_PROJECT, ids=lambda path: path.stem)
def test_each_file_that_a_module_may_read_is_an_input(
    module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For modules whose verdicts depend on parts of the project: one changed file in any part."""
    known = project._digests()
    _, names = project._reads(module, frozenset(known))
    assert names >= {"src", "tests"}
    before = project._data(module)
    for name in names:
        monkeypatch.setattr(project, "_digests", lambda name=name: {**known, name: ("new", "")})
        assert project._data(module) != before, name
    monkeypatch.setattr(project, "_digests", lambda: known)
    assert project._data(module) == before


def test_no_kind_is_without_a_test() -> None:
    assert len(BY_PROJECT) > 30
    kinds = {
        kind
        for path in Path(__file__).parent.glob("test_*.py")
        for kind in re.findall(r'^@cached\("([^"]+)"', path.read_text(encoding="utf-8"), re.M)
    }
    tested = {
        *(name for names in KINDS for name in names.split(", ")),
        *ON_BOARDS,
        "vendored copies",
        "wheels",
    }
    assert kinds - {"sums"} <= tested
