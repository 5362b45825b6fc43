"""What a hostile package may not take or leave behind: disk, memory, odd letters in results."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from packages_for_tests import ARM, at, board, copied, run
from pennyweight.build import BuildError, assembly, build, file_access, link, objects
from pennyweight.catalogue import felics
from pennyweight.catalogue.api_header import read_api
from pennyweight.job import Job
from pennyweight.model import Status, UserError, printable
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results
from pennyweight.target.failure import Failure
from pennyweight.toolchains import command
from pennyweight.toolchains.command import DisturbedError
from pennyweight.verify.vectors import package_file
from verdicts import cached_by_project

pytestmark = cached_by_project("builds")


def refusal(folder: Path) -> str:
    with pytest.raises(BuildError) as caught:
        build(Job(at(folder), board(ARM), "-Os"))
    return caught.value.reason


def test_objects_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "_MOST_BYTES", 1 << 20)
    folder = copied(tmp_path)
    for name in ("a", "b", "c"):
        (folder / f"{name}.S").write_text(f".data\n.global {name}\n{name}: .space 500000\n")
    assert refusal(folder) == (
        "the compiled sources take more than 1 MB, which is more than any part can hold"
    )


def test_compiling_all_sources_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes less than its own limit, and there may be thousands of them."""
    folder = copied(tmp_path)
    for index in range(40):
        (folder / f"z{index:02}.c").write_text(f"int z{index};\n")
    monkeypatch.setattr(objects, "_MOST_SECONDS", 0.2)
    worked = iter((0.0, 100.0, 0.0, 0.01))
    monkeypatch.setattr(objects, "_processor_seconds", lambda: next(worked))
    assert refusal(folder) == "the sources: the compiler was stopped after 0 s in all"
    with pytest.raises(DisturbedError, match=r"-gcc got too little CPU time: run fewer"):
        build(
            Job(at(folder), board(ARM), "-Os")
        )  # they waited for it, as on a machine with much to do
    monkeypatch.undo()
    build(Job(at(folder), board(ARM), "-Os"))


def test_a_compiler_that_waits_for_a_processor_is_not_the_packages_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine with far too much to do; one that waits for a pipe or works is stopped."""
    monkeypatch.setattr(command, "_SHORT_S", 0.0)
    with pytest.raises(DisturbedError, match=r"^sh got too little CPU time: run"):
        command.run(["sh", "-c", "kill -STOP $$"], cwd=tmp_path, time_limit=0.2)
    done = command.run(["sh", "-c", "sleep 60"], cwd=tmp_path, time_limit=0.4)
    assert done.timed_out and done.seconds < 30
    monkeypatch.setattr(
        command, "_is_starved", lambda *_: False
    )  # this machine may have much to do
    done = command.run(["sh", "-c", "while :; do :; done"], cwd=tmp_path, time_limit=0.4)
    assert done.timed_out and done.seconds < 30


def test_time_in_which_the_machine_was_suspended_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A container, or a job of a batch system, that was paused for an hour."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    patience = command._TimeLimit(120.0)
    for later in (1.0, 2.0, 3602.0, 3603.0):
        now[0] = later
        assert patience.next_wait() == 1.0
    assert patience.passed == 6.0
    for _ in range(114):
        now[0] += 1.0
        left = patience.next_wait()
    assert left == 0.0


def test_symbols_and_sections_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_MOST_SYMBOLS", 3000)
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    many = ".altmacro\\n.macro one x\\ns_\\\\x:\\n.endm\\n.set i,0\\n"
    many += ".rept 4000\\none %i\\n.set i,i+1\\n.endr"
    labels = f'__asm__(".section .text.crypto_aead_encrypt,\\"ax\\",%progbits\\n{many}\\n.text");'
    source.write_text(f"{labels}\n{source.read_text()}")
    assert "the program has more than 3,000 symbols" in refusal(folder)
    monkeypatch.undo()
    monkeypatch.setattr(link, "_LARGEST_MAP", 1000)
    source.write_text(f"{source.read_text().removeprefix(labels)}/* not built by another test */\n")
    assert "the program has too many sections" in refusal(folder)


def test_odd_letters_of_a_package_reach_neither_results_nor_terminals(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    name = os.fsdecode(b"caf\xe9.c")
    (folder / name).write_text("int caf(int x) { return x; }\n")
    symbol = '\\"\x1b[31mred\\"'
    source = folder / "encrypt.c"
    source.write_text(
        f'__asm__(".section .text.crypto_aead_encrypt,\\"ax\\",%progbits\\n.global {symbol}\\n'
        f'{symbol}: .short 0\\n.text");\nint caf(int);\nvolatile int kept;\n'
        + source.read_text().replace("(void)nsec;", "kept = caf(1); (void)nsec;")
    )
    store = ResultStore(tmp_path / "results")
    result = run(at(folder), ARM)
    store.add(result)
    assert {row.status for row in result.measurements} == {"ok"}
    with open_results(store) as results:
        rows = results.query("SELECT name, object FROM symbols").to_pylist()
    assert "caf\N{REPLACEMENT CHARACTER}.c" in {row["object"] for row in rows}
    assert "\N{REPLACEMENT CHARACTER}[31mred" in {row["name"] for row in rows}
    (folder / name).write_text('#include "/etc/passwd"\n')
    assert refusal(folder).startswith("caf\N{REPLACEMENT CHARACTER}.c: includes /etc/passwd")
    (folder / name).write_text("#error \x1b]0;title\x07\n")
    assert refusal(folder).endswith("\N{REPLACEMENT CHARACTER}]0;title\N{REPLACEMENT CHARACTER}")
    assert Failure(Status.CRASHED, "in \x1b[1m").reason == "in \N{REPLACEMENT CHARACTER}[1m"
    assert printable("one\ntwo") == "one two" and printable("naïve") == "naïve"


def test_a_file_that_no_memory_holds_is_refused_and_named(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    with (folder / "z.c").open("wb") as file:
        file.truncate(1 << 40)
    result = run(at(folder), ARM)
    assert {row.reason for row in result.measurements} == {
        "the sources are larger in total than 64 MB"
    }
    first = result.provenance.sources_sha256
    with (folder / "z.c").open("r+b") as file:
        file.truncate((1 << 40) + 1)
    assert run(at(folder), ARM).provenance.sources_sha256 != first


def test_a_package_in_the_user_s_own_folder_reaches_nothing_else_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)
    (tmp_path / "notes.h").write_text("int note;\n")
    more = folder / "more.h"
    more.symlink_to("../../../notes.h")
    build(Job(at(folder), board(ARM), "-Os"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert refusal(folder) == "'more.h' is a link that points out of the implementation's folder"
    more.unlink()
    (folder / "implementation.toml").write_text('include = ["../../../common"]\n')
    assert "'../../../common' is outside the implementation" in refusal(folder)


@pytest.mark.parametrize("value", ["(A*A)", "(A+A)"])
def test_sizes_that_are_slow_to_calculate_are_none(tmp_path: Path, value: str) -> None:
    lines = [f"#define A {'1' + '0' * 4000}" if "*" in value else f"#define A {'1+' * 150_000}1"]
    for _ in range(12 if "*" in value else 7):
        value = value.replace("A", "(A*A)" if "*" in value else "(A+A)")
    path = tmp_path / "api.h"
    path.write_text("\n".join([*lines, f"#define CRYPTO_KEYBYTES {value}\n"]))
    began = time.monotonic()
    with pytest.raises(UserError, match=r"CRYPTO_KEYBYTES is '.*: write a number of bytes"):
        read_api(path)
    assert time.monotonic() - began < 5


def test_every_text_of_a_package_is_examined_in_a_short_time(tmp_path: Path) -> None:
    """A compiler has its limit of time; what reads its messages and the sources has none."""
    blank = "\n" * 300_000
    gap = " " * 60_000
    guarded = f"#if defined{gap}x"
    begun = time.monotonic()
    assert file_access._PLACE.search(f"{blank}x") is None
    assert list(file_access._QUESTION.finditer(f"defined{gap}x")) == []
    asked = list(file_access._QUESTION.finditer('__has_include("a.h") ' * 10_000))
    assert len(asked) == 10_000 and sum(len(each["rest"]) for each in asked) < 1 << 26
    assert assembly._condition_on(["__AVR__"]).search(guarded) is None
    assert not command._reports_full_disk("writ" * 60_000 + "No space left on device x")
    (tmp_path / "api.h").write_text(f"#if defined{gap}x y\n#endif\n#define CRYPTO_BYTES 4\n")
    felics.define(tmp_path / "api.h", {}, tmp_path)
    assert time.monotonic() - begun < 2
    found = file_access._PLACE.search("\n                 from /etc/x.h:3,\n")
    assert found is not None and found["file"] == "/etc/x.h"
    assert file_access._PLACE.search("In file included from a.c:1:\n") is not None


def test_names_of_any_length_reach_no_reason_and_no_table(tmp_path: Path) -> None:
    long = "n" * 100_000
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text()
    symbol = f'__asm__(".section .text.crypto_aead_encrypt,\\"ax\\"\\n.global {long}\\n'
    source.write_text(f'{symbol}{long}: .short 0\\n.text");\n{text}')
    built = build(Job(at(folder), board(ARM), "-Os"))
    assert max(len(row.name) for row in built.symbols) == 300
    source.write_text(f"int {long}(void);\n{text.replace('(void)nsec;', f'{long}();')}")
    assert len(refusal(folder)) == 1000
    assert refusal(folder).startswith("no source defines the symbol 'nnn")
    assert len(Failure(Status.CRASHED, f"in {long}").reason) == 1000


def test_known_answers_of_a_package_that_memory_would_not_hold_are_none(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    answers = folder / "LWC_AEAD_KAT_128_128.txt"
    answers.write_text("Count = 1\n")
    assert package_file(at(folder)) is not None
    with answers.open("r+b") as file:
        file.truncate(9 << 20)
    assert package_file(at(folder)) is None
