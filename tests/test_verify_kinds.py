"""MACs, XOFs and customised XOFs: what verification checks, and what it finds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages_for_tests import ARM, AVR, BOARDS, package, run
from pennyweight.catalogue import Implementation, data_root
from pennyweight.catalogue.algorithms import Algorithm, FamilyFile
from pennyweight.catalogue.tomlfile import validate
from pennyweight.model import Case, Operation, Status, UserError
from toy_answers import toy_mac, toy_xof
from verdicts import cached_by_project

pytestmark = cached_by_project("verification on boards")

MAC = "crypto_auth/toymac"
KEY = bytes(range(16))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder whose `algorithms/vectors` a test may fill."""
    for name in ("boards", "cores", "firmware"):
        (tmp_path / name).symlink_to(data_root() / name)
    (tmp_path / "algorithms" / "vectors").mkdir(parents=True)
    monkeypatch.setenv("PENNYWEIGHT_ROOT", str(tmp_path))
    return tmp_path


def known(
    implementation: Implementation, root: Path, files: dict[str, tuple[str, str, int]], **sizes: Any
) -> Implementation:
    """The implementation with these known answers: file name to format, text and records."""
    sets: list[dict[str, object]] = []
    for name, (form, text, records) in files.items():
        (root / "algorithms" / "vectors" / name).write_text(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        whole = {"records": records, "sha256": digest, "source": "-"}
        sets.append({"format": form, "file": name, **whole})
    variant = {
        "name": "toy",
        "title": "Toy",
        "kind": implementation.kind.value,
        "status": "other",
        "specification": {"title": "none", "year": 2026},
        "known_answers": sets,
        **sizes,
    }
    path = root / "algorithms" / "toy.toml"
    family = {"family": "toy", "title": "Toy", "variant": [variant]}
    read = validate(family, path, FamilyFile)
    entry = Algorithm(family="toy", family_title="Toy", variant=read.variant[0], path=path)
    return replace(implementation, known=entry)


def lines(records: list[dict[str, bytes]]) -> str:
    return "".join(
        f"Count = {count}\n" + "".join(f"{name} = {x.hex()}\n" for name, x in record.items()) + "\n"
        for count, record in enumerate(records, start=1)
    )


@pytest.mark.parametrize("board", BOARDS)
def test_a_sound_mac_is_checked_and_measured(board: str) -> None:
    cases = [Case(op, 0, 40) for op in (Operation.AUTH, Operation.AUTH_VERIFY)]
    cases += [Case(op, 0, 40) for op in package(f"{MAC}/ref").parts()]
    result = run(package(f"{MAC}/ref"), board, *cases)
    assert [row.reason for row in result.measurements] == [""] * 7
    cycles = {row.op: row.cycles or 0 for row in result.measurements}
    assert cycles["auth"] < cycles["auth-verify"] < cycles["auth"] + 1000
    assert cycles["tag"] < cycles["init"] < cycles["update"] < cycles["auth"]
    assert result.provenance.verified == (
        "not verified: no known answers (49 round trips with forgeries rejected, "
        f"{2 if board == AVR else 3} long round trips, unaligned buffers, incremental API)"
    )
    [row] = {(row.flash, row.flash_enc, row.flash_dec) for row in result.measurements}
    whole, making, checking = row
    assert whole and making and checking and max(making, checking) < whole < making + checking


FAULTS = {
    "accepts_forgery": (Status.ACCEPTED_FORGERY, "with modified tag was accepted"),
    "adds_differences": (
        Status.ACCEPTED_FORGERY,
        "with modified tag (two bytes of it) was accepted",
    ),
    "parts_accept_forgery": (
        Status.ACCEPTED_FORGERY,
        "incremental API, 0 bytes: a wrong tag was accepted",
    ),
    "parts_add_differences": (
        Status.ACCEPTED_FORGERY,
        "incremental API, 0 bytes: a wrong tag was accepted",
    ),
    "rejects_valid": (Status.REJECTED_VALID, "the tag of a message of 0 bytes was rejected"),
    "writes_outside": (Status.WROTE_OUTSIDE, "write 1 byte past the end of the tag of 16 bytes"),
    "loops": (Status.OUT_OF_CYCLES, "authenticating a message of 1 bytes: did not return"),
    "pieces_differ": (Status.WRONG_ANSWER, "incremental API, 1 bytes: expected"),
    "no_verify": (Status.BUILD_FAILED, "no source defines the symbol 'crypto_auth_verify'"),
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_mac_is_a_status_with_a_reason(fault: str, board: str) -> None:
    status, reported = FAULTS[fault]
    [row] = run(package(f"{MAC}/{fault}"), board).measurements
    assert (row.status, row.cycles) == (status, None)
    assert reported in row.reason


def mac_file(customised: bool = False) -> str:
    records = []
    for size in (0, 1, 16, 70):
        message = bytes(range(size))
        records.append({"Key": KEY, "Msg": message, "Tag": toy_mac(KEY, message)})
    for custom in (b"", b"a string") if customised else ():
        tag = toy_mac(KEY, b"message", custom)
        records.append({"Key": KEY, "Msg": b"message", "Custom": custom, "Tag": tag})
    return lines(records)


def test_known_answers_of_a_mac_are_compared(root: Path) -> None:
    files = {"toy.txt": ("records", mac_file(), 4)}
    right = known(package(f"{MAC}/ref"), root, files, key=16, tag=16)
    verified = run(right, ARM).provenance.verified
    assert verified.startswith("all 4 records of toy.txt, 49 round trips")
    wrong = {"toy.txt": ("records", mac_file().replace("70", "71", 1), 4)}
    [row] = run(known(package(f"{MAC}/ref"), root, wrong, key=16, tag=16), ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    assert "of toy.txt" in row.reason and ": expected" in row.reason


def test_records_with_a_customisation_string_run_through_the_incremental_api(root: Path) -> None:
    files = {"toy.txt": ("records", mac_file(customised=True), 6)}
    right = known(package(f"{MAC}/ref"), root, files, key=16, tag=16)
    assert run(right, ARM).provenance.verified.startswith("all 6 records of toy.txt, ")
    deaf = known(package(f"{MAC}/ignores_custom"), root, files, key=16, tag=16)
    [row] = run(deaf, ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    assert row.reason.startswith("record 6 of toy.txt (7 bytes, 8 of customisation): expected")
    manifest = right.manifest.model_copy(update={"customisation": False})
    without = run(replace(right, manifest=manifest), ARM).provenance.verified
    assert without.startswith("5 of 6 records of toy.txt (1 of other sizes skipped), ")


def test_a_wrong_number_of_records_is_a_mistake_in_the_catalogue(root: Path) -> None:
    files = {"toy.txt": ("records", mac_file(), 5)}
    with pytest.raises(UserError, match="4 records have the variant's sizes, but 'records' says 5"):
        run(known(package(f"{MAC}/ref"), root, files, key=16, tag=16), ARM)


def test_wycheproofs_macs_must_be_accepted_and_rejected(root: Path) -> None:
    def test(number: int, tag: bytes, result: str, key: bytes = KEY) -> dict[str, object]:
        fields = {"key": key.hex(), "msg": b"text".hex(), "tag": tag.hex()}
        return {"tcId": number, "result": result, **fields}

    right = toy_mac(KEY, b"text")
    wrong = bytes([right[0] ^ 0x80]) + right[1:]
    tests = [test(1, right, "valid"), test(2, wrong, "invalid"), test(3, right[:8], "invalid")]
    tests.append(test(4, right, "valid", KEY[:8]))
    groups = [{"tagSize": 128, "tests": tests}, {"tagSize": 64, "tests": tests[:1]}]
    text = json.dumps({"testGroups": groups})
    files = {"toy_test.json": ("wycheproof-mac", text, 3)}
    found = known(package(f"{MAC}/ref"), root, files, key=16, tag=16)
    assert run(found, AVR).provenance.verified.startswith(
        "all 3 records of toy_test.json (2 of them rejected, 2 of other sizes skipped), "
    )
    text = text.replace('"invalid"', '"valid"', 1)
    files = {"toy_test.json": ("wycheproof-mac", text, 3)}
    [row] = run(known(found, root, files, key=16, tag=16), AVR).measurements
    assert row.status == Status.WRONG_ANSWER


def test_a_nonce_is_the_end_of_the_key(root: Path) -> None:
    case = {"tcId": 1, "key": KEY[:10].hex(), "iv": KEY[10:].hex(), "msg": "00"}
    case |= {"tag": toy_mac(KEY, b"\0").hex(), "result": "valid"}
    text = json.dumps({"testGroups": [{"tagSize": 128, "tests": [case]}]})
    files = {"toy_test.json": ("wycheproof-mac", text, 1)}
    found = known(package(f"{MAC}/ref"), root, files, key=16, tag=16)
    assert run(found, ARM).provenance.verified.startswith("all 1 records of toy_test.json, ")


def test_a_shorter_key_counts_where_zeros_make_it_whole(root: Path) -> None:
    short = KEY[:5]
    record = {"Key": short, "Msg": b"x", "Tag": toy_mac(short + bytes(11), b"x")}
    files = {"toy.txt": ("records", lines([record]), 1)}
    sizes = {"key": 16, "tag": 16, "zero_padded_key": True}
    found = known(package(f"{MAC}/ref"), root, files, **sizes)
    assert run(found, ARM).provenance.verified.startswith("all 1 records of toy.txt, ")


@pytest.mark.parametrize("board", BOARDS)
def test_an_xof_is_compared_to_the_end_of_every_answer(root: Path, board: str) -> None:
    sizes = (2, 16, 100, 300)
    records = [{"Msg": b"hello", "Output": toy_xof(b"hello", size)} for size in sizes]
    files = {"toy.rsp": ("cavp-sha", lines(records), 4)}
    right = known(package("crypto_hash/toyxof/ref"), root, files, digest=16, xof=True)
    result = run(right, board, Case(Operation.HASH, 0, 8), Case(Operation.SQUEEZE, 0, 64))
    assert [row.status for row in result.measurements] == [Status.OK] * 2
    assert result.provenance.verified.startswith("all 4 records of toy.rsp, ")
    wrong = known(package("crypto_hash/toyxof/squeezes_wrong"), root, files, digest=16, xof=True)
    [row] = run(wrong, board).measurements
    assert row.status == Status.WRONG_ANSWER
    assert "record 3 of toy.rsp (5 bytes), squeezed: expected" in row.reason
    blind = right.manifest.model_copy(update={"xof": False})
    assert run(replace(wrong, manifest=blind), board).measurements[0].status == Status.OK


def test_squeezing_in_pieces_is_checked_without_known_answers() -> None:
    [row] = run(package("crypto_hash/toyxof/squeezes_wrong"), ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    assert row.reason.startswith("incremental API, squeezing in pieces of 1: expected")


@pytest.mark.parametrize("board", BOARDS)
def test_a_customised_xof_gives_the_official_text(root: Path, board: str) -> None:
    text = ""
    for x in range(33):
        for z in range(33):
            message, custom = bytes(range(x)), bytes(range(0x10, 0x10 + z))
            digest = toy_xof(message, 16, custom).hex().upper()
            text += f"Count = {33 * x + z + 1}\nMsg = {message.hex().upper()}\n"
            text += f"Z = {custom.hex().upper()}\nMD = {digest}\n\n"
    files = {"LWC_CXOF_KAT_128.txt": ("lwc-cxof", text, 1089)}
    found = known(package("crypto_cxof/toycxof/ref"), root, files, digest=16, xof=True)
    result = run(found, board, Case(Operation.HASH, 0, 8), Case(Operation.HASH, 30, 8))
    plain, customised = (row.cycles or 0 for row in result.measurements)
    assert result.provenance.verified.startswith("all 1089 NIST LWC records, ")
    assert 0 < plain < customised


def chain(rule: str, seed: bytes, steps: int) -> list[bytes]:
    """Every thousandth value of a Monte Carlo chain, the seed first."""
    values = [seed]
    last = [seed] * 3
    for _ in range(steps):
        for _ in range(1000):
            message = b"".join(last) if rule == "SHA" else last[-1]
            last = [*last[1:], toy_xof(message, 16)]
        values.append(last[-1])
        last = [last[-1]] * 3
    return values


@pytest.mark.parametrize("rule", ["SHA", "SHA3"])
def test_a_monte_carlo_chain_is_run_at_both_ends(root: Path, rule: str) -> None:
    seed, *values = chain(rule, bytes(range(16)), 3)
    text = f'#  "{rule}-128 Monte"\n\n[L = 16]\n\nSeed = {seed.hex()}\n\n'
    text += "".join(f"COUNT = {i}\nMD = {value.hex()}\n\n" for i, value in enumerate(values))
    files = {"ToyMonte.rsp": ("cavp-monte", text, 3)}
    found = known(package("crypto_hash/toyxof/ref"), root, files, digest=16)
    assert run(found, ARM).provenance.verified.startswith("2 of 3 records of ToyMonte.rsp, ")
    every = run(found, ARM, verify="every").provenance.verified
    assert every.startswith("all 3 records of ToyMonte.rsp, ")
    quick = run(found, ARM, verify="quick").provenance.verified
    assert "ToyMonte" not in quick
    broken = text.replace(values[2].hex(), values[2].hex().replace(values[2].hex()[:2], "00", 1))
    files = {"ToyMonte.rsp": ("cavp-monte", broken, 3)}
    [row] = run(known(found, root, files, digest=16), ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    assert row.reason.startswith("record 3 of ToyMonte.rsp: expected 00")
