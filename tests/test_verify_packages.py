"""What verification says about packages that are sound and about each kind that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_choice import (
    BY_CORE_ALONE,
    SHORT_SET,
    boards_for,
    can_build,
    fully_tested,
    has_all_of,
)
from board_inputs import inputs_of_jobs
from packages_for_tests import (
    ARM,
    AVR,
    BOARDS,
    at,
    board,
    copied,
    dec,
    enc,
    files,
    package,
    run,
    side_by_side,
    toy,
)
from pennyweight.build import build
from pennyweight.catalogue.offers import has_own_code
from pennyweight.job import DEFAULT_BUDGET, Job
from pennyweight.measure import run_job
from pennyweight.model import Case, Status
from pennyweight.target import Target
from pennyweight.target.aead import Aead
from pennyweight.toolchains import missing
from pennyweight.verify.records import Starts, aead_grid
from verdicts import Inputs, cached, cached_by_project

pytestmark = cached_by_project("packages on boards")

FIRST = "encrypting record 1 (0 bytes of associated data, 0 of message)"

FAULTY = {
    "loops": (
        Status.OUT_OF_CYCLES,
        "encrypting record 34 (0 bytes of associated data, 1 of message): did not return within "
        "20000000 cycles, in crypto_aead_encrypt (common/toy.h:",
    ),
    "overflows_stack": (Status.STACK_OVERFLOW, "are available, in toy_deep (encrypt.c:"),
    "writes_outside": (
        Status.WROTE_OUTSIDE,
        f"{FIRST}: write 1 byte past the end of the ciphertext of 16 bytes, in crypto_aead_encrypt",
    ),
    "writes_free_stack": (
        Status.WROTE_OUTSIDE,
        "below the stack pointer and outside every buffer, in ",
    ),
    "writes_input": (Status.WROTE_OUTSIDE, "write into the key at byte 3, which is an input"),
    "ignores_ad": (
        Status.ACCEPTED_FORGERY,
        "with modified associated data was accepted",
    ),
    "adds_differences": (
        Status.ACCEPTED_FORGERY,
        "with modified tag (two bytes of it) was accepted",
    ),
    "ignores_a_bit": (Status.ACCEPTED_FORGERY, "with modified tag was accepted"),
    "rejects_valid": (
        Status.REJECTED_VALID,
        "record 265 (0 bytes of associated data, 8 of message) was rejected",
    ),
    "long_differs": (
        Status.REJECTED_VALID,
        "a message of 515 bytes with 259 of associated data was rejected",
    ),
    "jumps_away": (Status.CRASHED, "jump outside the program, to 0x"),
    "returns_error": (Status.WRONG_ANSWER, "crypto_aead_encrypt returned -7 instead of 0"),
    "wrong_length": (Status.WRONG_ANSWER, "returned a ciphertext length of 0 instead of 16"),
    "second_call_differs": (Status.WRONG_ANSWER, "a second time: expected"),
    "does_not_compile": (Status.BUILD_FAILED, "error: expected ';' before 'return'"),
    "no_decrypt": (Status.BUILD_FAILED, "no source defines the symbol 'crypto_aead_decrypt'"),
    "too_large": (Status.DOES_NOT_FIT, "bytes too many"),
}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("fault", FAULTY)
def test_a_fault_is_a_status_with_a_reason_in_every_row(fault: str, name: str) -> None:
    status, reported = FAULTY[fault]
    result = run(toy(fault), name)
    assert [row.status for row in result.measurements] == [status]
    [row] = result.measurements
    assert reported in row.reason
    assert "\n" not in row.reason
    assert (row.cycles, row.instructions, row.stack) == (None, None, None)
    assert result.provenance.verified == "not verified"


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("path", ["crypto_aead/ascon128v12/wrong", "crypto_hash/sha256/wrong"])
def test_a_wrong_answer_is_reported_with_expected_and_got(path: str, name: str) -> None:
    [row] = run(package(path), name).measurements
    assert row.status == Status.WRONG_ANSWER
    assert "example 1 of the algorithm's file: expected E3" in row.reason
    assert ", got " in row.reason


@pytest.mark.parametrize("name", BOARDS)
def test_a_sound_package_without_known_answers_is_checked_and_called_not_verified(
    name: str,
) -> None:
    result = run(toy("ref"), name)
    assert result.measurements[0].status == Status.OK
    assert result.provenance.verified == (
        "not verified: no known answers (1089 of 1089 round trips with forgeries rejected, "
        "2 long round trips, in-place buffers, unaligned buffers)"
    )
    assert result.notes == []
    hashed = run(package("crypto_hash/toyhash/ref"), name)
    assert hashed.measurements[0].status == Status.OK
    assert hashed.provenance.verified.startswith("not verified: no known answers")


NOTED = {
    ("writes_behind_message", AVR): "needs room for the tag after the message: decrypting ",
    ("writes_behind_message", ARM): "needs room for the tag after the message: decrypting ",
    ("reads_outside", AVR): "reads outside its buffers: ",
    ("reads_outside", ARM): "reads outside its buffers: ",
    ("reads_free_stack", AVR): "reads outside its buffers: ",
    ("reads_free_stack", ARM): "reads outside its buffers: ",
    ("leaves_plaintext", AVR): "a rejected message leaves plaintext in the output buffer",
    ("no_length_check", AVR): "does not reject a ciphertext that is shorter than a tag",
    ("no_length_check", ARM): "does not reject a ciphertext that is shorter than a tag",
    ("refuses_long", AVR): "does not take a message of 515 bytes with 259 of associated data: ",
    ("refuses_long", ARM): "does not take a message of 515 bytes with 259 of associated data: ",
    ("not_in_place", AVR): "wrong answer with in-place buffers, ",
    ("not_in_place", ARM): "wrong answer with in-place buffers, ",
    ("needs_alignment", ARM): "crashed with unaligned buffers, ",
}


@pytest.mark.parametrize("weakness", NOTED, ids=lambda pair: " on ".join(pair))
def test_a_weakness_of_a_third_party_package_is_a_note(weakness: tuple[str, str]) -> None:
    result = run(toy(weakness[0]), weakness[1])
    assert result.measurements[0].status == Status.OK
    note, *more = result.notes
    assert note.startswith(NOTED[weakness])
    assert all("with in-place buffers" in each for each in more)


@pytest.mark.parametrize("weakness", NOTED, ids=lambda pair: " on ".join(pair))
def test_the_same_weakness_fails_a_bundled_implementation(weakness: tuple[str, str]) -> None:
    from dataclasses import replace

    result = run(replace(toy(weakness[0]), bundled=True), weakness[1])
    assert result.measurements[0].status in (
        Status.WRONG_ANSWER,
        Status.CRASHED,
        Status.READ_OUTSIDE,
        Status.WROTE_OUTSIDE,
    )


def known_answers(name: str) -> str:
    """What the sound toy answers, as NIST's genkat would write it."""
    implementation = toy("ref")
    program = build(Job(implementation, board(name), "-Os")).programs["full"]
    aead = Aead(Target(board(name), program, 1_000_000), implementation.tag)
    text = ""
    for record in aead_grid(16, 16, Starts()):
        sealed = aead.seal(record.key, record.nonce, record.ad, record.message)
        assert isinstance(sealed, bytes)
        text += f"Count = {record.count}\nKey = {record.key.hex()}\nNonce = {record.nonce.hex()}\n"
        text += f"PT = {record.message.hex()}\nAD = {record.ad.hex()}\nCT = {sealed.hex()}\n\n"
    return text


def test_a_packages_own_known_answers_are_used(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    answers = known_answers(ARM)
    (folder.parent / "LWC_AEAD_KAT_128_128.txt").write_text(answers.replace("\n", "\r\n"))
    result = run(at(folder), ARM)
    assert result.provenance.verified.startswith(
        "1089 of 1089 records of the package's own known-answer file"
    )
    quick = run(at(folder), ARM, verify="quick")
    assert quick.provenance.verified.startswith("33 of 1089 records")


def test_the_first_differing_record_is_reported(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    before, middle, after = known_answers(ARM).partition("Count = 500\n")
    line = after.index("CT = ") + len("CT = ")
    wrong = after[:line] + f"{int(after[line], 16) ^ 1:x}" + after[line + 1 :]
    (folder / "LWC_AEAD_KAT_128_128.txt").write_text(before + middle + wrong)
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    assert row.reason.startswith("record 500 (4 bytes of associated data, 15 of message): expected")


def test_a_known_answer_file_that_cannot_be_read_is_a_note(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "LWC_AEAD_KAT_128_128.txt").write_text("Count = 1\nKey = zz\n\n")
    result = run(at(folder), ARM)
    assert result.measurements[0].status == Status.OK
    [note] = result.notes
    assert note.startswith("the package's known-answer file cannot be read (record 1: ")


def test_one_wrong_record_among_a_thousand_is_found_by_the_digest(tmp_path: Path) -> None:
    folder = side_by_side("sha-256/small", tmp_path / "crypto_hash" / "sha-256" / "small")
    source = folder / "sha256.c"
    text = source.read_text()
    assert "int crypto_hash(" in text
    source.write_text(
        text.replace("int crypto_hash(", "static int sound(")
        + "\nint crypto_hash(unsigned char *out, const unsigned char *in, "
        "unsigned long long inlen)\n{\n    int result = sound(out, in, inlen);\n\n"
        "    out[3] ^= inlen == 700;\n    return result;\n}\n"
    )
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    assert row.reason.startswith(
        "the digest of the 1025 NIST LWC records differs from the official one"
    )


def test_a_packages_file_that_is_not_the_official_one_is_not_used(tmp_path: Path) -> None:
    folder = side_by_side("sha-256/small", tmp_path / "crypto_hash" / "sha-256" / "small")
    (folder / "LWC_HASH_KAT_256.txt").write_text("Count = 1\nMsg = \nMD = 00\n\n")
    result = run(at(folder), ARM, verify="quick")
    assert result.measurements[0].status == Status.OK
    reported = "LWC_HASH_KAT_256.txt next to the sources is not the official file; not used"
    assert reported in result.notes


WITH_COMPILER = [each for each in files().boards.values() if missing(each) is None]
BUNDLED = [
    (each.id, chosen.id)
    for each in files().implementations
    if not each.problem
    for chosen in boards_for(each, WITH_COMPILER)
]


def _short_message(implementation: str, name: str) -> Job:
    """One short message, after quick known-answer tests. Random words come from software: the
    answers do not depend on them, and a part's generator may take long.
    """
    [found] = files().find(implementation)
    case = Case(found.operations()[0], 0, min(16, found.longest or 16))
    return Job(found, board(name), "-Os", [case], "quick", DEFAULT_BUDGET, random="lfsr")


def bundled_inputs(implementation: str, name: str) -> Inputs:
    return inputs_of_jobs(_short_message(implementation, name))


@pytest.mark.parametrize(
    ("implementation", "name"), BUNDLED, ids=[" on ".join(pair) for pair in BUNDLED]
)
@cached("known answers on boards", bundled_inputs)
def test_bundled_implementations_give_the_known_answers(implementation: str, name: str) -> None:
    job = _short_message(implementation, name)
    found = job.implementation
    result = run_job(job)
    assert [row.reason for row in result.measurements] == [""]
    assert not result.provenance.verified.startswith("not verified")
    assert "unaligned buffers" in result.provenance.verified
    if found.parts():
        assert "incremental API" in result.provenance.verified


def test_every_implementation_is_tried_on_every_width_of_core() -> None:
    widths = {board.bits for board in WITH_COMPILER}
    for each in files().implementations:
        chosen = boards_for(each, WITH_COMPILER)
        found = [board.bits for board in chosen if board.id not in BY_CORE_ALONE]
        assert found == [bits for bits in found if bits in widths]
        assert len(set(found)) == len(found) == len({width // 32 for width in widths})


def test_assembly_is_verified_on_a_core_that_it_is_written_for() -> None:
    for each in files().implementations:
        own = [board(chosen) for name, chosen in BUNDLED if name == each.id]
        assert any(has_own_code(each, place) for place in own), each.id


def test_every_board_has_its_share_of_implementations() -> None:
    tried = {chosen for _, chosen in BUNDLED}
    assert tried == {each.id for each in fully_tested(WITH_COMPILER)} | BY_CORE_ALONE
    for name in BY_CORE_ALONE:
        found = {each for each, chosen in BUNDLED if chosen == name}
        assert found == {each for each in SHORT_SET if can_build(each, board(name))}
        assert found


def test_a_board_with_few_implementations_has_the_core_of_one_with_its_share() -> None:
    assert set(files().boards) >= BY_CORE_ALONE
    tested = fully_tested(files().boards.values())
    for name in BY_CORE_ALONE:
        assert any(has_all_of(each, board(name)) for each in tested), name


def test_a_whole_official_set_passes_on_the_part() -> None:
    [found] = files().find("ascon-aead128/fast32")
    verified = run(found, ARM).provenance.verified
    assert verified.startswith("all 1089 NIST LWC records, 1089 of 1089 round trips with forgeries")
    assert "all 252 records of ascon_sp800_232_aead128_test.json (124 of them rejected)" in verified
    assert "in-place buffers" in verified


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_let_pass_is_let_pass_while_measuring_too(name: str) -> None:
    for weakness in ("reads_outside", "writes_behind_message"):
        result = run(toy(weakness), name, enc(0, 20), dec(0, 20), dec(5, 0))
        assert [row.reason for row in result.measurements] == [""] * 3
        again = run(toy(weakness), name, dec(0, 24))
        assert [row.reason for row in again.measurements] == [""]
