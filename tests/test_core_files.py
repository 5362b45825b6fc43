"""Core files: the bundled ones, those of parts that are not bundled, and mistakes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli_runs import Command, runner
from packages_for_tests import PACKAGES, board, files
from pennyweight.catalogue.boards import load_board
from pennyweight.catalogue.cores import Core, bundled_cores, load_core
from pennyweight.model import UserError

PARTS = Path(__file__).parent / "parts"
CORES = Path(__file__).parent.parent / "cores"
TOY = PACKAGES / "crypto_aead" / "toy" / "ref"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """Boards and cores that are not bundled, in a folder of a user's."""
    folder = tmp_path / "parts"
    shutil.copytree(PARTS, folder)
    return folder


def test_every_bundled_core_is_read_by_both_sides_and_has_a_board() -> None:
    cores = {path.stem: load_core(path) for path in CORES.glob("*.toml")}
    assert [name for name, core in cores.items() if core.file.name != name] == []
    assert {each.core for each in files().boards.values()} <= set(cores)
    for each in files().boards.values():
        simulated = each.simulated()
        assert (simulated.core, each.bits) == (each.core, cores[each.core].file.bits)


def _behaviour(core: Core) -> dict[str, object]:
    """What distinguishes a core from another one of a different name."""
    return core.file.model_dump(exclude={"name", "title", "compiler", "packages"})


@pytest.mark.parametrize("part", ["attiny1634", "small-multiplier", "embedded"])
def test_a_part_that_two_files_describe_is_verified_and_measured(
    part: str, parts: Path, run: Command
) -> None:
    found = load_board(parts / f"{part}.toml")
    assert part not in files().boards
    bundled = [_behaviour(load_core(path)) for path in bundled_cores().values()]
    assert _behaviour(found.core_file) not in bundled
    done = run(
        "measure", TOY, "--board", parts / f"{part}.toml", "--lengths", "3:16", "--flags", "-O2",
        "--verify", "full", "--format", "json",
    )  # fmt: skip
    assert done.status == 0
    assert [(row["board"], row["op"], row["status"]) for row in done.rows] == [
        (part, "enc", "ok"),
        (part, "dec", "ok"),
    ]
    assert all(row["cycles"] > row["instructions"] > 0 for row in done.rows)


def test_a_bundled_algorithm_is_verified_on_a_part_without_multiplication(
    parts: Path, run: Command
) -> None:
    done = run(
        "measure", "ascon-aead128/small", "--board", parts / "attiny1634.toml", "--lengths", "0:8",
        "--verify", "quick", "--format", "json",
    )  # fmt: skip
    assert done.status == 0
    assert [(row["op"], row["status"]) for row in done.rows] == [("enc", "ok"), ("dec", "ok")]


def test_a_timing_parameter_changes_cycles_and_nothing_else(parts: Path, run: Command) -> None:
    small = parts / "small-multiplier.toml"
    fast = parts / "fast-multiplier.toml"
    fast.write_text(
        small.read_text()
        .replace('id = "small', 'id = "fast')
        .replace('file = "cortex-m0plus-small.toml"', 'name = "cortex-m0plus"')
    )
    rows = run(
        "measure", "chacha20-poly1305/small", "sha-256/small", "--board", f"{small},{fast}", "--op",
        "enc,hash", "--verify", "none", "--lengths", "16", "--format", "json",
    ).rows  # fmt: skip
    cycles = {(row["board"], row["algorithm"]): row["cycles"] for row in rows}
    instructions = {(row["algorithm"], row["instructions"]) for row in rows}
    assert len(cycles) == 4 and len(instructions) == 2
    assert cycles["small-multiplier", "sha-256"] == cycles["fast-multiplier", "sha-256"]
    longer = (
        cycles["small-multiplier", "chacha20-poly1305"]
        - cycles["fast-multiplier", "chacha20-poly1305"]
    )
    assert longer > 0 and longer % 31 == 0


@pytest.mark.parametrize(
    ("part", "code", "named"),
    [
        # CBNZ r0, of ARMv7-M.
        ("small-multiplier.toml", ".short 0xb900", 'extension "armv7-m"'),
        # mul a0, a0, a1; add a0, a0, a6
        ("ch32v003-24mhz", ".word 0x02b50533", 'extension "m"'),
        ("ch32v003-24mhz", ".word 0x01050533", "a register above x15, which RV32E does not have"),
    ],
)
def test_an_instruction_that_the_core_lacks_is_a_status_that_names_what_is_missing(
    part: str, code: str, named: str, parts: Path, run: Command
) -> None:
    folder = parts / "crypto_aead" / "toy" / "ref"
    shutil.copytree(TOY, folder)
    source = folder / "encrypt.c"
    text = source.read_text().replace("    int i;\n", f'    int i;\n    __asm__("{code}");\n', 1)
    source.write_text(text)
    board = parts / part if part.endswith(".toml") else part
    done = run(
        "measure", folder, "--board", board, "--lengths", "16",
        "--flags", "-O2", "--format", "json",
    )  # fmt: skip
    reasons = {row["reason"] for row in done.rows}
    assert done.status == 1 and reasons
    assert all(named in reason for reason in reasons), reasons


def test_flags_for_more_than_the_core_has_are_a_mistake_that_names_the_extension(
    parts: Path, run: Command
) -> None:
    core = parts / "cortex-m0plus-small.toml"
    core.write_text(core.read_text().replace('["cortex-m0plus", ', '["cortex-m3", '))
    part = parts / "small-multiplier.toml"
    part.write_text(part.read_text().replace("-mcpu=cortex-m0plus", "-mcpu=cortex-m3"))
    done = run("measure", TOY, "--board", part, "--lengths", "16", "--flags", "-O2")
    assert "field 'compiler.flags'" in done.refused()
    assert 'extension "armv7-m", which the core lacks' in done.refused()


MISTAKES = {
    "no instruction set": ('instruction_set = "armv6-m"\n', "", "'instruction_set' is missing"),
    "unknown instruction set": ('"armv6-m"', '"armv5"', 'instruction_set is "armv5"; correct it'),
    "another width": ("bits = 32", "bits = 16", "armv6-m has registers of 32; write bits = 32"),
    "another convention": ('"aapcs"', '"o32"', 'abi is "o32"; correct it to "aapcs"'),
    "other order of bytes": ('"little"', '"big"', 'no simulator has; write "little"'),
    "unknown model": ('"cortex-m0plus"\n', '"cortex-m9"\n', '[timing]: model is "cortex-m9"'),
    "odd number": ("multiply = 32", "multiply = 7", "multiply is 7; give the cycles of MULS, 1 or"),
    "unknown number": ("multiply = 32", "divide = 2", "divide is unknown"),
    "extension of no one": ('abi = "aapcs"', 'abi = "aapcs"\nextensions = ["m"]', "has no ext"),
    "part number": ("0xc60", "0x1000", "'cpuid'"),
    "misspelt field": ("[compiler]", "[compilers]", "compilers"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_that_names_the_core_file(mistake: str, parts: Path) -> None:
    old, new, expected = MISTAKES[mistake]
    core = parts / "cortex-m0plus-small.toml"
    text = core.read_text()
    at = text.index(old, text.index("name ="))
    core.write_text(text[:at] + new + text[at + len(old) :])
    with pytest.raises(UserError) as caught:
        load_board(parts / "small-multiplier.toml")
    message = str(caught.value)
    assert expected in message and str(core) in message and "\n" not in message


def test_a_board_has_a_core_by_name_or_by_file(parts: Path) -> None:
    path = parts / "small-multiplier.toml"
    text = path.read_text()
    for core in ("", 'name = "cortex-m0plus"\nfile = "cortex-m0plus-small.toml"'):
        path.write_text(text.replace('file = "cortex-m0plus-small.toml"', core))
        with pytest.raises(UserError, match=r"give either 'name', .* or 'file'"):
            load_board(path)
    path.write_text(text.replace("cortex-m0plus-small.toml", "nowhere.toml"))
    with pytest.raises(UserError, match=r"nowhere\.toml: there is no such file"):
        load_board(path)


def test_another_core_of_the_same_board_file_is_another_board(parts: Path) -> None:
    first = load_board(parts / "small-multiplier.toml")
    core = parts / "cortex-m0plus-small.toml"
    core.write_text(core.read_text().replace("multiply = 32", "multiply = 1"))
    second = load_board(parts / "small-multiplier.toml")
    assert first.text == second.text and first.sha256 != second.sha256


def test_the_size_of_a_memory_has_one_limit(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = board("stm32f030").text.replace('"stm32f030"', '"mine"').replace("F030F4P6", "F030")
    path.write_text(text.replace("size = 0x4000", "size = 0x100_0000"))
    load_board(path)
    path.write_text(text.replace("size = 0x4000", "size = 0x100_0010"))
    with pytest.raises(UserError, match=r"size is 16777232; give .* 16 to 16777216"):
        load_board(path)
