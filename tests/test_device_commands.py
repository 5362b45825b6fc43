"""`--on` and `devices`: what a user types, against emulators over GDB and over a serial line."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli_runs import Command, runner
from emulators.noise import Noise, noisy_port
from emulators.running import BOARDS, avr_gdb, avr_serial, qemu_gdb
from packages_for_tests import AVR, PACKAGES, board, toy
from pennyweight.api import board_accuracy, measuring, real_boards
from pennyweight.api.real_boards import Bench
from pennyweight.api.requests import RunRequest
from pennyweight.api.studies import find_study
from pennyweight.build import build
from pennyweight.campaign.plan import plan_study
from pennyweight.catalogue import load
from pennyweight.catalogue.boards import load_board
from pennyweight.catalogue.real_board import as_real
from pennyweight.devices import connect as connecting
from pennyweight.devices import packets, tools
from pennyweight.devices.connect import connect
from pennyweight.devices.place import parse_place
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.store import open_store
from pennyweight.store.reading import open_results
from pennyweight.target import Target


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


TOY = PACKAGES / "crypto_aead" / "toy" / "ref"

_STUDY = """
id = "on-a-board"
title = "A cipher on a board"
about = "A study for tests."
boards = ["{board}"]
packages = ["{package}"]
flags = ["-Os", "-O2"]
verify = "quick"
shows = ["curves"]

[[cases]]
name = "short"
title = "Short messages"
kind = "aead"
ad = 0
m = [0, 16]
"""


def study(folder: Path, board_name: str) -> Path:
    path = folder / "study.toml"
    path.write_text(_STUDY.format(board=board_name, package=TOY), encoding="utf-8")
    return path


def test_places_are_parsed_and_invalid_ones_rejected() -> None:
    assert parse_place("gdb:localhost:3333").port == 3333
    assert str(parse_place("serial:/dev/ttyACM0@57600")) == "serial:/dev/ttyACM0@57600"
    assert parse_place("probe:0672FF").name == "0672FF"
    for wrong in ("gdb:localhost", "gdb:localhost:99999", "serial:", "usb:1", "serial:/dev/x@fast"):
        with pytest.raises(UserError, match="--on: "):
            parse_place(wrong)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("gdb:localhost:3333x", "'3333x' is not a port number, 1 to 65535; give gdb:HOST:PORT"),
        ("gdb:localhost:99999", "'99999' is not a port number"),
        ("gdb:localhost", "has no port; give gdb:HOST:PORT"),
        ("probe:", "'probe:' has no serial number; give probe:SERIAL, or probe for the only one"),
        ("serial:/dev/x@99999999999", "baud rate '99999999999'; give a number from 1,200 to"),
        ("serial:/dev/x@0", "invalid baud rate '0'; give a number from 1,200 to 4,000,000, such"),
        ("serial:/dev/x@", "invalid baud rate ''; give a number"),
        ("serial:/dev/null", "serial:/dev/null: this is not a serial port; `pennyweight devices`"),
        ("serial:/tmp", "serial:/tmp: this is not a serial port"),
        (f"serial:{TOY}/encrypt.c", "encrypt.c: this is not a serial port"),
        ("serial:/dev/ttyNone", "serial:/dev/ttyNone: no such port; connect the board"),
    ],
)
def test_a_place_that_cannot_be_one_is_one_sentence(
    run: Command, monkeypatch: pytest.MonkeyPatch, place: str, expected: str
) -> None:
    """Without avrdude, whose messages do not name the mistake."""
    monkeypatch.setattr(tools, "tool_path", lambda _: None)
    printed = run("measure", TOY, "--board", AVR, "--yes", "--on", place).refused()
    assert expected in " ".join(printed.split())


def test_the_question_fits_the_terminal_and_names_the_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def answer(question: str, err: bool) -> bool:
        asked.append(question)
        return False

    device = "STM32F407VGT6, cortex-m4 r0p1, identity 0x10076413, Open On-Chip Debugger 0.12.0"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("click.confirm", answer)
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(UserError, match="cancelled; nothing was written"):
        real_boards._ask("probe", [Bench(board(AVR), "probe", device)])
    lines = asked[0].splitlines()
    assert len(lines) > 1 and all(len(line) <= 72 for line in lines)
    assert " ".join(lines) == (f"probe: found {device}. Its flash will be overwritten. Continue?")


def test_an_error_is_wrapped_between_words_on_a_terminal_only() -> None:
    command = [sys.executable, "-m", "pennyweight", "measure", "x", "--board", AVR, "--on", "usb:1"]
    environment = {**os.environ, "COLUMNS": "40"}
    piped = subprocess.run(command, capture_output=True, text=True, env=environment).stderr
    own, other = os.openpty()
    subprocess.run(command, stderr=other, env=environment)
    os.close(other)
    seen = os.read(own, 4096).decode()
    os.close(own)
    lines = seen.splitlines()
    assert len(piped.splitlines()) == 1 and len(lines) > 2
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(lines) == piped.strip()


def test_many_boards_that_do_not_match_are_counted() -> None:
    assert real_boards._listed(["a", "b", "c"]) == "a, b, c"
    assert real_boards._listed(["a", "b", "c", "d", "e"]) == "5 boards, such as a and e"


def test_options_of_real_boards_require_on(run: Command) -> None:
    output = run("measure", TOY, "--board", AVR, "--yes").refused()
    assert "--yes requires --on" in output
    assert "--repeats requires --on" in run("run", "--quick", "--repeats", "5").refused()


@pytest.mark.parametrize(
    ("name", "budget", "longest"),
    [(AVR, 1 << 32, 4_294_770_687), ("fe310-g002", 1 << 32, 4_294_967_295)],
)
def test_a_budget_that_the_counter_cannot_count_is_rejected(
    run: Command, name: str, budget: int, longest: int
) -> None:
    words = ("measure", TOY, "--board", name, "--on", "gdb:127.0.0.1:1", "--yes")
    printed = " ".join(run(*words, "--budget", str(budget)).refused().split())
    assert f"--budget {budget:,}: the counter of {name} counts calls of at most " in printed
    assert f"at most {longest:,} cycles; give --budget {longest} or less" in printed
    assert "no debug server answers" in run(*words, "--budget", str(longest)).refused()


def test_a_study_on_a_board_keeps_its_compilers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = plan_study(
        find_study(str(study(tmp_path, AVR))).model_copy(update={"compilers": ("clang",)}), load()
    )
    monkeypatch.setattr(
        real_boards,
        "_matching",
        lambda boards, *_: ([Bench(boards[0], "probe", "a part", 3)], {}),
    )
    jobs = real_boards.moved(planned, RunRequest(on="probe")).jobs
    assert [job.flags for job in jobs] == ["-Os", "-O2"]
    assert {(job.compiler, job.on, job.repeats) for job in jobs} == {("clang", "probe", 3)}
    assert not {job.key for job in jobs} & {job.key for job in planned.jobs}


def test_status_shows_the_jobs_on_a_real_board(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board is disconnected after it was identified."""
    place = "gdb:127.0.0.1:1"
    path = study(tmp_path, AVR)
    words = ("--study", path, "--results", tmp_path / "results")
    monkeypatch.setattr(
        real_boards,
        "_matching",
        lambda boards, *_: ([Bench(as_real(boards[0], "a part"), place, "a part", 3)], {}),
    )
    monkeypatch.setattr(real_boards, "fitting", lambda boards, _: boards)
    broken = run("run", *words, "--on", place, "--yes")
    assert broken.status == 2
    left = "stopped with 2 of 2 jobs left; finished jobs are kept, and the same command continues."
    assert left in broken.err and "no debug server answers" in " ".join(broken.err.split())
    board_name = f"{AVR}-device"
    for simulated in (0, 2):
        found = run("status", *words, "--format", "json")
        rows = {row["board"]: (row["jobs"], row["done"], row["to_do"]) for row in found.rows}
        assert rows == {AVR: (2, simulated, 2 - simulated), board_name: (2, 0, 2)}
        assert f"2 jobs to do on a real board; run: pennyweight run --study {path} " in found.err
        assert f"--on {place}" in found.err
        if not simulated:
            assert run("run", *words).status == 0


def test_a_measurement_over_gdb_equals_the_simulated_one(run: Command) -> None:
    words = ("measure", TOY, "--board", AVR, "--flags=-Os", "--lengths", "0:16", "--format", "json")
    with avr_gdb() as emulator:
        on = ("--on", emulator.place, "--verify", "none")
        assert "give --yes to agree" in run(*words, *on).refused()
        real = run(*words, *on, "--yes", "--supply", "5.0 V").rows
    simulated = run(*words, "--verify", "none").rows
    assert [row["cycles"] for row in real] == [row["cycles"] for row in simulated]
    assert [row["flash"] for row in real] == [row["flash"] for row in simulated]
    assert {row["board"] for row in real} == {f"{AVR}-device"}
    assert {row["cycles_spread"] for row in real} == {0}
    assert real[0]["device"] == (
        "ATmega328P, identity not read, unknown debug server, 16 MHz in the board file; "
        "supply 5.0 V"
    )
    assert [row["cycles_least"] for row in real] == [row["cycles"] for row in real]
    assert simulated[0]["cycles_least"] is None
    assert simulated[0]["device"] is None and simulated[0]["cycles_spread"] is None


@pytest.mark.devices
def test_a_study_over_a_serial_line_resumes(run: Command, tmp_path: Path) -> None:
    words = ("run", "--study", study(tmp_path, AVR), "--results", tmp_path / "results", "--yes")
    with avr_serial() as emulator:
        first = run(*words, "--on", emulator.place)
        assert first.status == 0, first.err
        assert "2 jobs, 2 done now" in first.err
        second = run(*words, "--on", emulator.place)
        assert "2 jobs, 0 done now" in second.err
    with open_results(open_store(tmp_path / "results")) as found:
        rows = found.query("SELECT board, device, status FROM latest").to_pylist()
    assert len(rows) == 8
    assert {(row["board"], row["status"]) for row in rows} == {(f"{AVR}-device", "ok")}
    assert all(row["device"].startswith("ATmega328P") for row in rows)
    report = run("report", "--results", tmp_path / "results", "--output", tmp_path / "report")
    assert report.status == 0, report.err
    assert (tmp_path / "report" / "index.html").is_file()


@pytest.mark.devices
def test_a_study_runs_over_gdb_on_a_cortex_m0(run: Command, tmp_path: Path) -> None:
    path = study(tmp_path, str(BOARDS / "microbit.toml"))
    with qemu_gdb("microbit") as emulator:
        words = ("run", "--study", path, "--results", tmp_path / "results", "--yes")
        done = run(*words, "--on", emulator.place)
    assert done.status == 0, done.err
    assert "2 jobs, 2 done now" in done.err


@pytest.mark.devices
def test_a_study_resumes_after_a_disconnected_cable(run: Command, tmp_path: Path) -> None:
    """The cable is disconnected in the second job; the first one's rows are kept unchanged."""
    results = tmp_path / "results"
    words = ("run", "--study", study(tmp_path, AVR), "--results", results, "--yes")
    with avr_gdb() as emulator:
        noise = Cutting(results)
        port = int(emulator.place.rpartition(":")[2])
        with noisy_port(port, noise) as cut:
            broken = run(*words, "--on", f"gdb:127.0.0.1:{cut}")
        assert broken.status == 2
        assert broken.err.count("pennyweight: gdb:") == 1
        kept = stored(results)
        assert len(kept) == 1
        again = run(*words, "--on", emulator.place)
        assert again.status == 0, again.err
    assert "2 jobs, 1 done now" in again.err
    after = stored(results)
    assert len(after) == 2 and kept.items() <= after.items()
    with open_results(open_store(results)) as found:
        rows = found.query("SELECT flags, status FROM latest").to_pylist()
    assert sorted(tuple(row.values()) for row in rows) == [("-O2", "ok")] * 4 + [("-Os", "ok")] * 4


def stored(results: Path) -> dict[str, bytes]:
    """The files of finished jobs."""
    return {each.name: each.read_bytes() for each in (results / "jobs").rglob("*.parquet")}


class Cutting(Noise):
    """A cable that is disconnected when the first job is finished and the second has begun."""

    def __init__(self, results: Path) -> None:
        super().__init__(every=0)
        self._results = results

    def __call__(self, data: bytes) -> bytes:
        if stored(self._results):
            raise OSError("cut")
        return data


def test_writing_the_monitor_does_not_change_a_parts_identity() -> None:
    with avr_serial() as emulator:
        before = connect(emulator.place, board(AVR))
        program = build(Job(toy("ref"), board(AVR), "-Os")).programs["full"]
        Target(board(AVR), program, 20_000_000, before.device.load)
        before.close()
        after = connect(emulator.place, board(AVR))
        after.close()
    assert (
        before.identity
        == after.identity
        == "ATmega328P, signature 1e950f, 16 MHz in the board file"
    )


def test_a_different_part_is_rejected_before_writing(run: Command, tmp_path: Path) -> None:
    text = (BOARDS / "microbit.toml").read_text(encoding="utf-8")
    other = tmp_path / "other.toml"
    text = text.replace("nRF51822", "our part")
    other.write_text(text.replace('"cortex-m0"', '"cortex-m3"').replace("m0", "m3"))
    with qemu_gdb("microbit") as emulator:
        words = ("measure", TOY, "--board", other, "--on", emulator.place, "--yes")
        output = run(*words).refused()
        assert "the part's core is cortex-m0 (0xc20)" in output and "nothing was written" in output
        small = tmp_path / "avr.toml"
        small.write_text((load().root / "boards" / "atmega328p.toml").read_text())
        output = run("measure", TOY, "--board", AVR, "--on", emulator.place, "--yes").refused()
        assert "the part's architecture is 'arm'" in output


@pytest.mark.parametrize("number", ["cpuid = 0xc20\n", ""], ids=["same part number", "none"])
def test_a_part_whose_core_a_users_file_describes_is_accepted(number: str, tmp_path: Path) -> None:
    core = (load().root / "cores" / "cortex-m0.toml").read_text(encoding="utf-8")
    core = core.replace('name = "cortex-m0"', 'name = "our-core"').replace(
        "cpuid = 0xc20\n", number
    )
    (tmp_path / "our-core.toml").write_text(core)
    text = (BOARDS / "microbit.toml").read_text(encoding="utf-8")
    path = tmp_path / "board.toml"
    path.write_text(text.replace('name = "cortex-m0"', 'file = "our-core.toml"'))
    with qemu_gdb("microbit") as emulator:
        connection = connect(emulator.place, load_board(path))
        connection.close()
    assert "our-core r0p0" in connection.identity


def test_too_small_flash_is_rejected(run: Command, tmp_path: Path) -> None:
    text = (load().root / "boards" / "atmega328p.toml").read_text(encoding="utf-8")
    larger = tmp_path / "larger.toml"
    larger.write_text(
        text.replace('id = "atmega328p"', 'id = "larger"')
        .replace('part = "ATmega328P"', 'part = "ATmega644P"')
        .replace("-mmcu=atmega328p", "-mmcu=atmega644p")
        .replace('uart = { name = "usart0", baud = 115_200 }\n', "")
        .replace("0x8000\n", "0x10000\n")
    )
    with avr_gdb() as emulator:
        output = run("measure", TOY, "--board", larger, "--on", emulator.place, "--yes").refused()
    assert "the part's flash is 0x0 to 0x8000, but larger has 0x0 to 0x10000" in output


def test_boards_that_are_not_at_the_place_are_reported(run: Command) -> None:
    words = ("measure", TOY, "--board", f"{AVR},esp32,stm32f030", "--lengths", "0:0", "--yes")
    with avr_gdb() as emulator:
        done = run(*words, "--verify", "none", "--on", emulator.place)
    assert done.status == 0, done.err
    printed = " ".join(done.err.split())
    assert "esp32 is only simulated: its file has no table [device]; skipped." in printed
    assert "the part's flash is 0x0 to 0x8000, but stm32f030 has" in printed


@pytest.mark.parametrize("command", ["measure", "verify", "run"])
def test_the_help_states_that_skipped_boards_do_not_change_the_exit_status(
    run: Command, command: str
) -> None:
    printed = " ".join(run(command, "--help").out.split())
    assert re.search(r"another (one|board) is connected( \(--on\),?)? do not change it\.", printed)


def test_a_part_that_no_board_matches_is_described(run: Command) -> None:
    words = ("measure", TOY, "--board", "nrf52840,stm32f030", "--lengths", "0:0", "--yes")
    with avr_gdb() as emulator:
        printed = " ".join(run(*words, "--on", emulator.place).refused().split())
    assert (
        "the part is avr, flash 0x0 to 0x8000, unknown debug server; it matches none of nrf52840, "
        "stm32f030; nothing was written" in printed
    )


def test_the_board_of_the_part_is_found_among_all(run: Command) -> None:
    every = ("--board", ",".join(load().boards))
    words = ("measure", TOY, *every, "--lengths", "0:0", "--flags=-Os", "--verify", "none", "--yes")
    with avr_gdb() as emulator:
        done = run(*words, "--format", "json", "--on", emulator.place)
    assert done.status == 0, done.err
    assert {row["board"] for row in done.rows} == {f"{AVR}-device"}
    printed = " ".join(done.err.split())
    others = len(load().boards) - 1
    assert (
        f"it is measured as {AVR}; {others} other boards do not match it and are skipped."
        in printed
    )
    assert printed.count("pennyweight:") == 1


@pytest.mark.parametrize(
    "command",
    [("accuracy",), ("verify", TOY), ("measure", TOY, "--board", f"{AVR},nrf52840")],
    ids=lambda words: words[0],
)
def test_a_missing_server_is_asked_once_and_nothing_is_built(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str | Path, ...]
) -> None:
    asked: list[tuple[str, int]] = []

    def refuse(host: str, port: int, seconds: float) -> socket.socket:
        asked.append((host, port))
        raise ConnectionRefusedError

    def built(*_: object) -> None:
        raise AssertionError("built before the part was identified")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(packets, "_connected", refuse)
    monkeypatch.setattr(connecting, "build_monitor", built)
    for module in (measuring, board_accuracy):
        monkeypatch.setattr(module, "build_missing", built)
    output = run(*command, "--on", "gdb:127.0.0.1:1", "--yes").refused()
    assert "no debug server answers" in output
    assert asked == [("127.0.0.1", 1)]
    assert not list(tmp_path.iterdir())


def test_a_board_without_a_device_table_is_reported(run: Command) -> None:
    output = run("measure", TOY, "--board", "esp8266", "--on", "gdb:localhost:1").refused()
    assert "the table [device] is missing" in output


def test_a_missing_server_is_one_sentence(run: Command) -> None:
    output = run("measure", TOY, "--board", AVR, "--on", "gdb:127.0.0.1:1", "--yes").refused()
    assert "no debug server answers" in output
