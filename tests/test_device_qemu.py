"""Cortex-M, RISC-V, MIPS and Xtensa behind QEMU's debug server, MSP430 behind mspdebug's: answers
and flow.

QEMU counts no cycles, and mspdebug's simulator not those of the part.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from emulators.running import BOARDS, msp430_gdb, qemu_gdb
from packages_for_tests import board, toy
from pennyweight.build.programs import Program, build
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.devices.gdb import GdbServer
from pennyweight.devices.gdb_link import GdbLink
from pennyweight.devices.machine import Device
from pennyweight.devices.monitor import build_monitor
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target import Failure, Result, Target
from pennyweight.target.aead import SEPARATE, Aead
from pennyweight.verify import verify

FEW = ("microbit", "sifive_e")
MSP430 = "msp430f1611"
BUNDLED = (MSP430, "pic32mx340")
MANY = (
    *BUNDLED,
    "lx106",
    "stm32vldiscovery",
    "netduinoplus2",
    "mps2-an385",
    "mps2-an386",
    "mps2-an505",
)
BUDGET = 5_000_000

machines = pytest.mark.parametrize(
    "machine", [*FEW, *(pytest.param(each, marks=pytest.mark.devices) for each in MANY)]
)


@contextlib.contextmanager
def device_of(machine: str) -> Iterator[Device]:
    part = board(machine) if machine in BUNDLED else load_board(BOARDS / f"{machine}.toml")
    with msp430_gdb() if machine == MSP430 else qemu_gdb(machine) as emulator:
        host, port = emulator.place.removeprefix("gdb:").split(":")
        monitor = build_monitor(part)
        link = GdbLink(GdbServer(host, int(port)), part, monitor)
        yield Device(link, part, monitor)
        link.close()


def program(name: str, part: Board) -> Program:
    # `jumps_away` calls what a call instruction of Xtensa cannot reach.
    flags = "-Os -mlongcalls" if part.core == "lx106" else "-Os"
    return build(Job(toy(name), part, flags)).programs["full"]


def sealed(target: Target) -> Result | Failure:
    aead = Aead(target, toy("ref").tag)
    prepared = aead.sealing(bytes(16), bytes(16), b"header", b"message", SEPARATE)
    assert not isinstance(prepared, Failure)
    layout, arguments = prepared
    return target.run("crypto_aead_encrypt", arguments, layout)


@machines
def test_answers_are_right_and_misbehaviour_is_a_status(machine: str) -> None:
    with device_of(machine) as device:
        part = device.board

        def target(name: str) -> Target:
            return Target(part, program(name, part), BUDGET, device.load)

        verdict = verify(Job(toy("ref"), part, "-Os", verify="quick"), target("ref"), None)
        assert (verdict.status, verdict.reason) == (Status.OK, "")
        simulated = sealed(Target(part, program("ref", part), BUDGET))
        found = sealed(target("ref"))
        assert isinstance(found, Result) and isinstance(simulated, Result)
        assert found.memory == simulated.memory
        for name, status in (
            ("writes_outside", Status.WROTE_OUTSIDE),
            ("overflows_stack", Status.STACK_OVERFLOW),
            ("loops", Status.OUT_OF_CYCLES),
        ):
            failure = sealed(target(name))
            assert isinstance(failure, Failure), name
            assert failure.status is status, failure.reason
        if machine != MSP430:
            jumped = Aead(target("jumps_away"), toy("ref").tag).open(
                bytes(16), bytes(16), b"", bytes(toy("ref").tag)
            )
            assert isinstance(jumped, Failure)
            assert jumped.status is Status.CRASHED
            assert "0x7ffe00" in jumped.reason or "core took a fault" in jumped.reason
        assert isinstance(sealed(target("ref")), Result)


def test_images_start_one_after_another_without_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stops at its breakpoint, which QEMU's reset after writing flash removes."""
    with device_of("microbit") as device:
        part = device.board
        waits: list[bool] = []
        wait = GdbServer.wait

        def recorded(server: GdbServer, seconds: float) -> bool:
            waits.append(wait(server, min(seconds, 5.0)))
            return waits[-1]

        monkeypatch.setattr(GdbServer, "wait", recorded)
        for name in ("ref", "loops", "ref"):
            machine = device.load(part, program(name, part))
            ready = machine.symbol("pw_ready")
            assert ready is not None
            assert machine.boot(ready, BUDGET).exit == "returned", name
    assert waits and all(waits)
