"""The simulators' versions: one of all together, one for each instruction set."""

from __future__ import annotations

import pytest

from packages_for_tests import files
from pennyweight import _simulator


def test_each_core_has_a_version_of_its_own_instruction_set() -> None:
    sets = {each.instruction_set for each in files().boards.values()}
    versions = {name: _simulator.version_of(name) for name in sets}
    number, _ = _simulator.__version__.split("+")
    assert all(each.startswith(f"{number}+") for each in versions.values())
    assert _simulator.__version__ not in versions.values()
    assert versions["avre"] == versions["avrxt"]
    assert versions["armv6-m"] == versions["armv7-m"] == versions["armv7e-m"]
    assert len(set(versions.values())) == len({"avr", "thumb", "msp430", "riscv", "xtensa", "mips"})


def test_an_unknown_instruction_set_is_refused() -> None:
    with pytest.raises(ValueError, match='there is no instruction set "armv5"'):
        _simulator.version_of("armv5")
