"""What packages of SUPERCOP expect of their framework: macros, headers, a list of machines."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, BOARDS, at, board, copied, enc, files, run
from pennyweight.build import BuildError
from pennyweight.build.firmware import headers_folder
from pennyweight.build.objects import compile_all
from pennyweight.build.sources import Sources, collect
from pennyweight.campaign.plan import planned
from pennyweight.campaign.shipping import measure_shipped, ship
from pennyweight.catalogue.root import data_root
from pennyweight.job import Job
from pennyweight.model import Case, Operation, Status
from pennyweight.toolchains import for_board
from verdicts import cached_by_project

pytestmark = cached_by_project("comparisons with other packages")


def edited(folder: Path, old: str, new: str) -> None:
    source = folder / "encrypt.c"
    text = source.read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new, 1), encoding="utf-8")


CHECKS = """
#include "crypto_int64.h"
#include "crypto_int8.h"
#include "crypto_uint16.h"
#include "crypto_uint32.h"
#include "ecrypt-portable.h"
#include "randombytes.h"
#include "brg_endian.h"
#if PLATFORM_BYTE_ORDER != IS_LITTLE_ENDIAN || !defined(SUPERCOP)
#error "the framework's macros are not there"
#endif

static unsigned char CRYPTO_NAMESPACE(bytes)[8] CRYPTO_ALIGN(8) = {1, 2, 3, 4, 5, 6, 7, 8};

static int wrong(void) {
    const unsigned char *p = crypto_aead_bytes;
    unsigned char q[8], r[8];
    volatile u32 word = U32C(0x80000001);
    volatile u16 half = U16C(0x8001);
    crypto_int64_store_bigendian(q, crypto_int64_load(p));
    randombytes(r, sizeof r);
    if (crypto_aead_KEYBYTES != 16 || crypto_aead_ABYTES + crypto_aead_NSECBYTES != 16)
        return 1;
    return U8TO32_LITTLE(p + 1) != U32C(0x05040302) || U8TO32_BIG(p) != U32C(0x01020304) ||
           U8TO64_BIG(p) != U64C(0x0102030405060708) || U8TO16_BIG(p) != 0x0102 ||
           ROTL32(word, 1) != 3 || ROTR32(word, 1) != U32C(0xc0000000) || ROTL16(half, 4) != 0x18 ||
           ROTL8((u8)half, 3) != 8 || ROTR64((u64)word, 1) != U64C(0x8000000040000000) ||
           q[0] != 8 || q[7] != 1 || crypto_uint32_load_bigendian(p) != U32C(0x01020304) ||
           crypto_uint16_load(p) != 0x0201 || crypto_int64_bitmod_01(-2, 64) != 0 ||
           crypto_int64_bitmod_mask(-2, 65) != -1 || crypto_int8_bottombit_01(-1) != 1 ||
           crypto_int64_bottombit_mask(3) != -1 || (r[0] == r[1] && r[1] == r[2] && r[2] == r[3]);
}
"""


@pytest.mark.parametrize("name", [*BOARDS, "msp430f1611"])
def test_the_framework_exists_and_does_what_it_states(name: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    edited(folder, "(void)nsec;", "(void)nsec; if (wrong()) return -1;")
    source = folder / "encrypt.c"
    source.write_text(CHECKS + source.read_text(encoding="utf-8"), encoding="utf-8")
    [row] = run(at(folder), name, enc(0, 16), verify="quick").measurements
    assert (row.status, row.reason) == (Status.OK, "")


def test_a_package_that_does_not_use_the_framework_is_built_without_it(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    text = "/* written for SUPERCOP */\n#ifdef CRYPTO_KEYBYTES\n#error seen\n#endif\n"
    source = folder / "encrypt.c"
    source.write_text(text + source.read_text(encoding="utf-8"), encoding="utf-8")
    assert collect(at(folder)).framework == frozenset()


def test_assembly_finds_the_function_under_the_framework_s_name(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_hash" / "ones" / "armv6m"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("#define CRYPTO_BYTES 4\n")
    (folder / "hash.S").write_text(
        '#include "crypto_hash.h"\n.syntax unified\n.thumb\n.global CRYPTO_NAMESPACETOP\n'
        ".type CRYPTO_NAMESPACETOP, %function\n.text\n.thumb_func\nCRYPTO_NAMESPACETOP:\n"
        "    movs r1, #1\n    strb r1, [r0]\n    strb r1, [r0, #1]\n    strb r1, [r0, #2]\n"
        "    strb r1, [r0, #3]\n    movs r0, #0\n    bx lr\n"
    )
    [row] = run(at(folder), ARM, verify="quick").measurements
    assert (row.status, row.reason) == (Status.OK, "")


def test_a_package_that_does_not_build_states_for_which_machines_it_is(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "architectures").write_text("amd64\nx86\n")
    assert run(at(folder), ARM, verify="none").measurements[0].status == Status.OK
    (folder / "fast.c").write_text("#error only there\n")
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.SKIPPED
    assert row.reason.startswith("its file 'architectures' lists amd64 and x86 only: fast")
    (folder / "architectures").write_text("arm\navr\n")
    for name in (ARM, AVR):
        assert run(at(folder), name).measurements[0].status == Status.BUILD_FAILED


def test_vector_instructions_are_for_another_arm(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    edited(folder, "(void)nsec;", '(void)nsec; __asm__(".fpu neon\\n cmpeq r2, #15");')
    [row] = run(at(folder), "sam3x8e").measurements
    assert row.status == Status.SKIPPED
    assert row.reason.startswith("its assembly is for Arm with NEON (encrypt.c): ")


@pytest.mark.parametrize("header", ["immintrin.h", "x86intrin.h"])
def test_a_header_of_another_machine_is_reported_however_it_is_included(
    header: str, tmp_path: Path
) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = f"#if 1\n#  include <{header}>\n#endif\n" + source.read_text(encoding="utf-8")
    source.write_text(text, encoding="utf-8")
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.SKIPPED
    assert row.reason.startswith("its assembly is for x86 (encrypt.c): encrypt.c:2:12: fatal err")


def test_sizes_may_be_in_a_header_that_the_api_includes(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "sizes.h").write_text("#define KEY_BITS 128\n#define KEY_BYTES (KEY_BITS/8)\n")
    api = folder / "api.h"
    text = '#include "sizes.h"\n' + api.read_text(encoding="utf-8")
    assert "CRYPTO_KEYBYTES 16" in text
    api.write_text(text.replace("CRYPTO_KEYBYTES 16", "CRYPTO_KEYBYTES KEY_BYTES"))
    assert at(folder).key == 16
    (folder / "all.h").write_text(api.read_text(encoding="utf-8"))
    api.write_text('#include "all.h"\n')
    assert at(folder).key == 16
    (folder / "sizes.h").write_text("")
    [found] = files().find(str(tmp_path))
    assert "CRYPTO_KEYBYTES is 'KEY_BYTES': write a number" in found.problem


def test_a_function_that_is_only_inline_is_reported_as_that(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    edited(folder, "(void)nsec;", "(void)nsec; update();")
    source = folder / "encrypt.c"
    text = '#define INLINE inline\nINLINE void update(void) { __asm__ volatile(""); }\n'
    source.write_text(text + source.read_text(encoding="utf-8"), encoding="utf-8")
    [row] = run(at(folder), ARM, flags="-O0").measurements
    assert row.status == Status.BUILD_FAILED
    assert row.reason.startswith("no source defines the symbol 'update': it is only 'inline'")


def test_half_a_length_is_reported_as_that(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    edited(folder, "*clen = ", "*(unsigned int *)clen = ")
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.WRONG_ANSWER
    assert "wrote 4 of the 8 bytes of the ciphertext's length" in row.reason


def test_a_secret_message_number_is_reported_as_what_is_missing(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    api = folder / "api.h"
    text = api.read_text(encoding="utf-8")
    assert "CRYPTO_NSECBYTES 0" in text
    api.write_text(text.replace("CRYPTO_NSECBYTES 0", "CRYPTO_NSECBYTES 8"))
    message = "it takes a secret message number of 8 bytes; none is passed"
    result = run(at(folder), ARM)
    assert result.measurements[0].status == Status.OK and message in result.notes
    edited(folder, "*clen = mlen + 16", "*clen = mlen + 24")
    given = at(folder)
    keys = {
        planned(Job(each, board(ARM), "-Os", ())).key for each in (given, replace(given, nsec=0))
    }
    assert len(keys) == 2
    [row] = run(given, ARM).measurements
    assert row.status == Status.SKIPPED
    assert row.reason.startswith(f"{message}: encrypting record 1 (0 bytes of associated data")


def test_another_package_of_the_framework_s_is_named(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = '#include "crypto_stream_chacha20.h"\n' + source.read_text(encoding="utf-8")
    source.write_text(text, encoding="utf-8")
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.SKIPPED
    assert row.reason.startswith(
        "it needs another package of SUPERCOP's tree, crypto_stream/chacha20: encrypt.c"
    )


def test_a_package_is_built_with_those_of_its_tree_that_it_is_built_on(tmp_path: Path) -> None:
    blocks = tmp_path / "crypto_hashblocks" / "sha256" / "ref"
    core = tmp_path / "crypto_core" / "aes128encrypt" / "compact"
    for place in (blocks, core):
        place.mkdir(parents=True)
        (place / "api.h").write_text("#define CRYPTO_STATEBYTES 32\n")
    (blocks / "blocks.c").write_text(
        '#include "crypto_core_aes128encrypt.h"\n#include "crypto_hashblocks.h"\n#include "api.h"\n'
        "int CRYPTO_NAMESPACE(helps)(void) { return 0; }\n"
        "int crypto_hashblocks(unsigned char *s, const unsigned char *in, unsigned long long n) {\n"
        "    return crypto_core_aes128encrypt(s, in, in, 0) + CRYPTO_STATEBYTES + (int)n +\n"
        "           CRYPTO_NAMESPACE(helps)();\n}\n"
    )
    (core / "core.c").write_text(
        '#include "crypto_core.h"\n'
        "int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k,\n"
        "                const unsigned char *c) {\n"
        "    return out[0] + in[0] + k[0] + (c == 0);\n}\n"
    )
    folder = tmp_path / "crypto_hash" / "ones" / "ref"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("#define CRYPTO_BYTES 4\n")
    (folder / "hash.c").write_text(
        '#include "crypto_hash.h"\n#include "crypto_hashblocks_sha256.h"\n'
        "int CRYPTO_NAMESPACE(helps)(void) { return 2; }\n"
        "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long n) {\n"
        "    unsigned char one = 1;\n    (void)in;\n    (void)n;\n"
        "    for (int i = 0; i < crypto_hash_BYTES; i++) out[i] = 1;\n"
        "    return crypto_hashblocks_sha256(&one, &one, 5) - 41;\n}\n"
    )
    result = run(at(folder), ARM, verify="quick")
    assert (result.measurements[0].status, result.measurements[0].reason) == (Status.OK, "")
    before = result.provenance.sources_sha256
    (blocks / "api.h").write_text("#define CRYPTO_STATEBYTES (16 + 16)\n")
    again = run(at(folder), ARM, verify="quick")
    assert again.provenance.sources_sha256 != before
    travelling = ship(planned(Job(at(folder), board(ARM), "-Os", [Case(Operation.HASH, 0, 16)])))
    assert travelling is not None
    shutil.rmtree(core)
    [row] = run(at(folder), ARM).measurements
    assert (row.status, row.reason) == (
        Status.SKIPPED,
        "it needs another package of SUPERCOP's tree, crypto_core/aes128encrypt: no source "
        "defines the symbol 'crypto_core_aes128encrypt'",
    )
    assert [row.status for row in measure_shipped(travelling).measurements] == [Status.OK]


@pytest.mark.parametrize("link", ["crypto_hashblocks", "crypto_hashblocks/sha256"])
def test_no_link_leads_to_what_a_package_is_built_on(tmp_path: Path, link: str) -> None:
    elsewhere = tmp_path / "elsewhere" / "crypto_hashblocks" / "sha256" / "ref"
    elsewhere.mkdir(parents=True)
    (elsewhere / "api.h").write_text("#define CRYPTO_STATEBYTES 32\n")
    (elsewhere / "blocks.c").write_text("int crypto_hashblocks;\n")
    folder = tmp_path / "tree" / "crypto_hash" / "ones" / "ref"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text("#define CRYPTO_BYTES 4\n")
    (folder / "hash.c").write_text('#include "crypto_hashblocks_sha256.h"\n')
    place = tmp_path / "tree" / link
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(tmp_path / "elsewhere" / link)
    assert collect(at(folder)).compiled == ("hash.c",)
    place.unlink()
    there = tmp_path / "tree" / "crypto_hashblocks"
    shutil.copytree(elsewhere.parent.parent, there, dirs_exist_ok=True)
    assert len(collect(at(folder)).compiled) == 2
    os.mkfifo(folder / "more.h")
    with pytest.raises(BuildError, match=r"'more.h' is a device or a pipe, not a file"):
        _ = collect(at(folder)).sha256


def test_what_is_wrong_without_any_secret_number_stays_what_it_is(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    api = folder / "api.h"
    text = api.read_text(encoding="utf-8")
    api.write_text(text.replace("CRYPTO_NSECBYTES 0", "CRYPTO_NSECBYTES 8"))
    edited(folder, "*clen = mlen + 16", "c[mlen + 16] = 1, *clen = mlen + 16")
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.WROTE_OUTSIDE


def test_objects_with_another_name_for_a_function_are_others(tmp_path: Path) -> None:
    """The same files, built as a package of the tree and alone."""
    (tmp_path / "blocks.c").write_text("int crypto_hashblocks(void) { return 1; }\n")
    plain = Sources(tmp_path, ("blocks.c",), (), (tmp_path,))
    named = replace(plain, renamed=(("blocks.c", "-Dcrypto_hashblocks=crypto_hashblocks_x"),))
    headers = headers_folder(data_root() / "firmware")
    for sources, wanted in ((plain, False), (named, True)):
        place = tmp_path / f"built-{wanted}"
        place.mkdir()
        [made] = compile_all(for_board(board(ARM)), sources, ("-mcpu=cortex-m0",), headers, place)
        assert (b"crypto_hashblocks_x" in (place / made.file).read_bytes()) is wanted
