"""Building a compiler: in stages, resumably, whole or not at all. The recipe here takes no time."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import runner
from packages_for_tests import board
from pennyweight import toolchains
from pennyweight.api import compilers
from pennyweight.model import UserError
from pennyweight.toolchains import building
from pennyweight.toolchains.msp430_elf_gcc import Msp430ElfGcc
from pennyweight.toolchains.recipes.arm_none_eabi_gcc_7 import ARM_GCC_7
from pennyweight.toolchains.recipes.msp430_elf_gcc import MSP430_GCC
from pennyweight.toolchains.recipes.recipe import Need, Recipe, Source, Stage, command

COMPILER = "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done; echo made > $1\n"


class Reported:
    """Progress that is remembered."""

    def __init__(self) -> None:
        self.total = 0
        self.titles: list[str] = []
        self.steps = 0

    def start(self, total: int) -> None:
        self.total = total

    def working_on(self, title: str) -> None:
        self.titles.append(title)

    def step(self) -> None:
        self.steps += 1


def stage(name: str, script: str, *, begins_in: str = "", lines: int = 3) -> Stage:
    """A stage that notes in the file `trace` that it has run."""
    shell = f"echo {name} >> ../trace; {script}"
    commands = (("sh", "-c", shell),)
    return Stage(name, f"doing {name}", "place", commands, lines, begins_in)


def recipe(tmp_path: Path, middle: str = "true") -> Recipe:
    (tmp_path / "source-1.tar").write_text("source")
    (tmp_path / "cc").write_text(COMPILER)
    install = (
        f"mkdir -p {{root}}/pennyweight/bin && cp {tmp_path}/cc {{root}}/pennyweight/bin/cc && "
        "chmod +x {root}/pennyweight/bin/cc"
    )
    return Recipe(
        name="tiny",
        needs=(Need("sh-package", command("sh")),),
        sources=(Source("tiny-source", f"{tmp_path}/source-*.tar"),),
        stages=(
            stage("first", "echo {source:tiny-source} {jobs}"),
            stage("middle", middle, begins_in="first"),
            stage("last", install),
        ),
        driver="bin/cc",
        check=(),
        disk_mb=1,
        minutes="0",
    )


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PENNYWEIGHT_TOOLCHAINS", str(tmp_path / "toolchains"))
    return tmp_path / "toolchains"


def trace(folder: Path) -> list[str]:
    [found] = folder.glob("*.work/trace")
    return found.read_text().split()


def test_a_compiler_is_built_once_and_found_again(tmp_path: Path, own_folder: Path) -> None:
    made = recipe(tmp_path)
    assert building.find(made) is None
    reported = Reported()
    driver = building.build(made, 3, reported)
    assert driver.read_text() == COMPILER
    assert building.find(made) == driver
    assert (reported.total, reported.steps) == (9, 9)
    assert reported.titles == ["doing first", "doing middle", "doing last"]
    assert not list(own_folder.glob("*.work")), "nothing is left but the compiler"
    again = Reported()
    assert building.build(made, 3, again) == driver
    assert again.titles == []


def test_other_sources_make_another_compiler(tmp_path: Path) -> None:
    made = recipe(tmp_path)
    first = building.build(made, 1, Reported())
    (tmp_path / "source-1.tar").write_text("newer source")
    assert building.find(made) == first, "the existing compiler is used until a build is requested"
    second = building.build(made, 1, Reported())
    assert second != first
    assert building.find(made) == second


def test_a_failing_stage_is_a_sentence_and_the_next_build_continues(
    tmp_path: Path, own_folder: Path
) -> None:
    script = f"test -e {tmp_path}/fixed || {{ echo 'x.c: error: no such thing'; exit 1; }}"
    made = recipe(tmp_path, script)
    with pytest.raises(UserError) as caught:
        building.build(made, 1, Reported())
    message = str(caught.value)
    assert "building tiny failed while doing middle (x.c: error: no such thing)" in message
    assert "middle.log" in message
    assert building.find(made) is None
    (tmp_path / "fixed").touch()
    titles = Reported()
    building.build(made, 1, titles)
    assert titles.titles == ["doing middle", "doing last"], "the first stage is not done again"


def test_a_killed_stage_starts_again(tmp_path: Path, own_folder: Path) -> None:
    made = recipe(tmp_path, f"test -e {tmp_path}/fixed || exit 1")
    with pytest.raises(UserError):
        building.build(made, 1, Reported())
    assert trace(own_folder) == ["first", "middle"]
    # The state after the machine stopped in the middle of a stage.
    [work] = own_folder.glob("*.work")
    (work / "running").write_text("middle")
    (tmp_path / "fixed").touch()
    reported = Reported()
    building.build(made, 1, reported)
    assert reported.titles == ["doing first", "doing middle", "doing last"]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_build_leaves_no_running_compiler(
    tmp_path: Path, own_folder: Path, end: signal.Signals
) -> None:
    number = tmp_path / "number"
    made = recipe(tmp_path, f"echo $$ > {number}.new; mv {number}.new {number}; sleep 60")
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            building.build(made, 1, Reported())
        os._exit(1)
    deadline = time.monotonic() + 20.0
    while not number.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    command = Path(f"/proc/{number.read_text().strip()}")
    assert command.exists()
    os.kill(child, end)
    os.waitpid(child, 0)
    deadline = time.monotonic() + 5.0
    while command.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert (next(own_folder.glob("*.work")) / "running").read_text() == "middle"


def test_an_interruption_stops_the_command_and_the_next_build_continues(
    tmp_path: Path, own_folder: Path
) -> None:
    made = recipe(tmp_path, f"echo waiting; test -e {tmp_path}/fixed || sleep 60")

    class Interrupting(Reported):
        def step(self) -> None:
            super().step()
            if self.titles == ["doing first", "doing middle"]:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        building.build(made, 1, Interrupting())
    (tmp_path / "fixed").touch()
    reported = Reported()
    building.build(made, 1, reported)
    assert reported.titles == ["doing middle", "doing last"]


def test_two_who_build_at_once_build_once(tmp_path: Path) -> None:
    made = recipe(tmp_path, "sleep 0.5")
    both = [Reported(), Reported()]
    found: list[Path] = []
    threads = [
        threading.Thread(
            target=lambda expected=expected: found.append(building.build(made, 1, expected))
        )
        for expected in both
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]
    titles = sorted(expected.titles for expected in both)
    assert titles == [
        ["another process is building it"],
        ["doing first", "doing middle", "doing last"],
    ]


def test_a_missing_package_is_named_with_the_command(tmp_path: Path) -> None:
    made = recipe(tmp_path)
    (tmp_path / "source-1.tar").unlink()
    with pytest.raises(UserError) as caught:
        building.build(made, 1, Reported())
    assert str(caught.value) == (
        "tiny is built from source, which needs missing packages: install them with "
        "`apt-get install tiny-source`"
    )


def test_a_compiler_that_compiles_nothing_is_none(tmp_path: Path) -> None:
    made = recipe(tmp_path)
    (tmp_path / "cc").write_text("#!/bin/sh\necho broken >&2; exit 1\n")
    with pytest.raises(UserError, match=r"does not compile \(broken\)"):
        building.build(made, 1, Reported())
    assert building.find(made) is None


def test_a_folder_that_cannot_be_written_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PENNYWEIGHT_TOOLCHAINS", str(tmp_path / "file" / "below"))
    with pytest.raises(UserError, match="set PENNYWEIGHT_TOOLCHAINS"):
        building.build(recipe(tmp_path), 1, Reported())


def test_a_board_without_its_compiler_shows_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "shutil.which", lambda name, **_: None if "msp430" in name else f"/bin/{name}"
    )
    reported = toolchains.missing(board("msp430f1611"))
    assert reported is not None
    assert reported.startswith(
        "board 'msp430f1611' needs a compiler: msp430-elf-gcc is not installed;"
    )
    assert "`pennyweight toolchain install msp430` (10 to 20 minutes, once)" in reported


def test_a_named_board_has_its_compiler_built_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = recipe(tmp_path)
    monkeypatch.setattr(Msp430ElfGcc, "recipe", made)
    monkeypatch.setattr(Msp430ElfGcc, "locate", lambda self: building.find(made))
    compilers.build_missing([board("atmega328p")])
    assert building.find(made) is None
    compilers.build_missing([board("msp430f1611")])
    assert building.find(made) is not None


def test_only_what_is_built_here_can_be_built() -> None:
    with pytest.raises(UserError, match="did you mean msp430"):
        compilers.build_toolchain("msp43")
    with pytest.raises(
        UserError, match="Pennyweight does not build arm-none-eabi-gcc: install it with"
    ):
        compilers.build_toolchain("arm-none-eabi-gcc")


def test_the_recipe_names_each_stage_once_and_begins_where_there_is_one() -> None:
    names = [each.name for each in MSP430_GCC.stages]
    assert len(set(names)) == len(names)
    for position, each in enumerate(MSP430_GCC.stages):
        if each.begins_in:
            assert names.index(each.begins_in) < position


def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    """The recipe of an older compiler, whose source no package brings; `toolchain build` has it."""
    digest = hashlib.sha256(b"as released").hexdigest()
    source = Source("tiny-source", f"{tmp_path}/nowhere-*.tar", "tiny-1.tar", digest)
    made = replace(recipe(tmp_path), sources=(source,))
    monkeypatch.setitem(compilers.OLDER, made.name, made)
    return made


def test_a_release_is_taken_from_where_the_user_has_it(
    tmp_path: Path, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = released(tmp_path, monkeypatch)
    with pytest.raises(UserError, match=r"the original tiny-1\.tar .* give its path with --source"):
        compilers.build_toolchain("tiny")
    archive = tmp_path / "somewhere" / "download.tar"
    archive.parent.mkdir()
    for content, expected in (
        (None, "No such file"),
        (b"another", f"tiny needs {made.sources[0].file}"),
    ):
        if content is not None:
            archive.write_bytes(content)
        with pytest.raises(UserError, match=expected):
            compilers.build_toolchain("tiny", source=archive)
        assert not list(own_folder.rglob("*.tar"))
    archive.write_bytes(b"as released")
    driver = compilers.build_toolchain("tiny", source=archive)
    assert driver.read_text() == COMPILER
    archive.unlink()
    assert made.sources[0].find() == own_folder / "sources" / "tiny-1.tar"
    assert compilers.build_toolchain("tiny") == driver


def test_a_folder_without_room_for_a_release_is_named_and_not_the_release(
    tmp_path: Path, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = released(tmp_path, monkeypatch)
    archive = tmp_path / "download.tar"
    archive.write_bytes(b"as released")

    def full(source: Path, _: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(source))

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(UserError) as caught:
        building.bring(made, archive)
    assert str(caught.value) == (
        f"{own_folder / 'sources'}: No space left on device; free some space or set "
        "PENNYWEIGHT_TOOLCHAINS to a writable folder"
    )
    assert not list((own_folder / "sources").iterdir())


def test_a_damaged_copy_of_a_release_is_none(
    tmp_path: Path, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = released(tmp_path, monkeypatch)
    (own_folder / "sources").mkdir(parents=True)
    (own_folder / "sources" / "tiny-1.tar").write_bytes(b"half")
    assert made.sources[0].find() is None


def test_a_source_that_packages_bring_is_not_named(tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    with pytest.raises(UserError, match="Debian's packages; remove it"):
        building.bring(MSP430_GCC, tmp_path / "any")


def test_the_older_arm_compiler_is_joined_with_what_the_distribution_has(tmp_path: Path) -> None:
    """Its assembler runs, and its library is that of the newer compiler for the same part."""
    [join] = [stage for stage in ARM_GCC_7.stages if stage.name == "join"]
    for words in join.commands:
        subprocess.run(words, cwd=tmp_path, check=True)
    for tool in ("arm-none-eabi/bin/as", "bin/arm-none-eabi-objdump"):
        output = subprocess.run([tmp_path / tool, "--version"], capture_output=True, text=True)
        assert output.stdout.startswith("GNU ")
    assert (tmp_path / "arm-none-eabi/include/string.h").is_file()
    for core, part in (("cortex-m0", "v6-m"), ("cortex-m3", "v7-m"), ("cortex-m4", "v7e-m")):
        asked = ["arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", "-print-file-name=libc_nano.a"]
        newer = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        older = tmp_path / "arm-none-eabi/lib/thumb" / part / "libc_nano.a"
        assert older.resolve() == Path(newer).resolve()


def test_the_older_compilers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = runner(capsys)("toolchain", "list", "--format", "json").rows
    [row] = [row for row in rows if row["toolchain"] == ARM_GCC_7.name]
    assert row["built_here"] and row["driver"] is None
    assert "toolchain build arm-none-eabi-gcc-7" in row["remedy"]
