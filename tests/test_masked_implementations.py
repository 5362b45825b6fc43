"""Masked implementations: which requests include them, and how many random words they draw."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cli_runs import Command, runner
from packages_for_tests import board, enc, files
from pennyweight.api import call_selection, choosing, measuring
from pennyweight.api.requests import CallRequest, ChooseRequest, MeasureRequest, VerifyRequest
from pennyweight.campaign.plan import plan_study
from pennyweight.catalogue.offers import (
    boards_offering,
    has_own_code,
    is_offered,
    is_protected,
)
from pennyweight.job import Job
from pennyweight.measure import run_job
from pennyweight.model import Case, Operation, Status, UserError
from pennyweight.studies import find_study, study_names
from pennyweight.studies.fastest import is_candidate
from verdicts import cached_by_project

pytestmark = cached_by_project("masked implementations")

MASKED = [each for each in files().implementations if is_protected(each)]
ASSEMBLY = "-asm"
IDS = {each.id for each in MASKED}
"""All are offered on a Cortex-M4."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def test_their_names_state_the_shares() -> None:
    assert len(MASKED) == 14 + 4 + 4 + 4 + 4 + 2
    for each in MASKED:
        assert (
            each.name.removesuffix("-init").removesuffix(ASSEMBLY)
            == f"masked{each.manifest.shares}"
        )
        assert f"#define MASKED_SHARES {each.manifest.shares}\n" in dict(each.generated)["api.h"]


def names(jobs: Sequence[Job]) -> set[str]:
    return {job.implementation.id for job in jobs}


def test_only_requests_that_name_them_include_them() -> None:
    catalogue = files()
    for name in ("ascon-aead128", "ascon-128", "ascon-*", "ascon-aead128/*"):
        jobs = measuring.measure_jobs(MeasureRequest(name, "stm32f407-24mhz"), catalogue)
        assert not names(jobs) & IDS, name
    for name in ("ascon-aead128/masked2", "ASCON-AEAD128/MASKED2"):
        jobs = measuring.measure_jobs(MeasureRequest(name, "stm32f407-24mhz"), catalogue)
        assert names(jobs) == {"ascon-aead128/masked2"}
    jobs = measuring.measure_jobs(MeasureRequest("*/masked*", "stm32f407-24mhz"), catalogue)
    assert names(jobs) == IDS
    assert not names(call_selection.calls(CallRequest("ascon-128", boards="stm32f407-24mhz"))) & IDS
    assert names(call_selection.calls(CallRequest("ascon-128/masked3", boards="stm32f407-24mhz")))


def test_waiting_for_the_generator_is_spread_over_the_rounds() -> None:
    """On the Due, whose generator has a word every 84 cycles, assembly is faster than C too."""
    cycles = {}
    for name in ("masked2", "masked2-asm"):
        [found] = files().find(f"ascon-aead128/{name}")
        [row] = run_job(Job(found, board("sam3x8e"), "-O2", [enc(0, 64)], "none")).measurements
        assert row.cycles is not None and row.random_wait_cycles is not None
        cycles[name] = row.cycles, row.random_wait_cycles
    assert cycles["masked2-asm"][0] < 0.9 * cycles["masked2"][0]
    assert cycles["masked2-asm"][1] < cycles["masked2-asm"][0] / 2


def test_a_pattern_for_others_does_not_name_them() -> None:
    [found] = files().find("ascon-128/masked2")
    place = board("stm32f030")
    assert is_offered(found, place, ["*/masked2"]) and is_offered(found, place, ["*/masked*"])
    assert not is_offered(found, place, ["*/m*"]) and not is_offered(found, place, ["masked/*"])
    assert not is_offered(found, place)
    assert has_own_code(found, place)


def test_verification_includes_them() -> None:
    request = VerifyRequest(boards="stm32f407-24mhz")
    jobs = measuring.verify_jobs(request, files().implementations, [board("stm32f407-24mhz")])
    assert names(jobs) >= IDS


def test_choosing_does_not_rank_them() -> None:
    question = choosing.question(ChooseRequest("stm32f407-24mhz"), files())
    assert not names(question.jobs) & IDS


def test_they_are_not_the_fastest_in_constant_time() -> None:
    assert all(each.manifest.constant_time for each in MASKED)
    assert not any(is_candidate(each) for each in MASKED)


@pytest.mark.parametrize("name", [name for name in study_names() if name != "masking"])
def test_other_studies_do_not_measure_them(name: str) -> None:
    chosen = {"boards": ("sam3x8e", "atmega328p"), "optional_boards": (), "flags": ("-Os",)}
    study = find_study(name).model_copy(update={**chosen, "libraries": ()})
    jobs = plan_study(study, files()).jobs
    assert jobs
    assert not names(jobs) & IDS


def words(rounds: int, shares: int) -> int:
    """Five products of two words each in a round, and two words of key to split."""
    return rounds * 5 * 2 * (shares * (shares - 1) // 2) + 2 * 2 * (shares - 1)


@pytest.mark.parametrize("shares", [2, 3, 4])
def test_the_words_follow_from_the_specification(shares: int) -> None:
    # Ascon-AEAD128 on 5 bytes of data and 20 of message: one block of each, and a partial one.
    rounds = {"": 12 + 8 + 8 + 12, "-init": 12 + 12}
    for suffix, each in rounds.items():
        [found] = files().find(f"ascon-aead128/masked{shares}{suffix}")
        job = Job(found, board("stm32f030"), "-O2", [enc(5, 20)], "none", random="free")
        [row] = run_job(job).measurements
        assert (row.status, row.reason) == (Status.OK, "")
        assert row.random_words == words(each, shares)


ARMV6M = ["stm32f030", "samd21"]
ARMV7M = ["stm32f407-24mhz"]
FIRST_ORDER = {
    "ascon-aead128": ("masked_permute", ARMV6M + ARMV7M),
    "gift-cofb": ("masked_encrypt", ARMV7M),
    "tinyjambu-128": ("masked_permute", ARMV6M + ARMV7M + ["atmega328p"]),
    "xoodyak": ("masked_permute", ARMV6M + ARMV7M),
}
"""Two shares in assembly: the function, and boards to test it on."""


@pytest.mark.parametrize(
    ("algorithm", "function", "place"),
    [(name, function, each) for name, (function, boards) in FIRST_ORDER.items() for each in boards],
)
def test_assembly_draws_as_many_words_takes_less_time_and_reports_no_leak(
    run: Command, algorithm: str, function: str, place: str
) -> None:
    rows = {}
    for name in ("masked2", "masked2-asm"):
        [found] = files().find(f"{algorithm}/{name}")
        job = Job(found, board(place), "-O2", [enc(5, 20)], "none", random="free")
        [rows[name]] = run_job(job).measurements
    fast, portable = rows["masked2-asm"], rows["masked2"]
    assert fast.random_words is not None and portable.random_words is not None
    # In C, GIFT-128 draws a word ahead that its last round does not need, in each of four calls.
    ahead = 4 if algorithm == "gift-cofb" else 0
    assert fast.random_words == portable.random_words - ahead
    assert fast.cycles is not None and portable.cycles is not None
    assert fast.cycles < portable.cycles
    for name, status in (("masked2-asm", 0), ("masked2", 1)):
        call = ("leakage", f"{algorithm}/{name}", "--board", place)
        assert run(*call, "--function", function).status == status, name


@pytest.mark.parametrize("shares", [2, 3, 4])
def test_the_words_of_tinyjambu_follow_from_its_specification(shares: int) -> None:
    # Steps: the key; 3 words of nonce; 2 of data; 5 of message; both halves of the tag.
    steps = 1024 + 3 * 640 + 2 * 640 + 5 * 1024 + 1024 + 640
    [found] = files().find(f"tinyjambu-128/masked{shares}")
    job = Job(found, board("stm32f030"), "-O2", [enc(5, 20)], "none", random="free")
    [row] = run_job(job).measurements
    assert (row.status, row.reason) == (Status.OK, "")
    # One product in 32 steps, and four words of key to split.
    assert row.random_words == steps // 32 * (shares * (shares - 1) // 2) + 4 * (shares - 1)


@pytest.mark.parametrize("shares", [2, 3, 4])
def test_the_words_of_xoodyak_follow_from_its_specification(shares: int) -> None:
    # A permutation for each block, of data and of message, and one for the tag.
    [found] = files().find(f"xoodyak/masked{shares}")
    job = Job(found, board("stm32f030"), "-O2", [enc(5, 20)], "none", random="free")
    [row] = run_job(job).measurements
    assert (row.status, row.reason) == (Status.OK, "")
    # Three products for each of four columns in 12 rounds, and four words of key to split.
    products = 3 * 12 * 4 * 3
    assert row.random_words == products * (shares * (shares - 1) // 2) + 4 * (shares - 1)


@pytest.mark.parametrize("shares", [2, 3, 4])
def test_the_words_of_gift_cofb_follow_from_its_specification(shares: int) -> None:
    # The nonce, one block of data and two of message are encrypted.
    [found] = files().find(f"gift-cofb/masked{shares}")
    job = Job(found, board("stm32f030"), "-O2", [enc(5, 20)], "none", random="free")
    [row] = run_job(job).measurements
    assert (row.status, row.reason) == (Status.OK, "")
    # Four products in 40 rounds and one drawn ahead, and four words of key to split.
    products = 4 * (4 * 40 + 1)
    assert row.random_words == products * (shares * (shares - 1) // 2) + 4 * (shares - 1)


@pytest.mark.parametrize("shares", [2, 3])
def test_the_words_of_aes_gcm_follow_from_its_specification(shares: int) -> None:
    # Two blocks at a time: H and the counter block of the tag, and both blocks of message.
    [found] = files().find(f"aes-128-gcm/masked{shares}")
    job = Job(found, board("stm32f030"), "-O2", [enc(5, 20)], "none", random="free")
    [row] = run_job(job).measurements
    assert (row.status, row.reason) == (Status.OK, "")
    # 32 products of the S-box in ten rounds, twice; in ten steps of the key schedule, eight of them
    # share a word; one of four words for each of one block of data, two of message, and the
    # lengths; four words of key to split.
    products = 32 * 2 * 10 + 10 * 32 // 8 + 4 * (1 + 2 + 1)
    assert row.random_words == products * (shares * (shares - 1) // 2) + 4 * (shares - 1)


@pytest.mark.parametrize("shares", [2, 3, 4])
def test_the_words_of_ascon_hash256_follow_from_its_specification(shares: int) -> None:
    # A permutation after each of two whole blocks, the padded one and three blocks of digest.
    [found] = files().find(f"ascon-hash256/masked{shares}")
    case = Case(Operation.HASH, 0, 20)
    job = Job(found, board("stm32f030"), "-O2", [case], "none", random="free")
    [row] = run_job(job).measurements
    assert (row.status, row.reason) == (Status.OK, "")
    # As for AEADs, and two words for each of three blocks of message.
    assert row.random_words == words(6 * 12, shares) + 2 * (shares - 1)


@pytest.mark.parametrize("algorithm", ["ascon-128", "gift-cofb", "tinyjambu-128", "xoodyak"])
@pytest.mark.parametrize("name", ["atmega328p", "msp430f1611", "sam3x8e", "fe310-g002"])
def test_answers_do_not_depend_on_the_source(name: str, algorithm: str) -> None:
    [found] = files().find(f"{algorithm}/masked3")
    for source in ("free", "lfsr"):
        job = Job(found, board(name), "-O2", [enc(0, 1)], "quick", random=source)
        [row] = run_job(job).measurements
        assert (row.status, row.reason) == (Status.OK, "")


def test_more_shares_cost_more_and_ends_alone_cost_less() -> None:
    def cycles(name: str) -> int:
        [found] = files().find(f"ascon-aead128/{name}")
        job = Job(found, board("sam3x8e"), "-O2", [enc(0, 64)], "none")
        [row] = run_job(job).measurements
        assert row.cycles is not None
        return row.cycles

    full = [cycles(f"masked{n}") for n in (2, 3, 4)]
    ends = [cycles(f"masked{n}-init") for n in (2, 3, 4)]
    assert cycles("bi32") < ends[0] and full == sorted(full) and ends == sorted(ends)
    assert all(some < every for some, every in zip(ends, full, strict=True))


def test_a_request_for_masked_ones_alone_is_explained() -> None:
    with pytest.raises(UserError, match="masked, and are measured only if they are named"):
        boards_offering(MASKED, [board("stm32f030")], ["ascon"])
