"""Every bundled implementation compiles without a warning with the compilers of the boards and of
the host.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

import pytest

from board_choice import number
from host.build import ROOT, WARNINGS, Bundled, bundled, units, warnings
from host.units import Compiler, Unit
from pennyweight.toolchains import FAMILIES
from pennyweight.toolchains.identity import identify
from verdicts import Inputs, cached

COMPILERS = {
    "gcc": ("-O3",),
    "arm-none-eabi-gcc": ("-fsyntax-only", "-mthumb", "-mcpu=cortex-m0"),
    "avr-gcc": ("-fsyntax-only", "-mmcu=atmega328p"),
    "msp430-elf-gcc": ("-fsyntax-only", "-ffreestanding", "-mcpu=msp430"),
    "riscv64-unknown-elf-gcc": ("-fsyntax-only", "-mabi=ilp32", "-march=rv32imac"),
    "xtensa-lx106-elf-gcc": ("-fsyntax-only", "-ffreestanding", "-mlongcalls"),
    "mipsel-linux-gnu-gcc": (
        *("-fsyntax-only", "-ffreestanding", "-mno-abicalls", "-fno-pic", "-march=m4k"),
    ),
}
"""Those of the boards and the host's. What the optimiser finds is much the same on every part, so
that only the host's optimises; what differs, such as the widths of types, the front ends find.
Clang is asked wherever a program is built for the host."""

ALWAYS = ("gcc", "arm-none-eabi-gcc", "avr-gcc")
"""Their types differ: `uint32_t` is `unsigned int`, `unsigned long`, and wider than `int`. Those of
each other compiler are as one of these has them, so that each implementation meets one of them."""


def compilers_for(implementation: Bundled) -> tuple[str, ...]:
    """Those that an implementation is compiled with; its name chooses the last one."""
    others = [name for name in COMPILERS if name not in ALWAYS]
    return (*ALWAYS, max(others, key=lambda each: number(f"{implementation.id} {each}")))


CASES = [(each, name) for each in bundled() for name in compilers_for(each)]


@functools.cache
def compiler(name: str) -> Compiler:
    """How it is called. One that is missing fails: `make test` installs or builds all."""
    found = FAMILIES[name].locate() if name in FAMILIES else shutil.which(name)
    assert found, f"{name} is not installed: run `make test`"
    identity = identify(name, Path(found))
    assert not isinstance(identity, str), identity
    flags = (*COMPILERS[name], *WARNINGS)
    return Compiler(str(found), flags, f"{identity.version} {identity.sha256}")


def compiled(implementation: Bundled, name: str) -> tuple[Unit, ...]:
    family = FAMILIES.get(name)
    headers = family.library_headers(ROOT / "firmware") if family else ()
    return units(implementation, compiler(name), headers)


def inputs(implementation: Bundled, name: str) -> Inputs:
    return Inputs(units=compiled(implementation, name))


@pytest.mark.parametrize(
    ("implementation", "name"),
    [pytest.param(each, name, id=f"{each.id}-{name}") for each, name in CASES],
)
@cached("warnings", inputs)
def test_compiles_without_a_warning(implementation: Bundled, name: str) -> None:
    assert warnings(compiled(implementation, name)) == ""


def test_every_compiler_has_its_share_of_implementations() -> None:
    for name in COMPILERS:
        assert sum(chosen == name for _, chosen in CASES) > len(bundled()) / 10
