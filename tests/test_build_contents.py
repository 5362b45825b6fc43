"""A file is read once while it is unchanged, and again if it may have changed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pennyweight.build import contents
from pennyweight.build.contents import Content, content_of
from verdicts import cached_by_project

pytestmark = cached_by_project("builds")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What has been read so far."""
    found: list[bytes] = []
    read = contents._read

    def noted(content: bytes) -> Content:
        found.append(content)
        return read(content)

    monkeypatch.setattr(contents, "_read", noted)
    return found


def test_a_settled_file_is_read_once(
    tmp_path: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "_SETTLED_NS", -(10**12))
    source = tmp_path / "a.c"
    source.write_bytes(b"int a;")
    assert content_of(source) is content_of(source)
    assert reads == [b"int a;"]


def test_who_sets_back_the_time_of_a_change_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "_SETTLED_NS", -(10**12))
    source = tmp_path / "a.c"
    source.write_bytes(b"int a;")
    before = source.stat()
    content_of(source)
    while source.stat().st_ctime_ns == before.st_ctime_ns:  # the clock's next tick
        source.write_bytes(b"int b;")
        os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert source.stat().st_mtime_ns == before.st_mtime_ns
    assert content_of(source).sha256 == hashlib.sha256(b"int b;").hexdigest()


def test_a_file_that_was_just_changed_is_read_again(tmp_path: Path, reads: list[bytes]) -> None:
    """Its next change may come within the same tick of the clock."""
    source = tmp_path / "a.c"
    source.write_bytes(b"int a;")
    content_of(source)
    content_of(source)
    assert len(reads) == 2


def test_questions_and_macros_are_found(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_bytes(b"#if __has_in\\ \nclude(<x.h>)\n#endif\nint CRYPTO_NAMESPACE(f)(void);\n")
    found = content_of(source)
    assert found.asks
    assert found.framework == {"CRYPTO_NAMESPACE"}
