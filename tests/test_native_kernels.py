"""Assembly kernels against the C that they replace, on random states, on the simulated boards."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from pennyweight.build.firmware import headers_folder
from pennyweight.build.link import Linker
from pennyweight.build.objects import compile_all
from pennyweight.build.programs import Program
from pennyweight.catalogue.boards import load_board
from pennyweight.catalogue.family_manifest import ASSEMBLY
from pennyweight.catalogue.root import data_root
from pennyweight.measure.single_function import find_sources
from pennyweight.target import Failure, Target
from pennyweight.toolchains import for_board

FOLDER = Path(__file__).parent / "native"
IMPLEMENTATIONS = data_root() / "implementations"
ARMV6M = ("stm32f030", "samd21")
ARMV7M = ("stm32f103-24mhz", "stm32f407-24mhz", "rp2350")
ARMV7EM = ("stm32f407-24mhz", "rp2350")
AVR = ("atmega328p", "atmega4809")
MSP430 = ("msp430f1611", "msp430fr5994-8mhz")
RV32 = ("fe310-g002", "rp2350-hazard3")
WORDS_32 = {"armv6m": ARMV6M, "armv7m": ARMV7M, "rv32": RV32}


@dataclass(frozen=True, slots=True)
class Kernel:
    """An assembly file, and the program in tests/native that compares it with C."""

    assembly: str
    program: str
    include: tuple[str, ...]
    defines: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    boards: tuple[str, ...] = ARMV7M

    def __str__(self) -> str:
        family, _, instruction_set, _ = self.assembly.split("/")
        name = () if self.program == family else (self.program,)
        return "-".join((family, *self.include[1:2], *name, instruction_set, *self.defines))


def ascon(variant: str, instruction_set: str, boards: tuple[str, ...], words: str) -> Kernel:
    """Ascon's kernels for a variant, or for a member of ISAP; `words` are interleaved or halves."""
    folder = f"isap/{variant}" if variant.startswith("a-") else f"ascon/{variant}"
    return Kernel(
        f"ascon/native/{instruction_set}/{words}.S",
        "ascon",
        ("ascon", folder, f"ascon/{words}32"),
        (words.upper(),),
        boards=boards,
    )


ASCON = (
    *("ascon-aead128", "ascon-128", "ascon-128a", "ascon-hash256", "ascon-hasha"),
    *("a-128", "a-128a"),
)
SPARKLE = ("sparkle", "sparkle/schwaemm256-128", "sparkle/schwaemm", "sparkle/schwaemm/words32")
SPARKLE32 = ("sparkle/fast32", "util/words32")
SPARKLE512 = (
    *("sparkle/schwaemm256-256", "sparkle/schwaemm", "sparkle/schwaemm/words32"),
    *SPARKLE32,
)
SPARKLE8 = ("sparkle/schwaemm/bytes8", "util/bytes8")
KERNELS = [
    *(
        ascon(variant, instruction_set, boards, words)
        for instruction_set, boards, words in (
            ("armv6m", ARMV6M, "interleaved"),
            ("armv7m", ARMV7M, "interleaved"),
            ("rv32", RV32, "interleaved"),
            ("rv32", RV32, "halves"),
        )
        for variant in ASCON
    ),
    Kernel(
        "ascon/native/avr/permute.S",
        "ascon",
        ("ascon", "ascon/ascon-aead128", "ascon/bytes8"),
        ("BYTES",),
        boards=(*AVR, "attiny85"),
    ),
    *(
        Kernel(
            f"ascon-masked/native/{instruction_set}/permute.S",
            "ascon_masked",
            ("ascon-masked", "ascon/ascon-aead128", "ascon/interleaved32", "ascon"),
            ("PW_ASM", "MASKED_SHARES=2"),
            boards=boards,
        )
        for instruction_set, boards in {"armv6m": ARMV6M, "armv7m": ARMV7M, "avr": AVR}.items()
    ),
    *(
        Kernel(
            f"{family}-masked/native/{instruction_set}/permute.S",
            f"{family}_masked",
            (f"{family}-masked", "masked", *include),
            ("PW_ASM", "MASKED_SHARES=2"),
            boards=boards,
        )
        for family, include, avr in (
            ("tinyjambu", ("tinyjambu", "tinyjambu/tinyjambu-128"), {"avr": AVR}),
            ("xoodyak", ("xoodoo",), {}),
        )
        for instruction_set, boards in {"armv6m": ARMV6M, "armv7m": ARMV7M, **avr}.items()
    ),
    Kernel(
        "tinyjambu/native/armv7m/permute.S",
        "tinyjambu",
        ("tinyjambu", "tinyjambu/tinyjambu-128", "tinyjambu/fast32", "util/words32"),
    ),
    Kernel(
        "gift-masked/native/armv7m/encrypt.S",
        "gift_masked",
        ("gift-masked", "masked", "gift"),
        ("PW_ASM", "MASKED_SHARES=2"),
    ),
    *(
        Kernel(
            "sparkle/native/armv7m/sparkle384.S",
            "sparkle",
            (*SPARKLE, "sparkle/fast32", "util/words32"),
            defines,
        )
        for defines in ((), ("SPARKLE_SMALL",))
    ),
    *(
        Kernel(
            "sparkle/native/armv7m/sparkle384.S",
            "esch",
            ("sparkle", "sparkle/esch256", "sparkle/esch", "sparkle/fast32", "util/words32"),
            defines,
        )
        for defines in ((), ("SPARKLE_SMALL",))
    ),
    *(
        Kernel("sparkle/native/armv7m/sparkle512.S", program, ("sparkle", *include), defines)
        for program, include, more in (
            ("sparkle", SPARKLE512, ()),
            ("esch", ("sparkle/esch384", "sparkle/esch", *SPARKLE32), ("CRYPTO_BYTES=48",)),
        )
        for defines in (more, (*more, "SPARKLE_SMALL"))
    ),
    *(
        Kernel(
            f"sparkle/native/{instruction_set}/sparkle384.S",
            "sparkle",
            (*SPARKLE, "sparkle/fast32", "util/words32"),
            boards=boards,
        )
        for instruction_set, boards in {"armv6m": ARMV6M, "rv32": RV32}.items()
    ),
    *(
        Kernel(
            "sparkle/native/avr/sparkle.S",
            "sparkle",
            ("sparkle", f"sparkle/{variant}", "sparkle/schwaemm", *SPARKLE8),
            boards=AVR,
        )
        for variant in ("schwaemm128-128", "schwaemm256-128", "schwaemm256-256")
    ),
    *(
        Kernel(
            f"xoodoo/native/{instruction_set}/xoodoo.S",
            "xoodoo",
            ("xoodoo", "xoodoo/fast32", "util/words32"),
            defines,
            boards=boards,
        )
        for instruction_set, boards in WORDS_32.items()
        for defines in ((), ("XOODOO_SMALL",))
    ),
    *(
        Kernel(
            f"keccak/native/{instruction_set}/keccak400.S",
            "keccak400",
            ("keccak", f"isap/{variant}", "keccak/words32"),
            boards=boards,
        )
        for instruction_set, boards in {"armv6m": ARMV6M, "armv7m": ARMV7M}.items()
        for variant in ("k-128", "k-128a")
    ),
    Kernel(
        "keccak/native/armv6m/keccak1600.S",
        "keccak1600",
        ("keccak", "keccak/interleaved32"),
        boards=ARMV6M,
    ),
    *(
        Kernel(
            "keccak/native/armv7m/keccak1600.S",
            "keccak1600",
            ("keccak", "keccak/interleaved32"),
            defines,
        )
        for defines in ((), ("KECCAK1600_SMALL",))
    ),
    *(
        Kernel(
            f"keccak/native/{instruction_set}/keccak200.S", "keccak200", ("keccak",), boards=boards
        )
        for instruction_set, boards in {"armv7m": ARMV7M, "avr": AVR}.items()
    ),
    Kernel("keccak/native/armv7m/keccak200x4.S", "keccak200x4", ("keccak",)),
    *(
        Kernel(
            f"gift/native/{instruction_set}/encrypt.S",
            "gift",
            ("gift", "gift/fixsliced32"),
            more=("gift_constants.c",),
            boards=boards,
        )
        for instruction_set, boards in {"armv7m": ARMV7M, "rv32": RV32}.items()
    ),
    Kernel("gift/native/msp430/encrypt.S", "gift8", ("gift", "gift/fixsliced8"), boards=MSP430),
    Kernel("grain/native/armv7m/grain.S", "grain", ("grain", "grain/blocks")),
    *(
        Kernel("skinny/native/armv7m/skinny128.S", program, ("skinny", mode, "skinny/words32"))
        for program, mode in (("skinny", "romulus/n"), ("skinny_both", "romulus/h"))
    ),
    *(
        Kernel(f"chacha/native/{instruction_set}/chacha20.S", "chacha", ("chacha",), boards=boards)
        for instruction_set, boards in WORDS_32.items()
    ),
    Kernel(
        "poly1305/native/armv7m/poly1305.S",
        "poly1305",
        ("poly1305", "poly1305/fast32"),
        boards=ARMV7EM,
    ),
    Kernel("ghash/native/armv7m/ghash.S", "ghash", ("ghash", "ghash/ct32"), boards=ARMV7EM),
    *(
        Kernel(
            f"blake2/native/{instruction_set}/blake2s.S",
            "blake2s",
            ("blake2", "blake2/s"),
            boards=boards,
        )
        for instruction_set, boards in {"armv6m": ARMV6M, "armv7m": ARMV7M}.items()
    ),
    *(
        Kernel(f"sha2/native/{instruction_set}/sha256.S", "sha256", ("sha2",), boards=boards)
        for instruction_set, boards in {"armv7m": ARMV7M, "rv32": RV32}.items()
    ),
    Kernel("siphash/native/armv7m/siphash.S", "siphash", ("siphash",)),
    Kernel("sha512/native/armv7m/sha512.S", "sha512", ("sha512",)),
]


def test_all_assembly_is_compared() -> None:
    listed = {
        path.parent / name
        for path in IMPLEMENTATIONS.glob("*/manifest.toml")
        for name in tomllib.loads(path.read_text(encoding="utf-8")).get("assembly", {})
        if name.endswith(ASSEMBLY)
    }

    assert {IMPLEMENTATIONS / kernel.assembly for kernel in KERNELS} == listed


@pytest.mark.parametrize(
    ("kernel", "board_name"),
    [pytest.param(each, name, id=f"{each}-{name}") for each in KERNELS for name in each.boards],
)
def test_assembly_is_the_same_as_c(kernel: Kernel, board_name: str, tmp_path: Path) -> None:
    board = load_board(data_root() / "boards" / f"{board_name}.toml")
    names = (f"{kernel.program}.c", f"{kernel.program}_reference.c", *kernel.more)
    sources = find_sources(
        [*(FOLDER / name for name in names), IMPLEMENTATIONS / kernel.assembly],
        [IMPLEMENTATIONS / "util", *(IMPLEMENTATIONS / each for each in kernel.include)],
    )
    toolchain = for_board(board)
    firmware = data_root() / "firmware"
    flags = (*board.file.compiler.flags, "-O2", *(f"-D{name}" for name in kernel.defines))
    objects = compile_all(toolchain, sources, flags, headers_folder(firmware), tmp_path)
    linker = Linker(toolchain, board, flags, firmware, tmp_path)
    roots = frozenset(("compare_all", "mismatches", "compared"))
    image = linker.link("compare", [each.file for each in objects], roots).image
    target = Target(board, Program("compare", image.elf, image.flash, image.ram), 100_000_000)

    result = target.call("compare_all", [], target.lay_out([]))

    assert not isinstance(result, Failure), result.reason
    assert target.constant("compared", 4) > 100
    assert target.constant("mismatches", 4) == 0
