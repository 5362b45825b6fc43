"""arm-none-eabi-gcc 7, with which the Arm boards of NIST's benchmark were built, for comparisons.

Arduino's cores of that time contain 7.2.1; this is the following release, 7.3.0. Distributions no
longer package it, so Pennyweight builds it from GNU's archive, with the assembler, linker and C
library of the distribution's newer compiler.
"""

from __future__ import annotations

from pennyweight.toolchains.recipes.recipe import (
    FOR_GCC,
    PREFIX,
    Need,
    Recipe,
    Source,
    Stage,
    command,
)

_GCC = "gcc-7-source"
_QUICK = ("CFLAGS=-O1 -g0 -w", "CXXFLAGS=-O1 -g0 -w -std=gnu++14")
"""Compiled with little optimisation, which takes half the time; its C++ is that of 2014."""
_FOR_PARTS = "CFLAGS_FOR_TARGET=-g0 -O2 -isystem /usr/include/newlib"
_NO_MANUALS = "MAKEINFO=true"
_NOT_NEEDED = (
    *(f"gcc-*/{name}" for name in ("libstdc++-v3", "libgo", "libjava", "libgfortran", "libffi")),
    *(f"gcc-*/{name}" for name in ("libgomp", "libsanitizer", "liboffloadmic", "libcilkrts")),
    *(f"gcc-*/gcc/{name}" for name in ("ada", "testsuite/[a-r]*", "testsuite/o*", "po")),
)
"""Nine tenths of the files: other languages' libraries, and tests except the self-tests."""

_TOOLS = ("ar", "as", "ld", "ld.bfd", "nm", "objcopy", "objdump", "ranlib", "size", "strip")
_PARTS = ("v6-m", "v7-m", "v7e-m")
_NEWLIB = "/usr/lib/arm-none-eabi/newlib"
_LIBRARIES = "arm-none-eabi/lib"


def _links() -> tuple[tuple[str, ...], ...]:
    """Provides the distribution's tools, headers and libraries under the names that this compiler
    uses: it has shorter names for the libraries without floating point.
    """
    made: list[tuple[str, ...]] = [
        ("mkdir", "-p", "bin", "arm-none-eabi/bin", f"{_LIBRARIES}/thumb")
    ]
    for tool in _TOOLS:
        found = f"/usr/bin/arm-none-eabi-{tool}"
        made.append(("ln", "-sfn", found, f"bin/arm-none-eabi-{tool}"))
        made.append(("ln", "-sfn", found, f"arm-none-eabi/bin/{tool}"))
    made.append(("ln", "-sfn", "/usr/include/newlib", "arm-none-eabi/include"))
    for part in _PARTS:
        made.append(
            ("ln", "-sfn", f"{_NEWLIB}/thumb/{part}/nofp", f"{_LIBRARIES}/thumb/{part}"),
        )
    for specs in ("nano.specs", "nosys.specs"):
        made.append(("ln", "-sfn", f"{_NEWLIB}/{specs}", f"{_LIBRARIES}/{specs}"))
    return tuple(made)


ARM_GCC_7 = Recipe(
    name="arm-none-eabi-gcc-7",
    needs=(*FOR_GCC, Need("binutils-arm-none-eabi", command("arm-none-eabi-as"))),
    sources=(
        Source(
            _GCC,
            "/usr/src/gcc-7/gcc-7.3.0.tar.xz",
            file="gcc-7.3.0.tar.xz",
            sha256="832ca6ae04636adbb430e865a1451adf6979ab44ca1c8374f61fba65645ce15c",
        ),
        # Its libraries are links to this package's.
        Source("libnewlib-arm-none-eabi", f"{_NEWLIB}/nano.specs"),
    ),
    stages=(
        Stage(
            name="unpack",
            title="unpacking the sources",
            folder="sources",
            clears="sources",
            commands=(
                (
                    *("tar", "-xf", f"{{source:{_GCC}}}", "--strip-components=1"),
                    *(f"--exclude={name}" for name in _NOT_NEEDED),
                ),
            ),
            lines=0,
        ),
        Stage(
            name="configure",
            title="configuring the compiler",
            folder="gcc",
            clears="gcc",
            commands=(
                (
                    "../sources/configure",
                    "--target=arm-none-eabi",
                    f"--prefix={PREFIX}",
                    "--enable-languages=c",
                    "--with-newlib",
                    "--with-headers=no",
                    "--with-multilib-list=rmprofile",
                    "--disable-nls",
                    "--disable-shared",
                    "--disable-threads",
                    "--disable-libssp",
                    "--disable-quadmath",
                    "--disable-libgomp",
                    "--disable-libatomic",
                    "--disable-bootstrap",
                    "--without-isl",
                    "--with-system-zlib",
                    "--enable-checking=release",
                ),
            ),
            lines=116,
        ),
        Stage(
            name="gcc",
            title="compiling the compiler",
            folder="gcc",
            commands=(("make", "-j{jobs}", "all-gcc", *_QUICK, _NO_MANUALS),),
            lines=4670,
            begins_in="configure",
        ),
        Stage(
            name="libgcc",
            title="compiling the compiler's library",
            folder="gcc",
            commands=(("make", "-j{jobs}", "all-target-libgcc", _FOR_PARTS, _NO_MANUALS),),
            lines=47000,
            begins_in="configure",
        ),
        Stage(
            name="install",
            title="installing the compiler",
            folder="gcc",
            clears="root",
            commands=(
                (
                    "make",
                    "install-strip-gcc",
                    "install-target-libgcc",
                    "DESTDIR={root}",
                    _FOR_PARTS,
                    _NO_MANUALS,
                ),
            ),
            lines=500,
        ),
        Stage(
            name="join",
            title="joining it with the distribution's assembler and library",
            folder=f"root{PREFIX}",
            commands=_links(),
            lines=0,
        ),
    ),
    driver="bin/arm-none-eabi-gcc",
    check=("-mcpu=cortex-m0plus", "-mthumb", "-O2", "--specs=nano.specs", "-nostartfiles"),
    disk_mb=2500,
    minutes="15 to 30",
)
