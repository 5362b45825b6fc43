"""What a compiler may read for a package, and what ends it that is not the package's doing."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from packages_for_tests import ARM, BOARDS, at, board, copied
from pennyweight.build import BuildError, build
from pennyweight.build.inspection import inspect_sources
from pennyweight.build.objects import _TIMELESS, COMMON
from pennyweight.build.programs import build_key
from pennyweight.build.sources import collect
from pennyweight.job import Job
from pennyweight.toolchains import command, for_board
from pennyweight.toolchains.command import Completed, DisturbedError, run
from pennyweight.verify.vectors import package_file
from verdicts import cached_by_project

pytestmark = cached_by_project("builds")

PASTED = '#define P(a, b) a##b\n#if P(__has_, include)("/etc/passwd")\n#error yes\n#endif'

PRAGMA = "tests for a file with the pragma 'GCC dependency'; remove the pragma"


def prepended(folder: Path, text: str) -> Path:
    source = folder / "encrypt.c"
    source.write_text(text + "\n" + source.read_text())
    return folder


def refusal(folder: Path, name: str = ARM, flags: str = "-Os") -> str:
    with pytest.raises(BuildError) as caught:
        build(Job(at(folder), board(name), flags))
    return caught.value.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('#include ".more.h"', "encrypt.c: includes .more.h, whose name begins with a dot"),
        ('#include "/usr/include/linux/limits.h"', "which is outside the implementation"),
        ('__asm__(".incbin \\"/usr/lib/os-release\\"");', "includes /usr/lib/os-release, which"),
        ('#if __has_include("/etc/passwd")\n#endif', "tests with __has_include"),
        ('#if __has_include("../x.h")\n#endif', "tests with __has_include"),
        ("#define F </etc/passwd>\n#if __has_include(F)\n#endif", "tests with __has_include(F)"),
        (
            '#if __has_include("api.h") && __has_include("/x.h")\n#endif',
            'tests with __has_include("/x',
        ),
        ('#if __has_include__("/etc/passwd")\n#endif', "tests with __has_include__"),
        ('#if __has_include /**/ ("/etc/passwd")\n#endif', "tests with __has_include ("),
        ('#define H __has_include\n#if H("/etc/passwd")\n#endif', "tests with __has_include"),
        ('#define ifdef\n#if ifdef __has_include("/x")\n#endif', "tests with __has_include"),
        ('#if __has_\\ \ninclude("/etc/passwd")\n#endif', "tests with __has_include"),
        ('#pragma GCC dependency "/etc/passwd"', PRAGMA),
        ('#pragma GCC dependency "/nowhere"', PRAGMA),
        (
            "#define S(x) #x\n#define P(a, b) S(GCC a##b </etc/passwd>)\n_Pragma(P(depend, ency))",
            PRAGMA,
        ),
        (
            '#if __has_include("api.h")\n#endif\n#pragma GCC dependency "/etc/passwd"',
            PRAGMA,
        ),
        (PASTED, "builds a test with __has_include from macros"),
        (f'#if __has_include("api.h")\n#endif\n{PASTED}', "the words __has_ and include"),
        (
            '#define P(a, b, c) a##b##c\n#if __has_include("api.h")\n#endif\n'
            "#if P(_, _has, _include)(</etc/passwd>)\n#endif",
            "the words _ and _has and _include",
        ),
        ('%:if __has_include("/etc/passwd")\n#endif', "tests with __has_include"),
        (
            '// ??/\n#define X\n??=if __has_include("/etc/passwd")\n??=endif',
            "tests with __has_include",
        ),
        (
            '#if __has_??/\ninclude("/etc/passwd")\n#endif\n// __has_include',
            "words __has_ and include",
        ),
        (
            'char *s = "/*";\n#if __has_include("/etc/passwd")\n#endif\nchar *e = "*/";',
            "tests with __has_include",
        ),
        ('int dependency; // "\n_Pragma("GCC /**/ dependency \\"/etc/passwd\\"")', PRAGMA),
        (
            "#define DO(x) _Pragma(#x)\nint dependency;\nDO(GCC dependency </etc/passwd>)",
            PRAGMA,
        ),
        ('int dependency;\n%:pragma GCC dependency "/etc/passwd"', PRAGMA),
    ],
)
def test_a_package_reads_only_what_names_its_job(tmp_path: Path, text: str, reason: str) -> None:
    folder = prepended(copied(tmp_path), text)
    (folder / ".more.h").write_text("")
    assert reason in refusal(folder)


@pytest.mark.parametrize(
    "text",
    [
        "static int dependency(int dependency) { return dependency; }\nint x(void);\n"
        "int x(void) { return dependency(1); }",
        '_Pragma("GCC diagnostic push")\nstruct graph { int dependency; } graph;',
        "#define DO(x) _Pragma(#x)\nDO(GCC diagnostic push)\nint dependency;",
        '#pragma message "a dependency"\n_Pragma("message(\\"GCC dependency\\")")\nint dependency;',
        'const char *help = "__has_include(x) is ??/ not needed";',
        '#if defined X && 0\n#error "__has_include(</etc/passwd>) is missing"\n#endif',
        '#define HELP "__has_include, " "__has_" "include"\nconst char *help = HELP;',
        'const char *what = "what??/n";\n/* __has_include("/etc/passwd") */',
        'const char *what = "what??";\n// __has_include("/etc/passwd") ??/ ??= */',
    ],
)
@pytest.mark.parametrize("flags", ["-Os", "-Os -std=c11"])
def test_words_that_test_for_no_file_are_allowed(tmp_path: Path, text: str, flags: str) -> None:
    build(Job(at(prepended(copied(tmp_path), text)), board(ARM), flags))


def test_clang_allows_a_variable_named_dependency(tmp_path: Path) -> None:
    job = Job(
        at(prepended(copied(tmp_path), "int dependency;")), board(ARM), "-Os", compiler="clang"
    )
    build(job)


@pytest.mark.parametrize(
    "text", ['#pragma GCC dependency "/etc/passwd"', '_Pragma("GCC dependency </etc/passwd>")']
)
def test_clang_tests_for_no_file(tmp_path: Path, text: str) -> None:
    job = Job(at(prepended(copied(tmp_path), text)), board(ARM), "-Os", compiler="clang")
    with pytest.raises(BuildError, match=PRAGMA):
        build(job)


@pytest.mark.parametrize("name", BOARDS)
def test_asking_for_own_and_library_headers_is_fine(name: str, tmp_path: Path) -> None:
    questions = (
        '#ifdef __has_include\n#if __has_include("api.h") && __has_include(<stdint.h>)\n'
        "#include <stdint.h>\n#else\n#error no\n#endif\n#endif"
    )
    build(Job(at(prepended(copied(tmp_path), questions)), board(name), "-Os"))


def test_an_underscore_alone_is_not_a_test_for_a_file(tmp_path: Path) -> None:
    """As in types.h of wolfSSL, which also has single letters."""
    text = (
        '#if __has_include("api.h")\n#define P(a, b) a##b\n'
        "#define h 1\n#define a 1\n#define s 1\n#undef h\n#undef a\n#undef s\n"
        "enum { P(_, 1) };\n#endif"
    )
    build(Job(at(prepended(copied(tmp_path), text)), board(ARM), "-Os"))


def test_a_word_in_a_comment_is_not_a_test_for_a_file(tmp_path: Path) -> None:
    folder = prepended(
        copied(tmp_path),
        "/* __has_include(</etc/passwd>) is not used here */\n"
        '// nor __has_include("../x.h"), without any dependency',
    )
    build(Job(at(folder), board(ARM), "-Os"))


ASSEMBLY = ".syntax unified\n.thumb\n.global other\nother:\n    bx lr\n"


@pytest.mark.parametrize(
    "comment",
    [
        "@ its single dependency is memcpy",
        "@ its single dependency is memcpy; no pragma is needed",
        '// not with __has_include("/etc/passwd")',
        '.ascii "__has_include(</etc/passwd>)" @ don\'t use __has_include(</etc/passwd>)',
        '/* #if __has_include("/etc/passwd") */ @ ??/',
    ],
)
def test_a_word_in_an_assemblers_comment_is_not_a_test_for_a_file(
    tmp_path: Path, comment: str
) -> None:
    folder = copied(tmp_path)
    (folder / "other.S").write_text(f"{comment}\n{ASSEMBLY}")
    (folder / "own.h").write_text("#pragma once\n#define DO(x) _Pragma(#x)\n")
    source = folder / "encrypt.c"
    source.write_text(f'#include "own.h"\n_Pragma("GCC diagnostic push")\n{source.read_text()}')
    build(Job(at(folder), board(ARM), "-Os"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('#pragma GCC dependency "/etc/passwd"', PRAGMA),
        (
            '#pragma GCC /*\n*/ dependency "/etc/passwd"',
            PRAGMA,
        ),
        ('#pragma GCC depen\\\ndency "/etc/passwd"', PRAGMA),
        (
            "@ a dependency\n#define S(x) #x\n#define P(a, b) S(GCC a##b </etc/passwd>)\n"
            "_Pragma(P(depend, ency))",
            PRAGMA,
        ),
        (f"@ a dependency\n{PASTED}", "builds a test with __has_include from macros"),
        ('@ a dependency\n.incbin "/etc/passwd"', "other.S: includes /etc/passwd"),
        (
            "@ don't say __has_include\n#if __has_include(</etc/passwd>)\n#endif",
            "tests with __has_include",
        ),
        ('@ "a\n#if __has_include(</etc/passwd>) // "\n#endif', "tests with __has_include"),
    ],
)
def test_assembly_asks_for_no_files(tmp_path: Path, text: str, reason: str) -> None:
    folder = copied(tmp_path)
    (folder / "other.S").write_text(f"{text}\n{ASSEMBLY}")
    assert reason in refusal(folder)


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_read_when_all_is_linked_counts_too(name: str, tmp_path: Path) -> None:
    """One unit reads a file if another has a symbol: only link-time optimisation sees both."""
    read = '__asm__(".ifdef other\\n.incbin \\"/etc/passwd\\"\\n.endif");'
    folder = prepended(copied(tmp_path), read)
    (folder / "another.c").write_text('__asm__(".global other\\nother = 1");\nint another;\n')
    build(Job(at(folder), board(name), "-Os"))
    assert "linking: includes /etc/passwd, which is outside" in refusal(folder, name, "-Os -flto")


@pytest.mark.parametrize("flags", ["-Os -flto-partition=none", "-Os -flto -fno-lto -flto-report"])
def test_words_that_begin_as_those_of_optimised_links_turn_nothing_on(
    flags: str, tmp_path: Path
) -> None:
    folder = prepended(copied(tmp_path), '__asm__(".incbin \\"/etc/passwd\\"");')
    assert "includes /etc/passwd, which is outside" in refusal(folder, ARM, flags)


@pytest.mark.parametrize("flags", ["-Os", "-Os -flto", "-Os -flto -ffat-lto-objects"])
def test_only_a_compiler_leaves_anything_to_the_link(flags: str, tmp_path: Path) -> None:
    """A link with its optimisation takes what to compile, and options for the assembler, from the
    objects; written in assembly that would be a file anywhere, or one that no compiler has read.
    """
    folder = copied(tmp_path)
    written = tmp_path / "written"
    options = f"'-mcpu=cortex-m0' '-mthumb' '-Xassembler' '-alsn={written}' '-flto'"
    waiting = folder / "waiting.c"
    waiting.write_text("extern char a[];\nchar *volatile kept = a;\nvoid b(void) { kept = a; }\n")
    assembly = folder / "waiting.s"
    driver = for_board(board(ARM)).driver
    words = ["-mcpu=cortex-m0", "-mthumb", "-Os", "-flto", "-S", "-o"]
    assert run([driver, *words, assembly, waiting], cwd=tmp_path).ok
    waiting.unlink()
    text = assembly.read_text()
    section = text[text.index(".gnu.lto_.opts") :].partition("\n\t.section")[0]
    forged = f'.gnu.lto_.opts,"e",%progbits\n\t.asciz "{options}"'
    assembly.write_text(text.replace(section, forged))
    assert "section for link-time optimisation" in refusal(folder, ARM, flags)
    assembly.unlink()
    quoted = forged.replace('"', '\\"').replace("\n", "\\n")
    prepended(folder, f'__asm__(".section {quoted}\\n.text");')
    if flags == "-Os":
        assert "section for link-time optimisation" in refusal(folder, ARM, flags)
    else:
        build(Job(at(folder), board(ARM), flags))
    assert not written.exists()


def test_a_link_leads_nowhere_else(tmp_path: Path) -> None:
    folder = copied(tmp_path / "a")
    (folder / "more.h").symlink_to("/etc/passwd")
    assert refusal(folder) == "'more.h' is a link that points out of the implementation's folder"
    folder = copied(tmp_path / "b")
    (folder / "one").mkdir()
    (folder / "one" / "more.h").write_text("")
    (folder / "now").symlink_to("one")
    assert "'now' is a link to a folder" in refusal(folder)
    (folder / "now").rename(folder / ".now")
    assert "through a link" in refusal(prepended(folder, '#include ".now/more.h"'))
    folder = prepended(copied(tmp_path / "c"), '#include "more.h"')
    (folder / "more.h").symlink_to("../other.h")
    (folder.parent / "other.h").write_text("int first;\n")
    first = build_key(Job(at(folder), board(ARM), "-Os"))
    build(Job(at(folder), board(ARM), "-Os"))
    (folder.parent / "other.h").write_text("int second;\n")
    assert build_key(Job(at(folder), board(ARM), "-Os")) != first


def test_targets_of_links_outside_the_package_are_not_read(tmp_path: Path) -> None:
    folder = copied(tmp_path / "package")
    secret = tmp_path / "secret.txt"
    secret.write_text("Count = 1\nKey = 00\n")
    answers = folder / "LWC_AEAD_KAT_128_128.txt"
    answers.symlink_to(secret)
    assert package_file(at(folder)) is None
    answers.unlink()
    (tmp_path / "package" / "own.txt").write_text("Count = 1\n")
    answers.symlink_to("../../../own.txt")
    assert package_file(at(folder)) == (answers, "Count = 1\n")
    (folder / "more.h").symlink_to(secret)
    before = inspect_sources(at(folder))
    secret.write_text("changed")
    assert inspect_sources(at(folder)) == before
    (folder / "more.h").unlink()
    (folder / "more.h").symlink_to(tmp_path / "other.txt")
    assert inspect_sources(at(folder)) != before


def test_folders_in_folders_without_end_are_reported(tmp_path: Path) -> None:
    """More of them than a program may call itself."""
    folder = copied(tmp_path)
    place = os.open(folder, os.O_RDONLY)
    try:
        for _ in range(1100):
            os.mkdir("a", dir_fd=place)
            place, above = os.open("a", os.O_RDONLY, dir_fd=place), place
            os.close(above)
        assert refusal(folder) == "'a' is nested too deep: its path is too long; move it up"
        (folder / "api.h").unlink()
        assert "has sources but no api.h" in at(tmp_path / "crypto_aead").problem
    finally:
        os.close(place)
        subprocess.run(["rm", "-rf", folder / "a"], check=True)


@pytest.mark.parametrize("name", ["a\nb", "a\\b", "a\tb"])
def test_names_that_a_list_of_files_cannot_show_are_refused(name: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / name).mkdir()
    (folder / name / "more.h").write_text("")
    assert f"the file name {name!r} has a control character or a backslash" in refusal(folder)


@pytest.mark.parametrize("name", BOARDS)
def test_no_name_in_a_package_becomes_a_compiler_option(name: str, tmp_path: Path) -> None:
    """avr-gcc 7 reads `@x.c` as `the options in x.c`, a plug-in to load among them."""
    folder = copied(tmp_path)
    (folder / "@x.c").write_text("int x;\n")
    (folder / "x.c").write_text("//\n-fplugin=./x.so\n")
    assert "the file name '@x.c' begins with '@'" in refusal(folder, name)


def test_files_that_change_while_they_are_built_give_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)

    def run_and_save(*arguments: Any, **options: Any) -> Completed:
        done = run(*arguments, **options)
        prepended(folder, "")
        return done

    monkeypatch.setattr("pennyweight.build.objects.run", run_and_save)
    with pytest.raises(DisturbedError, match="files changed during the build; the next run"):
        build(Job(at(folder), board(ARM), "-O1"))
    monkeypatch.undo()
    before = at(folder)
    with pytest.raises(DisturbedError, match="files changed during the build; the next run"):
        build(Job(before, board(ARM), "-O1"), "0" * 64)
    build(Job(before, board(ARM), "-O1"), collect(before).sha256)


def test_a_file_that_does_not_assemble_does_not_show_in_the_reason(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password123\n")
    folder = prepended(copied(tmp_path), f'__asm__(".include \\"{secret}\\"");')
    reported = refusal(folder)
    assert f"includes {secret}, which is outside" in reported
    assert "password123" not in reported


def test_a_precompiled_header_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "api.h.gch").write_bytes(b"gpch")
    assert "'api.h.gch' is a precompiled header" in refusal(folder)


@pytest.mark.parametrize("name", BOARDS)
def test_precompiled_headers_are_rejected_wherever_they_are(name: str, tmp_path: Path) -> None:
    """It is an image of the compiler's memory. A folder of them is as good as one."""
    folder = copied(tmp_path)
    header = tmp_path / "made.h"
    header.write_text("#define MADE 1\n")
    chosen = board(name)
    options = (*chosen.file.compiler.flags, "-Os", *COMMON, *_TIMELESS, "-x", "c-header")

    def precompile(place: Path) -> None:
        place.mkdir(parents=True)
        driver = for_board(chosen).driver
        assert run([driver, *options, header, "-o", place / "any"], cwd=tmp_path).ok

    # Where no check searches: no header has that name, so only these files can be found.
    precompile(folder / ".more" / "more.h.gch")
    source = folder / "encrypt.c"
    asking = f'#if __has_include("api.h")\n#endif\n{source.read_text()}'
    source.write_text(f'#include ".more/more.h"\n{asking}')
    assert ".more/more.h: No such file" in refusal(folder, name)
    precompile(folder / "api.h.gch")
    assert "'api.h.gch' is a precompiled header" in refusal(folder, name)


def test_a_path_that_is_too_long_to_be_hashed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)
    monkeypatch.chdir(folder)
    for _ in range(25):
        Path("d" * 200).mkdir()
        os.chdir("d" * 200)
        Path("more.h").touch()
    assert "is nested too deep: its path is too long" in refusal(folder)
    monkeypatch.undo()
    for _ in range(25):  # another process cannot remove it at once
        (folder / ("d" * 200)).rename(tmp_path / "top")
        (tmp_path / "top" / "more.h").unlink()
        if (tmp_path / "top" / ("d" * 200)).exists():
            (tmp_path / "top" / ("d" * 200)).rename(folder / ("d" * 200))
        (tmp_path / "top").rmdir()


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
        elves.append(build(Job(at(folder), board(ARM), "-Os")).programs["full"].elf)
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
            "echo 'avr-gcc: internal compiler error: Killed (program cc1)'; exit 4",
            "was killed, by hand or because memory ran out",
        ),
        (
            "echo 'gcc: fatal error: Terminated signal terminated program as'; exit 1",
            "was killed, by hand or because memory ran out",
        ),
        ("kill -TERM $$", "was killed, by hand or because memory ran out"),
        (
            "echo 'a.s: Fatal error: error writing to a.o: No space left on device'; exit 1",
            "sh could not write: the disk of .* is full: free some space",
        ),
        (
            "echo 'collect2: fatal error: ld terminated with signal 9 [Killed]'; exit 1",
            "was killed, by hand or because memory ran out",
        ),
        (
            "echo 'collect2: error: ld terminated with signal 7 [Bus error]'; exit 1",
            "was killed, by hand or because memory ran out",
        ),
        (
            "echo 'avr-gcc: error: vfork: Resource temporarily unavailable'; exit 1",
            "sh could not be started .*vfork: Resource temporarily unavailable.*: run fewer",
        ),
        (
            "echo \"gcc: fatal error: cannot execute '/a b/cc1': vfork: Resource unavailable\"; "
            "exit 1",
            "sh could not be started .*: run fewer processes",
        ),
        (
            "echo 'cc1: error while loading shared libraries: libc.so.6: cannot open shared object "
            "file: Error 24'; exit 127",
            "sh could not be started .*Error 24.*allow more processes and open files",
        ),
    ],
)
def test_what_the_machine_did_is_not_the_source_s_fault(
    tmp_path: Path, script: str, reason: str
) -> None:
    with pytest.raises(DisturbedError, match=reason):
        run(["sh", "-c", script], cwd=tmp_path)


def test_a_source_does_not_pass_for_a_disturbed_machine(tmp_path: Path) -> None:
    """Such a job would be repeated forever."""
    reported = "x.c:1:2: error: #error gcc: fatal error: Killed signal terminated program cc1"
    assert run(["sh", "-c", f"echo '{reported}'; exit 1"], cwd=tmp_path).status == 1


def test_a_system_without_a_further_process_is_not_the_source_s_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(subprocess, "Popen", full)
    with pytest.raises(DisturbedError, match=r"true could not be started .*; the next run repeats"):
        run(["true"], cwd=tmp_path)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("v", "cc1: out of memory allocating 65536 bytes after a total of 487424 bytes"),
        ("f", "gcc: internal compiler error: File size limit exceeded (program cc1)"),
    ],
)
def test_what_a_compiler_may_have_less_of_here_is_not_the_source_s_fault(
    limit: str, expected: str, tmp_path: Path
) -> None:
    """As in a batch system; where it may have all, as the package asks for more than that."""
    code = f"""
from pathlib import Path
from pennyweight.toolchains.command import DisturbedError, run
try:
    run(["sh", "-c", "echo '{expected}'; exit 1"], cwd=Path({str(tmp_path)!r}))
    print("failed")
except DisturbedError as error:
    print(error)
"""
    reported = []
    for value in ("unlimited", str(1 << (21 if limit == "v" else 17))):  # 2 GB, 128 MB
        script = f'ulimit -{limit} {value} && exec "$@"'
        command = ["bash", "-c", script, "bash", sys.executable, "-c", code]
        reported.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert reported[0] == "failed\n"
    assert f"(ulimit -{limit}), which is below the" in reported[1]


@pytest.mark.parametrize("name", BOARDS)
def test_a_killed_compiler_is_tried_again_by_the_next_run(name: str, tmp_path: Path) -> None:
    folder = prepended(copied(tmp_path), f'/* {name} */ __asm__(".rept 100000000\\n.endr");')
    ended: list[int] = []

    def kill_the_assembler() -> None:
        """The one of that file: start-up code is assembled at once."""
        deadline = time.monotonic() + 60
        seen: set[int] = set()
        while not ended and time.monotonic() < deadline:
            there = descendants(os.getpid(), "as")
            ended.extend(seen.intersection(there))
            seen = set(there)
            time.sleep(0.2)
        for number in ended:
            os.kill(number, signal.SIGKILL)

    killer = threading.Thread(target=kill_the_assembler)
    killer.start()
    with pytest.raises(DisturbedError, match=r"was killed, .*; the next run repeats it"):
        build(Job(at(folder), board(name), "-Os"))
    killer.join()
    assert ended


def descendants(parent: int, name: str) -> list[int]:
    """The processes called `name` below a process."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            number, text = int(folder.name), (folder / "stat").read_text()
        except (ValueError, OSError):
            continue
        if int(text.rpartition(")")[2].split()[1]) == parent:
            own = text[text.index("(") + 1 : text.rindex(")")]
            found += [number] if own == name else descendants(number, name)
    return found


def test_a_failure_on_a_full_disk_is_the_disk_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """avr-gcc's linker dies without a word there."""
    monkeypatch.setattr(command, "_free", lambda folder: 1 << 20)
    assert run(["true"], cwd=tmp_path).ok
    with pytest.raises(DisturbedError, match=r"the disk of .* is full"):
        run(["false"], cwd=tmp_path)
    monkeypatch.undo()
    assert run(["false"], cwd=tmp_path).status == 1
