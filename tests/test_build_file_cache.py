"""What several builds need is made once, and made again if it was damaged."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from packages_for_tests import at, board, copied
from pennyweight import cache
from pennyweight.build import build, file_cache, objects
from pennyweight.build.failure import BuildError
from pennyweight.job import Job
from pennyweight.toolchains.command import Completed, run


def test_files_are_made_once_and_again_if_they_are_damaged(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "a.o").write_bytes(b"content")

    key = file_cache.key_of("test", str(tmp_path))
    for _ in range(2):
        file_cache.provide("objects", key, tmp_path, make)
        assert (tmp_path / "a.o").read_bytes() == b"content"
    assert len(made) == 1
    place = cache.entry("objects", key)
    assert place is not None
    for damage in (place / "a.o", place / "seal.json"):
        damage.write_bytes(b"")
        file_cache.provide("objects", key, tmp_path, make)
        assert (tmp_path / "a.o").read_bytes() == b"content"
    assert len(made) == 3


def test_who_clears_the_cache_meanwhile_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "a.o").write_bytes(b"content")

    real = os.link

    def clear_first(source: Path, target: Path) -> None:
        if len(made) == 1:
            shutil.rmtree(source.parent)
        real(source, target)

    monkeypatch.setattr(os, "link", clear_first)
    file_cache.provide("objects", file_cache.key_of("cleared", str(tmp_path)), tmp_path, make)
    assert (tmp_path / "a.o").read_bytes() == b"content" and len(made) == 2


def test_a_cache_on_another_disk_is_copied_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    def make(folder: Path) -> None:
        (folder / "a.o").write_bytes(b"content")

    monkeypatch.setattr(os, "link", refuse)
    key = file_cache.key_of("another disk", str(tmp_path))
    file_cache.provide("objects", key, tmp_path, make)
    assert (tmp_path / "a.o").read_bytes() == b"content"


def test_what_cannot_be_made_is_not_kept(tmp_path: Path) -> None:
    def fail(_: Path) -> None:
        raise ZeroDivisionError

    key = file_cache.key_of("failing", str(tmp_path))
    with pytest.raises(ZeroDivisionError):
        file_cache.provide("objects", key, tmp_path, fail)
    assert cache.entry("objects", key) is None


def test_boards_that_differ_in_memory_only_share_objects_but_not_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []

    def counted(arguments: list[object], **options: object) -> Completed:
        compiled.extend(str(each) for each in arguments if str(each).startswith("./"))
        return run(arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(objects, "run", counted)
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    assert source.is_file()
    source.write_text(f"/* {tmp_path} */\n" + source.read_text())
    one = build(Job(at(folder), board("sam3x8e"), "-O2"))
    first = list(compiled)
    other = build(Job(at(folder), board("stm32f103-72mhz"), "-O2"))
    assert first and compiled == first
    assert one.programs["full"].elf != other.programs["full"].elf
    assert one.sizes == other.sizes
    source.write_text(source.read_text() + "\n#error changed\n")
    with pytest.raises(BuildError, match="changed"):
        build(Job(at(folder), board("sam3x8e"), "-O2"))
    build(Job(at(copied(tmp_path / "elsewhere")), board("sam3x8e"), "-O3"))
    assert len(compiled) == 2 * len(first) + 1
