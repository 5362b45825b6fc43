"""What several builds need is made once, and made again if it was damaged."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from packages_for_tests import at, board, copied, files
from pennyweight import cache
from pennyweight.build import build, file_cache, objects
from pennyweight.build.failure import BuildError
from pennyweight.catalogue.families import bundled
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


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that are compiled during a test."""
    found: list[str] = []

    def counted(arguments: list[object], **options: object) -> Completed:
        found.extend(str(each) for each in arguments if str(each).startswith("./"))
        return run(arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(objects, "run", counted)
    return found


def test_boards_that_differ_in_memory_only_share_objects_but_not_programs(
    tmp_path: Path, compiled: list[str]
) -> None:
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


MANIFEST = """
[[variant]]
algorithms = ["sha-256"]
sources = ["hash.c"]
include = ["."]

[representation.small]
title = "{title}, small"
word_bits = 8
sources = ["small.c"]

[representation.fast]
title = "{title}, fast"
word_bits = 32
sources = ["fast.c"]
"""
HASH = """
#include "mix.h"
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long length)
{
    return mix(out[0] ^ in[0]) + (int)length;
}
"""


def family(tmp_path: Path) -> Path:
    """A family with two implementations that share a source."""
    folder = tmp_path / "families" / "toy"
    folder.mkdir(parents=True)
    (folder.parent / "util").mkdir()
    (folder / "manifest.toml").write_text(MANIFEST)
    (folder / "mix.h").write_text(f"/* {tmp_path} */\nint mix(int x);\n")
    (folder / "hash.c").write_text(HASH)
    for name, factor in (("small", 3), ("fast", 5)):
        (folder / f"{name}.c").write_text(
            f'#include "mix.h"\nint mix(int x) {{ return {factor} * x; }}\n'
        )
    return folder


def image(folder: Path, name: str) -> bytes:
    """The program of an implementation of this family."""
    found = {each.name: each for each in bundled(folder.parent, files().algorithms)}
    return build(Job(found[name], board("sam3x8e"), "-O2")).programs["full"].elf


def test_implementations_of_a_family_share_the_objects_of_common_sources(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = family(tmp_path)
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "alone"))
    alone = image(folder, "fast")
    compiled.clear()
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "together"))
    small = image(folder, "small")
    assert sorted(compiled) == ["./toy/hash.c", "./toy/small.c"]
    compiled.clear()
    assert image(folder, "fast") == alone != small
    assert compiled == ["./toy/fast.c"]
    compiled.clear()
    (folder / "small.c").write_text('#include "mix.h"\nint mix(int x) { return 7 * x; }\n')
    assert image(folder, "small") != small
    assert compiled == ["./toy/small.c"]
    compiled.clear()
    (folder / "mix.h").write_text("int mix(int x);\n#define UNUSED 1\n")
    image(folder, "fast")
    assert sorted(compiled) == ["./toy/fast.c", "./toy/hash.c"]


def test_a_family_s_header_that_is_not_named_in_quotes_is_refused(tmp_path: Path) -> None:
    folder = family(tmp_path)
    source = folder / "hash.c"
    source.write_text(source.read_text().replace('"mix.h"', "<mix.h>"))
    with pytest.raises(BuildError, match=r"includes toy/mix\.h, which no #include names"):
        image(folder, "fast")
