"""Reads the known answers that `algorithms/` names.

Written apart from the readers of the package, so that the two readings check each other.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
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


@dataclass(frozen=True)
class Mac:
    """A message under a key and its tag, or (invalid) a tag that must be rejected; `size` is the
    size of tag that is meant.
    """

    key: bytes
    message: bytes
    tag: bytes
    size: int
    custom: bytes = b""
    valid: bool = True


@functools.cache
def _variants() -> dict[str, dict[str, Any]]:
    return {
        entry["name"]: entry
        for path in sorted((ROOT / "algorithms").glob("*.toml"))
        for entry in tomllib.loads(path.read_text())["variant"]
    }


def variant(algorithm: str) -> dict[str, Any]:
    """The catalogue's entry of an algorithm."""
    found = _variants().get(algorithm)
    assert found is not None, f"no file in algorithms/ defines '{algorithm}'"
    return found


VECTORS = ROOT / "algorithms" / "vectors"


def vectors(algorithm: str) -> tuple[Path, ...]:
    """The files of known answers of an algorithm, except those that a rule generates."""
    entry = variant(algorithm)
    names = [each.get("file", "") for each in entry["known_answers"]]
    names += [
        f"{each['file']}{end}" for each in entry.get("other_files", ()) for end in ("", ".xz")
    ]
    return tuple(VECTORS / name for name in names if name and (VECTORS / name).is_file())


def ccm_by_sizes(file: str, sha256: str) -> dict[tuple[int, int], list[Aead]]:
    """All records of one of NIST's files of AES-CCM by the bytes of nonce and tag."""
    found: dict[tuple[int, int], list[Aead]] = {}
    for record, tag in _ccm(text_of(file, sha256)):
        assert tag is not None
        found.setdefault((len(record.nonce), tag), []).append(record)
    return found


def aead_by_sizes(entry: dict[str, Any], key: int) -> dict[tuple[int, int], list[Aead]]:
    """A set's records with keys of one size, by the bytes of nonce and tag."""
    found: dict[tuple[int, int], list[Aead]] = {}
    for record, tag in _wycheproof(text_of(entry["file"], entry["sha256"])):
        assert tag is not None
        if len(record.key) == key:
            found.setdefault((len(record.nonce), tag), []).append(record)
    return found


@dataclass(frozen=True)
class Session:
    """Messages that continue one state, each with the bytes of its tag."""

    key: bytes
    nonce: bytes
    messages: tuple[tuple[Aead, int], ...]


def ketje_sessions(file: str, sha256: str) -> list[Session]:
    """All sessions of one of the files of Ketje's designers."""
    found = []
    for session in text_of(file, sha256).split("***\n")[1:]:
        fields = [
            (name, bytes.fromhex(value))
            for name, value in re.findall(r"(?m)^[<>] (\w) \(.*?\):(.*)$", session)
        ]
        (first, key), (second, nonce), *rest = fields
        assert first + second + "".join(name for name, _ in rest) == "KN" + "ABCT" * (
            len(rest) // 4
        )
        values = iter([value for _, value in rest])
        found.append(
            Session(
                key,
                nonce,
                tuple(
                    (Aead(key, nonce, ad, message, text + tag), len(tag))
                    for ad, message, text, tag in zip(*[values] * 4, strict=True)
                ),
            )
        )
    return found


def text_of(file: str, sha256: str) -> str:
    """The content of a file in `algorithms/vectors/`, its digest checked."""
    path = VECTORS / file
    data = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == sha256, f"{path}: not the file that is meant"
    return data.decode()


def aead_set(entry: dict[str, Any], sizes: tuple[int, int, int]) -> list[Aead]:
    """A set's records whose key, nonce and tag have the given sizes."""
    text = text_of(entry["file"], entry["sha256"])
    readers = {"wycheproof-aead": _wycheproof, "cavp-ccm": _ccm}
    found = readers.get(entry["format"], _aead_lines)(text)
    key, nonce, tag = sizes
    fitting = [
        record
        for record, size in found
        if (len(record.key), len(record.nonce), size or tag) == (key, nonce, tag)
    ]
    assert len(fitting) == entry["records"]
    return fitting


def hash_set(entry: dict[str, Any], digest: int, xof: bool) -> list[Hash]:
    """A set's records whose digests have the given size, or any if it is an XOF."""
    text = text_of(entry["file"], entry["sha256"])
    if entry["format"] == "blake2":
        records = [
            Hash(bytes.fromhex(each["in"]), bytes.fromhex(each["out"]))
            for each in json.loads(text)
            if each["hash"] == entry["select"] and each["key"] == ""
        ]
    else:
        records = []
        for block in _blocks(text):
            if "msg" not in block or not block.keys() & {"md", "output"}:
                continue
            message = bytes.fromhex(block["msg"])
            if "len" in block:
                message = message[: int(block["len"]) // 8]
                assert len(message) * 8 == int(block["len"])
            output = bytes.fromhex(block.get("md", block.get("output", "")))
            records.append(Hash(message, output))
    fitting = [each for each in records if xof or len(each.digest) == digest]
    assert len(fitting) == entry["records"]
    return fitting


def mac_set(entry: dict[str, Any], key: int, tag: int, zero_padded: bool) -> list[Mac]:
    """A set's records whose keys and tags have the given sizes."""
    found = mac_records(entry)
    if zero_padded:
        short = [each for each in found if len(each.key) <= key]
        found = [replace(each, key=each.key.ljust(key, b"\0")) for each in short]
    fitting = [each for each in found if (len(each.key), each.size) == (key, tag)]
    assert len(fitting) == entry["records"]
    return fitting


def mac_records(entry: dict[str, Any]) -> list[Mac]:
    """All records of a set, whatever the sizes of their keys and tags."""
    text = text_of(entry["file"], entry["sha256"])
    if entry["format"] == "blake2":
        return [
            Mac(
                bytes.fromhex(each["key"]),
                bytes.fromhex(each["in"]),
                bytes.fromhex(each["out"]),
                len(each["out"]) // 2,
            )
            for each in json.loads(text)
            if each["hash"] == entry["select"] and each["key"] != ""
        ]
    if entry["format"] == "wycheproof-mac":
        return [
            Mac(
                bytes.fromhex(test["key"] + test.get("iv", "")),
                bytes.fromhex(test["msg"]),
                bytes.fromhex(test["tag"]),
                group["tagSize"] // 8,
                valid=test["result"] != "invalid",
            )
            for group in json.loads(text)["testGroups"]
            for test in group["tests"]
        ]
    return list(_mac_lines(text))


def monte_values(entry: dict[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    """Fields of `chain` requests, and for each the seed and the value that must come out."""
    text = text_of(entry["file"], entry["sha256"])
    values = re.findall(r"^(?:Seed|Msg|MD|Output) = (\w+)", text, re.MULTILINE)
    assert len(values) == entry["records"] + 1
    pairs = list(pairwise(values))
    if "Outputlen" not in text:
        rule = "SHA-3" if "SHA3-" in text[:200] else "SHA-2"
        return [f"chain {rule} {seed} 1000" for seed, _ in pairs], pairs
    [least] = re.findall(r"Minimum Output Length \(bits\) = (\d+)", text)
    [most] = re.findall(r"Maximum Output Length \(bits\) = (\d+)", text)
    low, high = int(least) // 8, int(most) // 8
    sizes = [high, *(low + int(seed[-4:], 16) % (high - low + 1) for seed, _ in pairs[1:])]
    requests = [
        f"chain SHAKE {seed} 1000 {size} {low} {high}"
        for (seed, _), size in zip(pairs, sizes, strict=True)
    ]
    return requests, pairs


Sized = tuple[Aead, int | None]
"""A record and the size of tag that it is about, if its file states it."""


def _wycheproof(text: str) -> Iterator[Sized]:
    for group in json.loads(text)["testGroups"]:
        for test in group["tests"]:
            key, nonce, ad, message, text_, tag = (
                bytes.fromhex(test[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
            )
            valid = test["result"] != "invalid"
            yield Aead(key, nonce, ad, message, text_ + tag, valid), group["tagSize"] // 8


def _ccm(text: str) -> Iterator[Sized]:
    """Fields keep their values until they are set again. A record ends with its ciphertext, or, in
    files for decryption, with the result and the payload.
    """
    known: dict[str, str] = {}
    for block in re.split(r"\n\s*\n", text.replace("\r", "")):
        here = dict(re.findall(r"(\w+) = (\w*)", re.sub(r"#.*", "", block)))
        known |= here
        if "CT" not in here:
            continue
        valid = here.get("Result") != "Fail"
        ad = bytes.fromhex(known["Adata"])[: int(known["Alen"])]
        message = bytes.fromhex(here["Payload"])[: int(known["Plen"])] if valid else b""
        key, nonce, sealed = (bytes.fromhex(known[name]) for name in ("Key", "Nonce", "CT"))
        yield Aead(key, nonce, ad, message, sealed, valid), int(known["Tlen"])


def _aead_lines(text: str) -> Iterator[Sized]:
    for block in _blocks(text):
        if "key" not in block or block.get("trailer"):
            continue
        ad = block.get("aad", block.get("ad", ""))
        message = block.get("pt", block.get("plaintext", ""))
        sealed = block.get("ct", block.get("ciphertext", "")) + block.get("tag", "")
        valid = "fail" not in block and "result" not in block
        nonce = block.get("iv", block.get("nonce", ""))
        key, nonce_, ad_, message_, sealed_ = (
            bytes.fromhex(each) for each in (block["key"], nonce, ad, message, sealed)
        )
        yield Aead(key, nonce_, ad_, message_, sealed_, valid), None


def _mac_lines(text: str) -> Iterator[Mac]:
    for block in _blocks(text):
        if "key" not in block:
            continue
        names = {"tag", "md", "mac", "output"} & block.keys()
        assert len(names) == 1
        tag = bytes.fromhex(block[names.pop()])
        message = bytes.fromhex(block.get("msg", block.get("message", "")))
        if "len" in block:
            message = message[: int(block["len"]) // 8]
        custom = bytes.fromhex(block.get("custom", ""))
        yield Mac(bytes.fromhex(block["key"]), message, tag, len(tag), custom)


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


def _spread(answers: list[bytes], stands: list[bool]) -> str:
    """The first 4 bytes of the SHA-256 of each answer in the sample."""
    chosen = [answer for answer, is_chosen in zip(answers, stands, strict=True) if is_chosen]
    return " ".join(hashlib.sha256(each).hexdigest()[:8] for each in chosen)


def lwc_aead_sets(
    sizes: tuple[int, int], encrypt: Callable[[list[Aead]], list[bytes]], longest: int = 0
) -> dict[str, str]:
    """Of the files of 1089 records that `encrypt` gives, for each kind of inputs, the digest and
    the spread; if no message has more than `longest` bytes and none has associated data, of fewer.
    """
    lengths = [(x, 0) for x in range(longest + 1)]
    lengths = lengths if longest else [(x, y) for x in range(33) for y in range(33)]
    stands = [longest != 0 or y == 7 * x % 33 for x, y in lengths]
    sets = {}
    for nonce_start, message_start, ad_start in _STARTS:
        key, nonce = _pattern(0, sizes[0]), _pattern(nonce_start, sizes[1])
        inputs = [
            Aead(key, nonce, _pattern(ad_start, y), _pattern(message_start, x), b"")
            for x, y in lengths
        ]
        answers = encrypt(inputs)
        text = "".join(
            f"Count = {count}\nKey = {each.key.hex().upper()}\nNonce = {each.nonce.hex().upper()}\n"
            f"PT = {each.message.hex().upper()}\nAD = {each.ad.hex().upper()}\n"
            f"CT = {sealed.hex().upper()}\n\n"
            for count, (each, sealed) in enumerate(zip(inputs, answers, strict=True), start=1)
        )
        sets[hashlib.sha256(text.encode()).hexdigest()] = _spread(answers, stands)
    return sets


def lwc_hash_set(hash_: Callable[[list[bytes]], list[bytes]]) -> dict[str, str]:
    """Digest and spread of the file of 1025 records that `hash_` gives."""
    messages = [_pattern(0, size) for size in range(1025)]
    answers = hash_(messages)
    text = "".join(
        f"Count = {count}\nMsg = {message.hex().upper()}\nMD = {digest.hex().upper()}\n\n"
        for count, (message, digest) in enumerate(zip(messages, answers, strict=True), start=1)
    )
    stands = [size % 32 == size // 32 * 7 % 32 for size in range(1025)]
    return {hashlib.sha256(text.encode()).hexdigest(): _spread(answers, stands)}


def lwc_cxof_set(hash_: Callable[[list[tuple[bytes, bytes]]], list[bytes]]) -> dict[str, str]:
    """Digest and spread of the file of 1089 records that `hash_` of messages and strings gives."""
    inputs = [(_pattern(0, x), _pattern(0x10, y)) for x in range(33) for y in range(33)]
    answers = hash_(inputs)
    text = "".join(
        f"Count = {count}\nMsg = {message.hex().upper()}\nZ = {custom.hex().upper()}\n"
        f"MD = {digest.hex().upper()}\n\n"
        for count, ((message, custom), digest) in enumerate(
            zip(inputs, answers, strict=True), start=1
        )
    )
    stands = [len(custom) == 7 * len(message) % 33 for message, custom in inputs]
    return {hashlib.sha256(text.encode()).hexdigest(): _spread(answers, stands)}
