"""AES-GCM and AES-GMAC with the nonces and tags of other sizes that NIST's and Wycheproof's files
have: each size is a program of its own, as in `test_host_sizes.py`.

Programs of all sizes of all implementations are too many: each size is that of one implementation,
and sizes next to each other are those of different ones, so that every implementation has all three
lengths of NIST's nonces and all seven of its tags. Masked ones take nonces of 96 bits only.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from host import gcm_files
from host.build import ask, build_sized, bundled, field_of
from host.inputs import inputs_of
from host.known_answers import VECTORS, Aead, Mac, aead_by_sizes, mac_records, variant
from host.requests import decrypt, encrypt, mac_requests
from verdicts import Inputs, cached

ALL = {each.id: each for each in bundled()}
GCM = ("ct8", "fast-table32", "ct32", "table", "table32", "small-table")
GMAC = ("table", "ct32", "small-table", "ct8", "table32", "fast-table32")
KEYS = (128, 192, 256)

OFFICIAL = {
    "gcmEncryptExtIV128": "30156236f768b0d81e58a3e5bd3bd79ce294cf9ef0ba0a84cf7b869c89ebd9fd",
    "gcmEncryptExtIV192": "86827942bf67d1c67f34532bd057adf0a41cd911396a36023d9033f89fc6f571",
    "gcmEncryptExtIV256": "4448b4998c3f58cd9f5542ddf7c573189a721ff3d3ac24cd5177bb4910a787f8",
    "gcmDecrypt128": "0d1f98d0c9e176ede1f3e85484dd13de92c3436ca97df378ec3481e04c19a732",
    "gcmDecrypt192": "ca65640844441d58828e29bff87b7ec4571ef6778f4c331fc06697264edb2ffd",
    "gcmDecrypt256": "ed318735a517d5a85c82d2846c23dcf56e57a352fb0f0a163d9e7617a7bd12ad",
}
"""SHA-256 of NIST's files."""


def test_all_implementations_have_their_turn() -> None:
    for bits in KEYS:
        for mode, turns in (("gcm", GCM), ("gmac", GMAC)):
            assert {f"aes-{bits}-{mode}/{each}" for each in turns} == {
                name
                for name in ALL
                if name.startswith(f"aes-{bits}-{mode}/")
                and "/masked" not in name
                and not name.endswith("/asm")
            }


def test_the_catalogue_has_the_digests_of_nists_files() -> None:
    for bits in KEYS:
        for name in (f"aes-{bits}-gcm", f"aes-{bits}-gmac"):
            sources = " ".join(each["source"] for each in variant(name)["known_answers"])
            for file in (f"gcmEncryptExtIV{bits}", f"gcmDecrypt{bits}"):
                assert f"{file}.rsp (SHA-256 {OFFICIAL[file]})" in sources


def _gcm(bits: int, turn: int, sizes: tuple[int, int], place: Path) -> Path:
    """AES-GCM with the given bytes of nonce and tag, of the implementation whose turn it is."""
    nonce, tag = sizes
    numbers = {"CRYPTO_NPUBBYTES": nonce, "CRYPTO_ABYTES": tag}
    return build_sized(ALL[f"aes-{bits}-gcm/{GCM[turn % len(GCM)]}"], numbers, place)


def _gmac(bits: int, turn: int, sizes: tuple[int, int], place: Path) -> Path:
    """The same for AES-GMAC."""
    nonce, tag = sizes
    numbers = {"CRYPTO_KEYBYTES": bits // 8 + nonce, "CRYPTO_BYTES": tag}
    return build_sized(ALL[f"aes-{bits}-gmac/{GMAC[turn % len(GMAC)]}"], numbers, place)


def _sealed(runner: Path, records: list[Aead]) -> list[Aead]:
    """The records with what the program makes of the valid ones; those to reject are rejected."""
    valid = [each for each in records if each.valid]
    answers = iter(encrypt(runner, valid))
    complete = [replace(each, sealed=next(answers)) if each.valid else each for each in records]
    expected = [field_of(each.message) if each.valid else "rejected" for each in complete]
    assert decrypt(runner, complete) == expected
    return complete


def _as_macs(records: list[Aead], tag: int) -> list[Mac]:
    """Records without a message as those of GMAC."""
    return [
        Mac(each.key + each.nonce, each.ad, each.sealed, tag, valid=each.valid) for each in records
    ]


def _check_macs(runner: Path, records: list[Mac]) -> None:
    """Valid tags come out and are accepted, others are rejected."""
    valid = [each for each in records if each.valid]
    assert ask(runner, mac_requests(valid, "sign")) == [each.tag.hex() for each in valid]
    verdicts = ["accepted" if each.valid else "rejected" for each in records]
    assert ask(runner, mac_requests(records, "check")) == verdicts


def inputs(bits: int) -> Inputs:
    """All implementations for keys of one size; their sizes are in the test and its files."""
    names = (f"aes-{bits}-gcm/", f"aes-{bits}-gmac/")
    found = inputs_of(each for name, each in ALL.items() if name.startswith(names))
    files = (f"{name}{bits}.inputs" for name in ("gcmEncryptExtIV", "gcmDecrypt"))
    return replace(found, files=(*found.files, *(VECTORS / name for name in files)))


@pytest.mark.parametrize("bits", KEYS)
@cached("known answers", inputs)
def test_gcm_and_gmac_give_all_answers_of_nist(bits: int, tmp_path: Path) -> None:
    """Nonces of 96, 8 and 1,024 bits, tags of 128 down to 32: what is calculated makes up the
    official files, whose digests are known. Records without a message are GMAC's, too.
    """
    names = (f"gcmEncryptExtIV{bits}", f"gcmDecrypt{bits}")
    files = {name: gcm_files.read(name, bits) for name in names}
    shapes = [(file, at) for file, (_, sections) in files.items() for at in range(len(sections))]
    sizes: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for file, at in shapes:
        sizes.setdefault(files[file][1][at].sizes, []).append((file, at))
    assert len(sizes) == 21
    for i, (size, places) in enumerate(sizes.items()):
        place = tmp_path / f"{size[0]}-{size[1]}"
        turn = i // 7 * 2 + i % 7 + KEYS.index(bits)
        found = [files[file][1][at] for file, at in places]
        records = _sealed(
            _gcm(bits, turn, size, place), [r for each in found for r in each.records]
        )
        silent = [each for each in records if len(each.message or each.sealed[size[1] :]) == 0]
        assert len(silent) == 2 * 5 * gcm_files.RECORDS
        _check_macs(_gmac(bits, turn, size, place), _as_macs(silent, size[1]))
        for n, (file, at) in enumerate(places):
            part = records[n * gcm_files.RECORDS : (n + 1) * gcm_files.RECORDS]
            files[file][1][at] = replace(found[n], records=tuple(part))
    for name, (head, sections) in files.items():
        text = gcm_files.text(head, bits, sections, decrypting="Decrypt" in name)
        assert hashlib.sha256(text.encode("ascii")).hexdigest() == OFFICIAL[name]


@pytest.mark.parametrize("bits", KEYS)
@cached("known answers", inputs)
def test_gcm_gives_all_answers_of_wycheproof(bits: int, tmp_path: Path) -> None:
    """Nonces of 1 to 257 bytes. None of 0 bytes may be used: nothing takes one."""
    [answers] = [
        each
        for each in variant(f"aes-{bits}-gcm")["known_answers"]
        if each["format"] == "wycheproof-aead"
    ]
    sizes = aead_by_sizes(answers, bits // 8)
    assert not any(each.valid for each in sizes.pop((0, 16)))
    assert len(sizes) == 14
    for i, (size, records) in enumerate(sizes.items()):
        runner = _gcm(bits, i + KEYS.index(bits), size, tmp_path / f"{size[0]}-{size[1]}")
        valid = [each for each in records if each.valid]
        assert encrypt(runner, valid) == [each.sealed for each in valid]
        expected = [field_of(each.message) if each.valid else "rejected" for each in records]
        assert decrypt(runner, records) == expected


@pytest.mark.parametrize("bits", KEYS)
@cached("known answers", inputs)
def test_gmac_gives_all_answers_of_wycheproof(bits: int, tmp_path: Path) -> None:
    """Nonces of 96 and 128 bits."""
    [answers] = [
        each
        for each in variant(f"aes-{bits}-gmac")["known_answers"]
        if each["format"] == "wycheproof-mac"
    ]
    for nonce in (12, 16):
        records = [each for each in mac_records(answers) if len(each.key) == bits // 8 + nonce]
        assert len(records) == 69
        _check_macs(_gmac(bits, nonce, (nonce, 16), tmp_path / f"{nonce}"), records)
