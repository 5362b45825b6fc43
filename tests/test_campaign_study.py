"""Studies: what their files mean, and a sentence for each mistake."""

from __future__ import annotations

import doctest
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from pennyweight import catalogue, lengths
from pennyweight.api.measuring import cases_for
from pennyweight.build.inspection import Inspection, inspect_sources
from pennyweight.campaign.plan import plan_study
from pennyweight.catalogue import Implementation
from pennyweight.catalogue.offers import is_protected
from pennyweight.job import Job
from pennyweight.measure import job_key
from pennyweight.model import MOST_CASES, Case, Kind, Operation, UserError
from pennyweight.report.studies.analyses import analyses
from pennyweight.studies import find_study, read_study
from pennyweight.studies import study as study_module

GOOD = """
id = "mine"
title = "My study"
boards = ["stm32f030"]
algorithms = ["aes-*-gcm", "sha-256"]
flags = ["-Os"]

[[cases]]
name = "curve"
kind = "aead"
ad = [0, 16]
m = { from = 0, to = 8, step = 4 }

[[cases]]
name = "long"
kind = "hash"
m = 1024
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_study_states_which_cases(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, GOOD))
    assert study.cases(Kind.HASH) == [Case(Operation.HASH, 0, 1024)]
    aead = study.cases(Kind.AEAD)
    assert len(aead) == 12
    assert aead[:4] == [Case(Operation.ENC, ad, m) for ad, m in ((0, 0), (0, 4), (0, 8), (16, 0))]
    assert study.cases(Kind.AUTH) == []


def test_a_case_in_two_scenarios_is_one(tmp_path: Path) -> None:
    extra = '\n[[cases]]\nname = "again"\nkind = "aead"\nops = ["enc"]\nad = 16\nm = [4, 5]\n'
    study = read_study(written(tmp_path, GOOD + extra))
    assert len(study.cases(Kind.AEAD)) == 13


def test_scenarios_are_together_no_more_than_a_job_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result with more rows could not be read."""
    monkeypatch.setattr(study_module, "MOST_CASES", 13)
    extra = '\n[[cases]]\nname = "again"\nkind = "aead"\nops = ["enc"]\nad = 16\nm = [4, 5]\n'
    read_study(written(tmp_path, GOOD + extra))
    with pytest.raises(UserError, match=r"of kind 'aead' are together more than the 13 that a job"):
        read_study(written(tmp_path, GOOD + extra.replace("[4, 5]", "[5, 6]")))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "mine"', 'id = "My Study"', "field 'id'"),
        ('title = "My study"', "", "the field 'title' is missing; add it"),
        ('boards = ["stm32f030"]', "boards = []", "field 'boards'"),
        ('boards = ["stm32f030"]', 'bords = ["x"]', "boards"),
        ('flags = ["-Os"]', 'flags = "-Os"', "field 'flags'"),
        (
            'flags = ["-Os"]',
            'flags = ["-Os"]\ncompilers = ["gcc", 17]',
            r"field 'compilers\[2\]': input should be a valid string, not 17",
        ),
        (
            'flags = ["-Os"]',
            'flags = ["-Os"]\ncompilers = "gcc"',
            r"field 'compilers': input should be a list, in \[ \], not 'gcc'",
        ),
        ('flags = ["-Os"]', 'flags = ["-Os"]\nflag = 1', "unknown field 'flag': did you mean fl"),
        (
            'kind = "hash"',
            'kind = "hsah"',
            r"cases\[2\].kind'.*'aead', 'hash' or 'auth', not 'hsah'",
        ),
        (
            'kind = "hash"',
            'kind = "hash"\nops = ["enc"]',
            "'ops' of kind 'hash' must be hash, init, .* or squeeze, not 'enc'",
        ),
        ('kind = "hash"', 'kind = "hash"\nad = 4', "no associated data: remove 'ad'"),
        ('name = "long"', 'name = "curve"', r"two \[\[cases\]\] are named 'curve': rename one"),
        ("m = 1024", "m = -1", r"cases\[2\].m'.*from 0 to 1048576, not -1$"),
        ("m = 1024", "m = 1.5", "a whole number of bytes from 0 to 1048576, not 1.5"),
        ("m = 1024", "m = true", "a whole number of bytes"),
        ("m = 1024", 'm = "long"', "a whole number of bytes"),
        ("m = 1024", "m = []", "the list is empty: give at least one length"),
        ("m = 1024", "", r"the field 'cases\[2\].m' is missing"),
        ("to = 8", "to = 8, setp = 2", r"a range has the form \{ from = 0, to = 256, step = 4 \}"),
        ("from = 0, to = 8", "from = 8, to = 0", "goes from 8 down to 0: swap them"),
        ("step = 4", "step = 0", "the step is 0: use at least 1"),
        (
            "m = { from = 0, to = 8, step = 4 }",
            "m = { to = 1000000 }",
            "'curve' has 4,000,004 cases, but a job may have 524,288: give the ranges a larger",
        ),
        ("[[cases]]", "[[cases", "not valid TOML"),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_field(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(UserError, match=message) as caught:
        read_study(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_studies_are_found_by_name_or_path(tmp_path: Path) -> None:
    assert find_study("default").id == "default"
    assert find_study(str(written(tmp_path, GOOD))).id == "mine"
    with pytest.raises(UserError, match="unknown study 'defualt': did you mean default"):
        find_study("defualt")
    with pytest.raises(UserError, match="there is no such file"):
        find_study(str(tmp_path / "none.toml"))


def test_the_default_study_is_that_of_the_eur_1_and_felics_authors() -> None:
    study = find_study("default")
    jobs = plan_study(study, catalogue.load()).jobs
    issue = {"chacha20-poly1305", "aes-128-gcm", "aes-192-gcm", "aes-256-gcm", "ascon-128"}
    issue |= {"ascon-aead128", "ascon-hash256", "sha-256"}
    issue |= {"dumbo", "gift-cofb", "grain-128aeadv2", "isap-a-128a", "photon-beetle-aead-128"}
    issue |= {"romulus-n", "schwaemm256-128", "tinyjambu-128", "xoodyak"}
    for board in ("atmega328p", "stm32f030", "stm32f030-48mhz"):
        for flags in ("-Os", "-O3"):
            done = {
                job.implementation.algorithm
                for job in jobs
                if (job.board.id, job.flags) == (board, flags)
            }
            assert done == issue
    assert set(study.flags) == {"-Os", "-O3"}
    aead = set(study.cases(Kind.AEAD))
    for op in (Operation.ENC, Operation.DEC):
        assert {Case(op, 16, m) for m in range(0, 257, 4)} <= aead
        felics = ((0, 102), (111, 0), (25, 86), (0, 1240), (1264, 0), (40, 1224))
        assert {Case(op, ad, m) for ad, m in felics} <= aead
    assert [c.m for c in study.cases(Kind.HASH)] == list(range(0, 257, 4))


def planned(tmp_path: Path, old: str = "", new: str = "") -> list[tuple[str, str, str, int]]:
    study = read_study(written(tmp_path, GOOD.replace(old, new, 1) if old else GOOD))
    jobs = plan_study(study, catalogue.load()).jobs
    assert len({job.key for job in jobs}) == len(jobs)
    return [(j.implementation.algorithm, j.board.id, j.flags, len(j.cases)) for j in jobs]


def test_a_plan_has_a_job_for_each_implementation_board_and_flags(tmp_path: Path) -> None:
    once = planned(tmp_path)
    assert {name for name, _, _, _ in once} == {
        "aes-128-gcm",
        "aes-192-gcm",
        "aes-256-gcm",
        "sha-256",
    }
    assert {(name, cases) for name, _, _, cases in once} >= {("aes-128-gcm", 12), ("sha-256", 1)}
    twice = planned(tmp_path, '["-Os"]', '["-Os", "-O3"]')
    assert len(twice) == 2 * len(once)


def test_everything_has_the_cases_of_the_default_campaign() -> None:
    assert find_study("everything").cases(Kind.AEAD) == find_study("default").cases(Kind.AEAD)


@pytest.mark.parametrize("name", ["catalogue", "everything"])
def test_a_study_of_everything_contains_all_bundled_implementations(name: str) -> None:
    study = find_study(name)
    known = catalogue.load()
    jobs = plan_study(study, known).jobs
    expected = {each.id for each in known.implementations if not is_protected(each)}
    assert {job.implementation.id for job in jobs} == expected


SELECTION = """flags = ["-Os"]

[[implementations]]
bits = [8, 16]
names = ["aes-128-gcm/ct8"]

[[implementations]]
bits = [32]
names = ["*/ct32", "sha-256/*"]
"""


def test_implementations_can_be_chosen_by_the_width_of_the_core(tmp_path: Path) -> None:
    text = GOOD.replace('flags = ["-Os"]', SELECTION).replace(
        'boards = ["stm32f030"]', 'boards = ["atmega328p", "stm32f030"]'
    )
    jobs = plan_study(read_study(written(tmp_path, text)), catalogue.load()).jobs
    chosen = {(job.board.id, job.implementation.id) for job in jobs}
    assert {name for board, name in chosen if board == "atmega328p"} == {"aes-128-gcm/ct8"}
    wide = {name for board, name in chosen if board == "stm32f030"}
    assert {name.split("/")[1] for name in wide if name.startswith("aes")} == {"ct32"}
    assert {"sha-256/fast32", "sha-256/small"} <= wide


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bits = [8, 16]", "bits = [8, 32]", "two .* are for cores of 32 bits: merge them"),
        ("bits = [8, 16]", "bits = [12]", r"field 'implementations\[1\].bits\[1\]'"),
        ('"sha-256/*"', '"sha-265/*"', "no bundled implementation matches 'sha-265/"),
    ],
)
def test_a_wrong_choice_of_implementations_is_reported(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = GOOD.replace('flags = ["-Os"]', SELECTION.replace(old, new))
    with pytest.raises(UserError, match=message):
        plan_study(read_study(written(tmp_path, text)), catalogue.load())


def test_a_pattern_of_boards_omits_those_without_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "pennyweight.toolchains.missing",
        lambda board: None if board.bits == 8 else f"board '{board.id}' needs a compiler: gone",
    )
    every = read_study(written(tmp_path, GOOD.replace('["stm32f030"]', '["*"]')))
    plan = plan_study(every, catalogue.load())
    assert {job.board.bits for job in plan.jobs} == {8}
    assert plan.absent["stm32f030"] == "board 'stm32f030' needs a compiler: gone"
    named = read_study(written(tmp_path, GOOD.replace('["stm32f030"]', '["*", "stm32f030"]')))
    plan = plan_study(named, catalogue.load())
    assert {job.board.id for job in plan.jobs} >= {"atmega328p", "stm32f030"}
    assert "stm32f030" not in plan.absent
    wide = read_study(written(tmp_path, GOOD.replace('["stm32f030"]', '["stm32*"]')))
    with pytest.raises(UserError, match=r"can run on none of its boards: .* compiler: gone"):
        plan_study(wide, catalogue.load())


def test_a_plan_looks_once_at_what_many_jobs_share(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    real = inspect_sources

    def watched(implementation: Implementation) -> Inspection:
        looked.append(implementation.id)
        return real(implementation)

    monkeypatch.setattr("pennyweight.measure.naming.digests.inspect_sources", watched)
    jobs = plan_study(find_study("default"), catalogue.load()).jobs
    assert len(looked) == len(set(looked)) == len({job.implementation.id for job in jobs})
    for job in jobs[:: len(jobs) // 3]:
        alone = job_key(Job(job.implementation, job.board, job.flags, job.cases, job.verify))
        assert alone == job.key


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[cases]]", 'cases_of = "default"\n[[cases]]', "both .* define the cases"),
        ("m = 1024", 'm = 1024\n[[cases]]\nname="x"\nkind="hash"\n', "cases.3..m' is missing"),
    ],
)
def test_cases_are_given_once(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_study(written(tmp_path, GOOD.replace(old, new, 1)))


def test_cases_of_another_study_must_be_there(tmp_path: Path) -> None:
    bare = GOOD.partition("[[cases]]")[0]
    with pytest.raises(UserError, match="no cases are defined: add"):
        read_study(written(tmp_path, bare))
    with pytest.raises(UserError, match="'cases_of': unknown study 'defalt': did you mean default"):
        read_study(written(tmp_path, bare + 'cases_of = "defalt"\n'))
    with pytest.raises(
        UserError, match="'everything' takes its cases from another study: use 'default'"
    ):
        read_study(written(tmp_path, bare + 'cases_of = "everything"\n'))
    study = read_study(written(tmp_path, bare + 'cases_of = "default"\n'))
    assert study.id == "mine" and len(study.cases(Kind.HASH)) == 65


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"stm32f030"', '"stm32f031"', "unknown board 'stm32f031': did you mean stm32f030"),
        ('"sha-256"', '"sha-265"', "matches 'sha-265': did you mean sha-256"),
        ('"-Os"', '"-Oz9"', "flag '-Oz9' is not an optimisation level"),
    ],
)
def test_what_a_plan_does_not_know_is_reported(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        planned(tmp_path, old, new)


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(lengths) == doctest.TestResults(failed=0, attempted=1)


def test_pairs_on_the_command_line() -> None:
    assert lengths.parse_pairs("16:64") == [(16, 64)]
    assert lengths.parse_pairs(" 0:0 , 16:1-3,0:0") == [(0, 0), (16, 1), (16, 2), (16, 3)]
    assert lengths.parse_pairs("0-8/8:0-256/128") == [
        (ad, m) for ad in (0, 8) for m in (0, 128, 256)
    ]
    assert lengths.parse_pairs("64,16:8") == [(0, 64), (16, 8)]
    assert lengths.parse_pairs("0-128/64") == [(0, 0), (0, 64), (0, 128)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not AD:M, such as 16:64"),
        ("x", "'x': 'x' is not a whole number of bytes"),
        ("-4", "'-4' is negative; a length is 0 bytes or more"),
        ("16:64,", "'' is not AD:M"),
        ("16:x", "'16:x': 'x' is not a whole number of bytes"),
        ("16:-4", "'-4' is negative; a length is 0 bytes or more"),
        ("16:0--4", "'0--4' is negative"),
        ("16:4-", "'4-' has no end; a range is written 0-256"),
        ("16:", "'16:': a length is missing"),
        ("16:1.5", "'1.5' is not a whole number"),
        ("16:²", "'²' is not a whole number"),
        ("16:99999999999999999999", "is not a whole number of bytes up to 1048576"),
        ("16:8-4", "the range goes from 8 down to 4; swap them"),
        ("16:0-8/0", "the step is 0; use at least 1"),
        ("16:8/2", "a step needs a range, such as 0-256/4"),
        ("1:2:3", "'2:3' is not a whole number"),
        ("0-1000000:0-1000000", "makes more than 524,288 pairs, too many for a job; give a step"),
        ("0-400000,1:0-200000", "'1:0-200000' makes more than 524,288 pairs"),
    ],
)
def test_a_wrong_pair_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        lengths.parse_pairs(text)
    assert str(caught.value).startswith("--lengths: ")


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((0, -1), "lengths: -1 is out of range; use 0 to 1048576 bytes"),
        ((0, 1.5), "lengths: 1.5 is not a whole number of bytes"),
        ((0, True), "lengths: True is not a whole number of bytes"),
        ((64,), r"lengths: \(64,\) is not a pair of associated data and message"),
    ],
)
def test_lengths_of_a_program_are_checked_too(pair: tuple[int, int], message: str) -> None:
    assert lengths.check_pairs([(16, 64), (16, 64)]) == [(16, 64)]
    with pytest.raises(UserError, match=message):
        lengths.check_pairs([pair])


def test_operations_at_all_lengths_are_no_more_than_a_job_holds() -> None:
    [first, *_] = catalogue.load().find("sha-256")
    pairs = [(0, m) for m in range(MOST_CASES)]
    assert len(cases_for(first, pairs)) == MOST_CASES
    [aead, *_] = catalogue.load().find("ascon-aead128")
    with pytest.raises(UserError, match=r"2 operations at 524,288 pairs of lengths are more than"):
        cases_for(aead, pairs)


QUICK = """
[quick]
algorithms = ["sha-256"]
cases = ["long"]
"""


def test_a_quick_subset_replaces_the_fields_that_it_names(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, GOOD + QUICK))
    quick = study.quick_subset()
    assert (quick.id, quick.verify, quick.algorithms) == ("mine-quick", "quick", ("sha-256",))
    assert (quick.boards, quick.flags) == (study.boards, study.flags)
    assert [each.name for each in quick.scenarios] == ["long"]
    jobs = plan_study(quick, catalogue.load()).jobs
    assert {(j.implementation.algorithm, j.verify, len(j.cases)) for j in jobs} == {
        ("sha-256", "quick", 1)
    }


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ('[quick]\ncases = ["lnog"]', r"'quick.cases': no .* is named 'lnog': did you mean long"),
        ("[quick]\nshow = 1", "unknown field 'quick.show'"),
    ],
)
def test_a_wrong_quick_subset_is_reported(tmp_path: Path, extra: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_study(written(tmp_path, f"{GOOD}\n{extra}\n"))


def test_a_study_without_a_quick_subset_states_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"study 'mine' has no table \[quick\]"):
        read_study(written(tmp_path, GOOD)).quick_subset()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('shows = ["bset"]', "field 'shows': unknown analysis 'bset': did you mean best"),
        ('shows = ["best", "best"]', "'best' is listed twice"),
        ('published = ["one-urea"]', "no published figures 'one-urea': did you mean one-euro"),
    ],
)
def test_a_page_shows_what_there_is(tmp_path: Path, line: str, message: str) -> None:
    text = GOOD.replace('flags = ["-Os"]', f'flags = ["-Os"]\n{line}')
    with pytest.raises(UserError, match=message):
        read_study(written(tmp_path, text), analyses())


def test_optional_boards_and_algorithms_may_be_absent(tmp_path: Path) -> None:
    more = (
        'flags = ["-Os"]\noptional_boards = ["pdp-11"]\noptional_algorithms = ["rot13*", "sha-*"]'
    )
    study = read_study(written(tmp_path, GOOD.replace('flags = ["-Os"]', more)))
    plan = plan_study(study, catalogue.load())
    assert plan.absent == {"pdp-11": "this version of Pennyweight has no board 'pdp-11'"}
    assert plan.unknown == ("rot13*",)
    assert "sha-512" in {job.implementation.algorithm for job in plan.jobs}


def test_a_board_without_implementations_is_reported(tmp_path: Path) -> None:
    more = '\n[[implementations]]\nbits = [32]\nnames = ["*/ct32", "sha-256/small"]\n'
    text = GOOD.replace('["stm32f030"]', '["atmega328p", "stm32f030"]') + more
    plan = plan_study(read_study(written(tmp_path, text)), catalogue.load())
    assert {job.board.id for job in plan.jobs} == {"stm32f030"}
    why = "no [[implementations]] of the study is for cores of 8 bits, such as atmega328p"
    assert plan.absent == {"atmega328p": why}


def test_an_unknown_baseline_is_reported(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, 'baselines = ["aes-128-gmc"]\n' + GOOD))
    with pytest.raises(UserError, match=r"field 'baselines'.*did you mean .*aes-128-gcm"):
        plan_study(study, catalogue.load())


@pytest.mark.parametrize(
    "name", ["one-euro", "ao-ae", "felics-aead", "nist-lwc", "chachapoly-units", "ten-cents"]
)
def test_the_studies_can_be_planned_whole_and_quickly(name: str) -> None:
    known = catalogue.load()
    study = find_study(name)
    whole, quick = plan_study(study, known).jobs, plan_study(study.quick_subset(), known).jobs
    assert 0 < len(quick) < len(whole)
    # Two minutes on two cores.
    assert len(quick) <= 40


PRIMARY_AEADS = """
ace-ae-128 ascon-128 comet-128-aes drygascon128k32 dumbo estate-tweaes-128 paef-forkskinny-128-288
gift-cofb gimli-24-cipher grain-128aeadv2 hyena-v1 isap-a-128a knot-aead-128-256 lotus-aead mixfeed
orange-zest oribatida-256-64 photon-beetle-aead-128 pyjamask-128-aead romulus-n saeaes128-64-128
saturnin-ctr-cascade schwaemm256-128 skinny-aead-m1 spix spoc-64 spook-128-512-su subterranean-sae
sundae-gift-96 tinyjambu-128 wage-ae-128 xoodyak
"""
PRIMARY_HASHES = """
ace-hash-256 ascon-hash drygascon128-hash esch256 gimli-24-hash knot-hash-256-256 orangish
photon-beetle-hash saturnin-hash skinny-tk3-hash subterranean-xof xoodyak-hash
"""


def test_the_second_round_is_whole() -> None:
    """32 candidates reached NIST's second round, and 12 of them had a hash function too."""
    known = {each.algorithm for each in catalogue.load().implementations}
    wanted = find_study("nist-lwc").algorithms
    measured = {name for name in known if any(fnmatchcase(name, each) for each in wanted)}
    aeads, hashes = PRIMARY_AEADS.split(), PRIMARY_HASHES.split()
    assert (len(aeads), len(hashes)) == (32, 12)
    assert measured >= {*aeads, *hashes, "aes-128-gcm", "sha-256"}


def test_an_unavailable_library_is_skipped_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    cargo = tmp_path / "bin" / "cargo"
    cargo.write_text("#!/bin/sh\necho 'error: no route to host' >&2\nexit 101\n")
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    study = find_study("ao-ae").quick_subset()
    assert study.libraries and find_study("nist-lwc").libraries
    plan = plan_study(study, catalogue.load())
    assert plan.jobs and all(job.implementation.bundled for job in plan.jobs)
    assert list(plan.unreachable) == list(study.libraries)
    assert all("no route to host" in reason for reason in plan.unreachable.values())


def test_a_library_is_named_as_on_the_command_line(tmp_path: Path) -> None:
    text = GOOD.replace("flags", 'libraries = ["mbedtls"]\nflags', 1)
    with pytest.raises(UserError, match="libraries"):
        read_study(written(tmp_path, text))
