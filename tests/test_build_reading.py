"""What a compiler may read for a package, and what ends it that is not the package's doing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from packages_for_tests import ARM, at, board, copied
from pennyweight.build import BuildError, build
from pennyweight.toolchains.command import DisturbedError, run


def prepended(folder: Path, text: str) -> Path:
    source = folder / "encrypt.c"
    source.write_text(text + "\n" + source.read_text())
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(BuildError) as caught:
        build(at(folder), board(ARM), "-Os")
    return caught.value.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('#include ".more.h"', "encrypt.c: includes .more.h, whose name begins with a dot"),
        ('#include "/usr/include/linux/limits.h"', "which lies outside the implementation"),
        ('__asm__(".incbin \\"/usr/lib/os-release\\"");', "includes /usr/lib/os-release, which"),
        ('#if __has_include("/etc/passwd")\n#endif', "asks by __has_include"),
        ('#if __has_include("../x.h")\n#endif', "asks by __has_include"),
        ("#define F </etc/passwd>\n#if __has_include(F)\n#endif", "asks by __has_include(F)"),
    ],
)
def test_a_package_reads_only_what_names_its_job(tmp_path: Path, text: str, reason: str) -> None:
    folder = prepended(copied(tmp_path), text)
    (folder / ".more.h").write_text("")
    assert reason in refusal(folder)


def test_asking_for_own_and_library_headers_is_fine(tmp_path: Path) -> None:
    questions = (
        '#if __has_include("api.h") && __has_include(<stdint.h>)\n#include <stdint.h>\n#endif'
    )
    build(at(prepended(copied(tmp_path), questions)), board(ARM), "-Os")


def test_a_file_that_does_not_assemble_does_not_show_in_the_reason(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password123\n")
    folder = prepended(copied(tmp_path), f'__asm__(".include \\"{secret}\\"");')
    told = refusal(folder)
    assert f"includes {secret}, which lies outside" in told
    assert "password123" not in told


def test_a_precompiled_header_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "api.h.gch").write_bytes(b"gpch")
    assert "'api.h.gch' is a precompiled header" in refusal(folder)


def test_a_source_does_not_know_when_it_was_changed(tmp_path: Path) -> None:
    text = "const char when[] __attribute__((used)) = __TIMESTAMP__;"
    elves = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        folder = prepended(copied(tmp_path / name), text)
        source = folder / "encrypt.c"
        source.write_text(f"{source.read_text()}/* {name}: no object of the other's */\n")
        stamp = 1_000_000_000 if name == "a" else 1_500_000_000
        os.utime(source, (stamp, stamp))
        elves.append(build(at(folder), board(ARM), "-Os").programs["full"].elf)
    assert elves[0] == elves[1]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("kill -9 $$", "was killed, by hand or because memory ran out"),
        (
            "echo 'gcc: fatal error: Killed signal terminated program cc1'; exit 1",
            "was killed, by hand or because memory ran out",
        ),
        (
            "echo 'a.s: Fatal error: error writing to a.o: No space left on device'; exit 1",
            "the disk is full",
        ),
    ],
)
def test_what_the_machine_did_is_not_the_source_s_fault(
    tmp_path: Path, script: str, reason: str
) -> None:
    with pytest.raises(DisturbedError, match=reason):
        run(["sh", "-c", script], cwd=tmp_path)
