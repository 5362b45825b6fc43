"""Nothing in an implementation is undefined because an `int` has 16 bits: a byte of 0x80 and more
that is shifted by 8 runs into the sign there (C11, 6.5.7p4), and no sanitizer of this machine sees
it.

Clang compiles every source for MSP430, as far as intermediate code, with a trap before each shift
of what has a sign and each sum and product that would be undefined, and takes out those that it can
show never to be reached. Counts that are constant and too large for 16 bits are warned of; others
are seen by the sanitizers of this machine, where they are too large for 32.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from host.build import ROOT, Bundled, bundled, units
from host.units import Compiler, Unit, assembly, clang, finding
from verdicts import Inputs, cached

FLAGS = (
    *("--target=msp430", "-std=c11", "-O2", "-emit-llvm"),
    *("-fsanitize=shift-base,signed-integer-overflow", "-fsanitize-undefined-trap-on-error"),
    *("-Wno-everything", "-Wshift-count-overflow", "-Werror"),
)


def compiler() -> Compiler:
    return Compiler("clang", FLAGS, clang())


FUNCTION = re.compile(r"^define [^@]*@(\w+)\(.*?^}", re.M | re.S)
TRAP = re.compile(r"call void @llvm\.(?:ubsan)?trap\(")


def trapping(unit: Unit) -> list[str]:
    """The functions of a source in which a trap is left."""
    return [each[1] for each in FUNCTION.finditer(assembly(unit)) if TRAP.search(each[0])]


def inputs(implementation: Bundled) -> Inputs:
    return Inputs(units=units(implementation, compiler()))


@pytest.mark.parametrize("implementation", bundled(), ids=lambda each: each.id)
@cached("16-bit int", inputs)
def test_nothing_is_undefined_with_an_int_of_16_bits(implementation: Bundled) -> None:
    left = {
        str(unit.source.relative_to(ROOT)): functions
        for unit in units(implementation, compiler())
        if (functions := finding(unit, trapping))
    }
    assert left == {}


@pytest.mark.parametrize(
    ("expression", "is_defined"),
    [
        ("bytes[0] | bytes[1] << 8", False),
        ("bytes[0] | (unsigned)bytes[1] << 8", True),
        ("bytes[0] * bytes[1]", False),
        ("(unsigned)bytes[0] * bytes[1]", True),
        ("(unsigned)bytes[0] << bytes[1] % 16", True),
        ("bytes[0] << bytes[1] % 16", False),
    ],
)
def test_what_is_undefined_is_found(expression: str, is_defined: bool, tmp_path: Path) -> None:
    source = tmp_path / "expression.c"
    source.write_text(
        "#include <stdint.h>\n"
        f"uint16_t word(const uint8_t *bytes) {{ return (uint16_t)({expression}); }}\n"
    )
    assert trapping(Unit(compiler(), source, ())) == ([] if is_defined else ["word"])


def test_too_large_a_count_is_found(tmp_path: Path) -> None:
    source = tmp_path / "count.c"
    source.write_text("unsigned shifted(unsigned x) { return x >> 16; }\n")
    with pytest.raises(AssertionError, match="shift count >= width of type"):
        trapping(Unit(compiler(), source, ()))
