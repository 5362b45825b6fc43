"""Starts OpenOCD or pyOCD for a debug probe."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass

from pennyweight.catalogue.boards import Board
from pennyweight.devices.errors import DeviceError
from pennyweight.devices.place import Place
from pennyweight.devices.usb import Probe, find_probes

_START_S = 15.0

_TWO_TRANSPORTS = ("interface/jlink.cfg", "interface/cmsis-dap.cfg")
"""OpenOCD's drivers that do not choose between JTAG and SWD correctly."""

_ONLY_SWD = ("interface/stlink.cfg",)

_JTAG = ("target/esp32.cfg", "target/pic32mx.cfg")
"""Targets without SWD."""

_PACKAGES = {"openocd": "apt-get install openocd", "pyocd": "pip install pyocd"}


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


def missing_server(board: Board) -> str | None:
    """The package to install for a board; empty if a server is installed, `None` if none fits."""
    table = board.file.device
    tools = [each for each in table.tools if each in _PACKAGES] if table is not None else []
    if not tools:
        return None
    if any(shutil.which(each) for each in tools):
        return ""
    return f"a debug server: {_PACKAGES[tools[0]]}"


def start_server(place: Place, probe: Probe, board: Board) -> Server:
    """Starts a server for a probe and the board's part. Raises `DeviceError`."""
    table = board.file.device
    assert table is not None
    tools = [each for each in table.tools if each in _PACKAGES]
    tool = next((each for each in tools if shutil.which(each)), None)
    if tool is None:
        remedy = " or ".join(f"`{_PACKAGES[each]}`" for each in tools)
        raise DeviceError(
            f"{place}: no debug server for {board.id} is installed; install one with {remedy}"
            if tools
            else f"{place}: board file '{board.path}': device.tools has no debug server for "
            "this part"
        )
    if needs_other_probe(probe, board):
        raise DeviceError(
            f"{place}: {board.id} is connected through JTAG, which {probe.name} does not have; use "
            "another probe, such as a J-Link"
        )
    port = _free_port()
    return _started(server_command(tool, probe, table.target, port), tool, place, port)


def needs_other_probe(probe: Probe, board: Board) -> bool:
    """Whether the board's part has JTAG only and the probe SWD only."""
    table = board.file.device
    return (
        table is not None
        and probe.openocd in _ONLY_SWD
        and any(each in _JTAG for each in table.target.split())
    )


def server_command(tool: str, probe: Probe, target: str, port: int) -> list[str]:
    """The command that starts a tool's server; `target` has the names for both tools."""
    names = target.split()
    if tool == "openocd":
        script = next((each for each in names if each.endswith(".cfg")), names[0])
        commands = [f"gdb_port {port}", "tcl_port disabled", "telnet_port disabled"]
        # The script of a board includes that of its probe, and may end the configuration.
        before = [] if script.startswith("board/") else ["-f", probe.openocd]
        if before and probe.openocd in _TWO_TRANSPORTS:
            commands.append(f"transport select {'jtag' if script in _JTAG else 'swd'}")
        if probe.serial:
            commands.append(f"adapter serial {probe.serial}")
        options = [word for command in commands for word in ("-c", command)]
        return ["openocd", *before, *options, "-f", script]
    name = next((each for each in names if not each.endswith(".cfg")), names[0])
    chosen = ["--uid", probe.serial] if probe.serial else []
    return ["pyocd", "gdbserver", "--target", name, "--port", str(port), *chosen]


def find_probe(place: Place) -> Probe:
    """The probe at a place. Raises `DeviceError` if there is none, or several."""
    found = find_probes()
    if place.name:
        found = [each for each in found if each.serial == place.name]
    if not found:
        raise DeviceError(
            f"{place}: no debug probe found; connect it, and run `pennyweight devices` to list "
            "probes"
        )
    if len(found) > 1:
        serials = ", ".join(each.serial or "no serial number" for each in found)
        raise DeviceError(f"{place}: several probes are connected ({serials}); give probe:SERIAL")
    return found[0]


def _started(command: list[str], tool: str, place: Place, port: int) -> Server:
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        end = time.monotonic() + _START_S
        while time.monotonic() < end and process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
                return Server(process, port)
            time.sleep(0.1)
        process.kill()
        process.wait()
        output.seek(0)
        said = output.read().decode("utf-8", "replace").strip().splitlines()
    errors = [line for line in said if "rror" in line] or said[-1:]
    reason = errors[0].strip() if errors else "no message"
    raise DeviceError(f"{place}: {tool} failed to start: {reason}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
