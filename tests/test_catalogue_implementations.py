"""Finding implementations by name and by path, and reading `api.h` and manifests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from packages_for_tests import PACKAGES, at, copied, files, package, toy
from pennyweight.catalogue.api_header import read_api
from pennyweight.model import Kind, Operation, UserError


def test_no_bundled_implementation_has_a_problem() -> None:
    found = files().implementations
    assert len(found) >= 10
    assert [each.id for each in found if each.problem] == []
    assert len({each.id for each in found}) == len(found)


def test_a_bundled_manifest_states_what_its_code_is() -> None:
    for each in files().implementations:
        reported = each.manifest
        assert reported.title and reported.license, each.id
        assert reported.constant_time is not None and reported.word_bits is not None, each.id
        assert reported.constant_time or "table" in each.name, each.id
        assert reported.sources, each.id


def test_titles_show_the_implementations_of_an_algorithm_apart() -> None:
    found = files().implementations
    titles = {(each.algorithm, each.manifest.title.casefold()) for each in found}
    assert len(titles) == len(found)
    assert all(each.manifest.title.casefold() != each.algorithm for each in found)
    assert [each.id for each in found if each.manifest.title.endswith(each.name)] == []


def test_names_find_bundled_implementations() -> None:
    every = files().find("ascon-aead128")
    assert len(every) >= 2
    assert all(each.bundled and each.algorithm == "ascon-aead128" for each in every)
    [one] = files().find(every[0].id)
    assert one == every[0]
    assert files().find("asconaead128") == every


def test_an_unknown_name_is_reported_with_its_nearest() -> None:
    with pytest.raises(UserError, match="did you mean chacha20-poly1305"):
        files().find("chacha20-poly130")


def test_a_folder_is_an_implementation() -> None:
    found = toy("ref")
    assert (found.id, found.kind, found.bundled) == ("toy/ref", Kind.AEAD, False)
    assert (found.key, found.nonce, found.tag) == (16, 16, 16)
    assert found.known is None
    assert found.operations() == (Operation.ENC, Operation.DEC)
    assert found.parts() == ()


def test_the_folder_above_shows_the_algorithm() -> None:
    found = package("crypto_aead/ascon128v12/wrong")
    assert found.algorithm == "ascon-128"
    assert found.known is not None
    assert package("crypto_hash/toyhash/ref").kind is Kind.HASH


def test_other_sizes_than_the_algorithms_make_it_another_algorithm(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_aead" / "ascon128v12" / "cut"
    copied(tmp_path).rename(tmp_path / "moved")
    folder.parent.mkdir(parents=True)
    (tmp_path / "moved").rename(folder)
    api = folder / "api.h"
    api.write_text(api.read_text().replace("ABYTES 16", "ABYTES 8"))
    assert at(folder).known is None


def test_a_hash_has_no_sizes_of_the_aead_in_the_same_family(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_hash" / "romulush" / "own"
    folder.mkdir(parents=True)
    sizes = {"KEYBYTES": 16, "NPUBBYTES": 16, "ABYTES": 16, "BYTES": 32}
    text = "".join(f"#define CRYPTO_{name} {size}\n" for name, size in sizes.items())
    (folder / "api.h").write_text(text)
    [found] = files().find(str(folder))
    assert (found.id, found.kind) == ("romulus-h/own", Kind.HASH)
    assert (found.key, found.nonce, found.tag, found.digest) == (0, 0, 0, 32)


def test_a_tree_is_all_of_its_implementations() -> None:
    found = files().find(str(PACKAGES))
    names = {each.id for each in found}
    assert {"toy/ref", "toyhash/ref", "ascon-128/wrong", "sha-256/wrong"} <= names
    [sizeless] = [each for each in found if each.name == "no_sizes"]
    assert "CRYPTO_NPUBBYTES is not defined; add it, in bytes" in sizeless.problem


def test_a_folder_without_api_is_reported() -> None:
    with pytest.raises(
        UserError,
        match=r"no_api: no api\.h \(nor FELICS's constants\.h\) in it or below it; add one",
    ):
        toy("no_api")


def test_a_manifest_without_api_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_aead" / "ascon-128" / "mine"
    folder.mkdir(parents=True)
    (folder / "implementation.toml").write_text("constant_time = true\n")
    [found] = files().find(str(tmp_path))
    assert "api.h" in found.problem


def test_a_truth_in_words_is_reported(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "implementation.toml").write_text('constant_time = "yes"\n')
    with pytest.raises(UserError, match=r"constant_time.*valid boolean, not 'yes'"):
        at(folder)


def test_a_folder_with_half_an_api_is_reported() -> None:
    with pytest.raises(UserError, match="CRYPTO_NPUBBYTES is not defined"):
        toy("no_sizes")


def test_a_file_is_not_a_folder() -> None:
    with pytest.raises(UserError, match="not a folder"):
        files().find(str(PACKAGES / "README.md"))


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    copied(tmp_path)
    (tmp_path / "crypto_aead" / "toy" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert [each.name for each in files().find(str(tmp_path))] == ["ref"]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("#define CRYPTO_ABYTES 16", 16),
        ("  #  define CRYPTO_ABYTES (128/8) /* bytes */", 16),
        ("#define BITS 64u\n#define CRYPTO_ABYTES BITS / 8", 8),
        ("#define CRYPTO_ABYTES 0x10 // hex", 16),
        ("// #define CRYPTO_ABYTES 4", None),
        ("#define CRYPTO_ABYTES \\\n 12", 12),
    ],
)
def test_sizes_are_read_as_text(text: str, tag: int | None, tmp_path: Path) -> None:
    path = tmp_path / "api.h"
    path.write_text(text + "\n")
    assert read_api(path).tag == tag


@pytest.mark.parametrize(
    "value", ["SOMEWHERE_ELSE", "-1", "1 << 99", "1 +", "9999999", "A", "f(1)"]
)
def test_sizes_that_are_none_are_reported(value: str, tmp_path: Path) -> None:
    path = tmp_path / "api.h"
    path.write_text(f"#define A B\n#define B A\n#define CRYPTO_KEYBYTES {value}\n")
    with pytest.raises(UserError, match="write a number of bytes"):
        read_api(path)


def test_a_manifest_with_an_unknown_field_is_reported(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "implementation.toml").write_text("incremetal = true\n")
    with pytest.raises(UserError, match=r"implementation\.toml.*did you mean incremental\?"):
        at(folder)


@pytest.mark.parametrize("name", [b"two\nlines", b"\x07bell", b"latin \xe9"])
def test_a_folder_whose_name_cannot_be_printed_is_reported(name: bytes, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    odd = Path(os.fsdecode(os.fsencode(folder.parent) + b"/" + name))
    folder.rename(odd)
    with pytest.raises(UserError, match="cannot be printed; rename it") as caught:
        at(odd)
    assert str(caught.value).isprintable()
    [found] = files().find(str(tmp_path))
    assert "rename it" in found.problem


def test_an_author_may_forbid_overlap(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    assert not at(folder).forbids_overlap
    api = folder / "api.h"
    api.write_text(api.read_text().replace("NOOVERLAP 0", "NOOVERLAP 1"))
    assert at(folder).forbids_overlap
    (folder / "implementation.toml").write_text("in_place = true\n")
    assert not at(folder).forbids_overlap


def test_an_api_of_many_bytes_or_of_other_letters(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    api = (folder / "api.h").read_bytes()
    (folder / "api.h").write_bytes(b"/* Andr\xe9 */\r\n" + api)
    assert at(folder).nonce == at(copied(tmp_path / "plain")).nonce
    with (folder / "api.h").open("r+b") as file:
        file.truncate(1 << 33)
    with pytest.raises(UserError, match=r"api\.h: larger than 4 MB"):
        at(folder)


def test_an_api_that_leads_to_what_waits_is_not_waited_for(tmp_path: Path) -> None:
    """/proc/kmsg counts as a file and has nothing to give until the kernel says something."""
    folder = copied(tmp_path)
    (folder / "api.h").unlink()
    (folder / "api.h").symlink_to("/proc/kmsg")
    script = (
        f"import sys; sys.path = {sys.path!r}\nfrom pathlib import Path\n"
        "from pennyweight.catalogue.api_header import read_api\n"
        f"print(read_api(Path({str(folder / 'api.h')!r})).key)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], timeout=20, capture_output=True, text=True, check=False
    )
    output = "UserError" in done.stderr and "api.h: " in done.stderr  # by whom may not read it
    assert output or done.stdout == "None\n"


def test_folders_below_an_algorithms_name_an_implementation_together(tmp_path: Path) -> None:
    """SUPERCOP's layout: `crypto_aead/aes128gcmv1/dolbeau/aesenc-int`."""
    for nested in ("toy/dolbeau/aesenc-int", "other/dolbeau/aesenc-int", "toy/k8/x86/sse"):
        shutil.copytree(PACKAGES / "crypto_aead" / "toy" / "ref", tmp_path / "crypto_aead" / nested)
    for other in ("crypto_stream/toy/ref", "crypto_hashblocks/toy/inplace"):
        shutil.copytree(PACKAGES / "crypto_aead" / "toy" / "ref", tmp_path / other)
    found = files().find(str(tmp_path))
    names = ["other/dolbeau-aesenc-int", "toy/dolbeau-aesenc-int", "toy/k8-x86-sse"]
    assert [each.id for each in found] == names
    assert {each.tree for each in found} == {tmp_path}
    assert at(tmp_path / "crypto_aead" / "toy" / "k8" / "x86" / "sse").id == "toy/k8-x86-sse"
