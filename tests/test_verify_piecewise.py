"""What does not fit into a part's RAM is run in pieces; a mode may take short messages only."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, board, dec, enc, files, run
from pennyweight.build import build
from pennyweight.catalogue import Implementation
from pennyweight.catalogue.boards import load_board
from pennyweight.job import DEFAULT_BUDGET, Job
from pennyweight.measure import run_job
from pennyweight.model import Case, Status
from pennyweight.target import Failure, Target
from pennyweight.target.aead import Aead
from pennyweight.target.hash import Hash
from pennyweight.target.mac import Mac
from pennyweight.target.parts import HashParts, MacParts, aead_parts
from pennyweight.verify import piecewise
from pennyweight.verify.mac import MacChecks
from pennyweight.verify.records import AeadRecord, HashRecord, MacRecord, pattern
from verdicts import cached_by_project

pytestmark = cached_by_project("verification on boards")

NAMES = {"aead": "ascon-aead128/small", "mac": "hmac-sha256/small", "xof": "shake128/small"}


@functools.cache
def targets(name: str) -> tuple[Implementation, Target, Target]:
    """An implementation, and its whole and its incremental program on a part."""
    [found] = files().find(name)
    programs = build(Job(found, board(ARM), "-O2")).programs
    full, parts = (Target(board(ARM), programs[each], DEFAULT_BUDGET) for each in ("full", "parts"))
    return found, full, parts


def test_an_official_file_of_long_messages_is_run_whole_where_ram_is_short() -> None:
    [found] = files().find("sha-256/small")
    verified = run(found, AVR, verify="every", budget=DEFAULT_BUDGET)
    assert (
        "all 64 records of SHA256LongMsg.rsp (49 of them in pieces)" in verified.provenance.verified
    )
    assert verified.notes == []


@pytest.mark.parametrize(
    ("name", "ram"),
    [
        ("sha-256/small", 384),
        ("sha-256/small", 400),
        ("shake128/small", 416),
        ("shake128/small", 432),
    ],
)
def test_records_too_large_even_in_pieces_are_not_a_fault(
    name: str, ram: int, tmp_path: Path
) -> None:
    """How deep the functions for pieces go is not known before one has returned."""
    part = tmp_path / "part.toml"
    text = board(AVR).path.read_text()
    part.write_text(text.replace("size = 0x800\n", f"size = {ram:#x}\n"))
    [found] = files().find(name)
    verified = run_job(
        Job(found, load_board(part), "-Os", [Case(found.operations()[0], 0, 16)], verify="quick")
    )
    assert {row.status for row in verified.measurements} == {Status.OK}, verified
    assert any("too long for the part's RAM" in note for note in verified.notes)


def test_which_records_are_run_in_pieces() -> None:
    records = list(range(100))
    assert piecewise.chosen(records, "every") == records
    assert piecewise.chosen(records, "full") == records[::6]
    assert piecewise.chosen(records[:3], "full") == records[:3]
    assert piecewise.chosen(records, "quick") == ()


def test_what_is_not_run_is_reported() -> None:
    assert (
        piecewise.unrun_note("F", 3, can_cut=False)
        == "3 records of F were not run: they are too long for the part's RAM"
    )
    assert piecewise.unrun_note("F", 3, can_cut=True) == (
        "3 records of F were not run: they are too long for the part's RAM; "
        "`pennyweight verify --all` runs them in pieces"
    )


@pytest.mark.parametrize("size", [0, 1, 127, 128, 129, 300])
def test_an_aead_gives_in_pieces_what_it_gives_at_once(size: int) -> None:
    found, full, parts_target = targets(NAMES["aead"])
    parts = aead_parts(parts_target, found)
    record = AeadRecord(1, pattern(1, 16), pattern(2, 16), pattern(3, size), pattern(4, size), None)
    sealed = Aead(full, found.tag).seal(record.key, record.nonce, record.ad, record.message)
    assert isinstance(sealed, bytes)
    assert piecewise.sealed(parts, record, "here") == sealed
    opened = piecewise.opened(parts, record, sealed, "here")
    assert (opened.accepted, opened.plaintext) == (True, record.message)
    for at in {0, len(sealed) - 1}:
        forged = sealed[:at] + bytes((sealed[at] ^ 1,)) + sealed[at + 1 :]
        assert not piecewise.opened(parts, record, forged, "here").accepted
    assert not piecewise.opened(parts, record, sealed[:3], "here").accepted


@pytest.mark.parametrize("size", [0, 128, 300])
def test_a_mac_gives_in_pieces_what_it_gives_at_once(size: int) -> None:
    found, full, parts_target = targets(NAMES["mac"])
    parts = MacParts(parts_target, found.tag)
    key, message = pattern(1, found.key), pattern(2, size)
    tag = Mac(full, found.tag).sign(key, message)
    assert isinstance(tag, bytes)
    record = MacRecord(1, key, message, tag, len(tag))
    assert piecewise.authenticated(parts, record, "here") == (tag, True)
    wrong = MacRecord(1, key, message, bytes(len(tag)), len(tag), valid=False)
    assert piecewise.authenticated(parts, wrong, "here") == (tag, False)


def test_invalid_records_that_do_not_fit_are_not_counted_as_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, full, _ = targets(NAMES["mac"])
    checks = MacChecks(Mac(full, found.tag), None, found, "full")
    assert found.known is not None
    [answers] = [each for each in found.known.variant.known_answers if "wycheproof" in each.format]
    invalid: list[MacRecord] = []

    def none_of_the_invalid_fits(
        records: list[MacRecord], _file: str
    ) -> tuple[list[MacRecord], list[MacRecord]]:
        invalid.extend(record for record in records if not record.valid)
        return [record for record in records if record.valid], invalid

    monkeypatch.setattr(checks, "_compare_all", none_of_the_invalid_fits)
    done = checks._file(answers)
    [passed] = checks._passed
    assert invalid
    assert passed.startswith(f"{done} of {done + len(invalid)} records")
    assert "rejected" not in passed


@pytest.mark.parametrize("size", [0, 128, 300])
def test_an_xof_gives_in_pieces_what_it_gives_at_once(size: int) -> None:
    found, full, parts_target = targets(NAMES["xof"])
    message = pattern(2, size)
    digest = Hash(full, found.digest).hash(message)
    assert isinstance(digest, bytes)
    parts = HashParts(parts_target, found.digest)
    longer = HashRecord(1, message, bytes(found.digest + 40))
    assert piecewise.hashed(parts, HashRecord(1, message, digest), "here") == digest
    output = piecewise.hashed(parts, longer, "here")
    assert len(output) == found.digest + 40
    assert output.startswith(digest)


def test_a_mode_of_short_messages_is_verified_and_measured() -> None:
    [found] = files().find("saturnin-short/small")
    result = run(found, ARM, enc(0, 15), dec(0, 15), enc(0, 16), dec(1, 0))
    assert result.provenance.verified == (
        "all 16 NIST LWC records, 16 of 16 round trips with forgeries rejected, in-place buffers, "
        "unaligned buffers"
    )
    message = "it takes messages of at most 15 bytes, and no associated data"
    assert [(row.status, row.reason) for row in result.measurements] == [
        (Status.OK.value, ""),
        (Status.OK.value, ""),
        (Status.SKIPPED.value, message),
        (Status.SKIPPED.value, message),
    ]


def test_the_length_from_a_mode_of_short_messages_is_checked_against_its_buffer() -> None:
    [found] = files().find("saturnin-short/small")
    target = Target(
        board(ARM), build(Job(found, board(ARM), "-O2")).programs["full"], DEFAULT_BUDGET
    )
    aead = Aead(target, found.tag, longest=found.longest)
    key, nonce = pattern(0, 32), pattern(0, 16)
    sealed = aead.seal(key, nonce, b"", b"seven b")
    assert isinstance(sealed, bytes)
    assert len(sealed) == 32
    opened = aead.open(key, nonce, b"", sealed)
    assert not isinstance(opened, Failure)
    assert (opened.accepted, opened.plaintext) == (True, b"seven b")
    short = Aead(target, found.tag, longest=3).open(key, nonce, b"", sealed)
    assert isinstance(short, Failure)
    assert short.status is Status.WROTE_OUTSIDE
