"""Reading the designers' and NIST's own forms of known answers."""

from __future__ import annotations

import hashlib

import pytest

from pennyweight.verify import blake2, cavp_ccm, monte_carlo, name_value
from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import HashRecord, MacRecord

VADT = """#  CAVS 11.0
#  "CCM-VADT" information

Plen = 2
Nlen = 3
Tlen = 4

[Alen = 0]

Key = 000102
Nonce = 0a0b0c

Count = 0
Adata = 00
Payload = d1d2
CT = c1c2aabbccdd

[Alen = 1]

Key = 000103
Nonce = 0a0b0d

Count = 1
Adata = ad
Payload = d3d4
CT = c3c4aabbccdd
"""

DVPT = """[Alen = 0, Plen = 0, Nlen = 3, Tlen = 4]

Key = 000102

Count = 0
Nonce = 0a0b0c
Adata = 00
CT = aabbccdd
Result = Pass
Payload = 00

Count = 1
Nonce = 0a0b0d
Adata = 00
CT = aabbccde
Result = Fail

[Alen = 1, Plen = 1, Nlen = 3, Tlen = 6]

Key = 000104

Count = 2
Nonce = 0a0b0e
Adata = ad
CT = c1aabbccddeeff
Result = Pass
Payload = d1
"""


def test_values_of_a_ccm_file_hold_until_they_are_set_again() -> None:
    first, second = cavp_ccm.aead_records(VADT)
    assert (first.key, first.nonce, first.ad, first.tag) == (b"\0\1\2", b"\n\x0b\x0c", b"", 4)
    assert (first.message, first.sealed) == (b"\xd1\xd2", bytes.fromhex("c1c2aabbccdd"))
    assert (second.count, second.key, second.nonce, second.ad) == (
        2,
        b"\0\1\3",
        b"\n\x0b\r",
        b"\xad",
    )
    assert first.valid and second.valid


def test_headings_of_ccm_files_give_lengths_and_results_show_forgeries() -> None:
    passed, forged, last = cavp_ccm.aead_records(DVPT)
    assert (passed.message, passed.ad, passed.tag, passed.valid) == (b"", b"", 4, True)
    assert (forged.valid, forged.nonce, forged.key) == (False, b"\n\x0b\r", b"\0\1\2")
    assert (last.ad, last.message, last.tag, last.key) == (b"\xad", b"\xd1", 6, b"\0\1\4")


def test_another_file_is_not_taken_for_one_of_ccm() -> None:
    with pytest.raises(FormatError, match="record 1: not one of CAVP's CCM files"):
        list(cavp_ccm.aead_records("Key = 00\nCT = 00\n"))


BLAKE = """[
{"hash": "blake2s", "in": "", "key": "", "out": "69"},
{"hash": "blake2s", "in": "00", "key": "0001", "out": "48"},
{"hash": "blake2b", "in": "00", "key": "", "out": "2f"}
]"""


def test_the_blake2_file_is_split_by_function_and_key() -> None:
    assert list(blake2.hash_records(BLAKE, "blake2s")) == [HashRecord(1, b"", b"\x69")]
    assert list(blake2.mac_records(BLAKE, "blake2s")) == [MacRecord(2, b"\0\1", b"\0", b"\x48", 1)]
    assert list(blake2.hash_records(BLAKE, "blake2b")) == [HashRecord(1, b"\0", b"\x2f")]
    with pytest.raises(FormatError, match="not the BLAKE2 designers' file"):
        list(blake2.hash_records("[{}]", "blake2s"))


def test_records_with_a_trailer_are_skipped() -> None:
    record = "Key = 00\nNonce = 00\nPT = \nAD = \nTrailer = {}\nCT = 00\n\n"
    found = list(name_value.aead_records(record.format("01") + record.format("")))
    assert [each.count for each in found] == [2]


def test_macs_of_standards_and_designers_are_read() -> None:
    rfc = "Len = 8\nKey = 0b\n# a comment\nMsg = 4869\nMD = b0\n\n"
    sp800 = "COUNT = 0\nKEY = 2b\nMESSAGE =\nOUTPUT = bb1d\n\n"
    kmac = "Count = 1\nKey = 40\nMsg = 00\nCustom = 4D79\nTag = E5\n"
    found = list(name_value.mac_records(rfc + sp800 + kmac))
    assert found == [
        MacRecord(1, b"\x0b", b"\x48", b"\xb0", 1),
        MacRecord(2, b"\x2b", b"", b"\xbb\x1d", 2),
        MacRecord(3, b"\x40", b"\0", b"\xe5", 1, b"My"),
    ]


def test_an_xofs_output_has_any_length() -> None:
    text = (
        "COUNT = 0\nOutputlen = 16\nMsg = 84e9\nOutput = 8599\n\nLen = 0\nMsg = 00\nOutput = 7f\n"
    )
    assert list(name_value.hash_records(text)) == [
        HashRecord(1, b"\x84\xe9", b"\x85\x99"),
        HashRecord(2, b"", b"\x7f"),
    ]


def test_the_chain_of_shake_follows_its_rule() -> None:
    def shake(message: bytes, size: int) -> bytes:
        return hashlib.shake_128(message).digest(size)

    seed = "c8b310cb97efa3855434998fa81c7674"
    outputs = (
        "fe8c476993b47b10c98303a04c6212dfb341426d748d3926140aee0a151fc80fa1",
        "0ed1e47c5a33592d182ccb6a28cac9b11d23d8038ddebbdd4ae6c584d7ec14269810b082a27655d073ac9bfd"
        "a81650e18d972e5e96cf1b4279af91cf0bf61156ebf6f042fb70ba6f25be976880c257405e759e71790c5218"
        "d05985f5ffff05f9eb2da24053cb7df667",
    )
    text = "[Minimum Output Length (bits) = 128]\n\n[Maximum Output Length (bits) = 1120]\n\n"
    text += f"Msg = {seed}\n\n"
    for count, output in enumerate(outputs):
        text += f"COUNT = {count}\nOutputlen = {len(output) * 4}\nOutput = {output}\n\n"
    chain = monte_carlo.read(text)
    assert (chain.rule, chain.least, chain.most) == (monte_carlo.Rule.SHAKE, 16, 140)
    for checkpoint in (1, 2):
        assert chain.after(checkpoint, shake) == chain.values[checkpoint]
    with pytest.raises(FormatError, match="no bounds of the output length"):
        monte_carlo.read(text.replace("Minimum", "Least"))
    with pytest.raises(FormatError, match="no seed with values after it"):
        monte_carlo.read("COUNT = 0\nMD = 00\n")
