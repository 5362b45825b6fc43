"""Translated code and the interpreter agree in every field of the outcome, on real programs."""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path
from typing import Literal

import pytest

from packages_for_tests import ARM, board, enc, files, run
from pennyweight._simulator import Machine, Outcome
from pennyweight.build import build
from pennyweight.job import Job
from pennyweight.model import Case, Operation, Status
from pennyweight.target import Target
from pennyweight.verify import Verdict, verify
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

Engine = Literal["interpreter", "translator", "auto"]
Arguments = list[tuple[Literal["pointer", "size", "u64", "int"], int]]

BUDGET = 20_000_000
STEP = 128
"""Bytes between the beginnings of buffers."""

PROGRAMS = [
    ("ch32v003-24mhz", "ascon-aead128/small"),
    ("ch32v003-24mhz", "chacha20-poly1305/fast32"),
    ("ch32v003-48mhz", "chacha20-poly1305/fast32"),
    ("fe310-g002", "aes-128-gcm/table"),
    ("fe310-g002", "ascon-aead128/fast32"),
    ("esp32-c3", "aes-128-gcm/table"),
    ("esp32-c3", "chacha20-poly1305/fast32"),
    ("rp2350-hazard3", "aes-128-gcm/table"),
    ("esp8266", "ascon-aead128/fast32"),
    ("esp32", "ascon-aead128/fast32"),
    ("esp32", "aes-128-gcm/table"),
    ("pic32mx340", "chacha20-poly1305/fast32"),
    ("stm32f030", "aes-128-gcm/table"),
    ("stm32f030-48mhz", "chacha20-poly1305/fast32"),
    ("rp2040", "ascon-aead128/fast32"),
    ("samd21", "aes-128-gcm/table"),
    ("stm32f103-24mhz", "aes-128-gcm/table"),
    ("stm32f407-24mhz", "chacha20-poly1305/fast32"),
    ("sam3x8e", "aes-128-gcm/table"),
    ("sam3x8e", "chacha20-poly1305/fast32"),
    ("stm32f303-72mhz", "ascon-aead128/fast32"),
    ("stm32f407-168mhz", "aes-128-gcm/table"),
    ("stm32g071-64mhz", "chacha20-poly1305/fast32"),
    ("stm32l476-80mhz", "aes-128-gcm/table"),
    ("nrf52840", "chacha20-poly1305/fast32"),
    ("samd51", "ascon-aead128/fast32"),
    ("rp2350", "aes-128-gcm/ct32"),
    ("stm32u585", "chacha20-poly1305/fast32"),
    ("nrf5340-128mhz", "aes-128-gcm/table"),
    ("cc2652r", "ascon-aead128/fast32"),
    ("rp2350-xip", "ascon-aead128/fast32"),
    ("atmega328p", "ascon-aead128/fast32"),
    ("atmega328p", "aes-128-gcm/table"),
    ("attiny1614", "chacha20-poly1305/fast32"),
    # They draw words from the part's generator.
    ("stm32f407-24mhz", "ascon-aead128/masked2"),
    ("nrf52840", "ascon-aead128/masked2"),
]


def booted(name: str, implementation: str, engine: Engine) -> Machine:
    found = board(name)
    [chosen] = files().find(implementation)
    program = build(Job(chosen, found, "-O2")).programs["full"]
    machine = Machine.with_engine(found.simulated(), program.elf, engine)
    ready = machine.symbol("pw_ready")
    assert ready is not None
    assert machine.boot(ready, BUDGET).exit == "returned"
    machine.snapshot()
    return machine


def address(machine: Machine, name: str) -> int:
    found = machine.symbol(name)
    assert found is not None
    return found


def encrypted(machine: Machine, m: int, ad: int, budget: int, zone: bool) -> Outcome:
    """One encryption; with `zone`, all bytes behind the message are forbidden."""
    start = (address(machine, "pw_static_end") + 15) & -16
    c, text, data, key = (start + place * STEP for place in range(4))
    arguments: Arguments = [
        *(("pointer", c), ("pointer", key + 64), ("pointer", text), ("u64", m)),
        *(("pointer", data), ("u64", ad), ("pointer", 0), ("pointer", key), ("pointer", key + 16)),
    ]
    zones = [(text + m, text + STEP, True, True)] if zone else []
    function = address(machine, "crypto_aead_encrypt")
    return machine.call(function, arguments, budget, key + STEP, zones)


def described(outcome: Outcome) -> dict[str, object]:
    names = ("exit", "fault", "access", "message", "pc", "address", "size", "cycles")
    more = ("instructions", "stack", "result", "random")
    return {name: getattr(outcome, name) for name in (*names, *more)}


@pytest.mark.parametrize(("name", "implementation"), PROGRAMS)
def test_both_engines_have_the_same_outcomes(name: str, implementation: str) -> None:
    machines = [booted(name, implementation, engine) for engine in ("interpreter", "translator")]
    choices = random.Random(1)
    exits = set()
    for budget, zone in itertools.product((BUDGET, 5_000, 50_000), (False, True)):
        for _ in range(3):
            m, ad = choices.randrange(STEP - 16), choices.randrange(STEP)
            outcomes = [described(encrypted(each, m, ad, budget, zone)) for each in machines]
            assert outcomes[0] == outcomes[1]
            start = address(machines[0], "pw_static_end")
            assert machines[0].read(start, 4 * STEP) == machines[1].read(start, 4 * STEP)
            exits.add(outcomes[0]["exit"])
            if outcomes[0]["exit"] != "returned":
                for machine in machines:
                    machine.restore()
    assert exits >= {"returned", "out of cycles"}
    assert machines[0].translated_runs == 0
    assert machines[1].translated_runs > 0


def test_the_environment_selects_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    [implementation] = files().find("ascon-aead128/small")
    rows = []
    for engine in ("interpreter", "translator", "auto"):
        monkeypatch.setenv("PENNYWEIGHT_ENGINE", engine)
        result = run(implementation, "ch32v003-24mhz", enc(16, 100), verify="none")
        rows.append([(row.cycles, row.instructions, row.stack) for row in result.measurements])
    assert rows[0] == rows[1] == rows[2]
    assert rows[0][0][0]


@pytest.mark.parametrize("name", ["fe310-g002", ARM])
def test_an_unknown_engine_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = board(name)
    [implementation] = files().find("ascon-aead128/small")
    elf = build(Job(implementation, found, "-O2")).programs["full"].elf
    monkeypatch.setenv("PENNYWEIGHT_ENGINE", "turbo")
    with pytest.raises(ValueError, match='PENNYWEIGHT_ENGINE: there is no engine "turbo"; choose'):
        Machine(found.simulated(), elf)
    with pytest.raises(ValueError, match='there is no engine "warp"; choose interpreter'):
        Machine.with_engine(found.simulated(), elf, "warp")  # type: ignore[arg-type]


def test_an_engine_asked_for_by_name_verifies_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def verified(job: Job, target: Target, parts: Target | None) -> Verdict:
        seen.append(os.environ["PENNYWEIGHT_ENGINE"])
        return verify(job, target, parts)

    monkeypatch.setattr("pennyweight.measure.verdicts.verify", verified)
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path))
    [implementation] = files().find("sha-256/small")
    for engine in ("auto", "translator", "auto", "translator", "interpreter"):
        monkeypatch.setenv("PENNYWEIGHT_ENGINE", engine)
        result = run(implementation, "ch32v003-24mhz", Case(Operation.HASH, 0, 16), verify="quick")
        assert result.measurements[0].status == Status.OK
    assert seen == ["auto", "translator", "interpreter"]
