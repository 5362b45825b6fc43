"""What is read once, and that nothing is kept under the name of files that changed meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from packages_for_tests import board
from pennyweight.build import firmware
from pennyweight.catalogue.root import data_root
from pennyweight.snapshot import once, snapshot_scope
from pennyweight.toolchains import family
from pennyweight.toolchains.base import Family


def small_firmware(tmp_path: Path, of: Family) -> Path:
    """A firmware folder with one file."""
    mine = tmp_path / "firmware"
    for folder in ("include", of.firmware, "cplusplus", "felics"):
        (mine / folder).mkdir(parents=True, exist_ok=True)
    (mine / "felics" / "adapter.c").write_text("int a;")
    return mine


def test_within_one_look_a_thing_is_found_once() -> None:
    asked = []

    def find() -> int:
        asked.append(1)
        return len(asked)

    assert (once("a", 1, find), once("a", 1, find)) == (1, 2)
    with snapshot_scope():
        assert (once("a", 1, find), once("a", 1, find), once("a", 2, find)) == (3, 3, 4)
    assert once("a", 1, find) == 5


def test_the_digest_of_firmware_sees_names_and_content(tmp_path: Path) -> None:
    of = family(board("atmega328p"))
    mine = small_firmware(tmp_path, of)
    seen = {firmware.firmware_now(mine, of)}
    header = mine / "include" / "sub" / "a.h"
    header.parent.mkdir()
    header.write_text("1")
    seen.add(firmware.firmware_now(mine, of))
    header.write_text("2")
    os.utime(header, ns=(1, 1))
    seen.add(firmware.firmware_now(mine, of))
    header.rename(header.with_name("b.h"))
    seen.add(firmware.firmware_now(mine, of))
    (mine / "felics" / "adapter.c").write_text("int b;;")
    seen.add(firmware.firmware_now(mine, of))
    assert len(seen) == 5
    again = firmware.firmware_now(mine, of)
    assert again in seen


def test_a_look_keeps_what_it_saw_and_the_next_sees_the_change(tmp_path: Path) -> None:
    of = family(board("atmega328p"))
    mine = small_firmware(tmp_path, of)
    with snapshot_scope():
        before = firmware.firmware_sha256(mine, of)
        (mine / "include" / "new.h").write_text("1")
        assert firmware.firmware_sha256(mine, of) == before
        assert firmware.firmware_now(mine, of) != before
    assert firmware.firmware_sha256(mine, of) != before


def test_nothing_is_kept_if_our_headers_change_during_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pennyweight.build import objects
    from pennyweight.toolchains import for_board
    from pennyweight.toolchains.command import DisturbedError

    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(objects, "firmware_now", lambda *_: "another")
    toolchain = for_board(board("atmega328p"))
    source = next((data_root() / "firmware" / toolchain.family.firmware).glob("start.*"))
    target = tmp_path / "start.o"
    flags = tuple(board("atmega328p").file.compiler.flags)
    with pytest.raises(DisturbedError, match="its files changed during the build"):
        objects.compile_firmware(toolchain, source, flags, target)
    assert not target.exists()
    assert not list((tmp_path / "cache").glob("firmware/*/*/*"))
    monkeypatch.undo()
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    objects.compile_firmware(toolchain, source, flags, target)
    assert target.exists()
