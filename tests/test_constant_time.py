"""What says that it is constant time is so, on each kind of core; all of it in `make
constant-time-all`.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from scripts.constant_time.__main__ import boards_of_each_core, main
from scripts.constant_time.allowed_leaks import ALLOWED, IMPLEMENTATIONS
from scripts.constant_time.tracing import trace

from board_inputs import inputs_of_jobs
from packages_for_tests import board, files
from pennyweight.build import build
from pennyweight.catalogue import Board, Implementation
from pennyweight.job import Job
from pennyweight.model import Case, Operation
from pennyweight.target import Target
from pennyweight.target.aead import SEPARATE, Aead
from pennyweight.target.failure import Failure
from pennyweight.target.mac import Mac
from verdicts import Inputs, cached, cached_by_project

pytestmark = cached_by_project("secrets followed on boards")

WIDE = ("samd21", "sam3x8e", "nrf52840", "fe310-g002")

CHOSEN = {
    "atmega328p": ("poly1305/fast8", "siphash-2-4-64/fast32"),
    # Its compiler branches on the carry between halves of 32 bits.
    "msp430f1611": ("poly1305/fast8", "siphash-2-4-64/fast32", "blake2b-keyed/small"),
    **dict.fromkeys(WIDE, ("aes-128-gmac/ct32", "isap-a-128a/fast32")),
    # It has no carry.
    "esp8266": (
        *("poly1305/fast32", "siphash-2-4-64/fast32"),
        *("sha-512/fast32", "blake2b-keyed/small"),
    ),
    # Its multiplications take longer for larger factors.
    "pic32mx340": ("aes-128-gcm/ct32", "poly1305/fast8", "siphash-2-4-64/fast32"),
}
"""What is followed on which board."""

LEVELS = {"esp8266": ("-O2", "-Os")}
"""Levels of optimisation, if more than -O2."""


def _implementation(name: str) -> Implementation:
    [found] = files().find(name)
    return found


def _call(name: str, on: str, flags: str = "-O2") -> Job:
    implementation = _implementation(name)
    op = implementation.operations()[0]
    case = Case(op, 5 if op is Operation.ENC else 0, 20)
    return Job(implementation, board(on), flags, [case])


def _calls(on: str, name: str) -> list[Job]:
    return [_call(name, on, flags) for flags in LEVELS.get(on, ("-O2",))]


def inputs(on: str, name: str) -> Inputs:
    says = _implementation(name).manifest.constant_time
    found = inputs_of_jobs(*_calls(on, name))
    return replace(found, values=[says, found.values])


@pytest.mark.parametrize(
    ("on", "name"), [(on, name) for on, names in CHOSEN.items() for name in names]
)
@cached("constant-time checks", inputs)
def test_no_secret_shows_in_time(on: str, name: str) -> None:
    assert _implementation(name).manifest.constant_time
    for call in _calls(on, name):
        answer = trace(call)
        assert (answer.lines, answer.fits) == ((), True)


def _cycles(implementation: Implementation, on: Board, flags: str, keys: int) -> set[int]:
    """Cycles of encryptions under many keys."""
    target = Target(on, build(Job(implementation, on, flags)).programs["full"], 10_000_000)
    aead = Aead(target, implementation.tag)
    numbers = random.Random(1)
    found = set()
    for _ in range(keys):
        target.reset()
        key = numbers.randbytes(implementation.key)
        inputs = (bytes(implementation.nonce), bytes(16), numbers.randbytes(32))
        prepared = aead.sealing(key, *inputs, SEPARATE)
        assert not isinstance(prepared, Failure)
        layout, arguments = prepared
        result = target.run("crypto_aead_encrypt", arguments, layout)
        assert not isinstance(result, Failure)
        found.add(result.outcome.cycles)
    return found


@pytest.mark.parametrize("flags", ["-O2", "-Os", "-O3"])
def test_ghash_takes_the_same_time_where_small_factors_take_less(flags: str) -> None:
    """`time` in them is expected on this core: they are reported, whatever the factors are."""
    assert len(_cycles(_implementation("aes-128-gcm/ct32"), board("pic32mx340"), flags, 12)) == 1


@pytest.mark.parametrize("flags", ["-O2", "-Os", "-O3"])
@pytest.mark.parametrize("name", ["poly1305/fast32", "poly1305/fast8", "poly1305/small"])
def test_poly1305_takes_the_same_time_where_small_factors_take_less(name: str, flags: str) -> None:
    implementation, on = _implementation(name), board("pic32mx340")
    mac = Mac(
        Target(on, build(Job(implementation, on, flags)).programs["full"], 10_000_000),
        implementation.tag,
    )
    found = set()
    for byte in (0, 1, 0x7F, 0xFF):
        for key in (bytes(32), bytes([1]) + bytes(31), bytes([0xFF] * 32), bytes(range(32))):
            layout, arguments = mac.signing(key, bytes([byte] * 40), SEPARATE)
            mac.target.reset()
            result = mac.target.run("crypto_auth", arguments, layout)
            assert not isinstance(result, Failure)
            found.add(result.outcome.cycles)
    assert len(found) == 1


def test_a_table_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    answer = trace(_call("aes-128-gcm/table", "esp8266"))
    first, *places = answer.lines
    assert first.startswith("aes-128-gcm/table on esp8266, -O2, enc: ")
    assert any(each.startswith("address in ") for each in places)
    assert main(["aes-128-gcm/table", "--board", "esp8266"]) == 2
    assert "no implementation that claims to be constant-time" in capsys.readouterr().err


def test_the_command_lists_what_it_checked(capsys: pytest.CaptureFixture[str]) -> None:
    call = ("ascon-aead128/fast32", "saturnin-short/small", "--board", "esp8266,nrf52840")
    assert main([*call, "--jobs", "1"]) == 0
    output = capsys.readouterr().out
    assert output == (
        "8 operations of 2 implementations on esp8266, nrf52840: 0 depend on secrets or failed, "
        "0 do not fit.\n"
    )
    assert main(["ascon-aead128/fast32", "--board", "nothing"]) == 2


def test_each_core_has_one_board() -> None:
    chosen = boards_of_each_core(files().boards.values())
    assert len({each.core for each in chosen}) == len(chosen) >= 8


def test_what_may_show_is_in_the_sources() -> None:
    for each in ALLOWED:
        assert each.core in {"", *(board.core for board in files().boards.values())}
        if each.source:
            assert each.text in (IMPLEMENTATIONS / each.source).read_text(encoding="utf-8")
