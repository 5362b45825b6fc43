"""Faults between this machine and a part, caused for real in the emulators: each one is reported in
a sentence or recorded as the status of a call, and the board works again afterwards.

The table in `docs/howto/real-board.md` lists all of them; cables, noise and busy ports of serial
lines are in `test_device_serial.py`.
"""

from __future__ import annotations

import json
import os
import pty
import socket
import stat
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from emulators.running import BOARDS, Emulator, avr_serial, free_port, qemu_gdb
from packages_for_tests import AVR, board, toy
from pennyweight.build import build
from pennyweight.catalogue import load
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.devices import frames
from pennyweight.devices.connect import Connection, connect
from pennyweight.devices.errors import DeviceError, LostConnectionError, SilentError
from pennyweight.devices.monitor import build_monitor
from pennyweight.devices.serial_link import SerialLink
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Failure, RefusedImageError, Result, Target
from pennyweight.target.aead import SEPARATE, Aead


def changed(folder: Path, source: Path, *changes: tuple[str, str]) -> Board:
    """A copy of a board file with changes to its text."""
    text = source.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / source.name
    path.write_text(text, encoding="utf-8")
    return load_board(path)


def booted(connection: Connection, name: str, budget: int = 5_000_000) -> Target:
    device = connection.device
    program = build(Job(toy(name), device.board, "-Os")).programs["full"]
    return Target(device.board, program, budget, device.load)


def sealed(target: Target) -> Result | Failure:
    aead = Aead(target, toy("ref").tag)
    prepared = aead.sealing(bytes(16), bytes(16), b"header", b"message", SEPARATE)
    assert not isinstance(prepared, Failure)
    layout, arguments = prepared
    return target.run("crypto_aead_encrypt", arguments, layout)


def later(seconds: float, action: Callable[[], None]) -> threading.Timer:
    """Runs an action during a call."""
    timer = threading.Timer(seconds, action)
    timer.start()
    return timer


MICROBIT = BOARDS / "microbit.toml"


def test_a_server_killed_during_a_call_is_one_sentence() -> None:
    with qemu_gdb("microbit") as emulator:
        connection = connect(emulator.place, load_board(MICROBIT))
        target = booted(connection, "loops", 2_000_000_000)
        timer = later(1.0, emulator.kill)
        with pytest.raises(LostConnectionError, match="the connection to the debug server is lost"):
            sealed(target)
        timer.join()
        connection.close()


@pytest.mark.devices
def test_a_stalled_server_is_one_sentence_and_works_after_it_continues() -> None:
    with qemu_gdb("microbit") as emulator:
        connection = connect(emulator.place, load_board(MICROBIT))
        target = booted(connection, "ref")
        emulator.stall()
        with pytest.raises(SilentError, match=r"does not (answer|acknowledge packets)"):
            sealed(target)
        connection.close()
        emulator.resume()
        connection = connect(emulator.place, load_board(MICROBIT))
        assert isinstance(sealed(booted(connection, "ref")), Result)
        connection.close()


def reset(port: int) -> None:
    """Resets QEMU's part, as a brown-out would (QEMU Machine Protocol, `system_reset`)."""
    with socket.create_connection(("127.0.0.1", port)) as control, control.makefile("rw") as lines:
        lines.readline()
        for command in ("qmp_capabilities", "system_reset"):
            lines.write(json.dumps({"execute": command}) + "\n")
            lines.flush()
            while "return" not in json.loads(lines.readline()):
                pass


def test_a_part_that_resets_during_a_call_is_a_status() -> None:
    port = free_port()
    with qemu_gdb("microbit", "-qmp", f"tcp:127.0.0.1:{port},server=on,wait=off") as emulator:
        connection = connect(emulator.place, load_board(MICROBIT))
        target = booted(connection, "loops", 100_000_000)
        timer = later(1.0, lambda: reset(port))
        found = sealed(target)
        timer.join()
        assert isinstance(found, Failure)
        assert found.status is Status.CRASHED
        assert "the part was reset during the call" in found.reason
        assert isinstance(sealed(booted(connection, "ref")), Result)
        connection.close()


def test_a_different_identity_word_is_rejected(tmp_path: Path) -> None:
    word = "address = 0x2000_0000, mask = 0xfff, value = 0x413"
    other = changed(tmp_path, MICROBIT, ("address = 0x1000_0014, value = 0x100", word))
    with (
        qemu_gdb("microbit") as emulator,
        pytest.raises(DeviceError, match=r"identity word at 0x20000000 .* nothing was written"),
    ):
        connect(emulator.place, other)


def test_a_different_risc_v_core_is_rejected(tmp_path: Path) -> None:
    """An FE310-G000 has no user mode."""
    other = changed(tmp_path, BOARDS / "sifive_e.toml", ("0x4010_1105", "0x4000_1105"))
    with (
        qemu_gdb("sifive_e") as emulator,
        pytest.raises(DeviceError, match=r"misa is 0x40101105, but .* has 0x40001105; nothing was"),
    ):
        connect(emulator.place, other)


def test_a_different_signature_is_rejected(tmp_path: Path) -> None:
    source = load().root / "boards" / f"{AVR}.toml"
    other = changed(tmp_path, source, ('target = "m328p"', 'target = "m168p"'))
    with (
        avr_serial() as emulator,
        pytest.raises(DeviceError, match=r"not the m168p .*signature 1e950f.*nothing was written"),
    ):
        connect(emulator.place, other)


def test_a_stopped_counter_is_reported(tmp_path: Path) -> None:
    """QEMU's Cortex-M have no DWT_CYCCNT."""
    source = BOARDS / "netduinoplus2.toml"
    other = changed(tmp_path, source, ('counter = "systick"', 'counter = "dwt"'))
    with qemu_gdb("netduinoplus2") as emulator:
        connection = connect(emulator.place, other)
        target = booted(connection, "ref")
        with pytest.raises(DeviceError, match="the part's cycle counter is stopped"):
            sealed(target)
        connection.close()


def test_an_image_that_overlaps_the_monitor_is_rejected(tmp_path: Path) -> None:
    small = changed(tmp_path, MICROBIT, ("size = 0x4_0000", "size = 0x500"))
    with qemu_gdb("microbit") as emulator:
        connection = connect(emulator.place, small)
        with pytest.raises(RefusedImageError, match="bytes of flash hold the monitor"):
            booted(connection, "ref")
        connection.close()


def test_a_port_without_permission_is_reported() -> None:
    own, foreign = pty.openpty()
    path = Path(os.ttyname(foreign))
    path.chmod(0)
    serial = link(str(path))
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        with pytest.raises(DeviceError, match=r"no permission to open the port; .*--udev-rules"):
            serial.load([])
    finally:
        if is_root:
            os.seteuid(0)
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
        os.close(own)
        os.close(foreign)


def link(path: str, load_by: Callable[[list[tuple[int, bytes]]], None] | None = None) -> SerialLink:
    def unexpected(flash: list[tuple[int, bytes]]) -> None:
        raise AssertionError(flash)

    return SerialLink(path, 115_200, build_monitor(board(AVR)), load_by or unexpected)


class OtherMonitor:
    """A part whose monitor is from another version: it answers greetings with that version."""

    def __init__(self, version: int) -> None:
        self.version = version
        self._own_end, self._other_end = pty.openpty()
        tty.setraw(self._other_end)
        self.path = os.ttyname(self._other_end)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        waiting = bytearray()
        while True:
            waiting += os.read(self._own_end, 256)
            found = frames.take(waiting)
            if found is not None:
                answer = bytes((ord("A"), found[3], self.version, 32, 0, 0x1E, 0x95, 0x0F))
                os.write(self._own_end, frames.frame(answer))


def test_a_monitor_of_another_version_is_replaced() -> None:
    part = OtherMonitor(version=9)
    written: list[list[tuple[int, bytes]]] = []
    with pytest.raises(DeviceError, match="from another version of Pennyweight"):
        # The part still answers with the old version, as if writing it had no effect.
        link(part.path, written.append).load([(0, b"image")])
    assert written == [[(0, b"image")]]


def test_a_device_that_is_not_the_monitor_is_reported() -> None:
    """A modem or another board on the port: it answers every line with text."""
    own, foreign = pty.openpty()
    tty.setraw(foreign)

    def serve() -> None:
        while os.read(own, 256):
            os.write(own, b"ERROR\r\n")
            time.sleep(0.05)

    threading.Thread(target=serve, daemon=True).start()
    with pytest.raises(SilentError, match="does not answer after it was written"):
        link(os.ttyname(foreign), lambda flash: None).load([(0, b"image")])


@pytest.mark.devices
def test_a_serial_board_works_again_after_it_was_disconnected() -> None:
    def measured(emulator: Emulator) -> Result | Failure:
        connection = connect(emulator.place, board(AVR))
        try:
            return sealed(booted(connection, "ref"))
        finally:
            connection.close()

    with avr_serial() as emulator:
        assert isinstance(measured(emulator), Result)
        emulator.kill()
        with pytest.raises(DeviceError, match="serial:"):
            measured(emulator)
    with avr_serial() as emulator:
        assert isinstance(measured(emulator), Result)
