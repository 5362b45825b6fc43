"""Assembly is offered on the cores that it is written for; on others it can be named."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from scripts.constant_time.__main__ import calls as operations
from scripts.constant_time.__main__ import main as constant_time

from board_inputs import inputs_of_jobs
from cli_runs import Command, runner
from packages_for_tests import board, files
from pennyweight.api import call_selection, choosing, measuring
from pennyweight.api.requests import CallRequest, ChooseRequest, MeasureRequest, VerifyRequest
from pennyweight.build import build
from pennyweight.build.firmware import headers_folder
from pennyweight.build.sources import collect
from pennyweight.campaign.plan import plan_study
from pennyweight.catalogue import Board, Implementation, data_root
from pennyweight.catalogue.offers import (
    boards_offering,
    has_own_code,
    is_offered,
    is_protected,
)
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.studies import Study
from pennyweight.toolchains import for_board, missing
from verdicts import Inputs, cached

ROOT = data_root() / "implementations"
C_ALONE = {"bi32", "fast8", "fast32", "small", "small-bi32"}
"""The implementations of Ascon-AEAD128 without assembly."""

ON_AVR = {*C_ALONE, "asm8"}
ON_ARM = {*C_ALONE, "asm"}

MASKED = {f"masked{shares}{part}" for shares in (2, 3, 4) for part in ("", "-init")}
"""The masked implementations of Ascon-AEAD128, which are verified but not measured by default."""

ASM = "ascon-aead128/asm"
ARM = {"cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33"}
RV32I = {"sifive-e31", "hazard3", "esp32-c3"}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def implementation(name: str) -> Implementation:
    [found] = files().find(name)
    return found


def by_board(jobs: list[Job]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for job in jobs:
        found.setdefault(job.board.id, set()).add(job.implementation.name)
    return found


@pytest.mark.parametrize(
    ("name", "cores"),
    [
        (ASM, {*ARM, *RV32I}),
        ("isap-a-128/asm", {*ARM, *RV32I}),
        ("chacha20-poly1305/asm", {*ARM, *RV32I}),
        ("ascon-aead128/halves-asm", RV32I),
        ("sha3-256/asm", ARM),
        ("isap-k-128a/asm", ARM),
        ("kmac128/small-asm", {"cortex-m3", "cortex-m4", "cortex-m33"}),
        ("esch256/small-asm", {"cortex-m3", "cortex-m4", "cortex-m33"}),
        ("esch384/asm", {"cortex-m3", "cortex-m4", "cortex-m33"}),
        ("grain-128aeadv2/asm", {"cortex-m3", "cortex-m4", "cortex-m33"}),
        ("romulus-h/asm", {"cortex-m3", "cortex-m4", "cortex-m33"}),
        ("poly1305/asm", {"cortex-m4", "cortex-m33"}),
        ("sha-256/asm", {"cortex-m3", "cortex-m4", "cortex-m33"} | RV32I),
        ("blake2s/asm", ARM),
        ("gift-cofb/asm8", {"msp430", "msp430x"}),
        ("ascon-aead128/asm8", {"avre", "avre+", "avrxt"}),
        ("schwaemm256-128/asm8", {"avre", "avre+", "avrxt"}),
        ("grain-128aeadv2/fast8", {"avre", "avre+", "avrxt"}),
        ("romulus-n/table8", {"avre", "avre+", "avrxt"}),
    ],
)
def test_assembly_is_offered_on_the_cores_that_it_is_written_for(
    name: str, cores: set[str]
) -> None:
    found = implementation(name)
    boards = files().boards.values()
    assert {each.core for each in boards if is_offered(found, each)} == cores
    assert all(is_offered(found, each, ["sha-256", name.upper()]) for each in boards)


def test_patterns_and_algorithms_do_not_name_an_implementation() -> None:
    for words in ([], ["ascon-aead128"], ["ascon-aead128/*"], ["*/asm"], ["ascon-128/asm"]):
        assert not is_offered(implementation(ASM), board("atmega328p"), words)


def test_code_without_assembly_is_offered_everywhere() -> None:
    every = [each for each in files().implementations if not each.assembly]
    assert len(every) > 400
    places = files().boards.values()
    assert all(has_own_code(each, place) for each in every for place in places)
    plain = [each for each in every if not is_protected(each)]
    assert all(is_offered(each, place) for each in plain for place in places)


def test_every_algorithm_is_offered_on_every_board() -> None:
    for place in files().boards.values():
        offered = {each.algorithm for each in files().implementations if is_offered(each, place)}
        assert offered == {each.algorithm for each in files().implementations}


BOARDS = ["atmega328p", "nrf52840"]


def test_measuring_and_verifying_an_algorithm_omit_assembly_for_other_cores() -> None:
    expected = {"atmega328p": ON_AVR, "nrf52840": ON_ARM}
    measured = measuring.measure_jobs(MeasureRequest("ascon-aead128", BOARDS), files())
    assert by_board(list(measured)) == expected
    boards = [board(name) for name in BOARDS]
    every = files().find("ascon-aead128")
    for names in ((), "ascon-aead128", "ascon-aead128/*"):
        verified = measuring.verify_jobs(VerifyRequest(names), every, boards)
        assert by_board(list(verified)) == {
            name: each | MASKED | {"masked2-asm"} for name, each in expected.items()
        }


def test_assembly_that_is_named_is_measured_on_every_board() -> None:
    names = ["ascon-aead128", ASM]
    measured = measuring.measure_jobs(MeasureRequest(names, BOARDS), files())
    assert by_board(list(measured)) == {"atmega328p": {*ON_AVR, "asm"}, "nrf52840": ON_ARM}
    verified = measuring.verify_jobs(
        VerifyRequest(ASM), [implementation(ASM)], [board(name) for name in BOARDS]
    )
    assert by_board(list(verified)) == {place: {"asm"} for place in BOARDS}


def test_a_pattern_selects_the_boards_that_have_the_assembly() -> None:
    measured = measuring.measure_jobs(MeasureRequest("*/asm", BOARDS), files())
    assert set(by_board(list(measured))) == {"nrf52840"}


def test_other_commands_on_an_algorithm_omit_it_too() -> None:
    for place, names in (("atmega328p", ON_AVR), ("nrf52840", ON_ARM)):
        asked = choosing.question(ChooseRequest(place, names=["ascon-aead128"]), files())
        assert {each.name for each in asked.implementations} == names
        assert by_board(list(asked.jobs)) == {place: names}
        followed = call_selection.calls(CallRequest("ascon-aead128", place))
        assert by_board(followed) == {place: names}
    assert by_board(call_selection.calls(CallRequest(ASM, "atmega328p"))) == {"atmega328p": {"asm"}}


@pytest.mark.parametrize(
    "words",
    [
        ("measure", "*/asm", "--board", "atmega328p,pic32mx340"),
        ("verify", "*/asm", "--board", "atmega328p,pic32mx340"),
        ("choose", "*/asm", "--board", "pic32mx340"),
        ("profile", "*/asm", "--board", "atmega328p,pic32mx340"),
        ("tune", "*/asm", "--board", "pic32mx340"),
    ],
)
def test_patterns_that_leave_nothing_are_one_sentence(run: Command, words: tuple[str, ...]) -> None:
    printed = run(*words).refused()
    assert "*/asm: the matching implementations have no assembly for " in printed
    assert f" for {words[-1].replace(',', ', ')}; " in printed
    assert "name one, such as aes-128-gcm/asm" in printed


def test_tune_lists_what_is_offered(run: Command) -> None:
    for place, expected in (("atmega328p", False), ("nrf52840", True)):
        printed = run("tune", "ascon-aead128", "--board", place).refused()
        listed = re.search(rf"{ASM}\b", printed) is not None
        assert listed is expected and "ascon-aead128/bi32" in printed


def study(implementations: str = "") -> Study:
    text = f"""
    id = "mine"
    title = "Mine"
    boards = ["atmega328p", "stm32f030", "sam3x8e"]
    algorithms = ["ascon-aead128"]
    flags = ["-Os"]
    {implementations}
    [[cases]]
    name = "one"
    title = "One"
    kind = "aead"
    m = 16
    """
    return Study.model_validate(tomllib.loads(text))


def planned(implementations: str = "") -> dict[str, set[str]]:
    return by_board(list(plan_study(study(implementations), files()).jobs))


def test_studies_measure_assembly_where_it_is_written_for() -> None:
    wanted = {"atmega328p": ON_AVR, "stm32f030": ON_ARM, "sam3x8e": ON_ARM}
    assert planned() == wanted
    select = "[[implementations]]\nbits = [8, 16, 32]\nnames = "
    assert planned(f'{select}["*/*"]') == wanted
    assert planned(f'{select}["*/asm"]') == {"stm32f030": {"asm"}, "sam3x8e": {"asm"}}
    assert planned(f'{select}["*/small", "{ASM}"]') == {place: {"small", "asm"} for place in wanted}
    plan = plan_study(study(f'{select}["*/asm"]'), files())
    why = "the study selects no implementation that is offered on atmega328p"
    assert plan.absent["atmega328p"] == why


def test_the_fastest_is_one_that_is_offered() -> None:
    found = planned("[[implementations]]\nbits = [8, 16, 32]\nfastest = true\n")
    assert found["stm32f030"] == found["sam3x8e"] == {"asm"}
    assert "asm" not in found["atmega328p"]


def test_constant_time_is_checked_where_it_is_offered(capsys: pytest.CaptureFixture[str]) -> None:
    boards = [board(name) for name in BOARDS]
    every = files().find("ascon-aead128")
    checked = operations(every, boards, ["-O2"], (0, 16), ["ascon-*"])
    protected = {*MASKED, "masked2-asm"}
    assert by_board(checked) == {"atmega328p": ON_AVR | protected, "nrf52840": ON_ARM | protected}
    checked = operations([implementation(ASM)], boards, ["-O2"], (0, 16), [ASM])
    assert by_board(checked) == {place: {"asm"} for place in BOARDS}
    assert constant_time(["*/asm", "--board", "atmega328p"]) == 2
    assert "name one, such as aes-128-gcm/asm" in capsys.readouterr().err


def test_shares_without_their_assembly_are_not_offered_by_name() -> None:
    name = "ascon-aead128/masked2-asm"
    [found] = files().find(name)
    assert is_offered(found, board("sam3x8e"), [name])
    assert not is_offered(found, board("fe310-g002"), [name])
    sentence = "have no assembly for fe310-g002; name one in C, such as ascon-aead128/masked2"
    with pytest.raises(UserError, match=sentence):
        boards_offering([found], [board("fe310-g002")], [name])
    both = [board("fe310-g002"), board("sam3x8e")]
    assert boards_offering([found], both, [name]) == both[1:]
    with pytest.raises(UserError, match="for fe310-g002; remove the board, or name one in C"):
        boards_offering([found], both, [name], requested=True)
    assert is_offered(implementation(ASM), board("fe310-g002"), [ASM])


TABLES = {
    (path.parent.name, name): tuple(instruction_sets)
    for path in sorted(ROOT.glob("*/manifest.toml"))
    for name, instruction_sets in tomllib.loads(path.read_text()).get("assembly", {}).items()
}
"""The tables [assembly] of all manifests: instruction sets by family and file."""

_MACRO = re.compile(r"\.macro\b.*?\.endm\b", re.DOTALL)
_LINE_MARKER = re.compile(r'^# \d+ "([^"]+\.c)"', re.MULTILINE)


def has_assembly(name: str, place: Board, folder: Path) -> bool:
    """Whether the compiler sees assembly in a source on a board: instructions in a `.S` file, or C
    that is not that of another file.
    """
    owner = next(each for each in files().implementations if name in each.manifest.sources)
    sources = collect(owner)
    folder.mkdir(exist_ok=True)
    sources.write_generated(folder)
    toolchain, firmware = for_board(place), data_root() / "firmware"
    libraries = toolchain.family.library_headers(firmware)
    seen = subprocess.run(
        [
            toolchain.driver,
            *place.file.compiler.flags,
            *("-Os", "-E", f"./{name}"),
            *sources.own_headers(folder),
            *(f"-I{each}" for each in sources.include),
            *(f"-I{each}" for each in (headers_folder(firmware), *libraries)),
        ],
        cwd=sources.folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    if name.endswith(".c"):
        files_seen = {(sources.folder / each).resolve() for each in _LINE_MARKER.findall(seen)}
        return files_seen == {(sources.folder / name).resolve()}
    return re.search(r"^\s+\w", _MACRO.sub("", seen), re.MULTILINE) is not None


@pytest.mark.parametrize("file", TABLES, ids="/".join)
def test_a_table_has_exactly_the_instruction_sets_with_the_assembly(
    file: tuple[str, str], tmp_path: Path
) -> None:
    by_core = {each.core: each for each in files().boards.values() if missing(each) is None}
    tried = set()
    for place in by_core.values():
        expected = place.instruction_set in TABLES[file]
        assert has_assembly("/".join(file), place, tmp_path) == expected, place.core
        tried.add(expected)
    assert tried == {True, False}


def test_every_assembly_file_is_in_a_table() -> None:
    there = {(path.relative_to(ROOT).parts[0], path) for path in ROOT.rglob("*.S")}
    assert {(family, ROOT / family / name) for family, name in TABLES if name[-2:] == ".S"} == there


KINDS = {
    (each.folder.name, each.name, each.assembly): each.id
    for each in files().implementations
    if each.assembly
}
"""One implementation of each representation with assembly."""


def _elsewhere(name: str) -> list[Job]:
    """An implementation with assembly and the others of its algorithm, on a board without it whose
    flash is large enough.
    """
    found = implementation(name)
    boards = [each for each in files().boards.values() if each.flash.size >= 1 << 17]
    masked = is_protected(found)
    without = [
        each
        for each in boards
        if not is_offered(found, each, masked=masked) and missing(each) is None
    ]
    place = without[sum(name.encode()) % len(without)]
    others = files().find(found.algorithm)
    others = [each for each in others if is_offered(each, place, masked=masked)]
    return [Job(each, place, "-O2") for each in (found, *others)]


def inputs(name: str) -> Inputs:
    return inputs_of_jobs(*_elsewhere(name))


@pytest.mark.parametrize("name", KINDS.values())
@cached("C that replaces assembly", inputs)
def test_without_its_assembly_an_implementation_repeats_another(name: str) -> None:
    own, *others = (build(job) for job in _elsewhere(name))
    assert own.sizes.flash
    assert own.sizes in [each.sizes for each in others]
