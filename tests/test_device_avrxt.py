"""The monitor for AVRxt on yasimavr, an independent simulator of the ATmega4809: start-up code,
clock, the monitor's call, TCA0 and its overflows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from emulators.avrxt import AvrxtLink
from packages_for_tests import board, toy
from pennyweight.build import Program, build
from pennyweight.catalogue import load
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.devices.errors import DeviceError
from pennyweight.devices.machine import Device
from pennyweight.devices.monitor import build_monitor
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Failure, Target
from pennyweight.target.aead import Aead

BUDGET = 20_000_000


@pytest.fixture
def part(tmp_path: Path) -> Board:
    """An ATmega4809 at the clock that yasimavr's fuses select."""
    path = tmp_path / "board.toml"
    text = board("atmega4809").text.replace('id = "atmega4809"', 'id = "at-20-mhz"')
    path.write_text(text.replace("hz = 16_000_000", "hz = 20_000_000"), encoding="utf-8")
    return load_board(path)


def program(name: str, part: Board) -> Program:
    return build(Job(toy(name), part, "-Os")).programs["full"]


def connected(part: Board, folder: Path) -> Device:
    elf = folder / "ref.elf"
    elf.write_bytes(program("ref", part).elf)
    monitor = build_monitor(part)
    return Device(AvrxtLink(monitor, elf), part, monitor)


def link(device: Device) -> AvrxtLink:
    assert isinstance(device.link, AvrxtLink)
    return device.link


def test_every_cycle_is_counted(part: Board, tmp_path: Path) -> None:
    """The monitor's counts are yasimavr's, and a constant for the reading, also with overflows.

    They are not compared with Pennyweight's: some instructions take other cycles in yasimavr.
    """
    device = connected(part, tmp_path)
    answers = []
    for name in ("ascon-aead128/fast8", "aes-128-gcm/small-table"):
        [implementation] = load().find(name)
        built = build(Job(implementation, part, "-Os")).programs["full"]
        for loaded in (device.load, None):
            target = Target(part, built, BUDGET, loaded) if loaded else Target(part, built, BUDGET)
            aead = Aead(target, implementation.tag)
            answers.append(aead.seal(bytes(16), bytes(implementation.nonce), b"header", bytes(64)))
            assert isinstance(answers[-1], bytes)
        assert answers[-1] == answers[-2]
    counts = link(device).counts
    assert len({counted - took for counted, took in counts}) == 1
    assert max(counted for counted, _ in counts) > 1 << 17


def test_a_call_over_its_budget_is_a_status_and_the_part_continues(
    part: Board, tmp_path: Path
) -> None:
    device = connected(part, tmp_path)
    bad = Aead(Target(part, program("loops", part), 400_000, device.load), 16)
    found = bad.seal(bytes(16), bytes(16), b"", bytes(16))
    assert isinstance(found, Failure)
    assert found.status is Status.OUT_OF_CYCLES
    good = Aead(Target(part, program("ref", part), BUDGET, device.load), toy("ref").tag)
    assert isinstance(good.seal(bytes(16), bytes(16), b"", bytes(16)), bytes)


def test_a_fuse_for_another_clock_is_reported(tmp_path: Path) -> None:
    part = board("atmega4809")
    device = connected(part, tmp_path)
    with pytest.raises(DeviceError, match="the clock of ATmega4809 does not start at 16000000 Hz"):
        Target(part, program("ref", part), BUDGET, device.load)
