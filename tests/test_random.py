"""Random numbers of masked implementations: sources, boards, jobs, counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Command, runner
from packages_for_tests import at, board, copied, enc, files
from pennyweight.campaign.plan import plan_study
from pennyweight.catalogue.boards import load_board
from pennyweight.job import Job, RandomSource
from pennyweight.measure import run_job
from pennyweight.measure.naming import Names
from pennyweight.model import Measurement, Status, UserError
from pennyweight.studies import Study
from pennyweight.target import Target
from pennyweight.target.random_words import FREE, LFSR, SoftwareGenerator
from pennyweight.verify import Verdict, verify
from verdicts import cached_by_project

pytestmark = cached_by_project("random numbers")

WORDS = 5
BYTES = 4 * WORDS - 1
"""An encryption of the package below draws this many bytes: five words."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def package(folder: Path, call: str = f"randombytes(r, {BYTES})", header: str = "") -> Path:
    """A package that draws random bytes in each encryption."""
    made = copied(folder)
    source = made / "encrypt.c"
    text = source.read_text(encoding="utf-8")
    assert "(void)nsec;" in text
    text = text.replace("(void)nsec;", f"(void)nsec; unsigned char r[32]; {call};", 1)
    source.write_text((header or '#include "randombytes.h"\n') + text, encoding="utf-8")
    return made


def measured(folder: Path, name: str, random: RandomSource = "") -> Measurement:
    job = Job(at(folder), board(name), "-O2", [enc(0, 16)], "quick", random=random)
    [row] = run_job(job).measurements
    return row


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("sam3x8e", "trng"),
        ("stm32f407-168mhz", "trng"),
        ("samd51", "trng"),
        ("nrf52840", "trng"),
        ("stm32f030", "lfsr"),
        ("atmega328p", "lfsr"),
        ("msp430f1611", "lfsr"),
        ("fe310-g002", "lfsr"),
    ],
)
def test_words_are_counted_on_every_kind_of_core(name: str, default: str, tmp_path: Path) -> None:
    folder = package(
        tmp_path,
        f"for (int i = 0; i < {WORDS}; i++) r[i] = (unsigned char)pw_random32()",
        '#include "pennyweight/random.h"\n',
    )
    rows = {source: measured(folder, name, source) for source in ("", "free", "lfsr")}
    assert all(row.status == Status.OK for row in rows.values()), rows
    assert [row.random for row in rows.values()] == [default, "free", "lfsr"]
    assert {row.random_words for row in rows.values()} == {WORDS}
    assert rows["free"].random_wait_cycles == rows["lfsr"].random_wait_cycles == 0
    assert rows[""].flags == f"-O2 (random: {default})"
    if default == "lfsr":
        assert rows[""] == rows["lfsr"]
    else:
        waited = rows[""].random_wait_cycles or 0
        generator = board(name).file.random
        assert generator is not None
        numbers = 32 // generator.bits * WORDS
        # All but the first number take their time. The code does something else for a part of it,
        # and the last look may be late by a turn of the loop.
        taken = (numbers - 1) * generator.cycles
        assert 0.2 * taken < waited < taken + 30 * numbers
        cycles = [rows[source].cycles or 0 for source in ("", "lfsr")]
        assert cycles[0] - waited < 1.5 * cycles[1]


def test_bytes_are_drawn_four_at_a_time(tmp_path: Path) -> None:
    assert measured(package(tmp_path), "sam3x8e").random_words == WORDS


def test_a_repeated_measurement_is_the_same(tmp_path: Path) -> None:
    folder = package(tmp_path)
    assert measured(folder, "sam3x8e") == measured(folder, "sam3x8e")


def test_a_package_may_declare_randombytes_itself(tmp_path: Path) -> None:
    declared = "extern void randombytes(unsigned char *, unsigned long long);\n"
    row = measured(package(tmp_path, header=declared), "stm32f030", "free")
    assert (row.status, row.random_words) == (Status.OK, WORDS)


def test_a_package_may_define_randombytes_itself(tmp_path: Path) -> None:
    own = "void randombytes(unsigned char *p, unsigned long long n) { while (n--) *p++ = 7; }\n"
    row = measured(package(tmp_path, header=own), "stm32f030", "free")
    assert (row.status, row.random_words) == (Status.OK, 0)


def weatherley(folder: Path, call: str, own: str = "aead-random.c") -> Path:
    """A package in the form of R. Weatherley's masked ones, with a generator of its own."""
    declared = "".join(
        f"{each};\n"
        for each in (
            "extern void aead_random_init(void)",
            "extern unsigned long aead_random_generate_32(void)",
            "extern void aead_random_generate_32_multiple(void *out, unsigned count)",
        )
    )
    made = package(folder, call, declared if "aead" in call else "\n")
    (made / own).write_text(
        "void aead_random_init(void) {}\n"
        "unsigned long aead_random_generate_32(void) { return 4; }\n"
        "void aead_random_generate_32_multiple(unsigned long *out, unsigned count)\n"
        "{ while (count--) *out++ = aead_random_generate_32(); }\n"
    )
    return made


CALLS = "aead_random_init(); r[0] = (unsigned char)aead_random_generate_32(); "
CALLS += f"unsigned long w[{WORDS - 1}]; "
CALLS += f"aead_random_generate_32_multiple(w, {WORDS - 1}); r[1] = (unsigned char)w[0]"


@pytest.mark.parametrize("name", ["sam3x8e", "stm32f030"])
def test_the_random_words_of_a_known_framework_are_bound_by_name(name: str, tmp_path: Path) -> None:
    row = measured(weatherley(tmp_path, CALLS), name)
    assert (row.status, row.random_words) == (Status.OK, WORDS), row.reason
    assert row.random == ("trng" if name == "sam3x8e" else "lfsr")
    assert (row.random_wait_cycles or 0) > 0 or name == "stm32f030"


def test_functions_in_another_file_of_the_package_are_kept(tmp_path: Path) -> None:
    row = measured(weatherley(tmp_path, CALLS, own="noise.c"), "stm32f030")
    assert (row.status, row.random_words) == (Status.OK, 0), row.reason


def test_a_generator_that_the_package_does_not_call_changes_nothing(tmp_path: Path) -> None:
    row = measured(weatherley(tmp_path, "r[0] = 0"), "stm32f030")
    assert (row.status, row.random, row.flags) == (Status.OK, None, "-O2"), row.reason


def test_an_unknown_random_function_is_named_with_the_remedy(tmp_path: Path) -> None:
    call, header = "r[0] = trng_get_byte()", "extern unsigned char trng_get_byte(void);\n"
    row = measured(package(tmp_path, call, header), "stm32f030")
    assert row.status == Status.BUILD_FAILED
    assert row.reason == (
        "no source defines the symbol 'trng_get_byte': if it returns random numbers, add a source "
        'that defines it with pw_random32() of "pennyweight/random.h"'
    )


def test_other_implementations_have_no_source_and_the_same_name() -> None:
    [plain] = files().find("ascon-aead128/fast32")
    place = board("sam3x8e")
    jobs = [Job(plain, place, "-O2", [enc(0, 16)], random=each) for each in ("", "free", "trng")]
    assert len({Names(job).key for job in jobs}) == 1
    assert "random" not in Names(jobs[0]).parts
    [row] = run_job(Job(plain, place, "-O2", [enc(0, 16)], "none")).measurements
    assert (row.random, row.random_words, row.random_wait_cycles) == (None, None, None)
    assert row.flags == "-O2"


def test_verification_does_not_wait_for_the_generator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[RandomSource] = []

    def verified(job: Job, target: Target, parts: Target | None) -> Verdict:
        seen.append(job.random_source)
        assert LFSR in {name for name, _, _ in target.symbols()}
        return verify(job, target, parts)

    monkeypatch.setattr("pennyweight.measure.verdicts.verify", verified)
    # A package of its own: verdicts are cached.
    row = measured(package(tmp_path, "randombytes(r, 3)"), "nrf52840")
    assert (row.status, row.random, seen) == (Status.OK, "trng", ["lfsr"]), row.reason
    assert row.random_wait_cycles


def test_the_source_and_the_generator_are_part_of_the_name(tmp_path: Path) -> None:
    user = at(package(tmp_path))
    text = board("sam3x8e").text
    slower = tmp_path / "slower.toml"
    slower.write_text(
        text.replace("cycles = 84", "cycles = 85").replace('id = "sam3x8e"', 'id = "slower"')
    )
    places = {"sam3x8e": board("sam3x8e"), "slower": load_board(slower)}

    def verdict(place: str, random: RandomSource) -> str:
        return Names(Job(user, places[place], "-O2", [enc(0, 16)], random=random)).verdict

    assert verdict("sam3x8e", "") == verdict("sam3x8e", "trng")
    assert len({verdict("sam3x8e", each) for each in ("trng", "free", "lfsr")}) == 3
    assert verdict("slower", "trng") != verdict("sam3x8e", "trng")
    assert verdict("slower", "free") == verdict("sam3x8e", "free")


def test_every_arm_board_states_its_generator_or_why_it_has_none() -> None:
    for each in files().boards.values():
        assert (each.file.random is None) == bool(each.file.no_random), each.id
    unknown = [
        each.id
        for each in files().boards.values()
        if "no figure of its speed" in each.file.no_random
    ]
    assert {"nrf52833", "stm32l476-80mhz", "rp2350"} <= set(unknown)


def test_trng_needs_a_generator(run: Command, tmp_path: Path) -> None:
    path = board("stm32f030").path
    sentence = (
        f"{path}: table [random] is missing for 'trng': the part has no random number generator; "
        "add it, or use 'free' or 'lfsr'"
    )
    [plain] = files().find("ascon-aead128/fast32")
    with pytest.raises(UserError) as raised:
        Job(plain, board("stm32f030"), "-O2", random="trng")
    assert str(raised.value) == sentence
    folder = str(package(tmp_path))
    for command in ("measure", "verify"):
        result = run(command, folder, "--board", "stm32f030", "--random", "trng")
        assert result.status == 2
        assert " ".join(result.err.split()).endswith(sentence)


def test_trng_is_not_available_on_a_connected_board() -> None:
    [plain] = files().find("ascon-aead128/fast32")
    place = board("sam3x8e")
    with pytest.raises(UserError, match="'trng' is not available on a connected board"):
        Job(plain, place, "-O2", on="gdb:localhost:1", random="trng")
    assert Job(plain, place, "-O2", on="gdb:localhost:1").random_source == "lfsr"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("bits = 32\ncycles", "bits = 12\ncycles", "[random]: bits is 12; write 8 or 32"),
        (
            "status = 0x400b_c01c",
            "status = 0x2007_0000",
            "[random]: status is 0x20070000, inside memory sram; give the register's address",
        ),
        (
            "cycles = 84\n",
            "",
            "the field 'random.cycles' is missing; add it",
        ),
    ],
)
def test_a_wrong_table_is_refused(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    text = board("sam3x8e").text
    assert old in text
    path = tmp_path / "own.toml"
    path.write_text(text.replace(old, new).replace('id = "sam3x8e"', 'id = "own"'))
    with pytest.raises(UserError) as raised:
        load_board(path)
    assert str(raised.value) == f"{path}: {sentence}"


def test_only_cortex_m_boards_can_have_the_table(tmp_path: Path) -> None:
    table = (
        "\n[random]\nstatus = 0x4000_0000\nready = 1\ndata = 0x4000_0004\nbits = 32\ncycles = 9\n"
    )
    path = tmp_path / "own.toml"
    path.write_text(board("fe310-g002").text.replace("fe310-g002", "own") + table)
    with pytest.raises(UserError, match="is for Cortex-M cores only, and the core is"):
        load_board(path)


def test_a_study_measures_each_source_and_other_implementations_once(tmp_path: Path) -> None:
    study = Study.model_validate(
        {
            "id": "sources",
            "title": "Sources",
            "boards": ["sam3x8e", "stm32f030"],
            "algorithms": ["ascon-aead128"],
            "implementations": [{"bits": [32], "names": ["ascon-aead128/small"]}],
            "packages": [str(package(tmp_path))],
            "flags": ["-O2"],
            "random": ["trng", "free"],
            "cases": [{"name": "one", "title": "One", "kind": "aead", "m": [16]}],
        }
    )
    jobs = plan_study(study, files()).jobs
    found = [(job.board.id, job.implementation.bundled, job.random) for job in jobs]
    assert sorted(found) == [
        ("sam3x8e", False, "free"),
        ("sam3x8e", False, "trng"),
        ("sam3x8e", True, ""),
        ("stm32f030", False, "free"),
        ("stm32f030", False, "lfsr"),
        ("stm32f030", True, ""),
    ]


def test_words_follow_from_the_generators_state() -> None:
    def words(name: str, before: int, after: int) -> int:
        return SoftwareGenerator(name, 0, before).words_until(SoftwareGenerator(name, 0, after))

    assert words(FREE, 0, 0) == words(LFSR, 1, 1) == 0
    assert words(FREE, 5, (5 + 1000 * 0x9E3779B9) % (1 << 32)) == 1000
    # Marsaglia's xorshift32 from 1: 270369, 67634689.
    assert words(LFSR, 1, 67634689) == 2


@pytest.mark.parametrize("function", ["rand", "random"])
def test_masks_from_the_c_library_are_refused(tmp_path: Path, function: str) -> None:
    folder = package(tmp_path, f"r[0] = (unsigned char){function}()", "#include <stdlib.h>\n")
    # Without shares, it is an ordinary function.
    assert measured(folder, "stm32f030").status == Status.OK
    (folder / "implementation.toml").write_text("shares = 2\n", encoding="utf-8")
    row = measured(folder, "stm32f030")
    assert row.status == Status.BUILD_FAILED
    assert f"calls {function}() of the C library" in row.reason and "pw_random32()" in row.reason
    # The remedy that the sentence names.
    text = '#include "pennyweight/random.h"\nTYPE NAME(void) { return (TYPE)pw_random32(); }\n'
    kind = "int" if function == "rand" else "long"
    text = text.replace("TYPE", kind).replace("NAME", function)
    (folder / "words.c").write_text(text, encoding="utf-8")
    assert measured(folder, "stm32f030").random_words == 1


def test_what_arc4random_needs_is_named_with_the_remedy(tmp_path: Path) -> None:
    header = "unsigned arc4random(void);\n"
    row = measured(package(tmp_path, "r[0] = (unsigned char)arc4random()", header), "stm32f030")
    assert row.status == Status.BUILD_FAILED
    assert "arc4random() needs it, and the part has none: use pw_random32()" in row.reason
