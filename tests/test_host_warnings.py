"""Every bundled implementation compiles without a warning with the compilers of the boards and of
the host.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

import pytest

from host.build import ROOT, WARNINGS, Bundled, bundled, units, warnings
from host.units import Compiler, Unit
from pennyweight.toolchains import FAMILIES
from pennyweight.toolchains.identity import identify
from verdicts import Inputs, cached

COMPILERS = {
    "gcc": ("-O3",),
    "arm-none-eabi-gcc": ("-Os", "-mthumb", "-mcpu=cortex-m0"),
    "avr-gcc": ("-O3", "-mmcu=atmega328p"),
    "riscv64-unknown-elf-gcc": ("-Os", "-mabi=ilp32", "-march=rv32imac"),
    "msp430-elf-gcc": ("-fsyntax-only", "-ffreestanding", "-mcpu=msp430"),
    "xtensa-lx106-elf-gcc": ("-fsyntax-only", "-ffreestanding", "-mlongcalls"),
    "mipsel-linux-gnu-gcc": (
        *("-fsyntax-only", "-ffreestanding", "-mno-abicalls", "-fno-pic", "-march=m4k"),
    ),
}
"""Those of the boards and the host's: one level for each, since each finds much the same at both;
campaigns build all at both. Three only read the sources: nearly every line for their parts is also
for other parts, whose optimisers find the same. Clang is asked wherever a program is built for the
host.
"""


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


@pytest.mark.parametrize("name", COMPILERS)
@pytest.mark.parametrize("implementation", bundled(), ids=lambda each: each.id)
@cached("warnings", inputs)
def test_compiles_without_a_warning(implementation: Bundled, name: str) -> None:
    assert warnings(compiled(implementation, name)) == ""
