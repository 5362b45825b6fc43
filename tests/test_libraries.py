"""Libraries from package registries; a fake client replaces the registry's."""

from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
from pathlib import Path

import pytest

from packages_for_tests import files, run
from pennyweight import libraries
from pennyweight.api.listing import choose_implementations
from pennyweight.campaign.plan import plan_study
from pennyweight.catalogue import data_root
from pennyweight.catalogue.tomlfile import parse
from pennyweight.libraries import files as library_files
from pennyweight.libraries.description import Library
from pennyweight.model import Kind, Status, UserError
from pennyweight.studies import read_study
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")

SOURCE = """#include "config/own.h"
unsigned char answer(unsigned char byte);
unsigned char answer(unsigned char byte) { return (unsigned char)(byte ^ OWN_VALUE); }
"""
ADAPTER = """#include "crypto_hash.h"
extern unsigned char answer(unsigned char byte);
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    for (unsigned i = 0; i < 32; i++) {
        out[i] = answer((unsigned char)(inlen > i ? in[i] : i));
    }
    return 0;
}
"""
LIBRARY = """title = "Own"
license = "MIT"
registry = "crates"
package = "own-sys"
version = "1.2.3"
sha256 = "{sha256}"
root = "vendor"
header = "config/own.h"
[groups]
core = ["core/answer.c"]
[[implementation]]
folder = "crypto_hash/sha-256/own"
adapter = "hash.c"
sources = ["@core"]
options = ["OWN_VALUE 0x5A"]
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of libraries with one, and a `cargo` that brings its archive."""
    (tmp_path / "bin").mkdir()
    archive = tmp_path / "own-sys-1.2.3.crate"
    with tarfile.open(archive, "w:gz") as tar:
        member = tarfile.TarInfo("own-sys-1.2.3/vendor/core/answer.c")
        member.size = len(SOURCE)
        tar.addfile(member, io.BytesIO(SOURCE.encode()))
    cargo = tmp_path / "bin" / "cargo"
    kept = tmp_path / "cargo" / "registry" / "cache" / "somewhere"
    cargo.write_text(f"#!/bin/sh\nmkdir -p {kept} && cp {archive} {kept}/\n")
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "cargo"))
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "libraries"
    (folder / "own").mkdir(parents=True)
    (folder / "own" / "hash.c").write_text(ADAPTER)
    sha256 = hashlib.sha256(archive.read_bytes()).hexdigest()
    (folder / "own.toml").write_text(LIBRARY.format(sha256=sha256))
    monkeypatch.setattr(library_files, "_folder", lambda: folder)
    return folder


def test_a_library_is_a_tree_of_packages_with_its_licence_and_options(shelf: Path) -> None:
    [found] = libraries.find("library:own", files())
    assert (found.id, found.kind) == ("sha-256/own", Kind.HASH)
    assert found.manifest.license == "MIT" and found.manifest.notes == "own-sys 1.2.3"
    [row] = run(found, "stm32f030", verify="none").measurements
    assert row.status == Status.OK and row.cycles is not None
    [wrong] = run(found, "stm32f030", verify="quick").measurements
    assert wrong.status == Status.WRONG_ANSWER


def test_a_library_of_ones_own_is_its_file(shelf: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shelf.rename(mine)
    [found] = choose_implementations(files(), [str(mine / "own.toml")])
    assert (found.id, found.manifest.license) == ("sha-256/own", "MIT")
    study = tmp_path / "study.toml"
    study.write_text(
        'id = "mine"\ntitle = "Mine"\nboards = ["stm32f030"]\npackages = ["mine/own.toml"]\n'
        'flags = ["-O2"]\n[[cases]]\nname = "short"\nkind = "hash"\nm = 16\n'
    )
    [job] = plan_study(read_study(study), files()).jobs
    assert job.implementation == found
    text = (mine / "own.toml").read_text()
    (mine / "other.toml").write_text(text)
    with pytest.raises(UserError, match=r"other.toml: there is no folder 'other' with its adapt"):
        choose_implementations(files(), [str(mine / "other.toml")])
    crates = (data_root() / "libraries" / "rustcrypto.toml").read_text()
    (mine / "own.toml").write_text(crates)
    with pytest.raises(UserError, match=r"own.toml: field 'language': a library of crates must"):
        choose_implementations(files(), [str(mine / "own.toml")])


def test_without_a_header_options_are_macros_and_adapters_may_be_several(shelf: Path) -> None:
    text = (shelf / "own.toml").read_text()
    text = text.replace('header = "config/own.h"\n', 'defines = ["OWN_RESULT unsigned char"]\n')
    text = text.replace('"hash.c"', '["hash.c", "config/own.h"]', 1)
    (shelf / "own" / "config").mkdir()
    (shelf / "own" / "config" / "own.h").write_text("")
    (shelf / "own" / "hash.c").write_text(ADAPTER.replace("unsigned char ans", "OWN_RESULT ans"))
    (shelf / "own.toml").write_text(text)
    [found] = libraries.find("library:own", files())
    assert found.manifest.defines == ("OWN_RESULT unsigned char", "OWN_VALUE 0x5A")
    assert (found.folder / "config" / "own.h").is_file()
    [row] = run(found, "stm32f030", verify="none").measurements
    assert (row.status, row.reason) == (Status.OK, "")


def test_it_is_downloaded_once(shelf: Path) -> None:
    [first] = libraries.find("library:own/sha-256", files())
    (shelf.parent / "bin" / "cargo").write_text("#!/bin/sh\nexit 1\n")
    shutil.rmtree(shelf.parent / "cargo")
    assert libraries.find("library:own/sha-256/own", files()) == [first]


def test_without_a_network_one_sentence_shows_why(shelf: Path) -> None:
    cargo = shelf.parent / "bin" / "cargo"
    cargo.write_text("#!/bin/sh\necho 'error: no route to host' >&2\nexit 101\n")
    with pytest.raises(UserError, match=r"Own \(own-sys 1\.2\.3\) could not be .*no route to host"):
        libraries.find("library:own", files())
    cargo.unlink()
    with pytest.raises(UserError, match=r"needs Rust's `cargo` \(rustup\.rs\), which is not"):
        libraries.find("library:own", files())


def test_without_a_network_what_else_was_named_is_measured(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    names = ["library:own/sha-256", "sha-256/small"]
    lacking, other = choose_implementations(files(), names)
    assert (lacking.id, lacking.kind) == ("sha-256/own", Kind.HASH)
    assert lacking.problem.startswith("Own (own-sys 1.2.3) needs Rust's `cargo`")
    assert (other.id, other.problem) == ("sha-256/small", "")
    with pytest.raises(UserError, match="which is not installed; install it"):
        choose_implementations(files(), names[:1])


def test_another_archive_than_the_pinned_one_is_refused(shelf: Path) -> None:
    path = shelf / "own.toml"
    path.write_text(LIBRARY.format(sha256="0" * 64))
    with pytest.raises(UserError, match="the library's file has 0000"):
        libraries.find("library:own", files())


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('["@core"]', '["@cord"]', "'@cord' is not a group"),
        ('"core/answer.c"', '"../answer.c"', "groups.core"),
        ('"crates"', '"ftp"', "field 'registry'"),
        ('["OWN_VALUE 0x5A"]', '["OWN-VALUE"]', "OWN-VALUE"),
    ],
)
def test_a_bad_file_is_one_sentence(before: str, after: str, message: str) -> None:
    text = LIBRARY.format(sha256="0" * 64)
    assert before in text
    with pytest.raises(UserError, match=message):
        parse(text.replace(before, after), Path("own.toml"), Library)


def test_unknown_names_get_a_hint(shelf: Path) -> None:
    with pytest.raises(UserError, match="unknown library 'owm'"):
        libraries.find("library:owm", files())
    with pytest.raises(UserError, match="the library has no 'aes-gcm'"):
        libraries.find("library:own/aes-gcm", files())


@pytest.mark.parametrize("name", library_files.names())
def test_the_bundled_files_are_whole(name: str) -> None:
    library, adapters = library_files.load(name)
    for each in library.implementation:
        wanted = (each.adapter,) if isinstance(each.adapter, str) else each.adapter
        assert all((adapters / adapter).is_file() for adapter in wanted)
        assert each.folder.split("/")[1] in files().algorithms
