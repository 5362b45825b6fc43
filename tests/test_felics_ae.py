"""Packages written for FELICS-AE: a one-shot API with lengths of another type, links between
ciphers, platforms.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli_runs import Command, runner
from packages_for_tests import PACKAGES, at, board, files, run
from pennyweight.build import build
from pennyweight.catalogue import felics_ae
from pennyweight.coverage import felics as felics_coverage
from pennyweight.job import Job
from pennyweight.model import Case, Kind, Operation, Status, UserError
from pennyweight.verify.felics import own_record
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")

SEVEN = PACKAGES / "felics" / "Ascon_64_128_128_320_128_v01" / "source"

API = """#include "sizes.h"
#define CRYPTO_KEYBYTES KEY_SIZE
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES NONCE_SIZE
#define CRYPTO_ABYTES (TAG_SIZE)
#define CRYPTO_NOOVERLAP 1
"""

PROTOTYPES = """#include <string.h>
#include "felics/cipher.h"
#include "constants.h"
void Initialize(uint8_t *state, const uint8_t *key, const uint8_t *nonce);
void ProcessAssociatedData(uint8_t *state, uint8_t *data, uint32_t length);
void ProcessPlaintext(uint8_t *state, uint8_t *message, uint32_t length);
void ProcessCiphertext(uint8_t *state, uint8_t *message, uint32_t length);
void Finalize(uint8_t *state, uint8_t *key);
void TagGeneration(uint8_t *state, uint8_t *tag);
"""

ENCRYPT = """#include "parts.h"
#include "api.h"
#include "crypto_aead.h"
%s crypto_aead_encrypt(uint8_t *c, size_t *clen, const uint8_t *m, size_t mlen,
                       const uint8_t *ad, size_t adlen, const uint8_t *npub, const uint8_t *k)
{
    ALIGNED uint8_t state[STATE_SIZE];
    Initialize(state, k, npub);
    ProcessAssociatedData(state, (uint8_t *)ad, (uint32_t)adlen);
    memcpy(c, m, mlen);
    ProcessPlaintext(state, c, (uint32_t)mlen);
    Finalize(state, (uint8_t *)k);
    TagGeneration(state, c + mlen);
    %s
}
"""

DECRYPT = """#include "parts.h"
#include "api.h"
int crypto_aead_decrypt(uint8_t *m, size_t *mlen, const uint8_t *c, size_t clen,
                        const uint8_t *ad, size_t adlen, const uint8_t *npub, const uint8_t *k)
{
    uint8_t state[STATE_SIZE], tag[CRYPTO_ABYTES];
    *mlen = clen - CRYPTO_ABYTES;
    Initialize(state, k, npub);
    ProcessAssociatedData(state, (uint8_t *)ad, (uint32_t)adlen);
    memcpy(m, c, *mlen);
    ProcessCiphertext(state, m, (uint32_t)*mlen);
    Finalize(state, (uint8_t *)k);
    TagGeneration(state, tag);
    return memcmp(tag, c + *mlen, CRYPTO_ABYTES) == 0 ? 0 : -1;
}
"""

VECTORS = """#include "felics/test_vectors.h"
const uint8_t expectedPlaintext[MAXTEST_BYTES_M] = {0};
const uint8_t expectedAssociated[MAXTEST_BYTES_AD] = {};
const uint8_t expectedKey[CRYPTO_KEYBYTES] =
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const uint8_t expectedNonce[CRYPTO_NPUBBYTES] =
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const uint8_t expectedCiphertext[MAXTEST_BYTES_M + CRYPTO_ABYTES] = {%s};
"""
SEALED = bytes.fromhex("bc18c3f4e39eca7222490d967c79bffc92")


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def package(tmp_path: Path, name: str = "Ascon-128_vmine", platforms: str = "") -> Path:
    """A tree of ciphers; some of a cipher's files are links into the folder of another."""
    shared = tmp_path / "ciphers" / ".templates" / "common"
    shared.mkdir(parents=True)
    for file in ("cipher.c", "permutation.c", "permutation.h", "constants.h"):
        text = (SEVEN / file).read_text().replace('"cipher.h"', '"parts.h"')
        (shared / file).write_text(text)
    (shared / "sizes.h").write_text((SEVEN / "constants.h").read_text())
    folder = tmp_path / "ciphers" / name / "source"
    folder.mkdir(parents=True)
    for path in shared.iterdir():
        (folder / path.name).symlink_to(Path("../../.templates/common") / path.name)
    (folder / "api.h").write_text(API)
    (folder / "parts.h").write_text(PROTOTYPES)
    (folder / "encrypt.c").write_text(ENCRYPT % ("int", "*clen = mlen + TAG_SIZE; return 7;"))
    (folder / "decrypt.c").write_text(DECRYPT)
    (folder / "test_vectors.c").write_text(VECTORS % ", ".join(map(str, SEALED)))
    (folder / "implementation.info").write_text(
        f"ImplementationDescription: bundled\n\nEncryptCode: encrypt, cipher\n{platforms}"
    )
    return folder


def test_it_is_found_with_sizes_from_headers_that_are_links(tmp_path: Path) -> None:
    folder = package(tmp_path)
    [found] = files().find(str(tmp_path / "ciphers"))
    assert (found.id, found.kind, found.problem) == ("ascon-128/mine", Kind.AEAD, "")
    assert (found.key, found.nonce, found.tag) == (16, 16, 16)
    assert found.felics_ae is not None and found.forbids_overlap
    assert found.tree == tmp_path / "ciphers"
    assert at(folder).id == found.id


@pytest.mark.parametrize("name", ["atmega128", "sam3x8e"])
def test_it_is_verified_and_measured(tmp_path: Path, name: str) -> None:
    cases = [Case(op, 25, 86) for op in (Operation.ENC, Operation.DEC)]
    done = run(at(package(tmp_path)), name, *cases, verify="quick")
    assert [row.status for row in done.measurements] == [Status.OK] * 2, done.measurements[0].reason
    assert "of 1089 NIST LWC records" in done.provenance.verified
    row = done.measurements[0]
    assert row.flash is not None and row.flash_enc is not None and row.flash_dec is not None
    assert row.flash_enc < row.flash < row.flash_enc + row.flash_dec
    names = {symbol.name for symbol in done.symbols}
    assert {"felics_encrypt", "felics_decrypt"} <= names
    assert not names & {"crypto_aead_encrypt", "crypto_aead_decrypt"}, "our adapter is not its code"


def test_what_encryption_returns_and_a_length_that_it_does_not_set_mean_nothing(
    tmp_path: Path,
) -> None:
    folder = package(tmp_path)
    text = (ENCRYPT % ("void", "(void)clen;")).replace('#include "crypto_aead.h"\n', "")
    (folder / "encrypt.c").write_text(text)
    assert run(at(folder), "sam3x8e", verify="quick").measurements[0].status == Status.OK


def test_other_answers_need_a_test_vector_of_its_own(tmp_path: Path) -> None:
    folder = package(tmp_path)
    record = own_record(folder)
    assert record is not None
    assert (record.message, record.ad, record.sealed) == (b"\0", b"", SEALED)
    source = folder / "permutation.c"
    text = source.read_text()
    source.unlink()
    assert "0xF0 - 0x0F" in text
    source.write_text(text.replace("0xF0 - 0x0F", "0xE1 - 0x0F"))
    [row] = run(at(folder), "sam3x8e", verify="quick").measurements
    assert row.status == Status.WRONG_ANSWER


def test_a_vector_without_a_tag_is_none(tmp_path: Path) -> None:
    folder = package(tmp_path)
    (folder / "test_vectors.c").write_text(VECTORS % SEALED[0])
    assert own_record(folder) is None


def test_only_the_platforms_that_it_names_are_measured(tmp_path: Path) -> None:
    folder = package(tmp_path, platforms="Platforms: AVR NRF52840\n")
    [row] = run(at(folder), "sam3x8e", verify="quick").measurements
    assert row.status == Status.SKIPPED
    assert row.reason == "its implementation.info says that it is for AVR, NRF52840"
    assert build(Job(at(folder), board("nrf52840"), "-Os")).programs["native"].elf


def test_each_platform_has_its_macro_and_assembly_its_macros(tmp_path: Path) -> None:
    folder = package(tmp_path)
    (folder / "more.S").write_text(
        '#include "felics/helpers.S"\n'
        "#ifndef ARM\n#error no platform\n#endif\n"
        "rodata unused_table\n.byte 1\nfunction unused_function\nbx lr\n"
    )
    assert build(Job(at(folder), board("sam3x8e"), "-Os")).programs["full"].elf
    assert board("samd21").packages.felics_ae == "STM32L053"
    assert board("fe310-g002").packages.felics_ae == ""


def lead_out(path: Path, outside: Path, text: str) -> None:
    """Makes a file a link to one in another folder."""
    outside.write_text(text)
    path.unlink()
    path.symlink_to(outside)


def test_links_may_lead_to_other_ciphers_and_no_further(tmp_path: Path) -> None:
    folder = package(tmp_path)
    lead_out(folder / "constants.h", tmp_path / "outside.h", "#define STATE_SIZE 40\n")
    [row] = run(at(folder), "sam3x8e", verify="quick").measurements
    assert row.status == Status.BUILD_FAILED
    assert "'constants.h' is a link that points out of the implementation's folder" in row.reason


def test_sizes_outside_the_tree_are_not_read(tmp_path: Path) -> None:
    folder = package(tmp_path)
    lead_out(folder / "sizes.h", tmp_path / "outside.h", "#define KEY_SIZE 16\n")
    with pytest.raises(UserError, match="CRYPTO_KEYBYTES is 'KEY_SIZE': write a number of bytes"):
        at(folder)


def test_supercop_functions_with_such_information_are_a_supercop_package(tmp_path: Path) -> None:
    folder = package(tmp_path)
    text = (folder / "encrypt.c").read_text()
    (folder / "encrypt.c").write_text(text.replace("const uint8_t *npub", "void *n, void *npub"))
    assert not felics_ae.is_package(folder)


def test_names_of_folders_give_cipher_and_version() -> None:
    assert felics_ae.label(Path("Romulus-N_varm_inline_asm/source")) == (
        "Romulus-N",
        "arm_inline_asm",
    )
    assert felics_ae.label(Path("mine")) == ("mine", "mine")
    algorithms = files().algorithms
    for name, own in (("Xoodyak-128", "xoodyak"), ("Ascon-128", "ascon-128"), ("Unknown-9", None)):
        found = felics_ae.algorithm_named(name, algorithms)
        assert (found.name if found else None) == own


def clone(tmp_path: Path) -> Path:
    """A clone with two ciphers, of which one is wrong, and figures of three."""
    package(tmp_path / "source")
    broken = tmp_path / "source" / "ciphers" / "Ascon-128_vwrong" / "source"
    sound = tmp_path / "source" / "ciphers" / "Ascon-128_vmine" / "source"
    shutil.copytree(sound, broken, symlinks=True)
    text = (broken / "decrypt.c").read_text()
    (broken / "decrypt.c").write_text(text.replace("== 0 ? 0 : -1", "== 0 ? 0 : 0"))
    row = {"code_size": 1, "code_ram": 1, "code_time": 1, "cipher_name": "Ascon-128"}
    rows = [
        {**row, "version": version, "architecture": part, "compiler_options": flags}
        for version, part, flags in (
            ("mine", "ARM", "-Os"),
            ("mine", "ARM", "-Os"),
            ("wrong", "ARM", "-O3"),
            ("gone", "ARM", "-O3"),
            ("mine", "AVR", "-O3"),
            ("mine", "PC", "-O3"),
        )
    ]
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "all.json").write_text(json.dumps({"data": rows}))
    return tmp_path


def test_how_much_of_a_clone_runs_is_reported(tmp_path: Path, run_command: Command) -> None:
    root = clone(tmp_path)
    assert list(felics_coverage.chosen(root, ())) == ["sam3x8e", "atmega128"]
    words = ("coverage", "--felics", root, "--board", "sam3x8e")
    found = run_command(*words, "--format", "json").rows
    assert [(row["implementation"], row["flags"], row["status"]) for row in found] == [
        ("mine", "-Os", "ok"),
        ("wrong", "-O3", "accepted a forgery"),
        ("gone", "-O3", "not in the clone"),
    ]
    printed = " ".join(run_command(*words).out.split())
    assert "Arduino Due (Cortex-M3): 1 of 2 pairs of implementation and flags build" in printed
    assert "1 give wrong results on the real part too" in printed
    assert "1 more belong to packages" in printed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "pass either --nist or --felics"),
        (["--felics", ".", "--nist", "."], "pass either --nist or --felics"),
        (["--felics", "."], "has no figures for 'uno'; choose from sam3x8e, atmega128"),
    ],
)
def test_what_cannot_be_tried_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run_command: Command,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(clone(tmp_path))
    assert sentence in run_command("coverage", *words, "--board", "uno").refused()
