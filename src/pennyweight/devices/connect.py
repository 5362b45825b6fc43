"""Connects to a board and identifies its part."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from pennyweight.catalogue.boards import Board
from pennyweight.devices.avrdude import read_signature, write_avr
from pennyweight.devices.errors import NO_TABLE, DeviceError
from pennyweight.devices.families import family_of
from pennyweight.devices.gdb import GdbServer
from pennyweight.devices.gdb_link import GdbLink
from pennyweight.devices.identity import identify
from pennyweight.devices.machine import Device
from pennyweight.devices.monitor import build_monitor
from pennyweight.devices.place import Place, parse_place
from pennyweight.devices.serial_link import SerialLink
from pennyweight.devices.servers import Server, start_server

SUPPLY = "; supply "
"""Separates a part's identity from the user's `--supply` in a description of a device."""


@dataclass(slots=True)
class Connection:
    """A device, its description, and the server to stop at the end."""

    device: Device
    identity: str
    """Part, core, identity and server, as recorded in results."""
    server: Server | None = None

    def close(self) -> None:
        """Disconnects, and stops the server that was started for the part."""
        self.device.link.close()
        if self.server is not None:
            self.server.stop()


def connect(text: str, board: Board) -> Connection:
    """The board at a place in the form of `--on`. Nothing is written to it.

    Raises `DeviceError` if there is no device or its part differs, `UserError` for a malformed
    place, and `MissingToolchainError`.
    """
    place = parse_place(text)
    if board.file.device is None:
        raise DeviceError(f"board file '{board.path}': {NO_TABLE}")
    monitor = build_monitor(board)
    family = family_of(board)
    if place.kind == "serial":
        return _serial(place, board)
    started = start_server(place, board) if place.kind == "probe" else None
    host, port = (place.name, place.port) if started is None else ("127.0.0.1", started.port)
    server = None
    try:
        server = GdbServer(host, port)
        words = identify(server, board, family.name)
    except BaseException:
        # A debug server accepts one client at a time.
        if server is not None:
            server.close()
        if started is not None:
            started.stop()
        raise
    device = Device(GdbLink(server, board, monitor), board, monitor)
    return Connection(device, words, started)


def _serial(place: Place, board: Board) -> Connection:
    table = board.file.device
    assert table is not None
    if table.uart is None or "avrdude" not in table.tools:
        raise DeviceError(
            f"{place}: there is no serial monitor for {board.id}; connect a debug probe and "
            "give --on probe or --on gdb:HOST:PORT"
        )
    baud = place.baud or table.uart.baud
    monitor = build_monitor(board)
    part, path, name = table.target, place.name, f"serial:{place.name}"

    def load(flash: list[tuple[int, bytes]]) -> None:
        write_avr(name, path, part, baud, flash)

    # The boot loader answers regardless of flash, so the identity does not change when the monitor
    # is written.
    signature = read_signature(name, path, part, baud)
    if table.signature and signature != table.signature:
        raise DeviceError(
            f"{name}: the part's signature is {signature}, but {board.id} has {table.signature}; "
            "nothing was written; choose the matching board"
        )
    words = [board.part, *([f"signature {signature}"] if signature else [])]
    link = SerialLink(path, baud, monitor, load)
    return Connection(Device(link, board, monitor), ", ".join(words))


_open: dict[tuple[str, str], Connection] = {}


def shared(text: str, board: Board) -> Connection:
    """The connection to a place, which this process's jobs share one after another."""
    key = (text, board.sha256)
    if key not in _open:
        for other in list(_open):
            _open.pop(other).close()
        _open[key] = connect(text, board)
    return _open[key]


def drop(text: str, board: Board) -> None:
    """Closes a connection that failed; the next job opens a new one."""
    found = _open.pop((text, board.sha256), None)
    if found is not None:
        with contextlib.suppress(DeviceError):
            found.close()
