"""On which boards `make test` runs a bundled implementation: few, always the same ones.

Every implementation times every board is `make verify-all`. Here each implementation gets one board
of each width of core, and all boards get their share of implementations. Boards with a core that
another board has, whose answers therefore differ at most by the sizes and addresses of memories,
get only the implementations of `SHORT_SET`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from pennyweight.catalogue import Board, Implementation
from pennyweight.catalogue.offers import has_own_code

BY_CORE_ALONE = frozenset(
    (
        *("attiny1614", "attiny85", "avr128da48", "ch32v003-24mhz", "ch32v003-48mhz"),
        "msp430fr5994-8mhz",
        *("nrf52833", "samd51", "stm32f303-72mhz", "stm32f303-ccm"),
        *("stm32l476-16mhz", "stm32l476-80mhz", "stm32l4r5-20mhz", "stm32l4r5-120mhz"),
        *("rp2040", "rp2040-xip", "stm32g071-16mhz", "stm32g071-64mhz", "stm32l053-16mhz"),
        "stm32u585",
        *("cc2652r", "nrf5340-64mhz", "nrf5340-128mhz", "rp2350-xip"),
    )
)
"""Boards whose core's answers all implementations test on other boards."""

SHORT_SET = ("ascon-aead128/small", "chacha20-poly1305/small", "sha-256/small")
"""For the boards of `BY_CORE_ALONE`: an AEAD without tables, one with multiplications, and a hash
with a table of constants, which differ in how they use memories.
"""

MULTIPLYING = ("chacha20-poly1305/small",)
"""Those of `SHORT_SET` whose AVR assembly multiplies, which the extension `mul` is for."""

RAM_NEEDED = {"aes-128-gcm/masked2": 6144, "aes-128-gcm/masked3": 6144}
"""Bytes of RAM of the smallest board whose stack the known answers of an implementation fit."""

SUBSETS = {"rv32i": ("rv32e",)}
"""Instruction sets whose instructions another one has."""

UNUSED = frozenset(("xw",))
"""Extensions that no supported compiler uses; the simulators' unit tests execute them."""


def fully_tested(boards: Iterable[Board]) -> list[Board]:
    """The boards among which all implementations are shared out.

    Boards with the same core and memories give the same answers: only one of them is tested.
    """
    distinct = {
        (each.core, each.flash.size, each.ram.size): each
        for each in boards
        if each.id not in BY_CORE_ALONE
    }
    return list(distinct.values())


def boards_for(implementation: Implementation, boards: Iterable[Board]) -> list[Board]:
    """One 8- or 16-bit and one 32-bit board, chosen by the implementation's name, of those that its
    assembly is written for if there are any; for those of `SHORT_SET` also all boards of
    `BY_CORE_ALONE`.

    Rendezvous hashing chooses: a new board takes its share of implementations, and no others move.
    """
    name = implementation.id
    boards = list(boards)
    least = RAM_NEEDED.get(name, 0)
    distinct = [each for each in fully_tested(boards) if each.ram.size >= least]
    chosen = []
    for widths in ((8, 16), (32,)):
        group = sorted((each for each in distinct if each.bits in widths), key=_id)
        group = [each for each in group if has_own_code(implementation, each)] or group
        if group:
            chosen.append(max(group, key=lambda each: number(f"{name} {each.id}")))
    if name in SHORT_SET:
        few = (each for each in boards if each.id in BY_CORE_ALONE)
        chosen += sorted((each for each in few if can_build(name, each)), key=_id)
    return chosen


def can_build(implementation: str, board: Board) -> bool:
    """Whether a board's core has the instructions of an implementation of `SHORT_SET`."""
    core = board.core_file.file
    multiplies = core.abi != "avr-gcc" or "mul" in core.extensions
    return multiplies or implementation not in MULTIPLYING


def has_all_of(larger: Board, smaller: Board) -> bool:
    """Whether a board's core has all instructions of another board's core that compilers use."""
    one, other = larger.core_file.file, smaller.core_file.file
    sets = {one.instruction_set, *SUBSETS.get(one.instruction_set, ())}
    return other.instruction_set in sets and set(one.extensions) >= set(other.extensions) - UNUSED


def _id(board: Board) -> str:
    return board.id


def number(name: str) -> int:
    """The same on every machine, unlike `hash`."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
