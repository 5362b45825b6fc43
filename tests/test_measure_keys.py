"""What names a job: a change of meaning gives another key, a change of prose the same."""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

import pytest

import pennyweight
from packages_for_tests import ARM, AVR, at, board, copied, dec, enc, files, toy
from pennyweight import toolchains
from pennyweight.build import firmware, objects, programs
from pennyweight.build.firmware import firmware_meaning, firmware_sha256
from pennyweight.catalogue import Board, Implementation
from pennyweight.catalogue.algorithms import load_algorithms
from pennyweight.catalogue.attacks import best_attack
from pennyweight.catalogue.boards import load_board
from pennyweight.fingerprint import own_code
from pennyweight.fingerprint.c_source import without_comments
from pennyweight.fingerprint.python_code import Package, Place
from pennyweight.job import Job
from pennyweight.measure import job_key, run_job
from pennyweight.measure.naming import sources_of
from pennyweight.model import Case, Operation

PACKAGE = Path(pennyweight.__file__).parent

ARM_GCC = "arm-none-eabi-gcc"

NAMING = {
    ("build.firmware", "firmware_meaning"),
    ("build.firmware", "_meaning"),
    ("build.inspection", "inspect_sources"),
}
"""What runs in a job only to name it."""


def key_of(implementation: Implementation, on: Board | None = None) -> str:
    return job_key(Job(implementation, on or board(ARM), "-Os", [enc(0, 0)]))


# Our own code


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("code") / "pennyweight"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@contextmanager
def edited(code: Path, *edits: tuple[str, str, str]) -> Iterator[None]:
    """A context in which parts of modules are replaced."""
    before: dict[Path, str] = {}
    for module, old, new in edits:
        path = code / module
        text = path.read_text(encoding="utf-8")
        before.setdefault(path, text)
        assert old in text, f"{module} has no {old!r}: correct the test"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
    yield
    for path, text in before.items():
        path.write_text(text, encoding="utf-8")


PROSE = [
    (
        "verify/verdict.py",
        '"""The result of verification."""',
        '"""What a check of answers found."""',
    ),
    ("verify/verdict.py", "    in_place: bool = False\n", "    in_place: bool = False  # tried\n"),
    (
        "target/buffers.py",
        "    name: str\n    size: int\n",
        "    name: str  # any\n    size: int\n",
    ),
    ("report/site.py", "def write_site(", "def write_site_anew("),
    ("progress.py", "_COUNTS = 32", "_COUNTS = 33"),
    ("catalogue/attacks.py", "LONGEST = 240", "LONGEST = 241"),
    ("toolchains/recipes/msp430_elf_gcc.py", 'minutes="10 to 20"', 'minutes="10 to 30"'),
    ("toolchains/recipes/msp430_elf_gcc.py", "compiling the compiler", "compiling gcc"),
    ("toolchains/avr_gcc.py", "or `apt-get", "or use `apt-get"),
    ("toolchains/avr_gcc.py", 'short = "avr"', 'short = "avr8"'),
    ("toolchains/__init__.py", "is not installed; install it", "is missing; install it"),
    ("toolchains/msp430_elf_gcc.py", "class Msp430ElfGcc(Family):", "class Msp430ElfGcc(object):"),
    ("toolchains/families.py", "        XtensaLx6(),\n", ""),
    ("job.py", "use 'free' or 'lfsr'", "write 'free' or 'lfsr'"),
]
MEANING = [
    ("job.py", "DEFAULT_BUDGET = 200_000_000", "DEFAULT_BUDGET = 200_000_001"),
    ("build/objects.py", '"-fdata-sections", ', ""),
    ("catalogue/boards.py", 'self.model != "zero-wait"', 'self.model == "zero-wait"'),
    ("measure/buffer_placement.py", 'IN_PLACE = "in place"', 'IN_PLACE = "over"'),
    ("model.py", 'STACK_OVERFLOW = "stack overflow"', 'STACK_OVERFLOW = "stack"'),
    ("target/cycle_limit.py", "_SLACK = 2", "_SLACK = 3"),
    ("toolchains/avr_gcc.py", "class AvrGcc(Family):", "class AvrGcc(Family, object):"),
    ("verify/records.py", "AEAD_LONGEST = 32", "AEAD_LONGEST = 31"),
]


ROOTS = [root for name in ("avr-gcc", ARM_GCC) for root in toolchains.FAMILIES[name].roots()]


def digest_of(code: Path, root: Place = own_code.MEASURING) -> str:
    """Of the code that decides the numbers of jobs on AVR and Arm."""
    return own_code.code_digest(code, root, *ROOTS)


@pytest.fixture(scope="module")
def digest(code: Path) -> str:
    return digest_of(code)


def test_prose_and_pages_do_not_change_the_code_digest(code: Path, digest: str) -> None:
    with edited(code, *PROSE):
        assert digest_of(code) == digest


@pytest.mark.parametrize(("module", "old", "new"), MEANING)
def test_code_that_decides_numbers_shows(
    code: Path, digest: str, module: str, old: str, new: str
) -> None:
    with edited(code, (module, old, new)):
        assert digest_of(code) != digest


@pytest.mark.parametrize(
    ("root", "module", "old", "new"),
    [
        (own_code.COMPILING, "build/objects.py", '"-fdata-sections", ', ""),
        (own_code.COMPILING, "build/objects.py", '"-fno-exceptions", ', ""),
        (own_code.COMPILING_FIRMWARE, "build/objects.py", '"-fdata-sections", ', ""),
        (
            own_code.COMPILING_FIRMWARE,
            "toolchains/command.py",
            "TIME_LIMIT_S = ",
            "TIME_LIMIT_S = 1 + ",
        ),
        (own_code.BUILDING, "build/link.py", "-Wl,--gc-sections", "-Wl,--no-gc-sections"),
        (own_code.BUILDING, "toolchains/arm_none_eabi_gcc.py", '"-nostartfiles"', '"-nostdlib"'),
    ],
)
def test_code_that_builds_shows_in_the_keys_of_objects_and_programs(
    code: Path, root: Place, module: str, old: str, new: str
) -> None:
    before = digest_of(code, root)
    with edited(code, (module, old, new)):
        assert digest_of(code, root) != before


def test_objects_and_programs_of_other_code_are_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path))
    [small] = files().find("ascon-aead128/small")
    job = Job(small, board(ARM), "-Os", [enc(0, 0)])

    def built() -> list[int]:
        programs.build(job)
        return [len(list((tmp_path / room).glob("*/*"))) for room in ("objects", "builds")]

    before = built()
    assert before[0] > 0
    assert built() == before
    monkeypatch.setattr(objects, "own_code", lambda *_roots: "other")
    monkeypatch.setattr(programs, "own_code", lambda *_roots: "other")
    assert built() == [2 * number for number in before]


def test_the_place_of_a_module_does_not_show(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "entry.py").write_text("from own.first import f\n\n\ndef run():\n    return f()\n")
    (folder / "first.py").write_text("def f():\n    return 1\n")
    (folder / "other.py").write_text("def f():\n    return 2\n")

    def digest() -> str:
        return Package(folder).digest([("entry", "run")])

    before = digest()
    (folder / "first.py").rename(folder / "second.py")
    entry = (folder / "entry.py").read_text()
    (folder / "entry.py").write_text(entry.replace("own.first", "own.second"))
    assert digest() == before
    (folder / "entry.py").write_text(entry.replace("own.first", "own.other"))
    assert digest() != before, "another function of the same name"


def test_each_job_depends_on_its_own_compiler_family(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(toy("ref")), key_of(toy("ref"), board(AVR))
    monkeypatch.setattr(type(toolchains.FAMILIES[ARM_GCC]), "roots", lambda self: ())
    after = key_of(toy("ref")), key_of(toy("ref"), board(AVR))
    assert after[0] != before[0] and after[1] == before[1]


def test_errors_and_silent_attributes_do_not_show_and_all_else_does(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    text = (
        "class Error(Exception):\n    pass\n\n\n"
        "class Kind:\n    hint = 'one'\n    size = 1\n\n\n"
        "def run(x):\n    hint = 'two'\n    if x:\n        raise UserError('three')\n"
        "    if hint:\n        raise Error('four')\n    return Kind.size\n"
    )

    def digest(old: str = "", new: str = "") -> str:
        (folder / "__init__.py").write_text(text.replace(old, new) if old else text)
        return Package(folder, silent={"hint"}).digest([("", "run")])

    before = digest()
    assert digest("'one'", "'1'") == before
    assert digest("'three'", "'3'") == before
    for old, new in (("'two'", "'2'"), ("'four'", "'4'"), ("size = 1", "size = 2")):
        assert digest(old, new) != before, old
    assert digest("raise UserError('three')", "pass") != before


def test_what_a_function_reaches_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "inner" / "__init__.py").write_text("from own.inner.deep import LIMIT as MOST\n")
    (folder / "inner" / "deep.py").write_text("LIMIT = 1\nOTHER = 2\n")
    (folder / "lazy.py").write_text("STEP = 1\n\n\ndef step():\n    return STEP\n")
    (folder / "entry.py").write_text(
        "from own import inner\n\n\n"
        "def run():\n    from own.lazy import step\n    return inner.MOST + step()\n\n\n"
        "def unused():\n    return inner.MOST\n"
    )
    found = Package(folder).places([("entry", "run")])
    assert found == {
        ("entry", "run"),
        ("inner.deep", "LIMIT"),
        ("lazy", "step"),
        ("lazy", "STEP"),
    }
    with pytest.raises(KeyError, match="entry: no definition 'runs'"):
        Package(folder).digest([("entry", "runs")])


def executed(work: Callable[[], object]) -> set[tuple[str, int]]:
    """Files of the package and first lines of all functions that `work` calls."""
    found: set[tuple[str, int]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            found.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return {(file, line) for file, line in found if Path(file).is_relative_to(PACKAGE)}


def definitions_at(calls: set[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """The modules and names of the definitions at these lines."""
    for file, line in calls:
        path = Path(file)
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            decorators = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(each.lineno for each in decorators)])
            if first <= line <= (statement.end_lineno or first):
                names = [getattr(statement, "name", "")] if hasattr(statement, "name") else []
                names += [
                    node.id
                    for node in ast.walk(statement)
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                ]
                yield module, names[0]


def test_all_code_that_runs_in_a_job_enters_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a measurement executes can decide its numbers."""
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path))
    parts = [Case(op, 0, 16) for op in (Operation.INIT, Operation.ENCRYPT, Operation.TAG)]
    names = ("ascon-aead128/small", "sha-256/small", "hmac-sha256/small")
    aead, hashed, mac = (files().find(name)[0] for name in names)
    jobs = [
        Job(toy("ref"), board(AVR), "-Os", [enc(3, 5), dec(3, 5)], verify="quick"),
        Job(aead, board(ARM), "-Os", [enc(3, 5), *parts], verify="quick"),
        Job(hashed, board(ARM), "-O2", [Case(Operation.HASH, 0, 9)], verify="quick"),
        Job(mac, board(ARM), "-Os", [Case(Operation.AUTH_VERIFY, 0, 9)], verify="quick"),
    ]

    def work() -> None:
        firmware._meaning.cache_clear()  # an earlier test may have filled it
        for job in jobs:
            assert run_job(job).measurements[0].status == "ok"

    covered = Package(PACKAGE, own_code.WITHOUT).places([own_code.MEASURING, *ROOTS])
    missing = {
        (module, name)
        for module, name in definitions_at(executed(work))
        if (module, name) not in covered
        and not any(module == each or module.startswith(f"{each}.") for each in own_code.WITHOUT)
    }
    assert len(covered) > 400
    assert missing == NAMING


# C


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("int a; // one\n", "int a; // two words\n"),
        ("int a; /* one */ int b;\n", "int a; /* another */ int b;\n"),
        ("int a; /* one\n two */\nint b;\n", "int a; /* three\n four */\nint b;\n"),
        ("// one\\\nmore\nint a;\n", "// two\\\nless\nint a;\n"),
        ("    int a;\n", "\tint a;  \n"),
        ("int a; // don't\n", "int a; // do\n"),
    ],
)
def test_comments_of_c_do_not_show(text: str, other: str) -> None:
    assert without_comments(text) == without_comments(other)
    assert without_comments(text).replace("\0", "\n").count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("int a;\n", "int  b;\n"),
        ("// one\nint a;\n", "int a;\n"),
        ('char *s = "/* a */";\n', 'char *s = "/* b */";\n'),
        ("char c = '\"'; /* \" */ int a;\n", "char c = '\"'; /* \" */ int b;\n"),
        ('char *s = "a\\"//b";\n', 'char *s = "a\\"//c";\n'),
        ("#define X /* a\n b */ 5\n", "#define X\n5\n"),
        ("#include <a//b>\n", "#include <a//c>\n"),
        ("int a\\\nb;\n", "int a\\\n b;\n"),
        ("a/**/b\n", "ab\n"),
        ("// ??/\nint a;\n", "// ??/\nint b;\n"),
        ('R"(// a)"\n', 'R"(// b)"\n'),
        ('char *s = "a \\ \n// b";\n', 'char *s = "a \\ \n// c";\n'),
    ],
)
def test_meaning_and_lines_of_c_show(text: str, other: str) -> None:
    assert without_comments(text) != without_comments(other)


def test_a_bundled_source_counts_without_its_comments(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text()

    def keys(written: str) -> tuple[str, str, str]:
        source.write_text(written)
        foreign = at(folder)
        own = replace(foreign, bundled=True)
        return key_of(own), key_of(foreign), sources_of(own).sha256

    first = keys(text)
    reworded = keys(text.replace(";\n", "; /* reworded */\n", 1))
    assert reworded[0] == first[0]
    assert reworded[1] != first[1], "third-party folders may contain anything"
    assert reworded[2] != first[2], "the provenance names the current files"
    assert keys(f"\n{text}")[0] != first[0], "__LINE__"
    assert keys(text.replace("(void)nsec;", ";", 1))[0] != first[0]


def test_the_firmware_counts_without_its_comments(tmp_path: Path) -> None:
    folder = tmp_path / "firmware"
    shutil.copytree(files().root / "firmware", folder)
    family = toolchains.family(board(ARM))
    first = firmware_meaning(folder, family), firmware_sha256(folder, family)
    header = folder / "include" / "crypto_aead.h"
    text = header.read_text()
    header.write_text(text.rstrip("\n") + " /* the end */\n")
    assert firmware_meaning(folder, family) == first[0]
    assert firmware_sha256(folder, family) != first[1]
    header.write_text(f"{text}int another;\n")
    assert firmware_meaning(folder, family) != first[0]


# Data


def test_a_board_counts_by_what_it_means(tmp_path: Path) -> None:
    text = board(ARM).text
    first = key_of(toy("ref"))

    def key_with(old: str, new: str) -> str:
        assert old in text
        path = tmp_path / "board.toml"
        path.write_text(text.replace(old, new, 1))
        return key_of(toy("ref"), load_board(path))

    title = next(line for line in text.splitlines() if line.startswith("title"))
    assert key_with(title, 'title = "The same by another name" # and a comment') == first
    assert key_with("size = 0x1000\n", "size = 0xf00\n") != first
    clock = next(line for line in text.splitlines() if line.startswith("hz"))
    assert key_with(clock, "hz = 12_000_000") != first


def test_a_manifest_and_an_algorithm_count_by_what_they_mean() -> None:
    [own] = files().find("ascon-aead128/small")
    assert own.known is not None
    first = key_of(own)

    def with_manifest(**fields: object) -> str:
        return key_of(replace(own, manifest=own.manifest.model_copy(update=fields)))

    def with_variant(**fields: object) -> str:
        assert own.known is not None
        variant = own.known.variant.model_copy(update=fields)
        return key_of(replace(own, known=own.known.model_copy(update={"variant": variant})))

    assert with_manifest(notes="Other words.", title="Another title") == first
    assert with_manifest(in_place=not own.manifest.in_place) != first
    assert with_manifest(defines=("SMALL",)) != first
    [answers, *others] = own.known.variant.known_answers
    elsewhere = answers.model_copy(update={"source": "where the file is now"})
    assert with_variant(note="Other words.", known_answers=(elsewhere, *others)) == first
    fewer = answers.model_copy(update={"records": answers.records - 1})
    assert with_variant(known_answers=(fewer, *others)) != first
    assert with_variant(long="") != first


def test_a_new_attack_does_not_change_the_key(tmp_path: Path) -> None:
    [own] = files().find("mixfeed/ct32")
    assert own.known is not None
    text = own.known.path.read_text(encoding="utf-8")
    assert text.count("0.44") == 1
    (tmp_path / "mixfeed.toml").write_text(text.replace("0.44", "1"), encoding="utf-8")
    known = load_algorithms(tmp_path)["mixfeed"]
    attack = best_attack("mixfeed", known.path)
    assert attack is not None and "probability 1 " in attack.summary
    assert key_of(replace(own, known=known)) == key_of(own)
