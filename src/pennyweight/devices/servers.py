"""Starts OpenOCD, pyOCD, probe-rs or mspdebug for a debug probe."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.device_table import Device
from pennyweight.devices.errors import PROBE_REMEDY, DeviceError
from pennyweight.devices.place import Place
from pennyweight.devices.tools import SERVERS, tool_path
from pennyweight.devices.usb import Probe, find_probes

_START_S = 15.0

_TWO_TRANSPORTS = ("interface/jlink.cfg", "interface/cmsis-dap.cfg")
"""OpenOCD's drivers that do not choose between JTAG and SWD correctly."""

_ONLY_SWD = (
    "interface/stlink.cfg",
    "interface/ftdi/ft232h-module-swd.cfg",
    "interface/ftdi/minimodule-swd.cfg",
)

_JTAG = ("target/esp32.cfg", "target/pic32mx.cfg", "board/sifive-hifive1-revb.cfg")
"""Targets without SWD."""

_NO_MULTIDROP = ("interface/stlink.cfg",)

_MULTIDROP = ("target/rp2040.cfg",)
"""Targets whose cores share the wires of SWD."""

_BOUND = b"Bound to port"
"""What mspdebug prints when it listens. It serves one connection, so none is made to find out."""


@dataclass(slots=True)
class Server:
    """A running server on a local port."""

    process: subprocess.Popen[bytes]
    port: int

    def stop(self) -> None:
        """Terminates the server."""
        self.process.terminate()
        try:
            self.process.wait(5.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def missing_server(probe: Probe, board: Board) -> str | None:
    """The package to install to use a board through a probe; empty if a server is installed, `None`
    if the probe does not fit.
    """
    tools = [] if missing_transport(probe, board) else _tools(probe, board)
    if not tools:
        return None
    if any(tool_path(each) for each in tools):
        return ""
    return f"a debug server: {SERVERS[tools[0]]}"


def _tools(probe: Probe, board: Board) -> list[str]:
    """The servers for a probe and a board's part, the preferred one first."""
    table = board.file.device
    named = table.tools if table is not None else ()
    if probe.mspdebug:
        return [each for each in named if each == "mspdebug"]
    # probe-rs uses FTDI's chips for JTAG only.
    fitting = ["openocd", "pyocd", *([] if "/ftdi/" in probe.openocd else ["probe-rs"])]
    return [each for each in named if each in fitting]


def start_server(place: Place, probe: Probe, board: Board) -> Server:
    """Starts a server for a probe and the board's part. Raises `DeviceError`."""
    table = board.file.device
    assert table is not None
    if not _has_server(board):
        raise _without_server(place, board)
    tools = _tools(probe, board)
    if not tools:
        raise DeviceError(
            f"{place}: {probe.name} is not a probe for {board.part}, which is used with "
            f"{' or '.join(each for each in table.tools if each in SERVERS)}; connect another probe"
        )
    transport = missing_transport(probe, board)
    if transport:
        raise DeviceError(
            f"{place}: {board.id} is connected through {transport}, which {probe.name} does not "
            "have; use another probe, such as a J-Link"
        )
    tool = next((each for each in tools if tool_path(each)), None)
    if tool is None:
        remedy = " or ".join(f"`{SERVERS[each]}`" for each in tools)
        raise DeviceError(
            f"{place}: no debug server for {board.id} is installed; install one with {remedy}"
        )
    port = _free_port()
    return _started(server_command(tool, probe, table, port), tool, place, probe, port)


def missing_transport(probe: Probe, board: Board) -> str:
    """What the board's part is connected through and the probe does not have; empty if nothing."""
    table = board.file.device
    names = table.target.split() if table is not None else []
    if probe.openocd in _ONLY_SWD and any(each in _JTAG for each in names):
        return "JTAG"
    if probe.openocd in _NO_MULTIDROP and any(each in _MULTIDROP for each in names):
        return "SWD with several targets (multidrop)"
    return ""


def server_command(tool: str, probe: Probe, table: Device, port: int) -> list[str]:
    """The command that starts a tool's server; the table has the part's name for each tool that
    needs one.
    """
    names = table.target.split()
    if tool == "probe-rs":
        words = ["--chip", table.chip, "--gdb-connection-string", f"127.0.0.1:{port}"]
        if probe.usb and probe.serial:
            words += ["--probe", f"{probe.usb}:{probe.serial}"]
        return ["probe-rs", "gdb", *words]
    if tool == "mspdebug":
        chosen = ["-s", probe.serial] if probe.serial else []
        wires = ["-j"] if "jtag" in names else []
        return ["mspdebug", "-n", "-q", *wires, *chosen, probe.mspdebug, f"gdb {port}"]
    if tool == "openocd":
        script = next(each for each in names if each.endswith(".cfg"))
        commands = [f"gdb_port {port}", "tcl_port disabled", "telnet_port disabled"]
        # The script of a board includes that of its probe, and may end the configuration.
        before = [] if script.startswith("board/") else ["-f", probe.openocd]
        if before and probe.openocd in _TWO_TRANSPORTS:
            commands.append(f"transport select {'jtag' if script in _JTAG else 'swd'}")
        if probe.serial:
            commands.append(f"adapter serial {probe.serial}")
        options = [word for command in commands for word in ("-c", command)]
        return ["openocd", *before, *options, "-f", script]
    name = next(each for each in names if not each.endswith(".cfg"))
    uid = ["--uid", probe.serial] if probe.serial else []
    return ["pyocd", "gdbserver", "--target", name, "--port", str(port), *uid]


def _has_server(board: Board) -> bool:
    """Whether there is a debug server for a board, whatever the probe."""
    table = board.file.device
    return table is not None and any(each in SERVERS for each in table.tools)


def _without_server(place: Place, board: Board) -> DeviceError:
    table = board.file.device
    has_port = table is not None and table.uart is not None
    others = [*(["serial:PORT"] if has_port else []), "gdb:HOST:PORT"]
    return DeviceError(
        f"{place}: Pennyweight starts no debug server for {board.id}; give --on "
        f"{' or --on '.join(others)}"
    )


def find_probe(place: Place, boards: Sequence[Board]) -> Probe:
    """The probe at a place. Raises `DeviceError` if there is none, if there are several, and if a
    probe would not help, because none of the boards has a debug server.
    """
    if not any(map(_has_server, boards)):
        raise _without_server(place, boards[0])
    connected = find_probes()
    found = [each for each in connected if place.name in ("", each.serial)]
    serials = ", ".join(each.serial or f"{each.name} without a serial number" for each in connected)
    if not found and connected:
        raise DeviceError(
            f"{place}: no probe has the serial number '{place.name}'; connected: {serials}"
        )
    if not found:
        raise DeviceError(
            f"{place}: no debug probe found; connect it, and run `pennyweight devices` to list "
            "probes"
        )
    if len(found) > 1:
        remedy = "give probe:SERIAL, or disconnect the others"
        raise DeviceError(f"{place}: several probes are connected ({serials}); {remedy}")
    return found[0]


def _started(command: list[str], tool: str, place: Place, probe: Probe, port: int) -> Server:
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        end = time.monotonic() + _START_S
        while time.monotonic() < end and process.poll() is None:
            if _listens(tool, output, port):
                return Server(process, port)
            time.sleep(0.1)
        process.kill()
        process.wait()
        output.seek(0)
        said = output.read().decode("utf-8", "replace").strip().splitlines()
    errors = [line for line in said if "rror" in line] or said[-1:]
    reason = errors[0].strip() if errors else "no message"
    if not probe.usable:
        raise DeviceError(
            f"{place}: no permission to open {probe.name} ({tool}: {reason}); {PROBE_REMEDY}"
        )
    if "libmsp430" in reason:
        raise DeviceError(
            f"{place}: mspdebug does not find libmsp430.so; build and install TI's MSP Debug Stack "
            "(docs/howto/real-board.md)"
        )
    raise DeviceError(f"{place}: {tool} failed to start: {reason}")


def _listens(tool: str, output: IO[bytes], port: int) -> bool:
    if tool == "mspdebug":
        # The process writes at the file's position, which it shares.
        return _BOUND in os.pread(output.fileno(), 1 << 16, 0)
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
