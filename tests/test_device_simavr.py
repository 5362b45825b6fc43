"""The whole hardware path on simavr, an independent emulator that counts cycles: debug server,
image in flash, the monitor's call, Timer1. Every count must be the simulator's, to the cycle.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scripts.simavr_cycles.__main__ import IMPLEMENTATIONS, compare

from emulators.running import BOARDS, Emulator, avr_gdb
from packages_for_tests import AVR, board, toy
from pennyweight.build import build
from pennyweight.catalogue import load
from pennyweight.catalogue.boards import load_board
from pennyweight.devices.gdb import GdbServer
from pennyweight.devices.gdb_link import GdbLink
from pennyweight.devices.machine import Device
from pennyweight.devices.monitor import build_monitor
from pennyweight.job import Job
from pennyweight.measure.case_costs import Counts
from pennyweight.measure.one_shot import OneShot
from pennyweight.model import Case, Operation, Status
from pennyweight.pool import counts as call_counts
from pennyweight.target import Failure, Target
from pennyweight.target.aead import Aead
from pennyweight.verify import verify

BUDGET = 20_000_000


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    with avr_gdb() as running:
        yield running


@pytest.fixture(scope="module")
def device(emulator: Emulator) -> Iterator[Device]:
    host, port = emulator.place.removeprefix("gdb:").split(":")
    monitor = build_monitor(board(AVR))
    link = GdbLink(GdbServer(host, int(port)), board(AVR), monitor)
    yield Device(link, board(AVR), monitor)
    link.close()


def counts(target: Target, name: str, cases: list[Case]) -> list[tuple[int, int]]:
    [implementation] = load().find(name)
    function = OneShot(target, implementation, buffered=False)
    found = []
    for case in cases:
        measured = function.measure(case, in_place=False)
        assert isinstance(measured, Counts), measured
        found.append((measured.cycles, measured.stack))
    return found


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        (
            "ascon-aead128/fast8",
            [
                Case(Operation.ENC, 0, 0),
                Case(Operation.ENC, 16, 13),
                Case(Operation.DEC, 7, 64),
                Case(Operation.ENC, 0, 128),
            ],
        ),
        ("sha-256/fast8", [Case(Operation.HASH, 0, 0), Case(Operation.HASH, 0, 128)]),
        ("xoodyak/small", [Case(Operation.DEC, 0, 5)]),
    ],
)
def test_cycles_are_the_simulators(device: Device, name: str, cases: list[Case]) -> None:
    [implementation] = load().find(name)
    program = build(Job(implementation, board(AVR), "-Os")).programs["full"]
    on_device = counts(Target(board(AVR), program, BUDGET, device.load), name, cases)
    simulated = counts(Target(board(AVR), program, BUDGET), name, cases)
    assert [cycles for cycles, _ in on_device] == [cycles for cycles, _ in simulated]
    for (_, measured), (_, exact) in zip(on_device, simulated, strict=True):
        # An overflow's interrupt may lie on the deepest point: two bytes of return address.
        assert measured in (exact, exact + 2)


def test_calls_are_counted_for_the_progress(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verification makes thousands, and a job of minutes must show that it advances."""
    program = build(Job(toy("ref"), board(AVR), "-Os")).programs["full"]
    target = Target(board(AVR), program, BUDGET, device.load)
    seen: list[str] = []
    monkeypatch.setattr(call_counts, "add", seen.append)
    assert isinstance(Aead(target, 16).seal(bytes(16), bytes(16), b"", b""), bytes)
    assert seen == ["calls"]


@pytest.mark.devices
def test_twelve_implementations_take_the_simulators_cycles() -> None:
    """As `make simavr-cycles`, which has every length from 0 to 128 bytes."""
    assert len(IMPLEMENTATIONS) >= 10
    text, different = compare(IMPLEMENTATIONS, "0:0-128/16")
    rows = [line.split("|") for line in text.splitlines()[2:]]
    assert {row[1].strip() for row in rows} == set(IMPLEMENTATIONS)
    assert {row[3].strip() for row in rows} == {"9"}
    assert different == 0, text


@pytest.mark.devices
def test_known_answers_pass_on_the_device(device: Device) -> None:
    implementation = toy("ref")
    job = Job(implementation, board(AVR), "-Os", verify="quick")
    program = build(job).programs["full"]
    verdict = verify(job, Target(board(AVR), program, BUDGET, device.load), None)
    assert (verdict.status, verdict.reason) == (Status.OK, "")


@pytest.mark.parametrize(
    ("folder", "status"),
    [
        ("loops", Status.OUT_OF_CYCLES),
        pytest.param("overflows_stack", Status.STACK_OVERFLOW, marks=pytest.mark.devices),
        ("writes_outside", Status.WROTE_OUTSIDE),
    ],
)
def test_misbehaviour_is_a_status_and_the_device_continues(
    device: Device, folder: str, status: Status
) -> None:
    program = build(Job(toy(folder), board(AVR), "-Os")).programs["full"]
    bad = Aead(Target(board(AVR), program, 400_000, device.load), 16)
    found = bad.seal(bytes(16), bytes(16), b"", bytes(16))
    assert isinstance(found, Failure)
    assert found.status is status
    good = toy("ref")
    program = build(Job(good, board(AVR), "-Os")).programs["full"]
    aead = Aead(Target(board(AVR), program, BUDGET, device.load), good.tag)
    assert isinstance(aead.seal(bytes(16), bytes(16), b"", bytes(16)), bytes)


@pytest.mark.devices
def test_an_atmega128_counts_as_the_simulator() -> None:
    """More than 64 KB of flash, and Timer1 among the I/O registers."""
    part = load_board(BOARDS / "atmega128.toml")
    [implementation] = load().find("ascon-aead128/fast8")
    program = build(Job(implementation, part, "-Os")).programs["full"]
    cases = [Case(Operation.ENC, 0, 0), Case(Operation.DEC, 16, 64), Case(Operation.ENC, 3, 128)]
    simulated = counts(Target(part, program, BUDGET), implementation.id, cases)
    with avr_gdb("atmega128") as running:
        host, port = running.place.removeprefix("gdb:").split(":")
        monitor = build_monitor(part)
        link = GdbLink(GdbServer(host, int(port)), part, monitor)
        on_device = Target(part, program, BUDGET, Device(link, part, monitor).load)
        measured = counts(on_device, implementation.id, cases)
        link.close()
    assert [cycles for cycles, _ in measured] == [cycles for cycles, _ in simulated]
    assert simulated[-1][0] > 1 << 16
