"""Clang as the C compiler for a board whose GNU toolchain assembles and links.

Clang writes assembly, which the GNU assembler of the board's toolchain converts to an object. The
files that inline assembly reads are checked as for GCC, and programs are linked with the same
libgcc, C library and start-up code. The headers of the C library are also the GNU toolchain's.
"""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

from pennyweight.catalogue.root import data_root
from pennyweight.toolchains import headers
from pennyweight.toolchains.base import Family, Identity
from pennyweight.toolchains.command import ANSWER_LIMIT_S, run
from pennyweight.toolchains.digests import file_sha256
from pennyweight.toolchains.identity import printed_version

_AVR = "avr"

_SELECTING = re.compile(r"-m(cpu|mcu|arch|thumb|arm|abi|hwmult|tune|float-abi|fpu)\b.*")
_PREPROCESSING = ("-D", "-U", "-I")

_DROPPED = re.compile(
    # The processor of Clang's target without -mmcu; it has no instructions of MSP430X.
    r"-mcpu=msp430(x|xv2)?"
    r"|-fno-tree-loop-distribute-patterns"  # of GCC's only
)
_TUNINGS = {"sifive-3-series": "sifive-e31"}
"""GCC's names of pipelines, and LLVM's."""

_NEGATED = re.compile(r"(?<=, )-(?P<byte>lo8|hi8|hh8)\((?P<of>[^()\n]+)\)$", re.MULTILINE)

_WRITES_ASSEMBLY = (
    # The format of debugging information that older assemblers support.
    *("-gdwarf-4", "-fno-dwarf-directory-asm", "-fno-addrsig"),
    *("-nostdlibinc", "-Qunused-arguments", "-Wno-avr-rtlib-linking-quirks"),
)
NO_ANSWERS = tuple(
    f"-D{word}(x)=0" for word in ("__has_include", "__has_include_next", "__has_embed")
)
"""Sources cannot test whether a file exists. Clang's headers do that too; they are therefore those
of a freestanding program, which are complete.
"""


def translated(family: Family, driver: Path, flags: tuple[str, ...]) -> tuple[str, ...]:
    """Translates flags of a board and a user from GCC's to Clang's.

    `driver` is the GNU compiler of the family, which supports parts that Clang may not support.
    """
    found = [f"--target={family.clang_target}", *family.clang_flags]
    for flag in flags:
        name, _, value = flag.partition("=")
        if _DROPPED.fullmatch(flag):
            continue
        if name == "-mtune":
            found.append(f"-mtune={_TUNINGS.get(value, value)}")
        elif name == "-mmcu" and family.clang_target == _AVR:
            found += _avr_part(driver, value)
        else:
            found.append(flag)
    return (*found, *_WRITES_ASSEMBLY)


def for_gnu(flags: tuple[str, ...]) -> tuple[str, ...]:
    """The flags for the GNU driver to assemble and link: those that select the part, and macros.
    The others are for Clang, and the GNU driver may not support them.
    """
    return tuple(
        each for each in flags if _SELECTING.fullmatch(each) or each.startswith(_PREPROCESSING)
    )


def library_folders(driver: Path, flags: tuple[str, ...]) -> tuple[Path, ...]:
    """The folders of the C library's headers of a GNU toolchain, without the compiler's own."""
    return tuple(
        folder
        for folder in headers.searched(driver, for_gnu(flags))
        if folder not in headers.OF_THE_MACHINE
        and "c++" not in folder.parts
        and "lib/gcc" not in folder.as_posix()
    )


def own_headers(firmware: Path) -> tuple[Path, ...]:
    """Pennyweight's headers that replace those for GCC only; `firmware` is the data folder's."""
    return (firmware / "clang" / "include", firmware / "clang" / "avr")


def for_gnu_assembler(family: Family, text: str) -> str:
    """Converts Clang's assembly to the GNU assembler's syntax.

    On AVR, LLVM writes the operand of a subtraction, which adds an address, as ``-lo8(x)``. The GNU
    assembler accepts the negation only inside (R_AVR_LO8_LDI_NEG; binutils, gas/config/tc-avr.c).
    """
    if family.clang_target != _AVR:
        return text
    return _NEGATED.sub(r"\g<byte>(-(\g<of>))", text)


@functools.cache
def resource_folder(clang: Path) -> Path:
    """The folder of Clang's own headers."""
    found = run([clang, "-print-resource-dir"], cwd=Path("/"), time_limit=ANSWER_LIMIT_S)
    return Path(found.output.strip()) / "include"


def version_line(clang: Path) -> str | None:
    """The first line of `--version`; `None` if it is not Clang."""
    line = next(iter(printed_version(clang).splitlines()), "").strip()
    return line if re.search(r"\bclang version \d", line) else None


def version_of(line: str) -> str:
    """The version number in that line, such as ``14.0.6``."""
    found = re.search(r"\bclang version (?P<number>\d+(?:\.\d+)*)", line)
    return found["number"] if found else ""


def identify(clang: Path, gnu: Identity) -> Identity:
    """The identity of Clang together with the GNU toolchain that assembles and links."""
    return _identity(clang, gnu, file_stamps(clang))


@functools.cache
def _identity(clang: Path, gnu: Identity, _stamps: tuple[tuple[int, int], ...]) -> Identity:
    line = version_line(clang) or ""
    parts = [file_sha256(path) for path in _programs(clang)]
    parts.append(headers.sha256((resource_folder(clang), *own_headers(data_root() / "firmware"))))
    parts.append(gnu.sha256)
    return Identity(
        name=f"clang-{version_of(line)}",
        version=f"{line}, linked by {gnu.version}",
        configuration=gnu.configuration,
        sha256=hashlib.sha256("\n".join(parts).encode()).hexdigest(),
        cplusplus_sha256=gnu.cplusplus_sha256,
    )


def file_stamps(clang: Path) -> tuple[tuple[int, int], ...]:
    """Values that change when Clang is replaced: sizes and times of its programs and headers."""
    places = (*_programs(clang), resource_folder(clang))
    return tuple((stat.st_size, stat.st_mtime_ns) for stat in (path.stat() for path in places))


def _programs(clang: Path) -> list[Path]:
    """The driver, and the shared libraries with its code, if it is linked dynamically."""
    program = clang.resolve()
    library = program.parent.parent / "lib"
    found = {program: None}
    for pattern in ("libclang-cpp.so*", "libLLVM*.so*"):
        found.update(dict.fromkeys(path.resolve() for path in sorted(library.glob(pattern))))
    return [path for path in found if path.is_file()]


@functools.cache
def _avr_part(driver: Path, part: str) -> tuple[str, ...]:
    """The arguments that select an AVR part: its name, or otherwise its architecture
    (`__AVR_ARCH__`, GCC manual, section "AVR Built-in Macros") and the macro of the part.
    """
    words: list[str | Path] = [driver, f"-mmcu={part}", "-E", "-dM", "-xc", "/dev/null"]
    done = run(words, cwd=Path("/"), time_limit=ANSWER_LIMIT_S)
    architecture = re.search(r"#define __AVR_ARCH__ (\d+)", done.output)
    macro = re.search(r"#define (__AVR_AT\w+__) 1", done.output)
    if architecture is None or macro is None or int(architecture[1]) < 100:
        return (f"-mmcu={part}",)
    return (f"-mmcu=avrxmega{int(architecture[1]) - 100}", f"-D{macro[1]}=1")
