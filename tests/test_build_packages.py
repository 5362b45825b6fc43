"""Third-party packages: descriptions, files outside the folder, no api.h."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, BOARDS, PACKAGES, at, copied, enc, files, run
from pennyweight.build.assembly import machine_of
from pennyweight.build.failure import first_error, lacks_cplusplus, no_cplusplus
from pennyweight.build.sources import Sources, collect
from pennyweight.catalogue import felics
from pennyweight.catalogue.api_header import read_api
from pennyweight.model import Kind, Status, UserError
from pennyweight.toolchains import FAMILIES
from pennyweight.verify.felics import own_record
from verdicts import cached_by_project

pytestmark = cached_by_project("builds")

DESCRIPTION = """#include "lwc_crypto_aead.h"
#include "api.h"
#include "own.h"

aead_ctx lwc_aead_cipher = {
    "toy", "named", CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES, CRYPTO_ABYTES, toy_seal, toy_open
};
"""
OWN = """#define crypto_aead_encrypt toy_seal
#define crypto_aead_decrypt toy_open
#include "crypto_aead.h"
"""


def named_otherwise(tmp_path: Path) -> Path:
    """The working toy with non-standard function names, and NIST's description."""
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    source.write_text('#include "own.h"\n' + source.read_text())
    (folder / "own.h").write_text(OWN)
    (folder / "lwc_crypto_aead.c").write_text(
        DESCRIPTION.replace('#include "own.h"', "#include <stddef.h>\n").replace(
            "aead_ctx lwc",
            "extern int toy_seal(unsigned char *, unsigned long long *, const unsigned char *,\n"
            "    unsigned long long, const unsigned char *, unsigned long long,\n"
            "    const unsigned char *, const unsigned char *, const unsigned char *);\n"
            "extern int toy_open(unsigned char *, unsigned long long *, unsigned char *,\n"
            "    const unsigned char *, unsigned long long, const unsigned char *,\n"
            "    unsigned long long, const unsigned char *, const unsigned char *);\n"
            "aead_ctx lwc",
        )
    )
    return folder


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("flags", ["-Os", "-O3 -flto"])
def test_functions_with_names_of_their_own_are_found_by_the_description(
    flags: str, name: str, tmp_path: Path
) -> None:
    [other] = run(at(named_otherwise(tmp_path)), name, enc(4, 20), flags=flags).measurements
    assert other.reason == ""
    [same] = run(at(copied(tmp_path / "plain")), name, enc(4, 20), flags=flags).measurements
    assert (other.cycles, other.stack) == (same.cycles, same.stack)
    assert (other.flash_enc, other.flash_dec) == (same.flash_enc, same.flash_dec)


@pytest.mark.parametrize("name", BOARDS)
def test_a_description_cannot_give_the_linker_options(name: str, tmp_path: Path) -> None:
    """Assembly may call a symbol anything, and a function's name goes into the linker's options."""
    folder, written = named_otherwise(tmp_path), tmp_path / "written"
    file = folder / "lwc_crypto_aead.c"
    odd = f'__asm__("\\"toy_seal,-Map,{written}\\"")'
    own = "const unsigned char *, const unsigned char *, const unsigned char *)"
    text = file.read_text()
    assert own in text
    file.write_text(text.replace(own, f"{own} {odd}", 1))
    [row] = run(at(folder), name).measurements
    assert row.status == Status.BUILD_FAILED and "which is not a C identifier" in row.reason
    assert not written.exists()


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (
            '.section .more, \\"\\", %0x4\\n.long 1',
            "object cannot be read (ELFError: Expected sh_ent",
        ),
        (
            '.section .more, \\"\\", %0x5\\n.long 1',
            "object cannot be read (ELFError: Section points",
        ),
        (
            ".space 2000000",
            "the description takes more than 1 MB, which is more than any part can hold",
        ),
    ],
)
def test_a_description_may_hold_anything(section: str, expected: str, tmp_path: Path) -> None:
    """The library that reads it raises an exception, and takes time for each entry."""
    folder = named_otherwise(tmp_path)
    with (folder / "lwc_crypto_aead.c").open("a") as file:
        file.write(f'__asm__("{section}\\n.text");\n')
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.BUILD_FAILED and expected in row.reason


def test_a_description_that_is_not_needed_is_not_compiled(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "lwc_crypto_aead.c").write_text('#include "LWC_Crypto_AEAD.h"\n')
    assert run(at(folder), ARM).measurements[0].status == Status.OK


def test_a_description_that_is_needed_must_compile(tmp_path: Path) -> None:
    folder = named_otherwise(tmp_path)
    (folder / "lwc_crypto_aead.c").write_text('#include "LWC_Crypto_AEAD.h"\n')
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.BUILD_FAILED
    assert "LWC_Crypto_AEAD.h: No such file" in row.reason


@pytest.mark.parametrize("flags", ["-Os", "-O2 -flto"])
@pytest.mark.parametrize("name", BOARDS)
def test_a_file_from_elsewhere_is_not_taken_in_by_the_assembler(
    name: str, flags: str, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.bin"
    secret.write_bytes(b"not the implementation's")
    folder = copied(tmp_path / "tree")
    source = folder / "encrypt.c"
    line = f'__asm__(".section .rodata\\n.incbin \\"{secret}\\"\\n.text\\n");\n'
    source.write_text(line + source.read_text())
    [row] = run(at(folder), name, flags=flags).measurements
    assert row.status == Status.BUILD_FAILED
    assert "secret.bin, which is outside the implementation's folder" in row.reason


def test_a_file_of_its_own_may_be_taken_in_and_names_the_build(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "table.bin").write_bytes(bytes(range(16)))
    source = folder / "encrypt.c"
    line = '__asm__(".section .rodata\\n.incbin \\"table.bin\\"\\n.text\\n");\n'
    source.write_text(line + source.read_text())
    first = run(at(folder), ARM)
    assert first.measurements[0].status == Status.OK
    (folder / "table.bin").write_bytes(bytes(16))
    assert run(at(folder), ARM).provenance.job != first.provenance.job


def test_names_that_chance_gives_are_not_in_reasons(tmp_path: Path) -> None:
    output = "encrypt.c: Assembler messages:\n/tmp/build/cccGxmFK.s:679: Error: bad instruction\n"
    assert first_error(output) == "Error: bad instruction"
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    source.write_text('__asm__("frobnicate r0\\n");\n' + source.read_text())
    for name in BOARDS:
        [row] = run(at(folder), name).measurements
        assert row.status == Status.BUILD_FAILED
        assert "frobnicate" in row.reason
        assert ".s:" not in row.reason and "/" not in row.reason


def test_a_crate_in_a_users_folder_is_not_built(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    for source in folder.glob("*.c"):
        source.unlink()
    (folder / "Cargo.toml").write_text('[package]\nname = "x"\nversion = "1.0.0"\n')
    row = run(at(folder), AVR).measurements[0]
    assert row.status == Status.BUILD_FAILED and "no source in the folder" in row.reason


def test_a_folder_without_api_h_in_a_tree_is_reported(tmp_path: Path) -> None:
    copied(tmp_path)
    lacking = copied(tmp_path, "needs_alignment")
    (lacking / "api.h").unlink()
    (tmp_path / "crypto_aead" / "toy" / "docs").mkdir()
    (tmp_path / "crypto_aead" / "toy" / "docs" / "README.txt").write_text("no implementation")
    found = {each.name: each for each in files().find(str(tmp_path))}
    assert set(found) == {"ref", "needs_alignment"}
    assert found["ref"].problem == ""
    assert "needs_alignment: has sources but no api.h; add one" in found["needs_alignment"].problem
    [row] = run(found["needs_alignment"], AVR, enc(0, 0)).measurements
    # Results, which may be read on other machines, do not contain this machine's folder.
    reported = found["needs_alignment"].problem.removeprefix(f"{tmp_path}/")
    assert (row.status, row.reason) == (Status.SKIPPED, reported)


ASSEMBLY = {
    "AVR": "#include <avr/io.h>\n.global f\nf:\n    ldi r24, 1\n    rjmp f\n    brne f\n",
    "Arm": ".syntax unified\n.thumb\nf:\n    push {r4, lr}\n    bx lr\n",
    "RISC-V": "f:\n    addi sp, sp, -16\n    lw t0, 0(a0)\n    slli t0, t0, 3\n",
    "x86": ".global f\nf:\n    movq %rax, %rbx\n    vpxor %ymm0, %ymm0, %ymm0\n    ret\n",
}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("machine", ASSEMBLY)
def test_assembly_for_another_machine_is_skipped_with_that_reason(
    machine: str, name: str, tmp_path: Path
) -> None:
    folder = copied(tmp_path)
    (folder / "core.S").write_text(ASSEMBLY[machine])
    [row] = run(at(folder), name, verify="none").measurements
    if machine == {AVR: "AVR", ARM: "Arm"}[name]:
        assert row.status == Status.OK
    else:
        assert row.status == Status.SKIPPED
        assert row.reason.startswith(f"its assembly is for {machine} (core.S): ")


def test_assembly_that_is_skipped_elsewhere_is_reported_when_its_symbol_is_missing(
    tmp_path: Path,
) -> None:
    folder = copied(tmp_path)
    (folder / "core.S").write_text("#if defined(__AVR__)\n.global away\naway:\n    ret\n#endif\n")
    source = folder / "encrypt.c"
    text = source.read_text().replace("(void)nsec;", "(void)nsec; away();", 1)
    source.write_text("void away(void);\n" + text)
    assert run(at(folder), AVR, verify="none").measurements[0].status == Status.OK
    [row] = run(at(folder), ARM, verify="none").measurements
    assert row.status == Status.SKIPPED
    assert row.reason == "its assembly is for AVR (core.S): no source defines the symbol 'away'"
    (folder / "core.S").write_text("#if defined(__arm__)\n.global other\nother:\n#endif\n")
    [row] = run(at(folder), ARM, verify="none").measurements
    assert (row.status, row.reason) == (
        Status.BUILD_FAILED,
        "no source defines the symbol 'away'",
    )


def test_thumb_2_is_reported_from_what_a_small_arm_core_has(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "core.S").write_text(".syntax unified\n.thumb\nf:\n    eor r2, r2, #240\n    bx lr\n")
    [row] = run(at(folder), ARM).measurements
    assert row.status == Status.SKIPPED
    assert row.reason.startswith(
        "its assembly is for a larger Arm core than the cortex-m0 (core.S)"
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "fe310-g002",
            "f:\n    addi a0, a0, 1\n    orn a0, a1, a2\n    ret\n",
            "core.S:3: 'orn a0,a1,a2' is of the extension zbb or zbkb, which the sifive-e31 does "
            "not have; replace it, or choose a board with another core",
        ),
        (
            "esp8266",
            "#include <xtensa/coreasm.h>\nf:\n    ret\n",
            "its assembly needs headers of Espressif's compiler, xtensa-esp32-elf-gcc (core.S): ",
        ),
    ],
)
def test_what_a_core_or_its_compiler_lacks_is_reported(
    name: str, text: str, expected: str, tmp_path: Path
) -> None:
    folder = copied(tmp_path)
    (folder / "core.S").write_text(text)
    [row] = run(at(folder), name).measurements
    assert row.status == Status.SKIPPED and row.reason.startswith(expected)


def test_a_mistake_in_ones_own_assembly_is_a_failed_build(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "core.S").write_text(".syntax unified\n.thumb\nf:\n    bx lr\n    frobnicate r0\n")
    assert run(at(folder), ARM).measurements[0].status == Status.BUILD_FAILED


def test_a_combined_package_is_an_aead_and_a_hash(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_aead_hash" / "toy1_toy2" / "ref"
    shutil.copytree(PACKAGES / "crypto_aead" / "toy" / "ref", folder)
    shutil.copy(PACKAGES / "crypto_hash" / "toyhash" / "ref" / "hash.c", folder)
    with (folder / "api.h").open("a") as api:
        api.write("#define CRYPTO_BYTES 16\n")
    aead, hash_ = files().find(str(tmp_path))
    assert (aead.id, hash_.id) == ("toy1_toy2-aead/ref@toy1_toy2", "toy1_toy2-hash/ref@toy1_toy2")
    both = files().find(str(folder))
    assert [each.kind for each in both] == [Kind.AEAD, Kind.HASH]
    for each in both:
        assert run(each, ARM).measurements[0].status == Status.OK


def test_a_combined_package_of_known_algorithms_is_both_of_them(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_aead_hash" / "romulusn_romulush" / "ref"
    folder.mkdir(parents=True)
    sizes = "KEYBYTES 16", "NPUBBYTES 16", "ABYTES 16", "BYTES 32"
    (folder / "api.h").write_text("".join(f"#define CRYPTO_{size}\n" for size in sizes))
    assert [each.algorithm for each in files().find(str(tmp_path))] == ["romulus-n", "romulus-h"]


@pytest.mark.parametrize(
    ("machine", "text"),
    [
        ("Arm", "f:\n    movw r1, #0xcc00\n    and r2, r10, r7, lsr #12\n    ldr.w r3, [r0]\n"),
        ("Arm", "f:\n    mov.w r1, r2\n    eor.w r1, r1, r2\n    str r1, [r0]\n"),
        (
            "AVR",
            "f:\n    movw r30, r24\n    ld r18, Z+\n    lsr r18\n    ror r19\n    st X+, r18\n",
        ),
        ("MSP430", "f:\n    mov.w @r12+, r13\n    xor.w r13, r14\n"),
        ("PowerPC", "f:\n    stwu 1, -400(1)\n    mflr 0\n    lwz 3, 0(3)\n"),
    ],
)
def test_assembly_is_recognised_by_what_only_one_machine_has(
    machine: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "core.S").write_text(text)
    assert machine_of(Sources(tmp_path, ("core.S",), (), ())) == (machine, "core.S")


LONG = 1_000_000
HOSTILE = {
    "api.h": [
        "#define CRYPTO_KEYBYTES 16" + " " * LONG + "x\n",
        "#define CRYPTO_KEYBYTES 16\n" + "/* " * (LONG // 3),
    ],
    "encrypt.c": ["asm " * (LONG // 4) + ";", "/* " * (LONG // 3)],
    "test_vectors.c": ["expectedKey " * (LONG // 12), "expectedKey={" * (LONG // 13)],
}
"""What takes a pattern that tries again at each place hours."""


@pytest.mark.parametrize(("name", "text"), [(n, t) for n in HOSTILE for t in HOSTILE[n]])
def test_no_text_of_a_package_takes_long_to_read(name: str, text: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / name).write_text(text)

    def too_long(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(30)
    try:
        if name == "api.h":
            with contextlib.suppress(UserError):
                read_api(folder / name)
        elif name == "encrypt.c":
            assert machine_of(collect(at(folder))) is None
        else:
            assert own_record(folder) is None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_a_message_without_end_is_shortened() -> None:
    assert first_error("error: " + "x" * LONG) == "error: " + "x" * 292 + "…"


def test_headers_that_include_each_other_are_read_once(tmp_path: Path) -> None:
    """FELICS's constants: each header includes ten thousand, four levels deep."""
    folder = tmp_path / "Cipher_128_64_96_64_128_v01" / "source"
    folder.mkdir(parents=True)
    includes = "".join(f'#include "h{n}.h"\n' for n in range(100)) * 100
    for n in range(100):
        (folder / f"h{n}.h").write_text(includes)
    secret = tmp_path / "secret.h"
    secret.write_text("#define STATE_SIZE 16\n")
    own = "".join(f"#define {name}_SIZE 16\n" for name in ("KEY", "NONCE", "TAG", "BLOCK"))
    (folder / "constants.h").write_text(f'{includes}#include "{secret}"\n{own}')
    with pytest.raises(UserError, match=r"STATE_SIZE is not a number of bytes"):
        felics.read(folder)


PRINTING = r"""
#include "crypto_uint32.h"
#include "crypto_verify_16.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int toy_prints(const unsigned char *m, unsigned long long mlen)
{
    static const unsigned char same[2][16] = {{1}, {1}};
    crypto_uint32 large = 0x2A5F678;
    char text[64];

    printf("message of %lu bytes, first %02X\n", (unsigned long)mlen, mlen ? m[0] : 0);
    fprintf(stderr, "%s\n", "to no reader");
    sprintf(text, "%08lx|%-5d|%+d|%5.1s|%c|%u|%%|%05d", (unsigned long)large, 42, 7, "ab",
            'z', 65535u, -12);
    assert(crypto_verify_16(same[0], same[1]) == 0);
    return strcmp(text, "02a5f678|42   |+7|    a|z|65535|%|-0012");
}
"""


@pytest.mark.parametrize("name", [*BOARDS, "fe310-g002", "esp8266", "msp430f1611", "pic32mx340"])
def test_a_package_that_prints_and_takes_supercops_headers_is_measured(
    name: str, tmp_path: Path
) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text()
    source.write_text(
        PRINTING
        + text.replace("(void)nsec;", "(void)nsec; if (toy_prints(m, mlen)) { return 7; }", 1)
    )
    [row] = run(at(folder), name, enc(0, 4), verify="quick").measurements
    assert (row.status, row.reason) == (Status.OK, "")


@pytest.mark.parametrize("name", [*BOARDS, "fe310-g002", "esp8266"])
def test_cplusplus_has_cs_headers_by_its_own_names_and_a_heap(name: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    text = (folder / "encrypt.c").read_text()
    (folder / "encrypt.c").unlink()
    used = """
        std::uint8_t *made = new std::uint8_t[4];
        std::memset(made, 1, 4);
        if (std::memcmp(made, "\\1\\1\\1\\1", 4) != 0) { return 7; }
        delete[] made;
        (void)nsec;"""
    (folder / "encrypt.cpp").write_text(
        "#include <cstdint>\n#include <cstring>\n" + text.replace("(void)nsec;", used, 1)
    )
    [row] = run(at(folder), name, enc(0, 4), verify="quick").measurements
    assert (row.status, row.reason) == (Status.OK, "")


def test_a_reason_does_not_show_where_the_compilers_headers_lie(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "broken.c").write_text("enum { uint32_t };\n#include <stdint.h>\n")
    [row] = run(at(folder), "fe310-g002", verify="none").measurements
    assert row.status == Status.BUILD_FAILED
    assert re.match(r"stdint-gcc\.h:\d+:\d+: error: ", row.reason), row.reason


def test_where_a_linker_found_an_error_is_not_taken_for_the_error() -> None:
    output = (
        "/usr/bin/xtensa-lx106-elf-ld: 000.o: in function `crypto_aead_decrypt':\n"
        "a.c:8:(.text.f+0x19): dangerous relocation: call0: call target out of range\n"
    )
    assert first_error(output).startswith("a.c:8:(.text.f+0x19): dangerous relocation: call0")


def test_a_compiler_for_c_only_is_reported() -> None:
    found_text = "mipsel-linux-gnu-gcc: fatal error: cannot execute 'cc1plus': execvp: No such file"
    assert lacks_cplusplus(found_text)
    assert lacks_cplusplus("error: ./a.cpp: C++ compiler not installed on this system")
    assert not lacks_cplusplus("a.cpp:1:1: error: expected unqualified-id")
    reported = no_cplusplus("a.cpp", FAMILIES["mipsel-linux-gnu-gcc"])
    assert reported.status == Status.SKIPPED
    assert reported.reason == (
        "a.cpp is C++, and the mipsel-linux-gnu-gcc here compiles C only; "
        "`apt-get install g++-mipsel-linux-gnu` adds C++"
    )
