"""The serial path: avrdude through the boot loader of an Arduino Uno, then the monitor's frames."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from emulators.noise import Noise, noisy_terminal
from emulators.running import Emulator, avr_serial
from packages_for_tests import AVR, board, toy
from pennyweight.build import Program, build
from pennyweight.devices import frames
from pennyweight.devices.avrdude import explained, read_signature, write_avr
from pennyweight.devices.errors import DeviceError, LostConnectionError, SilentError
from pennyweight.devices.hexfile import intel_hex
from pennyweight.devices.machine import Device
from pennyweight.devices.monitor import build_monitor
from pennyweight.devices.ram_copy import Shadow
from pennyweight.devices.serial_link import SerialLink, joined
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Failure, Result, Target
from pennyweight.target.aead import SEPARATE, Aead

BUDGET = 20_000_000
KEY = bytes(range(16))


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    with avr_serial() as running:
        yield running


def connected(path: str) -> Device:
    monitor = build_monitor(board(AVR))

    def load(flash: list[tuple[int, bytes]]) -> None:
        write_avr(f"serial:{path}", path, "m328p", 115_200, flash)

    return Device(SerialLink(path, 115_200, monitor, load), board(AVR), monitor)


@pytest.fixture(scope="module")
def device(emulator: Emulator) -> Iterator[Device]:
    found = connected(emulator.place.removeprefix("serial:"))
    yield found
    found.link.close()


def program(name: str = "ref") -> Program:
    return build(Job(toy(name), board(AVR), "-Os")).programs["full"]


def sealed(target: Target) -> Result | Failure:
    aead = Aead(target, toy("ref").tag)
    prepared = aead.sealing(KEY, KEY, b"header", b"message", SEPARATE)
    assert not isinstance(prepared, Failure)
    layout, arguments = prepared
    return target.run("crypto_aead_encrypt", arguments, layout)


def simulated() -> Result:
    result = sealed(Target(board(AVR), program(), BUDGET))
    assert isinstance(result, Result)
    return result


def test_a_frame_is_found_after_noise() -> None:
    waiting = bytearray(b"\x7e\x7e\x05ab" + frames.frame(b"A\x01data") + b"\x7e")
    assert frames.take(waiting) == b"A\x01data"
    assert frames.take(waiting) is None


def test_a_damaged_frame_is_rejected() -> None:
    good = bytearray(frames.frame(b"A\x01data"))
    for place in range(len(good)):
        bad = bytearray(good)
        bad[place] ^= 0x10
        assert frames.take(bad) is None


def test_only_bytes_not_known_to_be_in_ram_are_transferred() -> None:
    ram = Shadow(0x100, 100)
    ram.put(0x110, bytes(range(40)))
    assert ram.differing(0x110, bytes(range(40))) == []
    changed = bytes((*range(5), 99, *range(6, 15), 98, *range(16, 39), 97, 96))
    assert ram.differing(0x110, changed) == [(0x115, changed[5:16]), (0x110 + 39, b"\x61\x60")]
    ram.forget(0x112, 0x113)
    assert ram.differing(0x110, bytes(range(40))) == [(0x112, b"\x02")]
    outside = bytes(8)
    assert ram.differing(0x160, outside) == [(0x160, outside)]


def test_adjacent_pieces_are_joined() -> None:
    assert joined([(1, b"ab"), (3, b"c"), (5, b"d")]) == [(1, b"abc"), (5, b"d")]


def test_hex_records_do_not_cross_64_kb() -> None:
    text = intel_hex([(0x1FFF8, bytes(range(16)))])
    assert text.splitlines() == [
        ":020000040001F9",
        ":08FFF8000001020304050607E5",
        ":020000040002F8",
        ":0800000008090A0B0C0D0E0F9C",
        ":00000001FF",
    ]


def test_an_image_loaded_by_the_boot_loader_takes_the_simulated_cycles(
    device: Device,
) -> None:
    result = sealed(Target(board(AVR), program(), BUDGET, device.load))
    assert isinstance(result, Result)
    expected = simulated()
    assert result.outcome.cycles == expected.outcome.cycles
    assert result.memory == expected.memory


def test_a_byte_written_outside_its_buffer_is_found_by_checksum(device: Device) -> None:
    found = sealed(Target(board(AVR), program("writes_outside"), BUDGET, device.load))
    expected = sealed(Target(board(AVR), program("writes_outside"), BUDGET))
    assert isinstance(found, Failure) and isinstance(expected, Failure)
    assert found.status is expected.status is Status.WROTE_OUTSIDE


def test_the_second_call_transfers_only_what_differs(device: Device) -> None:
    link = device.link
    assert isinstance(link, SerialLink)
    target = Target(board(AVR), program(), BUDGET, device.load)
    first = sealed(target)
    written: list[tuple[int, int]] = []

    def write(address: int, data: bytes) -> None:
        written.append((address, len(data)))
        SerialLink.write(link, address, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link, "write", write)
        second = sealed(target)
    assert isinstance(first, Result) and isinstance(second, Result)
    assert first.memory == second.memory
    buffers = [size for at, size in written if at != device.monitor.mailbox]
    assert 0 < sum(buffers) < 64 < len(first.memory)


def test_unchanged_flash_is_not_rewritten(device: Device) -> None:
    link = device.link
    assert isinstance(link, SerialLink)
    device.load(board(AVR), program()).boot(0, 0)
    loader, link._load = link._load, lambda flash: pytest.fail("written again")
    try:
        device.load(board(AVR), program()).boot(0, 0)
    finally:
        link._load = loader


@pytest.mark.devices
def test_lost_and_damaged_bytes_do_not_change_results(emulator: Emulator, device: Device) -> None:
    device.load(board(AVR), program()).boot(0, 0)
    device.link.close()
    noise = Noise(every=400)
    with noisy_terminal(emulator.place.removeprefix("serial:"), noise) as path:
        noisy = connected(path)
        result = sealed(Target(board(AVR), program(), BUDGET, noisy.load))
        assert isinstance(result, Result)
        assert result.memory == simulated().memory
        assert noise.damaged > 0
        noisy.link.close()


@pytest.mark.devices
def test_the_watchdog_ends_a_call_that_disables_interrupts(device: Device) -> None:
    target = Target(board(AVR), program("aborts"), 400_000, device.load)
    found = sealed(target)
    assert isinstance(found, Failure)
    assert (found.status, "was reset" in found.reason) == (Status.CRASHED, True)
    again = sealed(Target(board(AVR), program(), BUDGET, device.load))
    assert isinstance(again, Result)


@pytest.mark.devices
def test_a_part_that_hangs_is_reset_through_its_port(device: Device) -> None:
    found = sealed(Target(board(AVR), program("hangs"), 400_000, device.load))
    assert isinstance(found, Failure)
    assert (found.status, "hung during the call" in found.reason) == (Status.CRASHED, True)
    again = sealed(Target(board(AVR), program(), BUDGET, device.load))
    assert isinstance(again, Result)


def test_a_call_without_the_stack_that_it_used_before_is_not_run(device: Device) -> None:
    first = sealed(Target(board(AVR), program(), BUDGET, device.load))
    assert isinstance(first, Result)
    used = first.outcome.stack
    machine = device.current
    assert machine is not None
    limit = machine.stack_top - used // 2
    asked: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device, "call", lambda *given: asked.append(given[0]))
        function = machine.symbol("crypto_aead_encrypt")
        assert function is not None
        found = machine.call(function, [], 1000, limit)
    assert (found.fault, asked) == ("stack-overflow", [])


@pytest.mark.devices
def test_a_stack_that_overwrites_the_monitor_has_overflowed(device: Device) -> None:
    """The part ends in its start-up code, and answers as after a reset."""
    found = sealed(Target(board(AVR), program("overflows_stack"), BUDGET, device.load))
    assert isinstance(found, Failure)
    assert found.status is Status.STACK_OVERFLOW, found.reason
    assert found.stack_room > 0
    again = sealed(Target(board(AVR), program(), BUDGET, device.load))
    assert isinstance(again, Result)


def test_a_disconnected_cable_is_one_sentence(emulator: Emulator, device: Device) -> None:
    device.load(board(AVR), program()).boot(0, 0)
    device.link.close()
    noise = Noise(every=0)
    with noisy_terminal(emulator.place.removeprefix("serial:"), noise) as path:
        cut = connected(path)
        target = Target(board(AVR), program(), BUDGET, cut.load)
        assert isinstance(sealed(target), Result)
        noise.cut = True
        with pytest.raises(SilentError, match=r"does not answer|stopped answering"):
            sealed(target)
        cut.link.close()


def test_a_port_in_use_is_reported(emulator: Emulator, device: Device) -> None:
    device.load(board(AVR), program()).boot(0, 0)
    path = emulator.place.removeprefix("serial:")
    with pytest.raises(DeviceError, match="another program has the port open"):
        connected(path).load(board(AVR), program()).boot(0, 0)


def test_a_port_in_use_is_reported_before_avrdude_resets_the_board(
    emulator: Emulator, tmp_path: Path
) -> None:
    """avrdude opens a port that a measurement in another process has open."""
    path = emulator.place.removeprefix("serial:")
    holder = "import sys, time; port = open(sys.argv[1]); print('open', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", holder, path], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"open\n"
        with pytest.raises(DeviceError, match=rf"process {other.pid}\) has the port open; close"):
            read_signature("serial:x", path, "m328p", 115_200)
        other.kill()


def test_a_missing_port_is_reported() -> None:
    with pytest.raises(DeviceError, match="no such port"):
        connected("/dev/ttyACM99").load(board(AVR), program()).boot(0, 0)


@pytest.mark.devices
def test_a_killed_board_is_reported() -> None:
    with avr_serial() as emulator:
        gone = connected(emulator.place.removeprefix("serial:"))
        target = Target(board(AVR), program(), BUDGET, gone.load)
        emulator.kill()
        with pytest.raises(
            (LostConnectionError, SilentError), match=r"disconnected|not answer|stopped answering"
        ):
            sealed(target)
        gone.link.close()


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (
            "avrdude: Device signature = 0x1e9406\navrdude: Expected signature for ATmega328P is "
            "1E 95 0F\n         Double check chip, or use -F to override this check.",
            "the part is not the m328p",
        ),
        (
            "avrdude: stk500_getsync() attempt 1 of 10: not in sync: resp=0x00",
            "boot loader does not",
        ),
        ("avrdude: ser_open(): can't open device: Permission denied", "no permission"),
        (
            "avrdude OS error: cannot open port /dev/ttyUSB9: No such file or directory\n"
            "avrdude error: unable to open programmer arduino on port /dev/ttyUSB9\n\n"
            "avrdude done.  Thank you.",
            "there is no such port",
        ),
        ("something else\n\navrdude done.  Thank you.\n", "avrdude failed: something else"),
        (
            'something else\navrdude OS error: ioctl("TIOCMGET"): Inappropriate ioctl for device\n',
            "avrdude failed: something else",
        ),
        (
            "avrdude error: protocol expects OK byte 0x10 but got 0x14\n"
            "avrdude error: initialization failed, rc=-1\n",
            "the boot loader's answers come late or damaged",
        ),
    ],
)
def test_avrdudes_messages_are_explained(printed: str, expected: str) -> None:
    assert expected in explained(printed, "m328p")


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("stk500_getsync() attempt 10 of 10: not in sync: resp=0x00", "does not answer"),
        ("protocol expects OK byte 0x10 but got 0x14", "answers come late or damaged"),
    ],
)
@pytest.mark.parametrize(("failures", "answers"), [(2, True), (3, False)])
def test_a_boot_loader_without_contact_is_asked_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    printed: str,
    sentence: str,
    failures: int,
    answers: bool,
) -> None:
    """As on a busy machine, on which the boot loader's second passes before the request, or its
    answers before avrdude reads them.
    """
    calls = tmp_path / "calls"
    tool = tmp_path / "avrdude"
    tool.write_text(
        f'#!/bin/sh\necho "$*" >> {calls}\n'
        f"if [ $(wc -l < {calls}) -le {failures} ]; then\n"
        f"  echo 'avrdude: {printed}' >&2; exit 1\n"
        "fi\necho 'avrdude: Device signature = 0x1e950f' >&2\n",
        encoding="utf-8",
    )
    tool.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    if answers:
        assert read_signature("serial:x", "x", "m328p", 115_200) == "1e950f"
    else:
        with pytest.raises(DeviceError, match=sentence):
            read_signature("serial:x", "x", "m328p", 115_200)
    asked = calls.read_text(encoding="utf-8").splitlines()
    assert asked == ["-p m328p -c arduino -P x -b 115200 -x attempts=1"] * 3
