"""Every bundled implementation, built for this machine under the address and undefined-behaviour
sanitizers, gives the known answers, in every way of calling it, and rejects what it must.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host import long_answers
from host.build import Bundled, ask, bundled, field_of
from host.inputs import inputs_of
from host.known_answers import (
    Aead,
    Mac,
    aead_set,
    hash_set,
    mac_set,
    monte_values,
    variant,
)
from host.requests import decrypt, encrypt, mac_requests
from host.spreads import sets_of
from verdicts import Inputs, cached

ALL = bundled()
AEADS = [each for each in ALL if each.kind == "aead"]
HASHES = [each for each in ALL if each.kind == "hash"]
SHORT = [each for each in AEADS if variant(each.algorithm).get("longest")]
MACS = [each for each in ALL if each.kind == "auth"]


def _name(value: object) -> str | None:
    return value.id if isinstance(value, Bundled) else None


def inputs(implementation: Bundled) -> Inputs:
    """What the answers of an implementation depend on, and what they are compared with."""
    return inputs_of([implementation])


def long_inputs(implementation: Bundled) -> Inputs:
    """The same with the answers to long inputs."""
    row = long_answers.table()[implementation.algorithm]
    found = inputs_of([implementation], more=row)
    return replace(found, stated=(*found.stated, "tests/host/long_answers.tsv"))


def _sizes(algorithm: str) -> tuple[int, int]:
    entry = variant(algorithm)
    return entry["key"], entry["nonce"]


def _check_set(implementation: Bundled, runner: Path, answers: dict[str, Any]) -> None:
    """It gives the official set, of which the catalogue has a sample of answers."""
    sets = sets_of(implementation, runner, answers["format"])
    assert answers["sha256"] in sets, answers.get("file")
    assert sets[answers["sha256"]].split() == answers["spread"].split()


@pytest.mark.parametrize("implementation", AEADS, ids=_name)
@cached("known answers", inputs)
def test_aead_gives_the_known_answers(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    runner = program(implementation)
    entry = variant(implementation.algorithm)
    sizes = _sizes(implementation.algorithm)
    assert entry["known_answers"]
    for answers in entry["known_answers"]:
        if answers["format"] == "lwc-aead":
            _check_set(implementation, runner, answers)
            continue
        records = aead_set(answers, (*sizes, entry["tag"]))
        valid = [each for each in records if each.valid]
        invalid = [each for each in records if not each.valid]
        assert records or not answers["records"]
        assert encrypt(runner, valid) == [each.sealed for each in valid]
        assert decrypt(runner, valid) == [field_of(each.message) for each in valid]
        assert decrypt(runner, invalid) == ["rejected"] * len(invalid)


@pytest.mark.parametrize("implementation", AEADS, ids=_name)
@cached("known answers", inputs)
def test_aead_gives_the_records_of_the_catalogue(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    records = []
    for record in variant(implementation.algorithm)["record"]:
        names = ("key", "nonce", "ad", "pt", "ct")
        key, nonce, ad, message, sealed = (bytes.fromhex(record[name]) for name in names)
        records.append(Aead(key, nonce, ad, message, sealed))
    assert records
    assert encrypt(program(implementation), records) == [each.sealed for each in records]


@pytest.mark.parametrize("implementation", AEADS, ids=_name)
@cached("forgeries", inputs)
def test_aead_rejects_every_forgery_of_a_bit_or_a_pair(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    runner = program(implementation)
    key_size, nonce_size = _sizes(implementation.algorithm)
    key, nonce = bytes(range(key_size)), bytes(range(100, 100 + nonce_size))
    ad, message = bytes(range(19)), bytes(range(37))
    entry = variant(implementation.algorithm)
    tag, longest = entry["tag"], entry.get("longest")
    if longest:
        ad, message = b"", message[: longest - 2]
    sealed = encrypt(runner, [Aead(key, nonce, ad, message, b"")])[0]
    forgeries = [
        *(Aead(key, nonce, ad, b"", each) for each in _with_a_bit_changed(sealed)),
        *(Aead(key, nonce, ad, b"", each) for each in _with_a_pair_changed(sealed, tag)),
        *(Aead(key, nonce, each, b"", sealed) for each in _with_a_bit_changed(ad)),
        *(Aead(key, each, ad, b"", sealed) for each in _with_a_bit_changed(nonce)),
        Aead(key, nonce, ad[:-1] if ad else b"\0", b"", sealed),
        Aead(key, nonce, ad, b"", sealed[:-1]),
        *(Aead(key, nonce, ad, b"", sealed[:size]) for size in range(tag)),
    ]
    assert decrypt(runner, forgeries) == ["rejected"] * len(forgeries)


def _with_a_bit_changed(text: bytes) -> list[bytes]:
    """The text with each of its bits changed in turn, byte after byte."""
    return [
        text[:at] + bytes([text[at] ^ 1 << bit]) + text[at + 1 :]
        for at in range(len(text))
        for bit in range(8)
    ]


def _with_a_pair_changed(text: bytes, tag: int) -> list[bytes]:
    """The text with the uppermost bit changed in each two of its last `tag` bytes, which a
    comparison does not see that adds the differences of words up.
    """
    changed = []
    for one, other in itertools.combinations(range(len(text) - tag, len(text)), 2):
        forged = bytearray(text)
        forged[one] ^= 0x80
        forged[other] ^= 0x80
        changed.append(bytes(forged))
    return changed


@pytest.mark.parametrize("implementation", SHORT, ids=_name)
@cached("forgeries", inputs)
def test_what_a_mode_of_short_messages_cannot_take_is_refused(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    runner = program(implementation)
    entry = variant(implementation.algorithm)
    assert f"#define CRYPTO_LONGEST {entry['longest']}\n" in (
        implementation.folder / "api.h"
    ).read_text(encoding="ascii")
    key, nonce = bytes(entry["key"]), bytes(entry["nonce"])
    requests = [
        f"encrypt {key.hex()} {nonce.hex()} {field_of(bytes(ad))} {field_of(bytes(m))}"
        for ad, m in ((0, entry["longest"] + 1), (1, 0), (1, 5), (0, 256), (256, 256))
    ]
    assert ask(runner, requests) == ["refused"] * len(requests)


@pytest.mark.parametrize("implementation", [x for x in AEADS if x not in SHORT], ids=_name)
@cached("long inputs", inputs)
def test_aead_of_long_messages_agrees_however_it_is_called(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    runner = program(implementation)
    key_size, nonce_size = _sizes(implementation.algorithm)
    inputs = [
        Aead(bytes(key_size), bytes(nonce_size), bytes(ad), bytes(m), b"")
        for ad, m in ((0, 4096), (4096, 0), (1000, 3001))
    ]
    sealed = encrypt(runner, inputs)
    opened = decrypt(
        runner,
        [Aead(x.key, x.nonce, x.ad, b"", c) for x, c in zip(inputs, sealed, strict=True)],
    )
    assert opened == [field_of(each.message) for each in inputs]


@pytest.mark.parametrize("implementation", ALL, ids=_name)
@cached("long inputs", long_inputs)
def test_long_inputs_have_the_known_answers(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    known = long_answers.table()[implementation.algorithm]
    assert long_answers.answer(program(implementation), implementation) == known.digest


@pytest.mark.parametrize("implementation", ALL, ids=_name)
@cached("long inputs", long_inputs)
def test_a_very_long_input_has_the_known_answer(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    """Of all implementations: the sanitizers' program exists, and takes a fifth of a second."""
    known = long_answers.table()[implementation.algorithm]
    found = long_answers.very_long_answer(program(implementation), implementation)
    assert found == known.very_long


def test_the_table_of_long_answers_is_of_what_there_is() -> None:
    table = long_answers.table()
    assert set(table) == {each.algorithm for each in ALL}
    assert sum(each.others != "-" for each in table.values()) > 130
    assert sum(each.very_long_others != "-" for each in table.values()) > 150


@pytest.mark.parametrize("implementation", HASHES, ids=_name)
@cached("known answers", inputs)
def test_hash_gives_the_known_answers(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    runner = program(implementation)

    def digests(messages: list[bytes]) -> list[bytes]:
        answers = ask(runner, [f"hash {field_of(each)}" for each in messages])
        return [bytes.fromhex(each) for each in answers]

    def customised(inputs: list[tuple[bytes, bytes]]) -> list[bytes]:
        answers = ask(runner, [f"hash {field_of(x)} {field_of(z)}" for x, z in inputs])
        return [bytes.fromhex(each) for each in answers]

    entry = variant(implementation.algorithm)
    size, xof = entry["digest"], entry.get("xof", False)
    squeezes = implementation.manifest.get("xof", False)
    assert entry["known_answers"]
    for answers in entry["known_answers"]:
        if answers["format"].startswith("lwc-"):
            _check_set(implementation, runner, answers)
        elif answers["format"] == "cavp-monte":
            requests, pairs = monte_values(answers)
            if "SHAKE" not in requests[0] or squeezes:
                assert ask(runner, requests) == [value for _, value in pairs]
        else:
            records = hash_set(answers, size, xof)
            short = [each.digest[:size] for each in records]
            found = digests([each.message for each in records])
            assert [x[: len(y)] for x, y in zip(found, short, strict=True)] == short
            longer = [each for each in records if squeezes and len(each.digest) > size]
            asked = [f"squeeze {field_of(each.message)} {len(each.digest)}" for each in longer]
            assert ask(runner, asked) == [each.digest.hex() for each in longer]
    named = [
        (*(bytes.fromhex(each.get(name, "")) for name in ("msg", "custom")), each["md"].lower())
        for each in entry["record"]
    ]
    assert named
    assert [x.hex() for x in customised([(m, z) for m, z, _ in named])] == [x for *_, x in named]


def _named(record: dict[str, str], shortest_key: int) -> Mac:
    """A readable record of the catalogue; a shorter key is padded with zeros."""
    key, message, tag, custom = (
        bytes.fromhex(record.get(name, "")) for name in ("key", "msg", "tag", "custom")
    )
    return Mac(key.ljust(shortest_key, b"\0"), message, tag, len(tag), custom)


@pytest.mark.parametrize("implementation", MACS, ids=_name)
@cached("known answers", inputs)
def test_mac_gives_the_known_answers(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    runner = program(implementation)
    entry = variant(implementation.algorithm)
    padded = entry.get("zero_padded_key", False)
    assert entry["known_answers"]
    sets = [mac_set(each, entry["key"], entry["tag"], padded) for each in entry["known_answers"]]
    sets.append([_named(each, entry["key"] if padded else 0) for each in entry["record"]])
    for records in sets:
        usable = [
            each
            for each in records
            if not each.custom or implementation.manifest.get("customisation")
        ]
        valid = [each for each in usable if each.valid]
        assert ask(runner, mac_requests(valid, "sign")) == [each.tag.hex() for each in valid]
        verdicts = ["accepted" if each.valid else "rejected" for each in usable]
        assert ask(runner, mac_requests(usable, "check")) == verdicts


@pytest.mark.parametrize("implementation", MACS, ids=_name)
@cached("forgeries", inputs)
def test_mac_rejects_every_forgery_of_a_bit_or_a_pair(
    implementation: Bundled, program: Callable[[Bundled], Path]
) -> None:
    runner = program(implementation)
    entry = variant(implementation.algorithm)
    key, message = bytes(range(entry["key"])), bytes(range(37))
    blank = Mac(key, message, b"", entry["tag"])
    tag = bytes.fromhex(ask(runner, mac_requests([blank], "sign"))[0])
    forgeries = [
        *(Mac(key, message, each, len(tag)) for each in _with_a_bit_changed(tag)),
        *(Mac(key, message, each, len(tag)) for each in _with_a_pair_changed(tag, len(tag))),
        *(Mac(key, each, tag, len(tag)) for each in _with_a_bit_changed(message)),
        Mac(key, message[:-1], tag, len(tag)),
        Mac(key, message + b"\0", tag, len(tag)),
    ]
    assert ask(runner, mac_requests(forgeries, "check")) == ["rejected"] * len(forgeries)
    assert ask(runner, mac_requests([Mac(key, message, tag, len(tag))], "check")) == ["accepted"]
