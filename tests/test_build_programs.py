"""Programs, sizes and the table of bytes, built with the real compilers."""

from __future__ import annotations

import os
import shutil
from multiprocessing import get_context
from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, BOARDS, at, board, copied, files, package, run, toy
from pennyweight import cache
from pennyweight.build import BuildError, build, build_key
from pennyweight.build.image import Image
from pennyweight.job import Job
from pennyweight.model import Status, UserError
from verdicts import cached_by_project

pytestmark = cached_by_project("builds")


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("flags", ["-Os", "-O3", "-Os -flto"])
def test_every_byte_of_a_program_has_an_owner(name: str, flags: str) -> None:
    built = build(Job(toy("ref"), board(name), flags))
    sizes = built.sizes
    flash = sum(row.bytes for row in built.symbols if row.section in ("text", "rodata", "data"))
    ram = sum(row.bytes for row in built.symbols if row.section in ("data", "bss"))
    assert flash == sizes.flash
    assert ram == sizes.ram
    names = {row.name for row in built.symbols}
    assert {"crypto_aead_encrypt", "crypto_aead_decrypt"} <= names
    assert not any(name.startswith(("pw_", "__vectors")) for name in names)


@pytest.mark.parametrize("name", BOARDS)
def test_one_direction_is_smaller_than_both(name: str) -> None:
    sizes = build(Job(toy("ref"), board(name), "-Os")).sizes
    assert sizes.flash and sizes.flash_enc and sizes.flash_dec
    assert max(sizes.flash_enc, sizes.flash_dec) < sizes.flash < sizes.flash_enc + sizes.flash_dec
    assert sizes.ram == 0


def test_static_data_costs_ram_and_its_initial_value_flash(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    before = build(Job(at(folder), board(ARM), "-Os")).sizes
    source = folder / "encrypt.c"
    text = source.read_text().replace("    (void)nsec;", "    (void)nsec; seen[mlen & 63]++;", 1)
    source.write_text(text.replace("#include", "static unsigned char seen[64] = {1};\n#include", 1))
    after = build(Job(at(folder), board(ARM), "-Os")).sizes
    assert (before.ram, after.ram) == (0, 64)
    assert after.flash is not None and before.flash is not None
    assert after.flash >= before.flash + 64


def test_what_the_compilers_library_gives_is_counted(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    source.write_text(
        source.read_text().replace("(void)nsec;", "(void)nsec; *clen = mlen / adlen;", 1)
    )
    rows = build(Job(at(folder), board(ARM), "-Os")).symbols
    assert any(row.object.startswith("libgcc.a(") and row.bytes > 50 for row in rows)


@pytest.mark.parametrize("name", BOARDS)
def test_a_hash_has_one_program(name: str) -> None:
    built = build(Job(package("crypto_hash/toyhash/ref"), board(name), "-Os"))
    assert set(built.programs) == {"empty", "full"}
    assert built.sizes.flash and built.sizes.flash_enc is None


@pytest.mark.parametrize("name", BOARDS)
def test_the_empty_program_starts_the_part_and_holds_nothing_else(name: str) -> None:
    built = build(Job(toy("ref"), board(name), "-Os"))
    image = Image(built.programs["empty"].elf)
    assert image.defines("pw_ready") and image.defines("pw_static_end")
    assert not image.defines("crypto_aead_encrypt")
    assert image.ram == 0
    assert image.flash < 320


def test_boards_that_look_alike_to_the_compiler_share_a_build() -> None:
    one, other = board(ARM), board("stm32f030-48mhz")
    assert build_key(Job(toy("ref"), one, "-Os")) == build_key(Job(toy("ref"), other, "-Os"))
    assert build_key(Job(toy("ref"), one, "-Os")) != build_key(Job(toy("ref"), one, "-O2"))
    assert build_key(Job(toy("ref"), one, "-Os")) != build_key(Job(toy("ref"), board(AVR), "-Os"))


def test_a_build_depends_on_content_and_not_on_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    here, there = copied(tmp_path / "here"), copied(tmp_path / "far" / "away there")
    first = build(Job(at(here), board(AVR), "-Os"))
    assert build_key(Job(at(here), board(AVR), "-Os")) == build_key(
        Job(at(there), board(AVR), "-Os")
    )
    shutil.rmtree(cache.folder() / "builds")
    second = build(Job(at(there), board(AVR), "-Os"))
    assert first.programs["full"].elf == second.programs["full"].elf
    source = there / "encrypt.c"
    source.write_text(source.read_text() + "\n")
    assert build_key(Job(at(here), board(AVR), "-Os")) != build_key(
        Job(at(there), board(AVR), "-Os")
    )


def test_a_header_is_part_of_a_build(tmp_path: Path) -> None:
    folder = copied(tmp_path, "rejects_valid")
    before = build_key(Job(at(folder), board(AVR), "-Os"))
    header = tmp_path / "common" / "toy.h"
    header.write_text(header.read_text() + "\n")
    assert build_key(Job(at(folder), board(AVR), "-Os")) != before


def test_names_with_spaces_quotes_and_letters_from_elsewhere_build(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    odd = tmp_path / 'it\'s a "fine" $place' / "crypto_aead" / "toy" / "größe 2"
    odd.parent.mkdir(parents=True)
    folder.rename(odd)
    (odd / "encrypt.c").rename(odd / "the cipher, (é) $1.c")
    built = build(Job(at(odd), board(AVR), "-Os"))
    assert any(row.object == "the cipher, (é) $1.c" for row in built.symbols)


def _build_once(folder: str) -> int | None:
    return build(Job(at(Path(folder)), board(AVR), "-Os")).sizes.flash


def test_two_processes_may_build_the_same_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A cache of its own: other tests may be building at this moment.
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    folder = copied(tmp_path)
    (folder / "encrypt.c").write_text((folder / "encrypt.c").read_text() + "/* new */\n")
    with get_context("spawn").Pool(4) as pool:
        sizes = pool.map(_build_once, [str(folder)] * 4)
    assert len(set(sizes)) == 1
    leftovers = [path for path in (cache.folder() / "builds").rglob(".new-*") if path.is_dir()]
    assert leftovers == []


FAILURES = {
    "does_not_compile": (
        Status.BUILD_FAILED,
        "common/toy.h:104:5: error: expected ';' before 'return'",
    ),
    "no_decrypt": (Status.BUILD_FAILED, "no source defines the symbol 'crypto_aead_decrypt'"),
    "undefined_function": (Status.BUILD_FAILED, "no source defines the symbol 'toy_nowhere'"),
    "includes_outside": (
        Status.BUILD_FAILED,
        "encrypt.c: includes /etc/hostname, which is outside the implementation's folder and "
        "its manifest's 'include'",
    ),
    "too_large": (Status.DOES_NOT_FIT, "bytes of flash, but the part has"),
    "too_much_ram": (
        Status.DOES_NOT_FIT,
        "bytes too many: 5000 bytes of static RAM, but the part has",
    ),
}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("failing", FAILURES)
def test_a_failure_is_a_status_with_a_reason(failing: str, name: str) -> None:
    status, reported = FAILURES[failing]
    with pytest.raises(BuildError) as caught:
        build(Job(toy(failing), board(name), "-Os"))
    assert caught.value.status is status
    assert reported in caught.value.reason
    assert "\n" not in caught.value.reason


def test_bytes_over_are_exact() -> None:
    with pytest.raises(BuildError) as caught:
        build(Job(toy("too_much_ram"), board(AVR), "-Os"))
    assert caught.value.reason.startswith(f"{5000 - 2048} bytes too many")


def test_a_program_beyond_all_reach_does_not_fit(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "encrypt.c").write_text(
        (folder / "encrypt.c")
        .read_text()
        .replace("(void)nsec;", "(void)nsec; c[0] = huge[mlen];", 1)
        + "\n"
    )
    text = (folder / "encrypt.c").read_text()
    (folder / "encrypt.c").write_text(
        text.replace(
            "#include", "static unsigned char huge[30000], more[30000], last[30000];\n#include", 1
        ).replace("c[0] = huge[mlen];", "c[0] = huge[mlen]++ + more[mlen]++ + last[mlen]++;")
    )
    with pytest.raises(BuildError) as caught:
        build(Job(at(folder), board(AVR), "-Os"))
    assert caught.value.status is Status.DOES_NOT_FIT


def test_a_compiler_that_does_not_end_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pennyweight.toolchains import command

    for words in ("sleep 60 & sleep 60", "exec >&- 2>&-; sleep 60", "while :; do echo x; done"):
        done = command.run(["sh", "-c", words], cwd=tmp_path, time_limit=0.3)
        assert done.timed_out and not done.ok


def test_a_flood_of_messages_is_cut(tmp_path: Path) -> None:
    from pennyweight.toolchains import command

    done = command.run(["sh", "-c", "head -c 30000000 /dev/zero; exit 3"], cwd=tmp_path)
    assert done.status == 3 and len(done.output) == command.OUTPUT_LIMIT


def test_a_source_that_wants_all_memory_fails_to_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pennyweight.toolchains import command

    monkeypatch.setattr(command, "MEMORY_LIMIT", 100 << 20)
    folder = copied(tmp_path)
    macros = ["#define A0 1,1,1,1,1,1,1,1,"]
    macros += [f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1}" for i in range(1, 10)]
    (folder / "bomb.c").write_text("\n".join([*macros, "const int bomb[] = { A9 };", ""]))
    with pytest.raises(BuildError, match="memory"):
        build(Job(at(folder), board(ARM), "-Os"))


def test_a_pipe_or_device_among_the_sources_is_refused(tmp_path: Path) -> None:
    pipe, device = copied(tmp_path / "pipe"), copied(tmp_path / "device")
    os.mkfifo(pipe / "endless.h")
    (device / "endless.h").symlink_to("/dev/zero")
    with pytest.raises(BuildError, match=r"'endless\.h' is a device or a pipe, not a file"):
        build(Job(at(pipe), board(ARM), "-Os"))
    with pytest.raises(BuildError, match=r"'endless\.h' is a link that points out of"):
        build(Job(at(device), board(ARM), "-Os"))


def test_a_compiler_does_not_see_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pennyweight.toolchains import command

    monkeypatch.setenv("CPATH", "/tmp")
    assert "CPATH" not in command.run(["env"], cwd=tmp_path).output


def test_a_flag_that_the_compiler_refuses_is_reported() -> None:
    with pytest.raises(UserError) as caught:
        build(Job(toy("ref"), board(AVR), "-Os -fno-such-thing"))
    message = str(caught.value)
    assert "flags '-Os -fno-such-thing': avr-gcc (GCC)" in message
    assert "rejects them for board 'atmega328p'" in message
    assert "-fno-such-thing" in message.partition("rejects")[2]


MANIFESTS = {
    'sources = ["../../../../../etc/passwd"]': "is outside the implementation",
    'sources = ["/etc/passwd"]': "is outside the implementation",
    'sources = ["nowhere.c"]': "field 'sources': there is no file 'nowhere.c'",
    'sources = ["api.h"]': "is not a C or assembly file",
    'include = ["../../../.."]': "is outside the implementation",
    'include = ["nowhere"]': "field 'include': there is no folder 'nowhere'",
}


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_a_manifest_reaches_no_further_than_its_tree(manifest: str, tmp_path: Path) -> None:
    folder = copied(tmp_path / "tree")
    (folder / "implementation.toml").write_text(manifest + "\n")
    with pytest.raises(BuildError, match=r"implementation\.toml") as caught:
        build(Job(at(folder), board(AVR), "-Os"))
    assert MANIFESTS[manifest] in caught.value.reason


def test_a_source_that_links_elsewhere_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "tree")
    (tmp_path / "secret.c").write_text("int secret;\n")
    (folder / "more.c").symlink_to(tmp_path / "secret.c")
    with pytest.raises(BuildError, match=r"'more\.c' is a link that points out"):
        build(Job(at(folder), board(AVR), "-Os"))


def test_an_include_by_dots_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "tree")
    (tmp_path / "secret.h").write_text("\n")
    source = folder / "encrypt.c"
    source.write_text('#include "../../../../secret.h"\n' + source.read_text())
    with pytest.raises(BuildError, match="which is outside"):
        build(Job(at(folder), board(ARM), "-Os"))


def test_control_characters_in_a_name_are_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "two\nlines.c").write_text("int two;\n")
    with pytest.raises(BuildError, match="has a control character"):
        build(Job(at(folder), board(AVR), "-Os"))


def test_a_folder_without_sources_is_reported(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "encrypt.c").unlink()
    with pytest.raises(BuildError, match="no source in the folder"):
        build(Job(at(folder), board(AVR), "-Os"))


def test_the_generator_of_known_answers_is_skipped(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "genkat_aead.c").write_text("int main(void) { return fopen(1); }\n")
    assert build(Job(at(folder), board(AVR), "-Os")).sizes.flash


def test_a_cache_that_cannot_be_written_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(blocked / "below"))
    folder = cache.folder()
    assert folder.is_dir() and not folder.is_relative_to(blocked)


def test_a_failed_build_leaves_nothing_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    with pytest.raises(BuildError):
        build(Job(toy("does_not_compile"), board(AVR), "-Os"))
    assert [path for path in (tmp_path / "cache" / "builds").rglob("*") if path.is_file()] == []


def test_a_damaged_cache_entry_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    good = build(Job(toy("ref"), board(AVR), "-Os"))
    for path, content in (("full.elf", b"junk"), ("build.json", b"{"), ("build.json", b"{}")):
        [kept] = (tmp_path / "cache" / "builds").rglob(path)
        kept.write_bytes(content)
        assert build(Job(toy("ref"), board(AVR), "-Os")) == good
    [kept] = (tmp_path / "cache" / "builds").rglob("enc.elf")
    kept.unlink()
    assert build(Job(toy("ref"), board(AVR), "-Os")) == good


def test_eeprom_is_neither_flash_nor_ram(tmp_path: Path) -> None:
    before = build(Job(toy("ref"), board(AVR), "-Os")).sizes
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    stored = '__attribute__((section(".eeprom"), used)) const unsigned char stored[90] = {1};\n'
    text = source.read_text().replace(
        "(void)nsec;", "(void)nsec; (void)*(volatile char *)stored;", 1
    )
    source.write_text(stored + text)
    after = build(Job(at(folder), board(AVR), "-Os")).sizes
    assert after.ram == before.ram
    assert after.flash is not None and before.flash is not None
    assert after.flash - before.flash < 20


@pytest.mark.parametrize("name", BOARDS)
def test_a_package_may_be_in_cplusplus(name: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "encrypt.c").rename(folder / "encrypt.cpp")
    names = {row.name for row in build(Job(at(folder), board(name), "-Os")).symbols}
    assert {"crypto_aead_encrypt", "crypto_aead_decrypt"} <= names


def test_constructors_that_would_run_before_main_are_reported(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    constructor = (
        "static volatile int seed;\n__attribute__((constructor)) void start(void) { seed = 7; }\n"
    )
    (folder / "start.c").write_text(constructor)
    source = folder / "encrypt.c"
    text = source.read_text().replace("(void)nsec;", "(void)nsec; start();", 1)
    source.write_text("void start(void);\n" + text)
    with pytest.raises(BuildError, match=r"^constructors that run before main are not supported"):
        build(Job(at(folder), board(ARM), "-Os"))


@pytest.mark.parametrize("name", BOARDS)
def test_an_assertion_links(name: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text().replace("(void)nsec;", "(void)nsec; assert(mlen < 60000);", 1)
    source.write_text("#include <assert.h>\n" + text)
    [row] = run(at(folder), name).measurements
    assert row.status == Status.OK


@pytest.mark.parametrize("name", ["small", "fast8"])
def test_bundled_assembly_is_not_for_parts_without_mul(name: str) -> None:
    [implementation] = files().find(f"chacha20-poly1305/{name}")
    built = build(Job(implementation, board("attiny85"), "-Os", []))
    assert {"enc", "dec", "full"} <= set(built.programs)
