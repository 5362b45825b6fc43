"""Reads the known answers that `algorithms/` names.

Written apart from the readers of the package, so that the two readings check each other.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from host.build import ROOT


@dataclass(frozen=True)
class Aead:
    """A message and its encryption, or (invalid) something that must be rejected."""

    key: bytes
    nonce: bytes
    ad: bytes
    message: bytes
    sealed: bytes
    valid: bool = True


@dataclass(frozen=True)
class Hash:
    """A message and its digest."""

    message: bytes
    digest: bytes


def variant(algorithm: str) -> dict[str, Any]:
    """The catalogue's entry of an algorithm."""
    for path in sorted((ROOT / "algorithms").glob("*.toml")):
        for entry in tomllib.loads(path.read_text())["variant"]:
            if entry["name"] == algorithm:
                found: dict[str, Any] = entry
                return found
    raise AssertionError(f"no file in algorithms/ defines '{algorithm}'")


def text_of(file: str, sha256: str) -> str:
    """The content of a file in `algorithms/vectors/`, its digest checked."""
    path = ROOT / "algorithms" / "vectors" / file
    data = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == sha256, f"{path}: not the file that is meant"
    return data.decode()


def aead_set(entry: dict[str, Any], sizes: tuple[int, int]) -> list[Aead]:
    """A set's records whose key and nonce have the given sizes."""
    text = text_of(entry["file"], entry["sha256"])
    records = list(_wycheproof(text) if "wycheproof" in entry["format"] else _aead_lines(text))
    fitting = [each for each in records if (len(each.key), len(each.nonce)) == sizes]
    assert len(fitting) == entry["records"]
    return fitting


def hash_set(entry: dict[str, Any]) -> list[Hash]:
    """A set's records."""
    records = []
    for block in _blocks(text_of(entry["file"], entry["sha256"])):
        if "msg" in block:
            bits = int(block["len"])
            message = bytes.fromhex(block["msg"]) if bits else b""
            assert len(message) * 8 == bits
            records.append(Hash(message, bytes.fromhex(block["md"])))
    assert len(records) == entry["records"]
    return records


def _wycheproof(text: str) -> Iterator[Aead]:
    for group in json.loads(text)["testGroups"]:
        for test in group["tests"]:
            key, nonce, ad, message, text_, tag = (
                bytes.fromhex(test[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
            )
            yield Aead(key, nonce, ad, message, text_ + tag, test["result"] != "invalid")


def _aead_lines(text: str) -> Iterator[Aead]:
    for block in _blocks(text):
        if "key" not in block:
            continue
        ad = block.get("aad", block.get("ad", ""))
        message = block.get("pt", block.get("plaintext", ""))
        sealed = block.get("ct", block.get("ciphertext", "")) + block.get("tag", "")
        valid = "fail" not in block and "result" not in block
        nonce_ = block.get("iv", block.get("nonce", ""))
        key, nonce, ad_, message_, sealed_ = (
            bytes.fromhex(each) for each in (block["key"], nonce_, ad, message, sealed)
        )
        yield Aead(key, nonce, ad_, message_, sealed_, valid)


def _blocks(text: str) -> Iterator[dict[str, str]]:
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line and line[0] not in "#["]
        yield {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition("=") for line in lines)
        }


def _pattern(start: int, size: int) -> bytes:
    return bytes((start + i) % 256 for i in range(size))


# First bytes of nonce, plaintext and associated data: those of the NIST LWC call's genkat_aead.c,
# and those of the sets for SP 800-232.
_STARTS = ((0, 0, 0), (0x10, 0x20, 0x30))


def lwc_aead_digests(
    sizes: tuple[int, int], encrypt: Callable[[list[Aead]], list[bytes]]
) -> list[str]:
    """Digests of the files of 1089 records that `encrypt` gives, for each kind of inputs."""
    digests = []
    for nonce_start, message_start, ad_start in _STARTS:
        key, nonce = _pattern(0, sizes[0]), _pattern(nonce_start, sizes[1])
        inputs = [
            Aead(key, nonce, _pattern(ad_start, y), _pattern(message_start, x), b"")
            for x in range(33)
            for y in range(33)
        ]
        text = "".join(
            f"Count = {count}\nKey = {each.key.hex().upper()}\nNonce = {each.nonce.hex().upper()}\n"
            f"PT = {each.message.hex().upper()}\nAD = {each.ad.hex().upper()}\n"
            f"CT = {sealed.hex().upper()}\n\n"
            for count, (each, sealed) in enumerate(
                zip(inputs, encrypt(inputs), strict=True), start=1
            )
        )
        digests.append(hashlib.sha256(text.encode()).hexdigest())
    return digests


def lwc_hash_digest(hash_: Callable[[list[bytes]], list[bytes]]) -> str:
    """Digest of the file of 1025 records that `hash_` gives."""
    messages = [_pattern(0, size) for size in range(1025)]
    text = "".join(
        f"Count = {count}\nMsg = {message.hex().upper()}\nMD = {digest.hex().upper()}\n\n"
        for count, (message, digest) in enumerate(
            zip(messages, hash_(messages), strict=True), start=1
        )
    )
    return hashlib.sha256(text.encode()).hexdigest()
