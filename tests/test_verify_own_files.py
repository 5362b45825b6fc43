"""Known answers that a package carries itself, by the names that Ascon's authors give them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from packages_for_tests import ARM, PACKAGES, at, files, run
from pennyweight.model import Case, Operation, Status
from toy_answers import toy_mac, toy_xof
from verdicts import cached_by_project

pytestmark = cached_by_project("verification on boards")

KEY = bytes(range(16))


def own(target: Path, path: str) -> Path:
    """A copy of a toy package that a test may change, in the same kind of tree."""
    folder = target / path
    shutil.copytree(PACKAGES / path, folder)
    shutil.copytree(PACKAGES / "common", target / "common")
    return folder


def macs(longest: int = 16) -> str:
    records = []
    for size in range(longest + 1):
        message = bytes(range(size))
        tag = toy_mac(KEY, message).hex()
        records.append(
            f"Count = {size + 1}\nKey = {KEY.hex()}\nMsg = {message.hex()}\nTag = {tag}\n"
        )
    return "\n".join(records)


@pytest.mark.parametrize("name", ["MAC", "PRF", "PRFS", "AUTH"])
def test_a_mac_is_checked_against_its_own_file(name: str, tmp_path: Path) -> None:
    folder = own(tmp_path, "crypto_auth/toymac/ref")
    file = folder.parent / f"LWC_{name}_KAT_128_128.txt"
    file.write_text(macs())
    verified = run(at(folder), ARM).provenance.verified
    assert verified.startswith("17 of 17 records of the package's own known-answer file, 49 round")
    last = toy_mac(KEY, bytes(range(16))).hex()
    file.write_text(macs().replace(last, "00" + last[2:]))
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.WRONG_ANSWER and "record 17 of LWC_" in row.reason


def test_a_mac_of_short_messages_is_checked_with_those_that_it_takes(tmp_path: Path) -> None:
    folder = own(tmp_path, "crypto_auth/toymac/ref")
    (folder / "implementation.toml").write_text('include = ["../../../common"]\n')
    source = folder / "toy.c"
    text = (PACKAGES / "common" / "toy_mac.h").read_text()
    start = text.index("int crypto_auth(")
    body = text.index("{", start) + 1
    source.write_text(f"{text[:body]}\n    if (inlen > 16) return -1;{text[body:]}")
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    (folder / "LWC_PRFS_KAT_128_128.txt").write_text(macs())
    found = run(at(folder), ARM, Case(Operation.AUTH, 0, 16), Case(Operation.AUTH, 0, 17))
    short, long = found.measurements
    assert (short.status, short.reason) == (Status.OK, "")
    assert (long.status, long.cycles) == (Status.WRONG_ANSWER, None)
    assert "17 of 17 records of the package's own" in found.provenance.verified
    assert found.notes == ["rejects messages of more than 16 bytes"]


def test_a_hash_is_checked_against_the_file_of_an_xof(tmp_path: Path) -> None:
    folder = own(tmp_path, "crypto_hash/toyxof/ref")
    size = at(folder).digest
    records = [
        f"Count = {length + 1}\nMsg = {bytes(range(length)).hex()}\n"
        f"MD = {toy_xof(bytes(range(length)), size).hex()}\n"
        for length in range(4)
    ]
    (folder.parent / "LWC_XOF_KAT_128_512.txt").write_text("\n".join(records))
    verified = run(at(folder), ARM).provenance.verified
    assert verified.startswith("4 of 1025 records of the package's own known-answer file")


def test_ascons_combined_package_is_known_as_what_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_aead_hash" / "asconaeadxof128" / "ref"
    folder.mkdir(parents=True)
    sizes = "KEYBYTES 16", "NPUBBYTES 16", "ABYTES 16", "BYTES 64"
    (folder / "api.h").write_text("".join(f"#define CRYPTO_{size}\n" for size in sizes))
    assert [each.algorithm for each in files().find(str(tmp_path))] == [
        "ascon-aead128",
        "ascon-xof128",
    ]
