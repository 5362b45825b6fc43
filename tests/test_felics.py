"""Packages for FELICS-AEAD: found, verified and measured part by part."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from packages_for_tests import PACKAGES, at, files, run
from pennyweight.catalogue import felics
from pennyweight.catalogue.implementation import PARTS
from pennyweight.model import Case, Kind, Operation, Status, UserError
from pennyweight.verify.felics import own_record
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")

CIPHER = PACKAGES / "felics" / "Ascon_64_128_128_320_128_v01"

VECTORS = """#include "test_vectors.h"
#if TEST == 0
const uint8_t expectedKey[KEY_SIZE] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0x0f};
const uint8_t expectedNonce[NONCE_SIZE] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const uint8_t expectedPlaintext[1] = {0 /* one byte */};
const uint8_t expectedCiphertext[1] = {%s};
const uint8_t expectedTag[TAG_SIZE] = {%s};
#else
const uint8_t expectedKey[KEY_SIZE] = {1};
#endif
"""
SEALED = bytes.fromhex("bc18c3f4e39eca7222490d967c79bffc92")


def copied(tmp_path: Path, **changes: tuple[str, str]) -> Path:
    """The cipher's folder of sources, with texts replaced in files (`.` of their names is `_`)."""
    folder = tmp_path / CIPHER.name / "source"
    shutil.copytree(CIPHER / "source", folder)
    for name, (before, after) in changes.items():
        path = folder / name.replace("_", ".")
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))
    return folder


def vectors(folder: Path, sealed: bytes = SEALED) -> None:
    numbers = ", ".join(map(hex, sealed[1:]))
    (folder / "test_vectors.c").write_text(VECTORS % (hex(sealed[0]), numbers))


def test_a_tree_of_them_is_found_with_sizes_and_the_algorithm_that_they_mean() -> None:
    [found] = files().find(str(PACKAGES / "felics"))
    assert (found.id, found.kind) == ("ascon-128/felics-v01", Kind.AEAD)
    assert (found.key, found.nonce, found.tag) == (16, 16, 16)
    assert found.felics is not None and found.felics.state == 40
    assert found.parts() == PARTS[Kind.AEAD]


@pytest.mark.parametrize("name", ["atmega128", "sam3x8e"])
def test_all_seven_functions_are_verified_and_measured(name: str) -> None:
    cases = [Case(op, 25, 86) for op in (*PARTS[Kind.AEAD], Operation.ENC)]
    done = run(at(CIPHER), name, *cases, verify="quick", flags="-O2")
    assert [row.status for row in done.measurements] == [Status.OK] * 8
    assert "of 1089 NIST LWC records" in done.provenance.verified
    assert "incremental API" in done.provenance.verified
    cycles = {row.op: row.cycles or 0 for row in done.measurements}
    made_of = sum(cycles[op] for op in ("init", "ad", "encrypt", "finalize", "tag"))
    assert made_of < cycles["enc"] < 1.1 * made_of
    row = done.measurements[0]
    assert row.flash is not None and row.flash_enc is not None and row.flash_dec is not None
    assert row.flash_enc < row.flash < row.flash_enc + row.flash_dec


def test_what_goes_wrong_in_a_part_is_reported(tmp_path: Path) -> None:
    broken = copied(tmp_path, cipher_c=("tag[i] = state[24 + i];", "tag[i] = state[23 + i];"))
    [row] = run(at(broken), "sam3x8e").measurements
    assert row.status == Status.WRONG_ANSWER and "expected" in row.reason


def test_functions_by_their_other_names(tmp_path: Path) -> None:
    folder = copied(tmp_path, cipher_c=("void TagGeneration(", "void GenerateTag("))
    found = at(folder).felics
    assert found is not None and found.make_tag == "GenerateTag"
    [row] = run(at(folder), "sam3x8e", Case(Operation.TAG, 0, 8), verify="quick").measurements
    assert row.status == Status.OK


def test_its_own_test_vector_decides_where_the_official_answers_are_others(tmp_path: Path) -> None:
    folder = copied(tmp_path, cipher_c=("{0x80, 0x40,", "{0x90, 0x40,"))
    refused = run(at(folder), "sam3x8e", verify="quick").measurements[0]
    assert refused.status == Status.WRONG_ANSWER
    vectors(folder)
    assert run(at(folder), "sam3x8e", verify="quick").measurements[0].status == Status.WRONG_ANSWER
    record = own_record(folder)
    assert record is not None and record.sealed == SEALED and record.message == b"\0"
    right = copied(tmp_path / "sound")
    vectors(right)
    done = run(at(right), "sam3x8e", verify="quick")
    assert "of 1089 NIST LWC records" in done.provenance.verified
    older = copied(tmp_path / "older", permutation_c=("0xF0 - 0x0F", "0xE1 - 0x0F"))
    vectors(older, bytes.fromhex("00" * 17))
    assert run(at(older), "sam3x8e", verify="quick").measurements[0].status == Status.WRONG_ANSWER


def test_bad_constants_are_one_sentence(tmp_path: Path) -> None:
    folder = copied(tmp_path, constants_h=("#define TAG_SIZE 16", "#define TAG_SIZE sixteen"))
    with pytest.raises(
        UserError, match=r"constants\.h: TAG_SIZE is not a number of bytes from 1 to"
    ):
        at(folder)
    [other] = files().find(str(tmp_path))
    assert "TAG_SIZE" in other.problem


def test_names_of_folders_show_cipher_and_version() -> None:
    assert felics.label(Path("NORX_384_128_128_512_128_v03/source")) == ("NORX", "v03")
    assert felics.label(Path("mine")) == ("mine", "mine")
