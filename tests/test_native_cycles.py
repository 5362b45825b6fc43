"""The cycles that assembly files state in their opening comments, measured again.

The comments are the only place of the figures: each of these calls must take a number of cycles
that the file's comment contains.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pennyweight.catalogue.boards import load_board
from pennyweight.catalogue.root import data_root
from pennyweight.measure.function_call import parse_call
from pennyweight.measure.single_function import find_sources, time_function
from test_native_kernels import FOLDER, IMPLEMENTATIONS, KERNELS

ARMV6M = ("stm32f030", "rp2040", "samd21")
WITHOUT_CACHE = ("stm32f103-24mhz", "stm32f407-24mhz", "sam3x8e", "rp2350")
NRF52840 = ("nrf52840",)
ARMV7M = (*WITHOUT_CACHE, *NRF52840)
ARMV7EM = ("stm32f407-24mhz", "rp2350", *NRF52840)
AVR = ("atmega328p",)
AVRXT = ("atmega328p", "atmega4809")
RV32 = ("fe310-g002", "rp2350-hazard3")
HAZARD3 = ("rp2350-hazard3",)

RANDOM = data_root() / "firmware/random/lfsr.c"
"""Random words in software: parts' generators are not linked to single functions."""
BUDGET = 10_000_000


@dataclass(frozen=True, slots=True)
class Stated:
    """Calls whose cycles a file states."""

    assembly: str
    """Relative to the families, and without the suffix."""
    calls: tuple[str, ...]
    """With `N` for the number of blocks, the cycles are those of one more block."""
    boards: tuple[str, ...]
    include: tuple[str, ...] = ()
    """Instead of those with which the file is compared with C."""
    defines: tuple[str, ...] = ()
    more: tuple[Path, ...] = ()

    def __str__(self) -> str:
        return "-".join((self.assembly.replace("/native", ""), *self.include[1:2], *self.defines))


PERMUTED_ASCON = tuple(f"ascon_permute(s:40, {rounds:#x})" for rounds in (0xF0, 0xB4, 0x96))
ASCON_BLOCKS = tuple(
    f"ascon_{each}_blocks(s:40, output:80, input:80, N)"
    for each in ("absorb", "encrypt", "decrypt")
)
ASCON = (*PERMUTED_ASCON, *ASCON_BLOCKS)
XOODYAK = tuple(
    f"xoodyak_{each}_24(s:48, output:120, input:120, N)" for each in ("encrypt", "decrypt")
)
XOODOO = ("xoodoo_permute(s:48)", *XOODYAK)
CHACHA_BLOCKS = "chacha20_encrypt_blocks(state:64, output:320, input:320, N)"
CHACHA = ("chacha20_block(block:64, state:64)", CHACHA_BLOCKS)
SPARKLE384 = tuple(f"sparkle_permute(s:48, {steps})" for steps in (11, 7))
SPARKLE512 = tuple(f"sparkle_permute(s:64, {steps})" for steps in (12, 8))
SCHWAEMM = "schwaemm_encrypt_blocks(s:64, output:160, input:160, N)"
ESCH = "esch_absorb_blocks(s:64, input:160, N)"
ESCH256 = ("sparkle", "sparkle/esch256", "sparkle/esch")
ESCH384 = ("sparkle", "sparkle/esch384", "sparkle/esch")
SMALL = "SPARKLE_SMALL"
KECCAK400 = tuple(f"keccak400_permute(s:100, {rounds})" for rounds in (20, 8))
KECCAK1600 = ("keccak1600_permute(s:200)",)
SKINNY_TK2 = "skinny128_set_tk2(schedule:1200, tk2:16)"
SKINNY = "skinny128_encrypt(schedule:1200, lower:16, block:16)"
SKINNY_BOTH = "skinny128_encrypt_both(a:16, b:16, tk1:16, tk2:16, tk3:16, 1)"
GRAIN = (
    "grain_clock(w:64, y:4, 1, 0)",
    "grain_authenticate(a:64, 1, 2)",
    "grain_take_groups(w:64, a:64, output:64, input:64, N, 1)",
)
MASKED_ASCON = tuple(f"masked_permute(s:80, {rounds:#x})" for rounds in (0xF0, 0xB4))
MASKED_TINYJAMBU = tuple(f"masked_permute(s:32, k:32, {steps})" for steps in (8, 5))
SOFTWARE = ("stm32f103-24mhz", "rp2350")

STATED = [
    Stated("ascon/native/armv7m/interleaved", ASCON, ARMV7M),
    Stated("ascon/native/armv6m/interleaved", ASCON, ARMV6M),
    Stated("ascon/native/rv32/interleaved", ASCON, RV32),
    Stated("ascon/native/rv32/halves", ASCON, RV32),
    Stated("ascon/native/avr/permute", PERMUTED_ASCON[:2], (*AVRXT, "attiny85")),
    Stated("xoodoo/native/armv7m/xoodoo", XOODOO, WITHOUT_CACHE),
    Stated("xoodoo/native/armv7m/xoodoo", XOODOO, NRF52840, defines=("XOODOO_SMALL",)),
    Stated("xoodoo/native/armv6m/xoodoo", XOODOO[:1], ARMV6M),
    Stated("xoodoo/native/armv6m/xoodoo", XOODOO[:1], ARMV6M, defines=("XOODOO_SMALL",)),
    Stated("xoodoo/native/rv32/xoodoo", XOODOO, RV32),
    Stated("xoodoo/native/rv32/xoodoo", XOODOO, RV32, defines=("XOODOO_SMALL",)),
    Stated("chacha/native/armv7m/chacha20", CHACHA, ARMV7M),
    Stated("chacha/native/armv6m/chacha20", CHACHA[:1], ARMV6M),
    Stated("chacha/native/rv32/chacha20", CHACHA, RV32),
    Stated("sparkle/native/armv7m/sparkle384", (*SPARKLE384, SCHWAEMM), WITHOUT_CACHE),
    Stated("sparkle/native/armv7m/sparkle384", (ESCH,), WITHOUT_CACHE, ESCH256),
    Stated("sparkle/native/armv7m/sparkle384", (*SPARKLE384, SCHWAEMM), NRF52840, defines=(SMALL,)),
    Stated("sparkle/native/armv7m/sparkle384", (ESCH,), NRF52840, ESCH256, (SMALL,)),
    Stated("sparkle/native/armv7m/sparkle512", (*SPARKLE512, SCHWAEMM), WITHOUT_CACHE),
    Stated(
        *("sparkle/native/armv7m/sparkle512", (ESCH,), WITHOUT_CACHE),
        *(ESCH384, ("CRYPTO_BYTES=48",)),
    ),
    Stated("sparkle/native/armv7m/sparkle512", (*SPARKLE512, SCHWAEMM), NRF52840, defines=(SMALL,)),
    Stated(
        *("sparkle/native/armv7m/sparkle512", (ESCH,), NRF52840),
        *(ESCH384, ("CRYPTO_BYTES=48", SMALL)),
    ),
    Stated("sparkle/native/armv6m/sparkle384", SPARKLE384, ARMV6M),
    Stated("sparkle/native/rv32/sparkle384", SPARKLE384, RV32),
    *(
        Stated(
            "sparkle/native/avr/sparkle",
            tuple(f"sparkle_permute(s:{size}, {steps})" for steps in numbers),
            AVR,
            ("sparkle", f"sparkle/{variant}", "sparkle/schwaemm", "sparkle/schwaemm/bytes8"),
        )
        for variant, size, numbers in (
            ("schwaemm128-128", 32, (7, 10)),
            ("schwaemm256-128", 48, (7, 11)),
            ("schwaemm256-256", 64, (8, 12)),
        )
    ),
    Stated("keccak/native/armv7m/keccak1600", KECCAK1600, ARMV7M),
    Stated("keccak/native/armv7m/keccak1600", KECCAK1600, ARMV7M, defines=("KECCAK1600_SMALL",)),
    Stated("keccak/native/armv7m/keccak1600", KECCAK1600, ("stm32f103-72mhz", "stm32f407-168mhz")),
    Stated("keccak/native/armv6m/keccak1600", KECCAK1600, ARMV6M),
    Stated("keccak/native/armv7m/keccak400", KECCAK400, ARMV7M),
    Stated(
        *("keccak/native/armv7m/keccak400", ("keccak400_absorb_bits(s:100, bits:16)",)),
        *(ARMV7M, ("keccak", "isap/k-128a")),
    ),
    Stated("keccak/native/armv6m/keccak400", KECCAK400, ARMV6M),
    Stated(
        *("keccak/native/armv6m/keccak400", ("keccak400_absorb_bits(s:100, bits:16)",)),
        *(ARMV6M, ("keccak", "isap/k-128a")),
    ),
    Stated("keccak/native/armv7m/keccak200", ("keccak200_permute(s:25, 18)",), ARMV7M),
    Stated("keccak/native/armv7m/keccak200x4", ("keccak200_permute4(s:100)",), ARMV7M),
    Stated("keccak/native/avr/keccak200", ("keccak200_permute(s:25, 18)",), AVRXT),
    Stated("gift/native/armv7m/encrypt", ("gift128_encrypt(s:16, k:320)",), ARMV7M),
    Stated("gift/native/rv32/encrypt", ("gift128_encrypt(s:16, k:320)",), RV32),
    Stated("grain/native/armv7m/grain", GRAIN, ARMV7M),
    Stated("skinny/native/armv7m/skinny128", (SKINNY_TK2,), ARMV7M),
    Stated("skinny/native/armv7m/skinny128", (SKINNY,), ARMV7M),
    Stated(
        *("skinny/native/armv7m/skinny128", (SKINNY_BOTH,), ARMV7M),
        ("skinny", "romulus/h", "skinny/words32"),
    ),
    Stated(
        "tinyjambu/native/armv7m/permute",
        tuple(f"tinyjambu_permute(s:16, k:16, {steps})" for steps in (8, 5)),
        ARMV7M,
    ),
    Stated("poly1305/native/armv7m/poly1305", ("poly1305_blocks(s:64, b:80, N, 1)",), ARMV7EM),
    Stated("ghash/native/armv7m/ghash", ("ghash_blocks(s:52, b:80, N)",), ARMV7EM),
    Stated("blake2/native/armv7m/blake2s", ("blake2s_compress(h:32, block:64, t:8, 0)",), ARMV7M),
    Stated(
        *("sha512/native/armv7m/sha512", ("sha512_compress(h:64, block:128)",), ARMV7M),
        more=(IMPLEMENTATIONS / "sha512/sha512.c",),
    ),
    Stated("ascon-masked/native/armv7m/permute", MASKED_ASCON, SOFTWARE, more=(RANDOM,)),
    Stated(
        "ascon-masked/native/armv6m/permute", MASKED_ASCON, ("stm32f030", "samd21"), more=(RANDOM,)
    ),
    Stated("tinyjambu-masked/native/armv7m/permute", MASKED_TINYJAMBU, SOFTWARE, more=(RANDOM,)),
    Stated(
        "tinyjambu-masked/native/armv6m/permute",
        MASKED_TINYJAMBU,
        ("stm32f030", "samd21"),
        more=(RANDOM,),
    ),
    Stated(
        "xoodyak-masked/native/armv7m/permute", ("masked_permute(s:96)",), SOFTWARE, more=(RANDOM,)
    ),
    Stated(
        "xoodyak-masked/native/armv6m/permute",
        ("masked_permute(s:96)",),
        ("stm32f030", "samd21"),
        more=(RANDOM,),
    ),
    Stated(
        "gift-masked/native/armv7m/encrypt",
        ("masked_encrypt(s:32, k:640)",),
        SOFTWARE,
        more=(RANDOM, FOLDER / "gift_constants.c"),
    ),
]


def stated_numbers(assembly: Path) -> set[int]:
    """The numbers in the file's opening comment."""
    comment = assembly.read_text(encoding="utf-8").partition("*/")[0]
    return {int(each.replace(",", "")) for each in re.findall(r"\d+(?:,\d{3})*", comment)}


def cycles(stated: Stated, assembly: Path, call: str, board_name: str) -> int:
    """The cycles of a call after the first one."""
    kernel = next(each for each in KERNELS if IMPLEMENTATIONS / each.assembly == assembly)
    include = stated.include or kernel.include
    more = (*stated.more, *(FOLDER / each for each in kernel.more))
    sources = find_sources(
        [assembly, *more],
        [
            *(IMPLEMENTATIONS / each for each in ("util", "util/words32", "util/bytes8", *include)),
            FOLDER,
        ],
    )
    defines = [each for each in kernel.defines if each.startswith(("PW_", "MASKED_"))]
    flags = " ".join(("-O2", *(f"-D{each}" for each in (*defines, *stated.defines))))
    *setup, called = (parse_call(each.strip(), "call") for each in call.split(";"))
    board = load_board(data_root() / "boards" / f"{board_name}.toml")

    cost = time_function(sources, board, flags, called, setup[0] if setup else None, BUDGET)

    assert cost.cycles is not None, f"{call} on {board_name}: {cost.reason}"
    return cost.cycles


@pytest.mark.parametrize("stated", STATED, ids=str)
def test_opening_comment_states_the_cycles(stated: Stated) -> None:
    assembly = IMPLEMENTATIONS / f"{stated.assembly}.S"
    numbers = stated_numbers(assembly)
    missing = []

    for call in stated.calls:
        for board_name in stated.boards:
            if "N" in call:
                one, five = (
                    cycles(stated, assembly, call.replace("N", blocks), board_name)
                    for blocks in ("1", "5")
                )
                found = round((five - one) / 4)
            else:
                found = cycles(stated, assembly, call, board_name)
            if found not in numbers:
                missing.append(f"{call} on {board_name}: {found}")

    assert not missing
