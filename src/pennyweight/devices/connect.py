"""Connects to a board and identifies its part."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pennyweight.catalogue.boards import Board
from pennyweight.devices.avrdude import read_signature, write_avr
from pennyweight.devices.errors import (
    NO_TABLE,
    DeviceError,
    LostConnectionError,
    SilentError,
    WrongPartError,
)
from pennyweight.devices.families import family_of
from pennyweight.devices.gdb import GdbServer
from pennyweight.devices.gdb_link import GdbLink
from pennyweight.devices.identity import NOT_READ, describe, identify
from pennyweight.devices.machine import Device
from pennyweight.devices.monitor import build_monitor
from pennyweight.devices.place import Place, parse_place
from pennyweight.devices.serial_link import SerialLink, start_rom_loader
from pennyweight.devices.serial_port import refuse_if_no_port
from pennyweight.devices.servers import Server, find_probe, start_server
from pennyweight.devices.stm32flash import read_device_id, write_stm32
from pennyweight.devices.usb import Probe

SUPPLY = "; supply "
"""Separates a part's identity from the user's `--supply` in a description of a device."""


@dataclass(slots=True)
class Connection:
    """A device, its description, and the server to stop at the end."""

    device: Device
    identity: str
    """Part, core, identity, server, probe and clock, as recorded in results."""
    server: Server | None = None

    def close(self) -> None:
        """Disconnects, and stops the server that was started for the part."""
        self.device.link.close()
        if self.server is not None:
            self.server.stop()


@dataclass(frozen=True, slots=True)
class Identified:
    """The boards that match the part at a place."""

    identities: dict[str, str]
    """The part's identity, by the id of each board that it matches."""
    errors: dict[str, DeviceError]
    """Why each other board does not match."""
    part: str
    """The part, if it can be identified without a board; may be empty."""


def identify_part(text: str, boards: Sequence[Board]) -> Identified:
    """The boards, all with a table `[device]`, that match the part at a place in the form of
    `--on`. Nothing is written to it, and nothing is built.

    Raises `DeviceError` if no part can be reached, and `UserError` for a malformed place.
    """
    place = parse_place(text)
    found = Identified({}, {}, "")
    if place.kind == "serial":
        return _on_serial_line(place, boards)
    if place.kind == "gdb":
        return _on_server(place.name, place.port, boards)
    probe = find_probe(place, boards)
    servers: dict[tuple[object, ...], list[Board]] = {}
    for board in boards:
        table = board.file.device
        assert table is not None
        servers.setdefault((table.tools, table.target), []).append(board)
    part = ""
    for group in servers.values():
        # A server with the script of another target may not start, or not answer.
        try:
            started = start_server(place, probe, group[0])
            try:
                some = _on_server("127.0.0.1", started.port, group, probe)
            finally:
                started.stop()
        except DeviceError as error:
            found.errors.update((board.id, error) for board in group)
            continue
        found.identities.update(some.identities)
        found.errors.update(some.errors)
        part = part or some.part
    return replace(found, part=part)


def _on_server(
    host: str, port: int, boards: Sequence[Board], probe: Probe | None = None
) -> Identified:
    """The boards that match the part behind a debug server, which is asked in one connection."""
    found = Identified({}, {}, "")
    server = GdbServer(host, port)
    try:
        for board in boards:
            try:
                words = identify(server, board, family_of(board).name)
                found.identities[board.id] = _with_setting(words, board, probe)
            except (LostConnectionError, SilentError):
                raise
            except DeviceError as error:
                found.errors[board.id] = error
        return replace(found, part=describe(server) if len(boards) > 1 else "")
    finally:
        server.close()


def connect(text: str, board: Board) -> Connection:
    """The board at a place in the form of `--on`. Nothing is written to it.

    Raises `DeviceError` if there is no device or its part differs, `UserError` for a malformed
    place, and `MissingToolchainError`.
    """
    place = parse_place(text)
    if board.file.device is None:
        raise DeviceError(f"board file '{board.path}': {NO_TABLE}")
    if place.kind == "serial":
        return _serial(place, board)
    started = probe = None
    if place.kind == "probe":
        probe = find_probe(place, [board])
        started = start_server(place, probe, board)
    host, port = (place.name, place.port) if started is None else ("127.0.0.1", started.port)
    server = None
    try:
        server = GdbServer(host, port)
        words = _with_setting(identify(server, board, family_of(board).name), board, probe)
        monitor = build_monitor(board)
        device = Device(GdbLink(server, board, monitor), board, monitor)
    except BaseException:
        # A debug server accepts one client at a time.
        if server is not None:
            server.close()
        if started is not None:
            started.stop()
        raise
    return Connection(device, words, started)


def _on_serial_line(place: Place, boards: Sequence[Board]) -> Identified:
    """The boards that match the part on a serial line.

    Boards with a boot loader in ROM are first: requests to a different one disturb it while it
    detects the baud rate. If it answers, only these boards can match.
    """
    found = Identified({}, {}, "")
    in_rom = [board for board in boards if _rom_loader(board)]
    others = [board for board in boards if not _rom_loader(board)]
    if in_rom:
        try:
            number, _ = _device_id(place, in_rom[0])
        except SilentError as error:
            if not others:
                raise
            found.errors.update((board.id, error) for board in in_rom)
        else:
            for board in boards:
                try:
                    found.identities[board.id] = _rom_identity(place, board, number)
                except WrongPartError as error:
                    found.errors[board.id] = error
            return found
    for board in others:
        try:
            found.identities[board.id] = _signature_identity(place, board)
        except WrongPartError as error:
            found.errors[board.id] = error
    return found


def _serial(place: Place, board: Board) -> Connection:
    table = board.file.device
    assert table is not None
    part, path, name = table.target, place.name, f"serial:{place.name}"
    is_awake = True
    if _rom_loader(board):
        number, is_awake = _device_id(place, board)
        words = _rom_identity(place, board, number)
    else:
        words = _signature_identity(place, board)
    assert table.uart is not None
    baud = place.baud or table.uart.baud
    in_rom = table.uart.rom_loader is not None
    monitor = build_monitor(board)

    def load(flash: list[tuple[int, bytes]]) -> None:
        if in_rom:
            write_stm32(name, path, baud, flash)
        else:
            write_avr(name, path, part, baud, flash)

    link = SerialLink(path, baud, monitor, load, in_rom=in_rom, is_awake=is_awake)
    return Connection(Device(link, board, monitor), words)


def _rom_loader(board: Board) -> bool:
    """Whether the part's serial boot loader is in ROM."""
    table = board.file.device
    return table is not None and table.uart is not None and table.uart.rom_loader is not None


def _device_id(place: Place, board: Board) -> tuple[int, bool]:
    """The DEV_ID of the STM32 on a serial line, and whether the monitor runs on it."""
    table = board.file.device
    assert table is not None and table.uart is not None
    refuse_if_no_port(place.name)
    baud = place.baud or table.uart.baud
    return read_device_id(
        f"serial:{place.name}", place.name, baud, lambda: start_rom_loader(place.name, baud)
    )


def _rom_identity(place: Place, board: Board, number: int) -> str:
    """The part's identity if its DEV_ID is that of the board."""
    table = board.file.device
    assert table is not None
    word = table.identity
    if word is None or not _rom_loader(board) or number != word.value & word.mask:
        raise WrongPartError(
            f"serial:{place.name}: the part is an STM32 with the device ID {number:#x}, which is "
            f"not that of {board.id}; nothing was written; choose the matching board"
        )
    return _with_setting(f"{board.part}, device ID {number:#x}", board)


def _signature_identity(place: Place, board: Board) -> str:
    """The part's identity, read through its boot loader, which answers regardless of flash."""
    table = board.file.device
    assert table is not None
    if table.uart is None:
        raise WrongPartError(
            f"{place}: there is no serial monitor for {board.id}; connect a debug probe and "
            "give --on probe or --on gdb:HOST:PORT"
        )
    name = f"serial:{place.name}"
    refuse_if_no_port(place.name)
    signature = read_signature(name, place.name, table.target, place.baud or table.uart.baud)
    if signature not in ("", table.signature):
        raise WrongPartError(
            f"{name}: the part's signature is {signature}, but {board.id} has {table.signature}; "
            "nothing was written; choose the matching board"
        )
    read = f"signature {signature}" if signature else NOT_READ
    return _with_setting(f"{board.part}, {read}", board)


def _with_setting(identity: str, board: Board, probe: Probe | None = None) -> str:
    """A part's identity with its probe and its clock, which is that of the board file and true
    only if the monitor sets it up.
    """
    words = [identity]
    if probe is not None:
        words.append(f"{probe.name} {probe.serial}".strip())
    table = board.file.device
    is_set = table is not None and table.clock
    clock = f"{board.hz / 1e6:g} MHz" + ("" if is_set else " in the board file")
    return ", ".join([*words, clock])


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
