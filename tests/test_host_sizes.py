"""Official files have records with other sizes of key, nonce and tag than the catalogue's variants,
whose sources take those, too: here each size is a program of its own, built for this machine under
the sanitizers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from host.build import Bundled, ask, build, bundled, field_of
from host.known_answers import Aead, Mac, ccm_by_sizes, mac_records, variant
from host.requests import decrypt, encrypt, mac_requests

ALL = {each.id: each for each in bundled()}

CCM = ("aes-{}-ccm", "aes-ccm-16-128-{}", "aes-ccm-16-64-{}", "aes-ccm-64-128-{}")
"""The variants of AES-CCM, by the bits of the key; between them they name all of NIST's files."""


def _built(original: Bundled, sizes: Mapping[str, int], place: Path) -> Path:
    """The runner of an implementation's sources with other numbers in `api.h`."""
    folder = place / original.folder.parent.parent.name / original.algorithm / "sized"
    folder.mkdir(parents=True)
    api = (original.folder / "api.h").read_text(encoding="ascii")
    for name, value in sizes.items():
        api, found = re.subn(rf"(?m)^#define {name} \d+$", f"#define {name} {value}", api)
        assert found == 1
    (folder / "api.h").write_text(api, encoding="ascii")
    manifest = dict(original.manifest)
    manifest["sources"] = [str(each) for each in original.sources()]
    manifest["include"] = [str(original.folder / each) for each in manifest["include"][1:]]
    return build(Bundled(folder, manifest), folder)


@pytest.mark.parametrize(("bits", "implementation"), [(128, "ct32"), (256, "small-table")])
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
        runner = _built(
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


@pytest.mark.parametrize(
    ("implementation", "total"),
    [
        ("hmac-sha256/fast32", 6 + 174),
        ("hmac-sha256/small", 6 + 174),
        ("kmac128/small", 3 + 174),
        ("kmac256/bi32", 3 + 261),
    ],
)
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
        runner = _built(original, numbers, tmp_path / f"{key}-{tag}")
        valid = [each for each in records if each.valid]
        assert ask(runner, mac_requests(valid, "sign")) == [each.tag.hex() for each in valid]
        verdicts = ["accepted" if each.valid else "rejected" for each in records]
        assert ask(runner, mac_requests(records, "check")) == verdicts
    assert sum(map(len, sizes.values())) == total
