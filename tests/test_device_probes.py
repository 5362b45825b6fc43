"""`devices` and `--on probe`: probes, ports, and the debug servers that are started for them."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runs import Command, runner
from emulators.running import BOARDS, MSP430_PART, qemu_gdb
from packages_for_tests import AVR, PACKAGES, board, toy
from pennyweight.api import real_boards
from pennyweight.build import build
from pennyweight.catalogue import load
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.devices import connect as connecting
from pennyweight.devices import servers, tools, usb
from pennyweight.devices.connect import connect
from pennyweight.devices.place import parse_place
from pennyweight.devices.servers import Server, missing_transport, server_command
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.target import Target
from pennyweight.target.aead import Aead

TOY = PACKAGES / "crypto_aead" / "toy" / "ref"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def test_probes_and_ports_are_listed_with_what_is_missing(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe = tmp_path / "1-2"
    probe.mkdir()
    for name, value in (
        ("idVendor", "0483"),
        ("idProduct", "374b"),
        ("product", "STM32 STLink"),
        ("serial", "0672FF"),
        ("busnum", "1"),
        ("devnum", "7"),
    ):
        (probe / name).write_text(f"{value}\n")
    found = usb.find_probes(tmp_path, tmp_path / "nodes")
    assert [(each.name, each.serial, each.openocd, each.usable) for each in found] == [
        ("STM32 STLink", "0672FF", "interface/stlink.cfg", False)
    ]
    monkeypatch.setattr(usb, "find_probes", lambda: found)
    port = usb.Port("/dev/ttyACM0", "Arduino Uno", ("atmega328p",), True)
    adapter = usb.Port("/dev/ttyUSB0", "CP2102", ("esp8266",), False, is_adapter=True)
    monkeypatch.setattr(usb, "find_ports", lambda: [port, adapter])
    rows = real_boards.device_rows(load())
    assert rows[0]["on"] == "probe:0672FF"
    assert "permission" in rows[0]["missing"]
    assert rows[1] == {
        "on": "serial:/dev/ttyACM0",
        "what": "Arduino Uno",
        "boards": "atmega328p",
        "missing": "",
    }
    for module in (tools, servers):
        monkeypatch.setattr(module, "tool_path", lambda _: None)
    without = real_boards.device_rows(load())[:3]
    assert without[0]["missing"].startswith("a debug server: apt-get install openocd; permission")
    assert without[1]["missing"] == "avrdude: apt-get install avrdude"
    assert "stm32f103-72mhz" in without[2]["boards"] and "esp8266" not in without[2]["boards"]
    assert without[2]["missing"].startswith("stm32flash: apt-get install stm32flash; permission")
    table = run("devices")
    assert table.status == 0
    assert "serial:/dev/ttyACM0" in table.out
    every = run("devices", "--format", "json").rows
    assert every[:3] == without
    of_tools = {row["missing"].split(":")[0]: row for row in every if row["what"] == "missing tool"}
    for tool, needed in (("avrdude", "atmega128"), ("mspdebug", "msp430f1611"), ("openocd", "")):
        assert f"apt-get install {tool}" in of_tools[tool]["missing"]
        assert needed in of_tools[tool]["boards"] and of_tools[tool]["on"] == ""
    assert "pyocd" not in of_tools
    only = every[-1]["boards"].split(", ")
    assert every[-1]["what"] == "only simulated"
    assert {"esp32", "esp8266", "ch32v003-24mhz"} <= set(only)
    assert "nrf52840" not in only and "atmega4809" not in only


def test_devices_prints_one_table_if_nothing_is_connected(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usb, "find_probes", list)
    monkeypatch.setattr(usb, "find_ports", list)
    table = run("devices")
    assert table.out.startswith("--on  device ") and "\n\n" not in table.out
    assert "No debug probe or serial port found." in table.err
    listed = run("devices", "--format", "csv").out.splitlines()
    assert listed[0] == "on,what,boards,missing" and listed[-1].startswith(",only simulated,")


def test_what_makes_a_probe_unusable_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*probes: usb.Probe) -> list[str]:
        monkeypatch.setattr(usb, "find_probes", lambda: list(probes))
        return [row["missing"] for row in real_boards.device_rows(load()) if row["on"]]

    monkeypatch.setattr(usb, "find_ports", list)
    for module in (tools, servers):
        monkeypatch.setattr(module, "tool_path", lambda _: "/usr/bin/tool")
    stlink = usb.Probe("STM32 STLink", "0672FF", "interface/stlink.cfg", True)
    ftdi = usb.Probe("FT232H", "", "interface/ftdi/ft232h-module-swd.cfg", True)
    none_of_its_own = "serial number of its own (disconnect the other probes)"
    assert missing(ftdi) == [""]
    assert missing(stlink, ftdi) == ["", none_of_its_own]
    assert missing(stlink, stlink) == [none_of_its_own] * 2
    fet = usb.Probe("MSP-FET", "A1B2", "", True, mspdebug="tilib")
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    monkeypatch.setattr(tools, "find_library", lambda _: None)
    assert missing(fet) == ["libmsp430.so: TI's MSP Debug Stack, which no distribution packages"]
    monkeypatch.setattr(tools, "find_library", lambda name: f"lib{name}.so")
    assert missing(fet) == [""]


def ends_with(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str) -> None:
    """A program of this name that fails with a message, as a debug server does."""
    tool = folder / name
    tool.write_text(f'#!/bin/sh\necho "{message}" >&2\nexit 1\n')
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_a_missing_library_of_mspdebug_is_reported_with_the_remedy(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ends_with(tmp_path, monkeypatch, "mspdebug", "tilib: can't find libmsp430.so")
    probe = usb.Probe("MSP-FET", "A1B2", "", True, mspdebug="tilib")
    monkeypatch.setattr(servers, "find_probes", lambda: [probe])
    printed = run("measure", TOY, "--board", "msp430f1611", "--on", "probe", "--yes").refused()
    remedy = "mspdebug does not find libmsp430.so; build and install TI's MSP Debug Stack"
    assert remedy in " ".join(printed.split())


def test_udev_rules_name_every_known_usb_chip(run: Command) -> None:
    printed = run("devices", "--udev-rules")
    assert printed.status == 0
    lines = [line for line in printed.out.splitlines() if not line.startswith("#")]
    chips = [chip for rows in usb._known().values() for row in rows for chip in row["usb"]]
    assert chips
    for chip in chips:
        vendor, product = chip.split(":")
        found = next((line for line in lines if f'=="{vendor}"' in line and product in line), None)
        assert found or any(
            f'=="{vendor}"' in line and "idProduct" not in line for line in lines
        ), chip


@pytest.mark.parametrize(
    ("board_name", "interface", "expected"),
    [
        (
            "nrf52840",
            "interface/jlink.cfg",
            "openocd -f interface/jlink.cfg -c gdb_port 4000 -c tcl_port disabled "
            "-c telnet_port disabled -c transport select swd -c adapter serial 0672FF "
            "-f target/nrf52.cfg",
        ),
        (
            "stm32f407-168mhz",
            "interface/stlink.cfg",
            "openocd -f interface/stlink.cfg -c gdb_port 4000 -c tcl_port disabled "
            "-c telnet_port disabled -c adapter serial 0672FF -f target/stm32f4x.cfg",
        ),
        (
            "fe310-g002",
            "interface/jlink.cfg",
            "openocd -c gdb_port 4000 -c tcl_port disabled -c telnet_port disabled "
            "-c adapter serial 0672FF -f board/sifive-hifive1-revb.cfg",
        ),
    ],
)
def test_openocd_is_started_for_the_probe_and_part(
    board_name: str, interface: str, expected: str
) -> None:
    table = load().boards[board_name].file.device
    assert table is not None
    probe = usb.Probe("probe", "0672FF", interface, True)
    assert " ".join(server_command("openocd", probe, table, 4000)) == expected


IN_SRAM = load().root / "docs" / "howto" / "boards" / "esp32-sram.toml"


def test_results_name_the_probe_and_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a server that an emulator replaces."""
    probe = usb.Probe("STM32 STLink", "0672FF", "interface/stlink.cfg", True)
    part = load_board(BOARDS / "microbit.toml")
    with qemu_gdb("microbit") as emulator:
        process = subprocess.Popen(["sleep", "60"])
        server = Server(process, int(emulator.place.rpartition(":")[2]))
        monkeypatch.setattr(connecting, "find_probe", lambda *_: probe)
        monkeypatch.setattr(connecting, "start_server", lambda *_: server)
        identified = connecting.identify_part("probe", [part]).identities[part.id]
        connection = connect("probe", part)
        connection.close()
    assert process.returncode is not None
    assert connection.identity == identified
    assert identified.endswith(", STM32 STLink 0672FF, 16 MHz in the board file")


def test_mspdebug_is_started_for_a_probe_of_msp430s(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With its simulator instead of its driver for the probe."""
    real = shutil.which("mspdebug")
    assert real is not None
    tool = tmp_path / "mspdebug"
    commands = shlex.join(MSP430_PART)
    tool.write_text(
        f'#!/bin/sh\necho "$*" >> {tmp_path}/calls\nexec {real} -q sim {commands} "$7"\n'
    )
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    probe = usb.Probe("MSP-FET", "A1B2", "", True, mspdebug="tilib")
    monkeypatch.setattr(servers, "find_probes", lambda: [probe])
    part = board("msp430f1611")
    identified = connecting.identify_part("probe", [part]).identities[part.id]
    connection = connect("probe", part)
    program = build(Job(toy("ref"), part, "-Os")).programs["full"]
    target = Target(part, program, 20_000_000, connection.device.load)
    assert isinstance(Aead(target, 16).seal(bytes(16), bytes(16), b"", b""), bytes)
    connection.close()
    assert connection.identity == identified
    assert identified.endswith("unknown debug server, MSP-FET A1B2, 8 MHz in the board file")
    started = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert len(started) == 2
    assert all(each.startswith("-n -q -j -s A1B2 tilib gdb ") for each in started)
    other = run("measure", TOY, "--board", "stm32f030", "--on", "probe", "--yes").refused()
    assert (
        "MSP-FET is not a probe for STM32F030F4P6, which is used with openocd; connect"
        in " ".join(other.split())
    )


def test_probe_rs_is_started_for_the_probe_and_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With a program in its place that listens on the port."""
    tool = tmp_path / "probe-rs"
    tool.write_text(
        f"#!{sys.executable}\nimport socket, sys, time\n"
        f"open({str(tmp_path / 'calls')!r}, 'w').write(' '.join(sys.argv[1:]))\n"
        "host, port = sys.argv[5].split(':')\n"
        "listener = socket.create_server((host, int(port)))\ntime.sleep(60)\n",
        encoding="utf-8",
    )
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    named = board("stm32f030").text.replace('id = "stm32f030"', 'id = "mine"')
    tools_there = 'tools = ["openocd", "stm32flash"]'
    assert tools_there in named
    named = named.replace(tools_there, 'tools = ["probe-rs", "stm32flash"]\nchip = "STM32F030F4"')
    (tmp_path / "mine.toml").write_text(named, encoding="utf-8")
    part = load_board(tmp_path / "mine.toml")
    probe = usb.Probe("J-Link", "0672FF", "interface/jlink.cfg", True, usb="1366:1015")
    started = servers.start_server(parse_place("probe"), probe, part)
    started.stop()
    assert (tmp_path / "calls").read_text(encoding="utf-8") == (
        f"gdb --chip STM32F030F4 --gdb-connection-string 127.0.0.1:{started.port} "
        "--probe 1366:1015:0672FF"
    )
    wires = usb.Probe("FT232H", "", "interface/ftdi/ft232h-module-swd.cfg", True)
    with pytest.raises(UserError, match="FT232H is not a probe for STM32F030F4P6"):
        servers.start_server(parse_place("probe"), wires, part)


def test_a_probe_that_cannot_be_used_is_one_sentence(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def printed(board_name: str, place: str, *probes: usb.Probe) -> str:
        monkeypatch.setattr(servers, "find_probes", lambda: list(probes))
        words = ("measure", TOY, "--board", board_name, "--on", place, "--yes")
        return " ".join(run(*words).refused().split())

    stlink = usb.Probe("STM32 STLink", "0672FF", "interface/stlink.cfg", True)
    ftdi = usb.Probe("FT232H", "", "interface/ftdi/ft232h-module-swd.cfg", True)
    assert (
        "probe: Pennyweight starts no debug server for atmega328p; give --on serial:PORT or --on "
        "gdb:HOST:PORT"
    ) in printed(AVR, "probe")
    assert printed("atmega4809", "probe").endswith("for atmega4809; give --on gdb:HOST:PORT")
    assert "probe: no debug probe found; connect it" in printed("stm32f030", "probe")
    assert (
        "probe:zzz: no probe has the serial number 'zzz'; connected: 0672FF, FT232H without a "
        "serial number"
    ) in printed("stm32f030", "probe:zzz", stlink, ftdi)
    assert (
        "several probes are connected (0672FF, FT232H without a serial number); give probe:SERIAL, "
        "or disconnect the others"
    ) in printed("stm32f030", "probe", stlink, ftdi)


def test_a_probe_without_permission_is_reported_with_the_remedy(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ends_with(tmp_path, monkeypatch, "openocd", "Error: open failed")
    probe = usb.Probe("STM32 STLink", "0672FF", "interface/stlink.cfg", usable=False)
    monkeypatch.setattr(servers, "find_probes", lambda: [probe])
    printed = run("measure", TOY, "--board", "stm32f030", "--on", "probe", "--yes").refused()
    assert (
        "probe: no permission to open STM32 STLink (openocd: Error: open failed); install the "
        "rules that `pennyweight devices --udev-rules` prints, and reconnect the probe"
    ) in " ".join(printed.split())
    usable = usb.Probe("STM32 STLink", "0672FF", "interface/stlink.cfg", usable=True)
    monkeypatch.setattr(servers, "find_probes", lambda: [usable])
    printed = run("measure", TOY, "--board", "stm32f030", "--on", "probe", "--yes").refused()
    assert "openocd failed to start: Error: open failed" in " ".join(printed.split())


@pytest.mark.parametrize(
    "interface", ["stlink", "jlink", "cmsis-dap", "ftdi/ft232h-module-swd", "ftdi/minimodule-swd"]
)
@pytest.mark.parametrize(
    "part",
    [
        board
        for board in (*load().boards.values(), load_board(IN_SRAM))
        if board.file.device is not None
        and "openocd" in board.file.device.tools
        and board.file.device.target.startswith("target/")
    ],
    ids=lambda part: part.id,
)
def test_openocd_accepts_the_configuration(part: Board, interface: str) -> None:
    """OpenOCD reads all scripts and options, and ends before it looks for the probe. It rejects
    probes without the part's transport.
    """
    table = part.file.device
    assert table is not None
    probe = usb.Probe("probe", "0672FF", f"interface/{interface}.cfg", True)
    command = [*server_command("openocd", probe, table, 4000), "-c", "shutdown"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode != 0) is bool(missing_transport(probe, part)), done.stderr
