"""Compiles an implementation's sources, one object each."""

from __future__ import annotations

import hashlib
import re
import resource
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pennyweight.build import file_cache, pragmas
from pennyweight.build.clang_arguments import clang_arguments
from pennyweight.build.crate import CRATE, compile_crate
from pennyweight.build.failure import (
    BuildError,
    compile_failure,
    for_gcc_only,
    lacks_cplusplus,
    no_cplusplus,
    timed_out,
    too_large,
)
from pennyweight.build.file_access import Reader
from pennyweight.build.firmware import cplusplus_headers, firmware_now, firmware_sha256
from pennyweight.build.sources import ASSEMBLY_SUFFIXES, CPLUSPLUS_SUFFIXES, Sources, Unit
from pennyweight.catalogue.flags import optimises_links
from pennyweight.fingerprint.own_code import COMPILING, COMPILING_FIRMWARE, own_code
from pennyweight.model import Status, printable
from pennyweight.toolchains import Toolchain, is_replaced
from pennyweight.toolchains.base import Family
from pennyweight.toolchains.clang import for_gnu, for_gnu_assembler
from pennyweight.toolchains.command import TIME_LIMIT_S, Completed, DisturbedError, run, starved

COMMON = ("-ffunction-sections", "-fdata-sections", "-g1")
"""For every object: unused functions and data can be dropped; debugging information has line
numbers for messages only. Level 1 has no variables and types, which take a fifth of the compile
time.
"""


_SLIM = "-fno-fat-lto-objects"
"""With link-time optimisation, objects contain the compiler's output and nothing that assembly in a
source could add: the linker reads options for compiler and assembler from there, such as one that
writes arbitrary files. The assembler processes the source at link time, when the files that it
reads are checked.
"""

_OF_LTO = re.compile(rb"\.gnu\.(?:debug|offload_)?lto_")
"""Prefixes of section names that a linker attributes to the compiler (GCC internals manual, section
"LTO file sections").
"""

_TIMELESS = ("-Wno-builtin-macro-redefined", '-D__TIMESTAMP__="Thu Jan  1 00:00:00 1970"')
"""Objects do not depend on a source's modification time; `__DATE__` and `__TIME__` follow the
environment.
"""

CPLUSPLUS = ("-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics")
"""C++ flags for parts without an operating system."""


_MOST_BYTES = 128 << 20
"""Maximum bytes of all objects of a package, because a few lines of assembly can create files of
any size. Real ones have some kilobytes to a few megabytes.
"""

_MOST_SECONDS = 900.0
"""Maximum wall time of compiling all sources of a package, because there may be thousands, each
with its own `TIME_LIMIT_S`. The slowest known package takes a minute on a loaded machine.
"""


_UNIT = "unit"
"""Stem of the files of a source with a cache entry of its own."""

_LISTED, _LISTED_BY_ASSEMBLER = ".d", ".asm.d"
"""Suffixes of the lists of the files that compiler and assembler read."""


@dataclass(frozen=True, slots=True)
class Object:
    """A compiled source: `file` is the object's name in the build folder."""

    file: str
    source: str
    """Its name relative to the implementation's folder or to its tree."""


def compile_all(
    toolchain: Toolchain,
    sources: Sources,
    flags: tuple[str, ...],
    headers: Path,
    build_folder: Path,
) -> list[Object]:
    """Compiles each source into `build_folder`. Raises `BuildError` at the first failure.

    Objects are cached. Boards that differ only in their memories share them, because the compiler
    does not know the program's addresses; implementations of families share those of each source
    that they have in common.
    """
    compile_each = _compile_family if sources.generated else _compile_package
    compile_each(toolchain, sources, flags, headers, build_folder)
    return [_object(index, name) for index, name in enumerate(sources.compiled)]


def _compile_package(
    toolchain: Toolchain,
    sources: Sources,
    flags: tuple[str, ...],
    headers: Path,
    build_folder: Path,
) -> None:
    """All sources of a third-party package: any of them may include any of its files."""
    firmware = headers.parent
    key = file_cache.key_of(
        own_code(COMPILING, *toolchain.family.roots()),
        toolchain.identity.of(sources.has_cplusplus),
        firmware_sha256(firmware, toolchain.family),
        sources.sha256,
        sources.compiled,
        sources.include,
        sources.renamed,
        flags,
        *_for_assembly(toolchain, sources.compiled, flags),
    )

    def make(folder: Path) -> None:
        reader = Reader(toolchain, sources, flags, headers, folder)
        size = 0
        budget = _Budget(toolchain)
        for index, name in enumerate(sources.compiled):
            if name == CRATE:
                compile_crate(toolchain, sources.folder, flags, folder / f"{index:03}.o")
            else:
                stem = f"{index:03}"
                _compile(toolchain, reader, sources, stem, name, flags, headers, folder, budget)
            size += (folder / f"{index:03}.o").stat().st_size
            if size > _MOST_BYTES:
                raise too_large(f"the compiled sources take more than {_MOST_BYTES >> 20} MB")
        if replace(sources).sha256 != sources.sha256:
            raise changed(sources.folder)
        _check_unchanged(firmware, toolchain)
        _keep_objects(folder)

    file_cache.provide("objects", key, build_folder, make)


def _compile_family(
    toolchain: Toolchain,
    sources: Sources,
    flags: tuple[str, ...],
    headers: Path,
    build_folder: Path,
) -> None:
    """The sources of a bundled implementation, each with a cache entry of its own."""
    firmware = headers.parent
    budget = _Budget(toolchain)
    for index, name in enumerate(sources.compiled):
        unit = sources.unit(name)
        key = file_cache.key_of(
            own_code(COMPILING, *toolchain.family.roots()),
            toolchain.identity.of(name.endswith(CPLUSPLUS_SUFFIXES)),
            firmware_sha256(firmware, toolchain.family),
            name,
            unit.sha256,
            sources.asks,
            flags,
            *_for_assembly(toolchain, (name,), flags),
        )

        def make(folder: Path, name: str = name, unit: Unit = unit) -> None:
            sources.write_generated(folder)
            reader = Reader(toolchain, sources, flags, headers, folder)
            _compile(toolchain, reader, sources, _UNIT, name, flags, headers, folder, budget)
            for suffix in (_LISTED, _LISTED_BY_ASSEMBLER):
                reader.check_unit(name, folder / f"{_UNIT}{suffix}", unit.files)
            if sources.unit(name) != unit:
                raise changed(sources.folder)
            _check_unchanged(firmware, toolchain)
            _keep_objects(folder)

        file_cache.provide("objects", key, build_folder, make, f"{index:03}")


def _keep_objects(folder: Path) -> None:
    """Removes all other files that compiling creates."""
    for leftover in folder.iterdir():
        if not leftover.name.endswith(".o"):
            leftover.unlink()


class _Budget:
    """The common time limit for the sources of a package."""

    def __init__(self, toolchain: Toolchain) -> None:
        self._toolchain = toolchain
        self._worked = _processor_seconds()
        self._spent = 0.0

    def limit(self) -> float:
        """Seconds for the next source. Raises the error of `exceeded`."""
        left = _MOST_SECONDS - self._spent
        if left <= 0:
            raise self.exceeded()
        return min(TIME_LIMIT_S, left)

    def spend(self, seconds: float) -> None:
        self._spent += seconds

    def exceeded(self) -> BuildError | DisturbedError:
        """The error for exceeding it: by compilers that worked, or by their waiting."""
        if _processor_seconds() - self._worked < _MOST_SECONDS / 2:
            return starved(self._toolchain.driver)
        return timed_out("the sources", _MOST_SECONDS, " in all")


def _processor_seconds() -> float:
    """Seconds of all compilers that this process has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _for_assembly(
    toolchain: Toolchain, names: Sequence[str], flags: tuple[str, ...]
) -> tuple[str, ...]:
    """Additional arguments for the assembly sources among `names`, if there are any."""
    if not any(name.endswith(ASSEMBLY_SUFFIXES) for name in names):
        return ()
    return toolchain.family.for_assembly(flags, Path())


def changed(folder: Path) -> DisturbedError:
    """The error for files that changed since the job was named, because they are being edited."""
    return DisturbedError(
        f"{folder}: its files changed during the build; the next run repeats the job with the "
        "new files"
    )


def _check_unchanged(firmware: Path, toolchain: Toolchain) -> None:
    """Raises `DisturbedError` if Pennyweight's files or the compiler have changed since the cache
    entry was named: a system may be upgraded while a campaign runs overnight.
    """
    family = toolchain.family
    if is_replaced(toolchain):
        raise changed(toolchain.driver)
    if firmware_now(firmware, family) != firmware_sha256(firmware, family):
        raise changed(firmware)


def _object(index: int, name: str) -> Object:
    return Object(f"{index:03}.o", printable(name.replace("../", "")))


def compile_one(
    toolchain: Toolchain,
    sources: Sources,
    name: str,
    flags: tuple[str, ...],
    headers: Path,
    build_folder: Path,
) -> Object:
    """Compiles an additional source, numbered after the others. Raises `BuildError`."""
    index = len(sources.compiled)
    sources.write_generated(build_folder)
    reader = Reader(toolchain, sources, flags, headers, build_folder)
    stem = f"{index:03}"
    _compile(toolchain, reader, sources, stem, name, flags, headers, build_folder)
    return _object(index, name)


def compile_firmware(
    toolchain: Toolchain, source: Path, flags: tuple[str, ...], target: Path
) -> None:
    """Compiles the start-up code, or takes it from the user's cache.

    It must compile; a failure is still a `BuildError`.
    """
    firmware = source.parents[1]
    key = file_cache.key_of(
        own_code(COMPILING_FIRMWARE, *toolchain.family.roots()),
        toolchain.identity.of(source.name.endswith(CPLUSPLUS_SUFFIXES)),
        firmware_sha256(firmware, toolchain.family),
        source.relative_to(firmware).as_posix(),
        hashlib.sha256(source.read_bytes()).hexdigest(),
        flags,
        target.name,
    )

    def make(folder: Path) -> None:
        _compile_own(toolchain, source, flags, folder / target.name)
        _check_unchanged(firmware, toolchain)

    file_cache.provide("firmware", key, target.parent, make)


def _compile_own(toolchain: Toolchain, source: Path, flags: tuple[str, ...], target: Path) -> None:
    done = run(
        [
            toolchain.driver,
            *flags,
            "-Os",
            *COMMON,
            *(CPLUSPLUS if source.name.endswith(CPLUSPLUS_SUFFIXES) else ()),
            f"-fdebug-prefix-map={source.parent}=firmware",
            *(
                f"-isystem{folder}"
                for folder in toolchain.family.library_headers(source.parents[1])
            ),
            "-c",
            source.name,
            "-o",
            target,
        ],
        cwd=source.parent,
        temporary=target.parent,
    )
    if done.timed_out:
        raise starved(toolchain.driver)
    if not done.ok:
        raise compile_failure(source.name, done.output)


def _rewrite_for_gnu(family: Family, written: Path) -> None:
    """Rewrites Clang's assembly where the GNU assembler expects another form."""
    text = written.read_text(encoding="utf-8", errors="surrogateescape")
    changed_text = for_gnu_assembler(family, text)
    if changed_text != text:
        written.write_text(changed_text, encoding="utf-8", errors="surrogateescape")


def _check_clang(name: str, flags: tuple[str, ...]) -> None:
    """Raises `BuildError` for what Clang and the GNU linker do not support together."""
    if name.endswith(CPLUSPLUS_SUFFIXES):
        raise BuildError(
            Status.SKIPPED, f"{name} is C++, which is built with GNU compilers only; use gcc"
        )
    if optimises_links(flags):
        raise BuildError(
            Status.SKIPPED,
            "-flto: the GNU linker cannot read Clang's files for link-time optimisation; remove it "
            "for Clang",
        )


def _run_compiler(
    command: list[str | Path],
    compiling: list[str | Path],
    reader: Reader,
    sources: Sources,
    name: str,
    listing: Path,
    build_folder: Path,
    time_limit: float,
) -> Completed:
    """Runs the compiler, and once more if the word of a pragma that it reports tests for no file.
    Raises `BuildError` if it does.
    """

    def compile_with(extra: tuple[str | Path, ...]) -> Completed:
        return run(
            [*command, *extra, *compiling],
            cwd=sources.folder,
            temporary=build_folder,
            time_limit=time_limit,
        )

    done = compile_with(reader.no_dependency)
    if done.timed_out or not pragmas.suspected(done.output):
        return done
    again = compile_with(())
    reader.check_pragmas(name, listing, command, again.ok)
    return replace(again, seconds=done.seconds + again.seconds)


def _compile(
    toolchain: Toolchain,
    reader: Reader,
    sources: Sources,
    stem: str,
    name: str,
    flags: tuple[str, ...],
    headers: Path,
    build_folder: Path,
    budget: _Budget | None = None,
) -> None:
    """Compiles a source to an object with this stem. Raises `BuildError`, `DisturbedError`.

    Runs in the implementation's folder with relative names, so that neither debugging information
    nor `__FILE__` depends on the location of the folder.
    """
    time_limit = TIME_LIMIT_S if budget is None else budget.limit()
    target = build_folder / f"{stem}.o"
    listing = build_folder / f"{stem}{_LISTED}"
    is_cplusplus = name.endswith(CPLUSPLUS_SUFFIXES)
    is_assembly = name.endswith(ASSEMBLY_SUFFIXES)
    if toolchain.clang is not None:
        _check_clang(name, flags)
        if is_assembly:
            flags = for_gnu(flags)
    clang = None if is_assembly else toolchain.clang
    waits = not is_assembly and optimises_links(flags)
    command: list[str | Path] = [
        clang or toolchain.driver,
        *(clang_arguments(toolchain, flags, headers.parent) if clang else flags),
        *COMMON,
        *_TIMELESS,
        *(flag for renamed, flag in sources.renamed if renamed == name),
        *(reader.clang_no_questions if clang else reader.no_questions),
        *(CPLUSPLUS if is_cplusplus else ()),
        *(toolchain.family.for_assembly(flags, sources.folder) if is_assembly else ()),
        *((_SLIM,) if waits else ()),
        f"-fdebug-prefix-map={sources.folder}=.",
        f"-fdebug-prefix-map={headers}=firmware/include",
        *((f"-fdebug-prefix-map={build_folder}=.",) if sources.generated else ()),
        *sources.own_headers(build_folder),
        *(f"-I{folder}" for folder in sources.include),
        f"-I{headers}",
        *(
            f"-isystem{folder}"
            for folder in toolchain.family.library_headers(headers.parent)
            if not clang
        ),
        *((f"-idirafter{cplusplus_headers(headers.parent)}",) if is_cplusplus else ()),
    ]
    assembled = build_folder / f"{stem}{_LISTED_BY_ASSEMBLER}"
    watching: tuple[str | Path, ...] = ("-Xassembler", "--MD", "-Xassembler", assembled)
    written = build_folder / f"{stem}.s"
    compiling: list[str | Path] = [
        *("-MD", "-MF", listing),
        *(() if waits or clang else watching),
        *(("-S", f"./{name}", "-o", written) if clang else ("-c", f"./{name}", "-o", target)),
    ]
    done = _run_compiler(
        command, compiling, reader, sources, name, listing, build_folder, time_limit
    )
    if clang and done.ok:
        _rewrite_for_gnu(toolchain.family, written)
        done = run(
            [toolchain.driver, *for_gnu(flags), *watching, "-c", written, "-o", target],
            cwd=sources.folder,
            temporary=build_folder,
            time_limit=time_limit,
        )
    if not done.ok and not done.timed_out and not listing.is_file():
        preprocessing: list[str | Path] = ["-M", "-MF", listing, f"./{name}"]
        run([*command, *preprocessing], cwd=sources.folder, temporary=build_folder)
    reader.check_listing(name, listing)
    reader.check_listing(name, assembled)
    if done.timed_out:
        if budget is not None and time_limit < TIME_LIMIT_S:
            raise budget.exceeded()
        raise timed_out(name, TIME_LIMIT_S)
    if not done.ok or not target.is_file():
        if is_cplusplus and lacks_cplusplus(done.output):
            raise no_cplusplus(name, toolchain.family)
        reader.check_messages(name, done.output)
        failure = compile_failure(name, done.output.replace(f"{headers}/", ""))
        raise for_gcc_only(failure) if clang else failure
    if not waits and _OF_LTO.search(target.read_bytes()):
        raise BuildError(
            Status.BUILD_FAILED,
            f"{name}: its assembly has a section for link-time optimisation (.gnu.lto_…), which "
            "only a compiler may write; remove it",
        )
    if budget is not None:
        budget.spend(done.seconds)
