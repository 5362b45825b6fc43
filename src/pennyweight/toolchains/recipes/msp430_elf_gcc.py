"""msp430-elf-gcc, from Debian's source packages."""

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

_BINUTILS = "binutils-source"
_GCC = "gcc-12-source"
_QUICK = ("CFLAGS=-O1 -g0", "CXXFLAGS=-O1 -g0")
"""The compiler itself is compiled with little optimisation, which halves the build time."""

_NOT_NEEDED = (
    *(f"gcc-*/{name}" for name in ("libstdc++-v3", "libgo", "libphobos", "libgfortran")),
    *(f"gcc-*/{name}" for name in ("libgomp", "libsanitizer", "libffi", "liboffloadmic")),
    *(f"gcc-*/gcc/{name}" for name in ("ada", "testsuite/c-*", "testsuite/g*")),
)
"""Nine tenths of the files: other languages' libraries, and tests."""

_NO_MANUALS = "MAKEINFO=true"

MSP430_GCC = Recipe(
    name="msp430-elf-gcc",
    needs=(*FOR_GCC, Need("bison", command("bison")), Need("flex", command("flex"))),
    sources=(
        Source(_BINUTILS, "/usr/src/binutils/binutils-*.tar.xz"),
        Source(_GCC, "/usr/src/gcc-12/gcc-12*.tar.xz"),
    ),
    stages=(
        Stage(
            name="unpack",
            title="unpacking the sources",
            folder="sources",
            clears="sources",
            commands=(
                ("mkdir", "binutils", "gcc"),
                ("tar", "-xf", f"{{source:{_BINUTILS}}}", "-C", "binutils", "--strip-components=1"),
                (
                    *("tar", "-xf", f"{{source:{_GCC}}}", "-C", "gcc", "--strip-components=1"),
                    *(f"--exclude={name}" for name in _NOT_NEEDED),
                ),
            ),
            lines=0,
        ),
        Stage(
            name="binutils-configure",
            title="configuring assembler and linker",
            folder="binutils",
            clears="binutils",
            commands=(
                (
                    "../sources/binutils/configure",
                    "--target=msp430-elf",
                    f"--prefix={PREFIX}",
                    "--disable-nls",
                    "--disable-werror",
                    "--disable-gdb",
                    "--disable-sim",
                    "--disable-gdbserver",
                    "--disable-libdecnumber",
                    "--disable-readline",
                    "--disable-gprofng",
                    "--disable-gprof",
                    "--with-system-zlib",
                    _NO_MANUALS,
                    *_QUICK,
                ),
            ),
            lines=110,
        ),
        Stage(
            name="binutils",
            title="compiling assembler and linker",
            folder="binutils",
            commands=(("make", "-j{jobs}", _NO_MANUALS),),
            lines=2360,
            begins_in="binutils-configure",
        ),
        Stage(
            name="binutils-install",
            title="installing assembler and linker",
            folder="binutils",
            clears="root",
            commands=(("make", "install-strip", "DESTDIR={root}", _NO_MANUALS),),
            lines=500,
        ),
        Stage(
            name="gcc-configure",
            title="configuring the compiler",
            folder="gcc",
            clears="gcc",
            commands=(
                (
                    "../sources/gcc/configure",
                    "--target=msp430-elf",
                    f"--prefix={PREFIX}",
                    "--enable-languages=c",
                    "--without-headers",
                    "--with-newlib=no",
                    "--disable-nls",
                    "--disable-shared",
                    "--disable-threads",
                    "--disable-libssp",
                    "--disable-quadmath",
                    "--disable-libgomp",
                    "--disable-libatomic",
                    "--disable-lto",
                    "--disable-plugin",
                    "--disable-bootstrap",
                    "--with-system-zlib",
                    "--enable-checking=release",
                ),
            ),
            lines=130,
        ),
        Stage(
            name="gcc",
            title="compiling the compiler",
            folder="gcc",
            commands=(("make", "-j{jobs}", "all-gcc", *_QUICK, _NO_MANUALS),),
            lines=3900,
            begins_in="gcc-configure",
        ),
        Stage(
            name="libgcc",
            title="compiling the compiler's library",
            folder="gcc",
            commands=(("make", "-j{jobs}", "all-target-libgcc", _NO_MANUALS),),
            lines=2950,
            begins_in="gcc-configure",
        ),
        Stage(
            name="gcc-install",
            title="installing the compiler",
            folder="gcc",
            commands=(
                # Debian's archive lacks the manuals, which the installation would try to build.
                ("touch", "gcc/s-tm-texi"),
                (
                    "make",
                    "install-strip-gcc",
                    "install-target-libgcc",
                    "DESTDIR={root}",
                    _NO_MANUALS,
                ),
            ),
            lines=500,
        ),
    ),
    driver="bin/msp430-elf-gcc",
    check=("-mcpu=msp430", "-mhwmult=16bit", "-O2", "-ffreestanding", "-nostdlib"),
    disk_mb=3000,
    minutes="10 to 20",
)
