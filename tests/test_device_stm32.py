"""The serial path of STM32s: stm32flash through a boot loader in ROM, then the monitor's frames
over the USART that QEMU emulates. QEMU counts no cycles: answers and flow are tested.

QEMU receives a byte only when its processor leaves the registers alone for a moment, which takes
seconds on a machine with other work: these tests are in `make test-devices` only.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_runs import runner
from emulators.running import BOARDS
from emulators.stm32_board import KINDS, Stm32Board, stm32_board
from packages_for_tests import AVR, PACKAGES, board, toy
from pennyweight.build import Program, build
from pennyweight.catalogue import load
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.catalogue.root import data_root
from pennyweight.devices import tools
from pennyweight.devices.connect import Connection, connect, identify_part
from pennyweight.devices.errors import DeviceError, SilentError, WrongPartError
from pennyweight.devices.stm32flash import explained
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Failure, Result, Target
from pennyweight.target.aead import SEPARATE, Aead

BUDGET = 5_000_000
UARTS = {"stm32vldiscovery": "stm32f1", "netduinoplus2": "stm32f4"}


@pytest.fixture(autouse=True)
def _without_parity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The boot loader wants even parity, which a pseudo terminal does not have."""
    real = shutil.which("stm32flash")
    assert real is not None, "these tests need the package stm32flash"
    tool = tmp_path / "bin" / "stm32flash"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec {real} -m 8n1 "$@"\n', encoding="utf-8")
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")


def part_on(machine: str, folder: Path, device: int | None = None) -> Board:
    """The board file of a machine with its serial port."""
    kind = KINDS[machine]
    number = device or kind.device
    table = (
        f"identity = {{ address = 0xe004_2000, mask = 0xfff, value = {number:#x} }}\n"
        f'tools = ["stm32flash"]\n'
        f'uart = {{ name = "{UARTS[machine]}", rom_loader = {kind.rom:#x} }}'
    )
    text = (BOARDS / f"{machine}.toml").read_text(encoding="utf-8")
    path = folder / f"{machine}.toml"
    path.write_text(re.sub(r"identity = .*", table, text), encoding="utf-8")
    return load_board(path)


def program(name: str, part: Board) -> Program:
    return build(Job(toy(name), part, "-Os")).programs["full"]


def sealed(connection: Connection, name: str = "ref") -> Result | Failure:
    device = connection.device
    target = Target(device.board, program(name, device.board), BUDGET, device.load)
    return prepared(target)


def prepared(target: Target) -> Result | Failure:
    aead = Aead(target, toy("ref").tag)
    found = aead.sealing(bytes(16), bytes(16), b"header", b"message", SEPARATE)
    assert not isinstance(found, Failure)
    layout, arguments = found
    return target.run("crypto_aead_encrypt", arguments, layout)


@pytest.mark.devices
@pytest.mark.parametrize("machine", UARTS)
def test_an_image_is_loaded_through_the_rom_and_gives_the_simulators_answer(
    machine: str, tmp_path: Path
) -> None:
    part = part_on(machine, tmp_path)
    simulated = prepared(Target(part, program("ref", part), BUDGET))
    assert isinstance(simulated, Result)
    with stm32_board(machine) as emulated:
        connection = connect(emulated.place, part)
        assert connection.identity == (
            f"{part.part}, device ID {KINDS[machine].device:#x}, {part.hz / 1e6:g} MHz in the "
            "board file"
        )
        assert emulated.started == [] and emulated.erased == []
        found = sealed(connection)
        connection.close()
        assert isinstance(found, Result) and found.memory == simulated.memory
        assert emulated.started == ["program"]
        # Only the pages of image and monitor.
        assert 0 < len(emulated.erased) < len(KINDS[machine].ends) / 2


@pytest.fixture(scope="module")
def emulated() -> Iterator[Stm32Board]:
    with stm32_board("stm32vldiscovery") as found:
        yield found


@pytest.mark.devices
def test_a_running_monitor_starts_the_boot_loader(emulated: Stm32Board, tmp_path: Path) -> None:
    part = part_on("stm32vldiscovery", tmp_path)
    first = connect(emulated.place, part)
    assert isinstance(sealed(first), Result)
    first.close()
    before = len(emulated.started)
    again = connect(emulated.place, part)
    # To read the device ID; the program continues, and is not written again.
    assert emulated.started_after(before) == ["loader", "program"]
    erased = list(emulated.erased)
    assert isinstance(sealed(again), Result)
    assert emulated.started_after(before) == ["loader", "program"]
    assert emulated.erased == erased
    # Another image is written.
    assert isinstance(sealed(again, "writes_outside"), Failure)
    again.close()
    assert emulated.started_after(before) == ["loader", "program"] * 2
    assert emulated.erased != erased


@pytest.mark.devices
def test_misbehaviour_is_a_status_and_the_part_continues(
    emulated: Stm32Board, tmp_path: Path
) -> None:
    connection = connect(emulated.place, part_on("stm32vldiscovery", tmp_path))
    for name, status in (
        ("loops", Status.OUT_OF_CYCLES),
        ("writes_outside", Status.WROTE_OUTSIDE),
        ("overflows_stack", Status.STACK_OVERFLOW),
    ):
        found = sealed(connection, name)
        assert isinstance(found, Failure), name
        assert found.status is status, found.reason
    assert isinstance(sealed(connection), Result)
    connection.close()


def test_a_different_part_is_rejected_before_writing(tmp_path: Path) -> None:
    other = part_on("stm32vldiscovery", tmp_path, device=0x410)
    with stm32_board("stm32vldiscovery") as emulated:
        with pytest.raises(
            WrongPartError, match=r"device ID 0x420, which is not that of .* nothing"
        ):
            connect(emulated.place, other)
        found = identify_part(emulated.place, [other, board(AVR), load().boards["stm32f407-24mhz"]])
        assert not found.identities
        assert set(found.errors) == {other.id, AVR, "stm32f407-24mhz"}
        assert "not that of atmega328p; nothing was written" in str(found.errors[AVR])
        assert emulated.erased == [] and emulated.started == []


def test_a_part_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    with stm32_board("stm32vldiscovery") as emulated:
        emulated.end()
        with pytest.raises(SilentError, match=r"set BOOT0 to high, press reset, and run"):
            connect(emulated.place, part_on("stm32vldiscovery", tmp_path))


def test_a_missing_stm32flash_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tools, "tool_path", lambda _: None)
    part_on("stm32vldiscovery", tmp_path)
    with stm32_board("stm32vldiscovery") as emulated:
        words = ("measure", PACKAGES / "crypto_aead" / "toy" / "ref", "--yes")
        printed = runner(capsys)(
            *words, "--board", tmp_path / "stm32vldiscovery.toml", "--on", emulated.place
        ).refused()
    assert "stm32flash is not installed; install it with `apt-get install stm32flash`" in " ".join(
        printed.split()
    )


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (
            "Failed to init device, timeout.",
            "neither the monitor nor the part's boot loader answers",
        ),
        ("Permission denied", "no permission to open the port"),
        ("Got NACK from device\nFlash is read-protected", "the part's flash is protected"),
        ("one\n\ntwo\n", "stm32flash failed: two"),
        ("", "stm32flash failed: no message"),
    ],
)
def test_stm32flashs_messages_are_explained(printed: str, expected: str) -> None:
    found = explained("serial:x", printed)
    assert isinstance(found, DeviceError) and expected in str(found)


REGISTERS = Path(__file__).parent / "emulators" / "uart_registers.c"


@pytest.mark.parametrize(
    ("name", "cfgr", "hz"),
    [
        ("stm32f030", 0x4002_1004, 8_000_000),
        ("stm32f030-48mhz", 0x4002_1004, 48_000_000),
        ("stm32f103-72mhz", 0x4002_1004, 72_000_000),
        ("stm32f407-168mhz", 0x4002_3808, 84_000_000),
        ("stm32f429", 0x4002_3808, 50_000_000),
    ],
)
@pytest.mark.parametrize("is_switched", [False, True])
def test_the_baud_rate_is_that_of_the_clock(
    tmp_path: Path, name: str, cfgr: int, hz: int, is_switched: bool
) -> None:
    """Also if the clock set-up code has not run, or the clock did not start."""
    part = load().boards[name]
    assert part.file.device is not None and part.file.device.uart is not None
    driver = part.file.device.uart.name
    source = data_root() / "firmware/device/cortex-m/uart" / f"{driver}.c"
    made = tmp_path / "uart"
    flags = ["-O1", "-Wall", "-Wextra", *part.file.device.defines(part.hz)]
    command = ["cc", *flags, f'-DUART_SOURCE="{source}"', str(REGISTERS), "-o", str(made)]
    subprocess.run(command, check=True)
    switch = 0b1000 if is_switched else 0
    done = subprocess.run(
        [made, f"{cfgr:x}={switch:x}"], check=True, capture_output=True, text=True
    )
    found = {
        int(at, 16): int(value, 16)
        for at, _, value in (w.partition("=") for w in done.stdout.split())
    }
    base = 0x4001_1000 if driver == "stm32f4" else 0x4001_3800
    divider = found[base + (0x0C if driver == "stm32f0" else 0x08)]
    source_hz = hz if is_switched else {"stm32f4": 16_000_000}.get(driver, 8_000_000)
    assert source_hz / divider == pytest.approx(115_200, rel=0.01)
    control = found[base + (0x00 if driver == "stm32f0" else 0x0C)]
    enabled = 1 if driver == "stm32f0" else 1 << 13
    assert control == enabled | 1 << 3 | 1 << 2
    if driver == "stm32f1":
        assert found[0x4001_0804] >> 4 & 0xFF == 0x4B
    else:
        port = 0x4800_0000 if driver == "stm32f0" else 0x4002_0000
        assert found[port] >> 18 & 0xF == 0b1010
        assert found[port + 0x24] >> 4 & 0xFF == (0x11 if driver == "stm32f0" else 0x77)
