"""Official files have records with other sizes of key, nonce and tag than the catalogue's variants,
whose sources take those, too: here each size is a program of its own, built for this machine under
the sanitizers. So are sessions and trailers, for which the API has no place. AES-GCM and AES-GMAC
are in `test_host_gcm.py`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from host.build import (
    ask,
    build_including,
    build_sized,
    bundled,
    field_of,
    host_compiler,
    sized,
    units,
    warnings,
)
from host.inputs import inputs_of
from host.known_answers import (
    Aead,
    Mac,
    aead_by_sizes,
    ccm_by_sizes,
    ketje_sessions,
    mac_records,
    text_of,
    variant,
)
from host.requests import decrypt, encrypt, mac_requests
from verdicts import Inputs, cached

ALL = {each.id: each for each in bundled()}


def of_algorithms(*prefixes: str) -> Inputs:
    """The implementations whose names begin so; sizes are in the tests and their files."""
    return inputs_of(each for name, each in ALL.items() if name.startswith(prefixes))


def of_one(implementation: str) -> Inputs:
    return inputs_of([ALL[implementation]])


def of_one_with(implementation: str, *files: str) -> Inputs:
    """The same with files of the repository: a runner of its own, or records that no set names."""
    found = of_one(implementation)
    root = Path(__file__).parent.parent
    return replace(found, files=(*found.files, *(root / name for name in files)))


def of_ketje(implementation: str) -> Inputs:
    return of_one_with(implementation, "tests/host/ketje_runner.c", "algorithms/vectors")


def of_norx(implementation: str) -> Inputs:
    return of_one_with(implementation, "tests/host/norx_runner.c", "algorithms/vectors")


CCM = ("aes-{}-ccm", "aes-ccm-16-128-{}", "aes-ccm-16-64-{}", "aes-ccm-64-128-{}")
"""The variants of AES-CCM, by the bits of the key; between them they name all of NIST's files."""


@pytest.mark.parametrize(("bits", "implementation"), [(128, "ct32"), (256, "small-table")])
@cached("known answers", lambda bits: of_algorithms(*(f"{x.format(bits)}/" for x in CCM)))
def test_ccm_gives_all_answers_of_nist(bits: int, implementation: str, tmp_path: Path) -> None:
    """All nonces of 7 to 13 bytes, all tags of 4, 6, ... 16."""
    entries = [variant(each.format(bits)) for each in CCM]
    files = {
        answers["file"]: answers["sha256"]
        for entry in entries
        for answers in entry["known_answers"]
        if answers["format"] == "cavp-ccm"
    }
    sizes: dict[tuple[int, int], list[Aead]] = {}
    for file, sha256 in files.items():
        for size, records in ccm_by_sizes(file, sha256).items():
            sizes.setdefault(size, []).extend(records)
    for (nonce, tag), records in sizes.items():
        runner = build_sized(
            ALL[f"aes-{bits}-ccm/{implementation}"],
            {"CRYPTO_NPUBBYTES": nonce, "CRYPTO_ABYTES": tag},
            tmp_path / f"{nonce}-{tag}",
        )
        valid = [each for each in records if each.valid]
        invalid = [each for each in records if not each.valid]
        assert encrypt(runner, valid) == [each.sealed for each in valid]
        assert decrypt(runner, valid) == [field_of(each.message) for each in valid]
        assert decrypt(runner, invalid) == ["rejected"] * len(invalid)
    assert len(files) == 5
    assert sorted({nonce for nonce, _ in sizes}) == list(range(7, 14))
    assert sorted({tag for _, tag in sizes}) == [4, 6, 8, 10, 12, 14, 16]
    assert sum(map(len, sizes.values())) == 960


LONG_AD = bytes(range(256)) * 256


@pytest.mark.parametrize("implementation", [x for x in ALL if x.startswith("aes-128-ccm/")])
@cached("known answers", of_one)
def test_ccm_shows_lengths_of_associated_data_beyond_two_bytes(
    implementation: str, tmp_path: Path
) -> None:
    """Example 4 of SP 800-38C, whose associated data have 65,536 bytes: their length has the longer
    form, as that of 65,280 bytes, the first to have it. That and the last of the shorter form are
    in no published examples: their tags are OpenSSL's (3.0).
    """
    record = Aead(
        bytes(range(0x40, 0x50)),
        bytes(range(0x10, 0x1D)),
        LONG_AD,
        bytes(range(0x20, 0x40)),
        bytes.fromhex(
            "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72"
            "b4ac6bec93e8598e7f0dadbcea5b"
        ),
    )
    runner = build_sized(
        ALL[implementation], {"CRYPTO_NPUBBYTES": 13, "CRYPTO_ABYTES": 14}, tmp_path
    )
    assert encrypt(runner, [record]) == [record.sealed]
    assert decrypt(runner, [record]) == [field_of(record.message)]
    first, last = (replace(record, ad=LONG_AD[:size]) for size in (0xFF00, 0xFEFF))
    assert [sealed[32:].hex() for sealed in encrypt(runner, [first, last])] == [
        "107fb78c91dbb3c21cd810ce52a6",
        "bd4d3d3b7bf1365b4577abeccac4",
    ]


CCM_BY_SIZES = {128: "ct8", 256: "ct32"}


@pytest.mark.parametrize("bits", CCM_BY_SIZES)
@cached("known answers", lambda bits: of_algorithms(f"aes-{bits}-ccm/"))
def test_ccm_gives_all_answers_of_wycheproof(bits: int, tmp_path: Path) -> None:
    """Nonces and tags of all sizes; a size that CCM does not have is not compiled."""
    original = ALL[f"aes-{bits}-ccm/{CCM_BY_SIZES[bits]}"]
    [answers] = [
        each
        for each in variant(original.algorithm)["known_answers"]
        if each["format"] == "wycheproof-aead"
    ]
    sizes = aead_by_sizes(answers, bits // 8)
    assert sum(map(len, sizes.values())) == 552 // 3
    refused = 0
    for (nonce, tag), records in sizes.items():
        numbers = {"CRYPTO_NPUBBYTES": nonce, "CRYPTO_ABYTES": tag}
        place = tmp_path / f"{nonce}-{tag}"
        if 7 <= nonce <= 13 and tag in range(4, 17, 2):
            runner = build_sized(original, numbers, place)
            valid = [each for each in records if each.valid]
            assert encrypt(runner, valid) == [each.sealed for each in valid]
            message = [field_of(each.message) if each.valid else "rejected" for each in records]
            assert decrypt(runner, records) == message
        else:
            assert not any(each.valid for each in records)
            made = sized(original, numbers, place)
            reported = warnings(units(made, host_compiler()))
            assert "CCM has nonces of 7 to 13" in reported or "CCM has tags of 4, 6" in reported
            refused += len(records)
    assert refused == 13 + 9


@pytest.mark.parametrize(
    ("implementation", "total"),
    [
        ("hmac-sha256/fast32", 6 + 174),
        ("hmac-sha256/small", 6 + 174),
        ("kmac128/small", 3 + 174),
        ("kmac256/bi32", 3 + 261),
    ],
)
@cached("known answers", of_one)
def test_mac_gives_all_answers_for_all_sizes_of_key_and_tag(
    implementation: str, total: int, tmp_path: Path
) -> None:
    """Keys longer than a block of the hash, tags cut short (HMAC) or made shorter (KMAC)."""
    original = ALL[implementation]
    sizes: dict[tuple[int, int], list[Mac]] = {}
    for answers in variant(original.algorithm)["known_answers"]:
        for record in mac_records(answers):
            sizes.setdefault((len(record.key), record.size), []).append(record)
    for (key, tag), records in sizes.items():
        numbers = {"CRYPTO_KEYBYTES": key, "CRYPTO_BYTES": tag}
        runner = build_sized(original, numbers, tmp_path / f"{key}-{tag}")
        valid = [each for each in records if each.valid]
        assert ask(runner, mac_requests(valid, "sign")) == [each.tag.hex() for each in valid]
        verdicts = ["accepted" if each.valid else "rejected" for each in records]
        assert ask(runner, mac_requests(records, "check")) == verdicts
    assert sum(map(len, sizes.values())) == total


EAX = {
    128: ("ct8", "small-table", "ct32", "table32", "table", "fast-table32"),
    256: ("fast-table32", "ct32", "table", "ct8", "table32", "small-table"),
}
"""The implementations of AES-EAX that take the sizes in turn, by the bits of the key."""


@pytest.mark.parametrize("bits", EAX)
@cached("known answers", lambda bits: of_algorithms(f"aes-{bits}-eax/"))
def test_eax_gives_all_answers_of_wycheproof(bits: int, tmp_path: Path) -> None:
    """Nonces of 0 to 257 bytes. Those of 128 bits are the catalogue's, and tried with all
    implementations elsewhere; each other size is that of two implementations.
    """
    [answers] = variant(f"aes-{bits}-eax")["known_answers"]
    sizes = aead_by_sizes(answers, bits // 8)
    assert sorted(sizes) == [(each, 16) for each in (0, 4, 8, 12, 16, 20, 32, 64, 128, 257)]
    assert len(sizes.pop((16, 16))) == answers["records"]
    assert sum(map(len, sizes.values())) == 18
    for i, ((nonce, _), records) in enumerate(sizes.items()):
        for implementation in (EAX[bits][i % 6], EAX[bits][(i + 1) % 6]):
            runner = build_sized(
                ALL[f"aes-{bits}-eax/{implementation}"],
                {"CRYPTO_NPUBBYTES": nonce},
                tmp_path / f"{nonce}-{implementation}",
            )
            assert all(each.valid for each in records)
            assert encrypt(runner, records) == [each.sealed for each in records]
            assert decrypt(runner, records) == [field_of(each.message) for each in records]


@pytest.mark.parametrize(
    "implementation", [each for each in ALL if each.startswith(("ketje-jr", "ketje-sr"))]
)
@cached("known answers", of_ketje)
def test_ketje_gives_all_answers_of_its_designers(implementation: str, tmp_path: Path) -> None:
    """Sessions with keys of 12 to 47 bytes and nonces of 0 to 35; messages that continue the state
    of those before, with tags of 0 to 32 bytes.
    """
    [official] = variant(implementation[:8])["other_files"]
    sessions = ketje_sessions(f"{official['file']}.xz", official["sha256"])
    requests, expected = [], []
    for session in sessions:
        requests.append(f"session {session.key.hex()} {field_of(session.nonce)}")
        expected.append("begun")
        for each, tag in session.messages:
            requests.append(f"wrap {field_of(each.ad)} {field_of(each.message)} {tag}")
            expected.append(field_of(each.sealed))
    assert len(requests) - len(sessions) == official["records"]
    sizes = {"CRYPTO_ABYTES": 32}
    runner = build_including(ALL[implementation], "ketje_runner.c", sizes, tmp_path)
    assert ask(runner, requests) == expected


@pytest.mark.parametrize(
    "implementation", [each for each in ALL if each.startswith("norx32-4-1-v2/")]
)
@cached("known answers", of_norx)
def test_norx_gives_the_example_with_a_trailer(implementation: str, tmp_path: Path) -> None:
    """The one example of the specification of version 2, whose trailer the API has no place for."""
    [official] = variant("norx32-4-1-v2")["other_files"]
    text = text_of(official["file"], official["sha256"])
    values = dict(re.findall(r"(?m)^(\w+) = (\w+)$", text.lower()))
    fields = (values[name] for name in ("key", "nonce", "ad", "pt", "trailer"))
    runner = build_including(ALL[implementation], "norx_runner.c", {}, tmp_path)
    assert ask(runner, [" ".join(("seal", *fields))]) == [values["ct"]]
