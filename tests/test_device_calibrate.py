"""`pennyweight calibrate`: the memory timing of a part from micro-benchmarks.

The parts are simulated boards whose timing the search does not know, and emulators.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli_runs import Command, runner
from emulators.running import BOARDS, avr_gdb, qemu_gdb
from packages_for_tests import AVR, board
from pennyweight.calibration.benchmarks import Benchmark, benchmarks_of, build_benchmarks
from pennyweight.calibration.candidates import line_of, timing_of
from pennyweight.calibration.counting import Count, booted, count
from pennyweight.calibration.fit import Fit, fit
from pennyweight.calibration.run import CalibrationResult, calibrate
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.progress import Silent
from pennyweight.target.interface import Machine
from pennyweight.target.simulated import simulate

ZERO_WAIT = '{ model = "zero-wait" }'
FEW = ("stm32f030-48mhz", "samd21", "pic32mx340")
MANY = (
    "samd51",
    "stm32g071-64mhz",
    "stm32l476-80mhz",
    "stm32f103-72mhz",
    "stm32f407-168mhz",
    "nrf52840",
    "sam3x8e",
    "fe310-g002",
    "stm32f103-24mhz",
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def with_timing(name: str, timing: str, folder: Path) -> Board:
    """A bundled board with another timing of its flash."""
    text = board(name).text
    own = line_of(timing_of(board(name)))
    spelled = next(
        line for line in text.splitlines() if line.startswith("timing = ") and "model" in line
    )
    assert spelled.count("model") == own.count("model") == 1
    path = folder / f"{name}-trial.toml"
    changed = text.replace(spelled, f"timing = {timing}", 1)
    # Set-up code states the wait states, and what states them needs no search.
    changed = re.sub(r"(?m)^clock = .*\n", "", changed)
    path.write_text(changed.replace(f'id = "{name}"', f'id = "{name}-trial"'), encoding="utf-8")
    return load_board(path)


def found_for(hidden: Board, known: Board) -> CalibrationResult:
    """The result for a part with a hidden timing."""
    return calibrate(known, lambda _, program: simulate(hidden, program), "", 1, Silent())


@pytest.mark.parametrize(
    "name", [*FEW, *(pytest.param(each, marks=pytest.mark.devices) for each in MANY)]
)
def test_the_timing_of_a_board_is_recovered(name: str, tmp_path: Path) -> None:
    result = found_for(board(name), with_timing(name, ZERO_WAIT, tmp_path))
    assert dict(result.best.timing) == timing_of(board(name))
    assert (result.best.error, result.best.unexplained, result.equal) == (0, 0, [])
    assert result.confidence == "high"
    assert result.second is not None and result.second.error > 0
    for others in result.fields.values():
        assert others[0].error > 0
    assert result.current is not None
    if timing_of(board(name)) != {"model": "zero-wait"}:
        assert result.current.error > 0.01


@pytest.mark.parametrize(
    ("name", "timing"),
    [
        ("samd21", '{ model = "prefetch", wait_states = 2, line = 8, lines = 2 }'),
        pytest.param(
            "stm32f407-24mhz",
            '{ model = "stream", wait_states = 7, line = 32, cached_lines = 8, data_lines = 2 }',
            marks=pytest.mark.devices,
        ),
        pytest.param(
            "stm32f407-24mhz",
            '{ model = "cache", wait_states = 9, line = 32, lines = 16, data_wait_states = 6 }',
            marks=pytest.mark.devices,
        ),
        pytest.param(
            "fe310-g002",
            '{ model = "instruction-cache", size = 8192, line = 64, ways = 4, miss = 77, '
            "data_read = 9 }",
            marks=pytest.mark.devices,
        ),
    ],
)
def test_a_timing_that_no_board_has_is_recovered(name: str, timing: str, tmp_path: Path) -> None:
    hidden = with_timing(name, timing, tmp_path)
    result = found_for(hidden, board(name))
    assert dict(result.best.timing) == timing_of(hidden)
    assert result.confidence == "high"


def counted(part: Board) -> dict[Benchmark, Count]:
    """All counts, in an order that leaves different contents in caches than the search's."""
    machine = booted(part, build_benchmarks(part), simulate)
    benchmarks = benchmarks_of(part, machine)
    order = list(benchmarks)
    random.Random(25).shuffle(order)
    found = {each: count(machine, each) for each in order}
    return {each: found[each] for each in benchmarks}


@pytest.mark.parametrize(
    "name",
    ["samd21", "pic32mx340", "stm32f407-168mhz", "stm32f103-72mhz", "nrf52840", "sam3x8e"],
)
def test_the_order_of_the_benchmarks_does_not_matter(name: str) -> None:
    part = board(name)
    machine = booted(part, build_benchmarks(part), simulate)
    counts = counted(part)
    assert counts == {each: count(machine, each) for each in benchmarks_of(part, machine)}


def test_counts_that_vary_give_the_same_timing_with_a_distance() -> None:
    part = board("pic32mx340")
    varied = {
        each: Count(round(found.cycles * (1 + 0.004 * (-1) ** i)), 2)
        for i, (each, found) in enumerate(counted(part).items())
    }
    first = next(iter(varied))
    varied[first] = Count(2 * varied[first].cycles)
    search, candidates = fit(part, build_benchmarks(part), varied, Silent())
    assert dict(candidates[0].timing) == timing_of(part)
    assert 0.002 < candidates[0].error < 0.02
    assert candidates[0].unexplained == 1
    assert search.measured[0] == varied[first]


def test_a_repeated_count_has_its_spread() -> None:
    part = board(AVR)
    machine = booted(part, build_benchmarks(part), simulate)
    [first, *_] = benchmarks_of(part, machine)
    calls = iter([9, 50, 9, 100, 9, 50, 9, 103, 9, 50, 9, 101])

    class Varying:
        def symbol(self, name: str) -> int | None:
            return machine.symbol(name)

        def call(self, *_: object) -> object:
            class Outcome:
                exit = "returned"
                cycles = next(calls)

            return Outcome

    assert count(Varying(), first, 3) == Count(51, 3)  # type: ignore[arg-type]
    calls = iter([9, 50, 9, 100, 9, 60, 9, 104, 9, 50, 9, 104, 9, 50, 9, 111])
    assert count(Varying(), first, 4) == Count(52, 17)  # type: ignore[arg-type]


class OtherRate:
    """A machine whose counter is not clocked by the core: twice its cycles."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._machine, name)

    def call(self, *words: Any) -> Any:
        outcome = self._machine.call(*words)
        return SimpleNamespace(
            exit=outcome.exit, message=outcome.message, cycles=2 * outcome.cycles
        )


def test_a_counter_of_another_rate_gives_no_timing() -> None:
    part = board("stm32f030")
    result = calibrate(
        part,
        lambda _, program: OtherRate(simulate(part, program)),
        "",
        1,
        Silent(),
    )
    assert result.confidence == "not determined"


def test_impossible_values_are_no_candidates() -> None:
    part = board("samd21")
    search = Fit(part, build_benchmarks(part), counted(part))
    assert search.fitted({"model": "cache", "wait_states": 99, "line": 8, "lines": 8}) is None
    assert search.fitted({"model": "instruction-cache", "size": 64}) is None


def test_an_emulated_avr_has_no_wait_states(run: Command) -> None:
    with avr_gdb() as emulator:
        words = ("calibrate", "--on", emulator.place, "--board", AVR, "--yes")
        [result] = run(*words, "--repeats", "1", "--format", "json").rows
    assert result["line"] == 'timing = { model = "zero-wait" }'
    assert result["confidence"] == "high"
    assert result["best"]["unexplained"] == 0 and result["best"]["error"] == 0
    assert {each["spread"] for each in result["benchmarks"]} == {0}
    assert len(result["benchmarks"]) > 100 and not result["failed"]


@pytest.mark.devices
@pytest.mark.parametrize("machine", ["microbit", "sifive_e"])
def test_a_part_whose_counter_does_not_count_cycles_is_not_determined(
    run: Command, machine: str
) -> None:
    with qemu_gdb(machine) as emulator:
        path = BOARDS / f"{machine}.toml"
        words = ("calibrate", "--on", emulator.place, "--board", path, "--yes", "--repeats", "1")
        found = run(*words)
    assert found.status == 1
    assert "Timing not determined: check device.counter" in found.out
    assert "Confidence:" not in found.out


@pytest.mark.devices
def test_a_part_whose_counter_is_stopped_is_not_determined(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    text = (BOARDS / "netduinoplus2.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("systick", "dwt"), encoding="utf-8")
    with qemu_gdb("netduinoplus2") as emulator:
        printed = run("calibrate", "--on", emulator.place, "--board", path, "--yes").refused()
    assert "memory timing not determined: gdb:" in printed
    assert "the part's cycle counter is stopped" in printed


def test_a_trial_prints_the_line_and_the_confidence(run: Command) -> None:
    done = run("calibrate", "--on", "simulator:pic32mx340", "--board", "pic32mx340")
    assert done.status == 0
    assert "measured on a simulated chipKIT uC32 (PIC32MX340)" in done.out
    line = 'timing = { model = "stream", wait_states = 2, line = 16, cached_lines = 16, '
    assert f"{line}data_lines = 1 }}\n" in done.out
    assert "Confidence: high. It differs by 0.00 %" in done.out
    assert "The board file has this timing." in done.out
    assert "cached_lines     16         32" in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--board", "samd21"), "give --on PLACE"),
        (("--on", "simulator:samd21", "--board", "samd21,fe310-g002"), "give one board"),
        (("--on", "simulator:samd22", "--board", "samd21"), "unknown board 'samd22'"),
        (("--on", "simulator:", "--board", "samd21"), "unknown board ''"),
        (("--on", "simulator:fe310-g002", "--board", "samd21"), "its core is sifive-e31"),
        (("--on", "simulator:nrf52840", "--board", "stm32f407-24mhz"), "its address of flash"),
        (
            ("--on", "simulator:samd21", "--board", "samd21", "--yes"),
            "--yes is for real",
        ),
        (("--on", "simulator:samd21", "--board", "samd21", "--supply", "3 V"), "--supply is for"),
        (("--board", "samd21"), "or --on simulator:BOARD as a trial"),
        (("--on", "probe", "--board", "esp32"), "no micro-benchmarks for the core lx6"),
        (("--on", "usb:1", "--board", "samd21"), "--on: invalid value 'usb:1'"),
    ],
)
def test_bad_inputs_are_one_sentence(run: Command, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in run("calibrate", *words).refused()
