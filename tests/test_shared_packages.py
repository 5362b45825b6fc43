"""Third-party masked packages: inputs and outputs as shares, and several numbers of shares."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import Command, runner
from packages_for_tests import PACKAGES, at, board, enc, files, side_by_side
from pennyweight.build import BuildError, build
from pennyweight.catalogue import Implementation
from pennyweight.catalogue.sharing import with_shares
from pennyweight.job import Job
from pennyweight.measure import run_job
from pennyweight.measure.naming import Names
from pennyweight.model import Case, JobResult, Operation, Status, UserError
from verdicts import cached_by_project

pytestmark = cached_by_project("masked packages")

TOY = PACKAGES / "crypto_aead" / "masked_toy" / "shared"
OWN = ("api.h", "crypto_aead_shared.h", "shared.c")
TRNG = "stm32f407-24mhz"
CASES = (Case(Operation.ENC, 5, 18), Case(Operation.DEC, 5, 18))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def ascon(folder: Path, **changed: tuple[str, str]) -> Implementation:
    """ASCON-128 with shares around it; `changed` has texts to replace in shared.c."""
    made = side_by_side("ascon-128/small", folder / "crypto_aead" / "ascon128v12" / "shared")
    for name in OWN:
        shutil.copy(TOY / name, made)
    source = made / "shared.c"
    text = source.read_text()
    for old, new in changed.values():
        assert old in text
        text = text.replace(old, new)
    source.write_text(text)
    return at(made)


def measured(implementation: Implementation, name: str = TRNG, random: str = "") -> JobResult:
    job = Job(implementation, board(name), "-O2", CASES, "quick")
    return run_job(replace(job, random=random))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [TRNG, "stm32f407-168mhz", "fe310-g002", "msp430f1611"])
def test_shared_inputs_pass_the_known_answers(name: str, tmp_path: Path) -> None:
    result = measured(ascon(tmp_path), name)
    encrypted, decrypted = result.measurements
    assert (encrypted.status, decrypted.status) == (Status.OK, Status.OK), encrypted.reason
    assert "of 1089 NIST LWC records" in result.provenance.verified
    assert encrypted.shares == decrypted.shares == 2
    # Only the words of the measured call: a second share of the 34 bytes of ciphertext and tag,
    # and of the 18 bytes of the message.
    assert (encrypted.random_words, decrypted.random_words) == (9, 5)
    assert encrypted.random == ("trng" if name in (TRNG, "stm32f407-168mhz") else "lfsr")
    assert (encrypted.random_wait_cycles or 0) > 0 or name != "stm32f407-168mhz"
    assert encrypted.flash and encrypted.flash_enc and encrypted.flash_enc < encrypted.flash


def test_generating_and_combining_are_not_measured(tmp_path: Path) -> None:
    """A slow generation of shares changes neither cycles nor size."""
    slow = ("static void share(", "static volatile int slow; static void share(")
    looped = ("    share((uint32_t *)ks", "    while (++slow % 5000) { }\n    share((uint32_t *)ks")
    fast = measured(ascon(tmp_path / "fast", a=slow)).measurements
    late = measured(ascon(tmp_path / "late", a=slow, b=looped)).measurements
    assert [row.cycles for row in fast] == [row.cycles for row in late]
    assert [row.flash for row in fast] == [row.flash for row in late]


@pytest.mark.parametrize(
    ("old", "new", "status", "reason"),
    [
        (
            "word ^= words[j];\n        }\n        for",
            "word |= words[j];\n        }\n        for",
            Status.WRONG_ANSWER,
            r"the shares that generate_shares_encrypt makes of a message do not combine to it in "
            r"combine_shares_decrypt: 0102\w+ becomes \w+",
        ),
        ("void combine_shares_decrypt", "void combine_shares_opened", Status.BUILD_FAILED,
         "no source defines the symbol 'combine_shares_decrypt': an AEAD that takes shares also "
         "defines how to generate and combine them"),
        ("randombytes((unsigned char *)&words[j], 4)",
         "extern unsigned long my_trng_word(void); words[j] = my_trng_word()",
         Status.BUILD_FAILED,
         "no source defines the symbol 'my_trng_word': if it returns random numbers, add a source "
         "that defines it with pw_random32.. of .pennyweight/random.h."),
        ("return 0;", "return 1;", Status.WRONG_ANSWER, "crypto_aead_encrypt_shared returned 1"),
        ("    share((uint32_t *)cs, NUM_SHARES_C, m, *clen);",
         "    share((uint32_t *)cs, NUM_SHARES_C, m, *clen); ++*clen;",
         Status.WRONG_ANSWER, "returned a ciphertext length of 17 instead of 16"),
    ],
)  # fmt: skip
def test_defects_are_reported_in_a_sentence(
    old: str, new: str, status: Status, reason: str, tmp_path: Path
) -> None:
    row = measured(ascon(tmp_path, a=(old, new))).measurements[0]
    assert row.status == status and re.search(reason, row.reason), row.reason


def test_shares_without_random_words_get_a_note(tmp_path: Path) -> None:
    constant = ("randombytes((unsigned char *)&words[j], 4)", "words[j] = 7")
    result = measured(ascon(tmp_path, a=constant))
    assert result.measurements[0].status == Status.OK, result.measurements[0].reason
    assert "it generates shares without random words: they are not random" in result.notes


def edited(folder: Path, old: str, new: str) -> Path:
    made = folder / "crypto_aead" / "masked_toy" / "shared"
    shutil.copytree(TOY, made)
    api = made / "api.h"
    assert old in api.read_text()
    api.write_text(api.read_text().replace(old, new))
    return made


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("#define NUM_SHARES_KEY 2\n", "", "NUM_SHARES_KEY is not defined, but the package has"),
        ("#define NUM_SHARES_M 2\n", "#define NUM_SHARES_M x\n", "NUM_SHARES_M is 'x', but"),
        ("#define NUM_SHARES_C 2\n", "#define NUM_SHARES_C 99\n", "define the number of shares"),
    ],
)
def test_an_unknown_number_of_shares_is_reported(
    old: str, new: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=re.escape(reason)):
        at(edited(tmp_path, old, new))


def test_another_number_of_shares_is_built_on_request(tmp_path: Path) -> None:
    implementation = ascon(tmp_path)
    [three] = with_shares([implementation], 3)
    [key_only] = with_shares([implementation], "4:1")
    assert (three.name, key_only.name) == ("shared-3shares", "shared-4shares-1")
    words = []
    for each, shares in ((implementation, 2), (three, 3), (key_only, 4)):
        row = measured(each).measurements[0]
        assert (row.status, row.shares) == (Status.OK, shares), row.reason
        words.append(row.random_words)
    assert words == [9, 18, 0]
    jobs = [Job(each, board(TRNG), "-O2", [enc(0, 16)]) for each in (implementation, three)]
    assert len({Names(job).key for job in jobs}) == 2


WEATHERLEY = """\
#if !defined(AEAD_MASKING_SHARES)
#define AEAD_MASKING_SHARES 4
#endif
#if AEAD_MASKING_SHARES > 6
#error "AEAD_MASKING_SHARES value is not supported"
#endif
"""


def weatherley(folder: Path) -> Implementation:
    made = side_by_side("ascon-128/small", folder / "crypto_aead" / "ascon128v12" / "rhys_masked")
    (made / "internal-masking.h").write_text(WEATHERLEY)
    (made / "masks.c").write_text('#include "internal-masking.h"\nint mask_count = 0;\n')
    return at(made)


def test_the_number_of_shares_of_weatherleys_packages_is_a_macro(tmp_path: Path) -> None:
    implementation = weatherley(tmp_path)
    assert implementation.manifest.shares == 4
    [three] = with_shares([implementation], "3")
    assert measured(three).measurements[0].shares == 3
    [seven] = with_shares([implementation], "7")
    with pytest.raises(BuildError, match="AEAD_MASKING_SHARES value is not supported"):
        build(Job(seven, board(TRNG), "-O2"))


GUARDED = "#ifndef NUM_SHARES_KEY\n#define NUM_SHARES_KEY 2\n#endif\n"
UNGUARDED = (GUARDED, "#define NUM_SHARES_KEY 2\n")


@pytest.mark.parametrize(
    ("make", "given", "reason"),
    [
        (ascon, "1", "--shares: '1' is not a number of shares; use 2 to 16"),
        (ascon, "two", "--shares: 'two' is not a number of shares"),
        (weatherley, "3:1", "has one number of shares; use --shares 3"),
        (lambda _: at(PACKAGES / "crypto_aead" / "toy" / "ref"), "2",
         "--shares: the number of shares of toy/ref is unknown: no header uses NUM_SHARES_KEY, "
         "AEAD_MASKING_SHARES; omit --shares"),
        (lambda _: files().find("ascon-128/masked2")[0], "3",
         "--shares: ascon-128/masked2 is bundled"),
        (lambda folder: at(edited(folder, *UNGUARDED)), "3",
         "defines NUM_SHARES_KEY without #ifndef NUM_SHARES_KEY, which has 2 shares; omit"),
    ],
)  # fmt: skip
def test_shares_that_a_package_cannot_have_are_refused(
    make: Callable[[Path], Implementation], given: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=re.escape(reason)):
        with_shares([make(tmp_path)], given)


def test_numbers_that_the_sources_do_not_compare_with_are_refused(tmp_path: Path) -> None:
    made = weatherley(tmp_path).folder
    code = "#if AEAD_MASKING_SHARES == 2\nint m = 2;\n#elif AEAD_MASKING_SHARES == 4\n#endif\n"
    (made / "masks.c").write_text(f'#include "internal-masking.h"\n{code}')
    assert with_shares([at(made)], 4)
    reason = "'3': ascon-128/rhys_masked has code for AEAD_MASKING_SHARES of 2 and 4 only"
    with pytest.raises(UserError, match=reason):
        with_shares([at(made)], 3)


def test_what_has_no_masks_is_excluded_from_a_tree(run: Command, tmp_path: Path) -> None:
    """The reference implementation next to a masked one."""
    weatherley(tmp_path)
    side_by_side("ascon-128/small", tmp_path / "crypto_aead" / "ascon128v12" / "ref")
    call = ("--board", TRNG, "--lengths", "0:16", "--op", "enc", "--verify", "none")
    found = run("measure", tmp_path, *call, "--shares", 3, "--format", "json")
    assert [row["implementation"] for row in found.rows] == ["rhys_masked-3shares"]
    assert "pennyweight: --shares: ascon-128/ref has no masks and is excluded" in found.err


def test_every_command_takes_shares(run: Command) -> None:
    short = ("--board", "stm32f030", "--length", "0:4", "--shares", 3)
    assert "masked_toy/shared-3shares" in run("constant-time", TOY, *short).out
    leaking = run("leakage", TOY, *short, "--traces", 1000, "--format", "json")
    assert {row["implementation"] for row in leaking.rows} == {"masked_toy/shared-3shares"}
    ranked = run("choose", TOY, "--board", TRNG, "--protected", 2, "--shares", 3, "--message", 8,
                 "--format", "json").rows  # fmt: skip
    assert [(row["implementation"], row["masked"]) for row in ranked] == [
        ("shared-3shares", "not stated")
    ]


def test_the_commands_take_the_form(run: Command) -> None:
    words = ("--board", TRNG, "--lengths", "0:16", "--format", "json")
    rows = run("measure", str(TOY), *words, "--shares", "3").rows
    assert {(row["implementation"], row["shares"]) for row in rows} == {("shared-3shares", 3)}
    verified = run("verify", str(TOY), "--board", TRNG, "--shares", "2").out
    assert "shared-2shares" in verified
    timed = run("constant-time", str(TOY), "--board", "stm32f030")
    assert "masked_toy" in timed.out


PASSED_ON = """
__attribute__((naked, noinline)) static void pass_on(const uint32_t *ks, uint32_t *memory)
{
    __asm__("ldr r2, [r0]\\n str r2, [r1]\\n movs r2, #0\\n MIDDLE\\n ldr r2, [r1, #4]\\n"
            "ldr r2, [r0, #4]\\n str r2, [r1, #4]\\n bx lr");
}

int crypto_aead_encrypt_shared"""
CALL = (
    "    combine(ad, adlen, (const uint32_t *)ads, NUM_SHARES_AD);",
    "    uint32_t memory[2] = {0, 0};\n    pass_on((const uint32_t *)ks, memory);\n"
    "    combine(ad, adlen, (const uint32_t *)ads, NUM_SHARES_AD);",
)


def passing_on(folder: Path, middle: str) -> Path:
    """A package that stores both shares of a key word, and does `middle` between them."""
    text = PASSED_ON.replace("MIDDLE", middle)
    ascon(folder, a=("\nint crypto_aead_encrypt_shared", text), b=CALL)
    return folder / "crypto_aead" / "ascon128v12" / "shared"


TRACED = ("--length", "0:8", "--traces", "1000", "--function", "pass_on", "--format", "json")


@pytest.mark.parametrize(
    ("middle", "places"), [("str r2, [r1, #4]", set()), ("nop", {"write bus"})]
)
def test_leakage_varies_shared_inputs(
    middle: str, places: set[str], run: Command, tmp_path: Path
) -> None:
    """Each trace has new shares: one alone does not depend on the key, but both do if they
    follow each other on a bus.
    """
    folder = passing_on(tmp_path, middle)
    found = run("leakage", str(folder), "--board", "stm32f407-24mhz", *TRACED)
    assert found.status == bool(places), found.err
    rows = [row for row in found.rows if row["pc"] is not None]
    assert {row["place"] for row in rows} == places
    for row in rows:
        assert (row["kind"], row["unmasked"]) == ("change", False)
        assert row["old_input"] != row["new_input"] and row["old_words"] == row["new_words"]


def test_leakage_rejects_shares_that_do_not_combine(run: Command, tmp_path: Path) -> None:
    old = "    combine(c, clen, (const uint32_t *)cs, NUM_SHARES_C);\n}"
    ascon(tmp_path, a=(old, old.replace(";\n}", ";\n    c[0] ^= 1;\n}")))
    folder = tmp_path / "crypto_aead" / "ascon128v12" / "shared"
    found = run("leakage", str(folder), "--board", "stm32f030", "--traces", "1000")
    assert (found.status, found.out) == (1, "")
    assert "the shares that generate_shares_decrypt makes of a ciphertext do not" in found.reasons


@pytest.mark.parametrize("op", ["enc", "dec"])
def test_shares_that_a_package_combines_are_reported(op: str, run: Command) -> None:
    call = ("--length", "0:8", "--traces", "1000", "--format", "json")
    found = run("leakage", str(TOY), "--board", "stm32f030", *call, "--op", op, "--vary", "key")
    assert {row["place"] for row in found.rows if row["kind"] == "value"}
    assert found.status == 1


@pytest.mark.parametrize("name", [TRNG, "atmega328p"])
def test_shares_from_the_c_library_are_refused(name: str, tmp_path: Path) -> None:
    """Also if only the generation of the shares, which is not measured, calls it."""
    header = ('#include "randombytes.h"', "#include <stdlib.h>")
    drawn = ("randombytes((unsigned char *)&words[j], 4)", "words[j] = (uint32_t)rand()")
    result = measured(ascon(tmp_path, header=header, drawn=drawn), name)
    assert {row.status for row in result.measurements} == {Status.BUILD_FAILED}
    assert "calls rand() of the C library" in result.measurements[0].reason
