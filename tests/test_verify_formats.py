"""Reading and writing known answers."""

from __future__ import annotations

import hashlib
import json

import pytest

from pennyweight.verify import name_value, wycheproof
from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import (
    AEAD_RECORDS,
    HASH_RECORDS,
    AeadRecord,
    HashRecord,
    LwcText,
    Starts,
    aead_grid,
    hash_grid,
    in_spread,
    pattern,
)

LWC = """Count = 1
Key = 000102
Nonce = 0A
PT =\x20
AD =\x20
CT = FFEE

Count = 2
Key = 000102
Nonce = 0A
PT = 01
AD = 02
CT = 03FFEE

"""


def test_the_text_of_a_set_is_genkats() -> None:
    text = LwcText()
    for record in name_value.aead_records(LWC):
        assert record.sealed is not None
        text.add_aead(record, record.sealed)
    assert text.sha256() == hashlib.sha256(LWC.encode()).hexdigest()
    hashes = LwcText()
    hashes.add_hash(HashRecord(1, b"", b"\xab"), b"\xab")
    assert hashes.sha256() == hashlib.sha256(b"Count = 1\nMsg = \nMD = AB\n\n").hexdigest()


def test_the_grid_is_genkats() -> None:
    records = list(aead_grid(16, 12, Starts()))
    assert len(records) == AEAD_RECORDS == 1089
    second, last = records[1], records[-1]
    assert (second.count, second.message, second.ad) == (2, b"", b"\0")
    assert (last.count, last.message, last.ad) == (1089, bytes(range(32)), bytes(range(32)))
    assert (last.key, last.nonce) == (bytes(range(16)), bytes(range(12)))
    messages = list(hash_grid())
    assert len(messages) == HASH_RECORDS == 1025
    assert messages[-1].message[255:258] == b"\xff\x00\x01"


def test_a_grid_may_start_elsewhere() -> None:
    last = list(aead_grid(16, 16, Starts(nonce=0x10, message=0x20, ad=0x30)))[-1]
    assert (last.nonce[0], last.message[0], last.ad[0], last.key[0]) == (0x10, 0x20, 0x30, 0)


def test_the_spread_has_every_length_once() -> None:
    spread = [record for record in aead_grid(1, 1, Starts()) if in_spread(record)]
    assert sorted(len(record.message) for record in spread) == list(range(33))
    assert sorted(len(record.ad) for record in spread) == list(range(33))


@pytest.mark.parametrize("size", [0, 1, 255, 256, 4000, 5000])
def test_a_pattern_counts_up(size: int) -> None:
    assert pattern(250, size) == bytes((250 + index) % 256 for index in range(size))


def test_line_ends_of_other_systems_are_read() -> None:
    unix = list(name_value.aead_records(LWC))
    assert list(name_value.aead_records(LWC.replace("\n", "\r\n"))) == unix
    assert list(name_value.aead_records(LWC.rstrip("\n"))) == unix


def test_cavp_records_with_failures_are_read() -> None:
    text = (
        "# CAVS\n[Keylen = 128]\n[IVlen = 96]\n\n"
        "Count = 0\nKey = 01\nIV = 02\nCT = 03\nAAD = 04\nTag = 05\nPT = 06\n\n"
        "Count = 1\nKey = 01\nIV = 02\nCT = 03\nAAD =\nTag = 05\nFAIL\n"
    )
    good, bad = name_value.aead_records(text)
    assert good == AeadRecord(1, b"\1", b"\2", b"\4", b"\6", b"\3\5", valid=True)
    assert bad == AeadRecord(2, b"\1", b"\2", b"", b"", b"\3\5", valid=False)


def test_rfc_records_with_results_are_read() -> None:
    text = "COUNT = 2\nKey = 01\nIV = 02\nAAD = \nTag = 05\nPlaintext = 06\nCiphertext = 07\n"
    [good] = name_value.aead_records(text)
    [bad] = name_value.aead_records(text + "Result = CIPHERFINAL_ERROR\n")
    assert good.valid and good.sealed == b"\7\5"
    assert not bad.valid


def test_hash_records_count_their_length_in_bits() -> None:
    text = "[L = 32]\n\nLen = 0\nMsg = 00\nMD = aa\n\nLen = 16\nMsg = 0102\nMD = bb\n"
    assert [record.message for record in name_value.hash_records(text)] == [b"", b"\1\2"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("CT = FFEE", "CT = FFE", "record 1: ct is not hexadecimal"),
        ("Nonce = 0A\nPT = 01", "PT = 01", "record 2: the field nonce is missing"),
    ],
)
def test_a_file_that_is_not_whole_is_reported(old: str, new: str, expected: str) -> None:
    with pytest.raises(FormatError, match=expected):
        list(name_value.aead_records(LWC.replace(old, new)))


def test_a_length_in_odd_bits_is_reported() -> None:
    with pytest.raises(FormatError, match="not a whole number of bytes"):
        list(name_value.hash_records("Len = 5\nMsg = 00\nMD = 00\n"))


def test_wycheproof_cases_are_read() -> None:
    case = {"tcId": 7, "key": "01", "iv": "02", "aad": "", "msg": "03", "ct": "04", "tag": "05"}
    tests = [case | {"result": result} for result in ("valid", "invalid", "acceptable")]
    records = list(wycheproof.aead_records(json.dumps({"testGroups": [{"tests": tests}]})))
    assert [record.valid for record in records] == [True, False, True]
    assert records[0].sealed == b"\4\5"
    with pytest.raises(FormatError, match="not a Wycheproof file"):
        list(wycheproof.aead_records('{"testGroups": [{"tests": [{}]}]}'))
