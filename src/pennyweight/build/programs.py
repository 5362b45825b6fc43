"""Builds a job's linked programs and determines their sizes.

Objects are compiled once and linked into up to five programs that differ only by their root
symbols. The result is cached under a hash of everything that it depends on.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pennyweight import cache
from pennyweight.build.description import Completed, complete, defined
from pennyweight.build.failure import BuildError
from pennyweight.build.failure_causes import with_cause
from pennyweight.build.file_access import Reader
from pennyweight.build.firmware import (
    felics_ae_flags,
    felics_flags,
    firmware_sha256,
    headers_folder,
)
from pennyweight.build.flag_check import check_flags
from pennyweight.build.link import NATIVE, Linked, Linker, adapter_of, roots
from pennyweight.build.objects import Object, changed, compile_all, compile_one
from pennyweight.build.randomness import Randomness, check_random, from_library, randomness_of
from pennyweight.build.sources import Sources, collect
from pennyweight.build.supercop import framework_flags
from pennyweight.build.symbols import difference
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.felics_ae import FelicsAe
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.root import data_root
from pennyweight.fingerprint.own_code import BUILDING, own_code
from pennyweight.job import Job
from pennyweight.model import Sizes, Status, SymbolSize, UserError
from pennyweight.toolchains import Toolchain, for_job, is_replaced
from pennyweight.toolchains.identity import libraries_sha256


@dataclass(frozen=True, slots=True)
class Program:
    """A linked image and its size on the part in bytes."""

    name: str
    elf: bytes
    flash: int
    ram: int


@dataclass(frozen=True, slots=True)
class Build:
    """All programs of one implementation for one board with one compiler and one set of flags."""

    programs: dict[str, Program]
    sizes: Sizes
    symbols: list[SymbolSize]
    unfit: dict[str, str] = field(default_factory=dict)
    """Programs that do not fit the part or lack a symbol, with the reason."""
    library_random: list[str] = field(default_factory=list)
    """The C library's functions for random numbers that it calls."""


def build_key(job: Job) -> str:
    """The content hash that names a job's build. Raises `UserError`, `BuildError`."""
    return _key(job, collect(job.implementation), for_job(job))


def build(job: Job, sha256: str | None = None) -> Build:
    """Builds the programs, or takes them from the cache.

    Raises `UserError` for flags that the compiler rejects, `MissingToolchainError`, `BuildError`
    for faults of the implementation, and `DisturbedError` if its files do not, or no longer, have
    the digest `sha256`.
    """
    found = _built(job, sha256)
    if job.implementation.manifest.shares or job.implementation.shared:
        check_random(found.library_random)
    return found


def _built(job: Job, sha256: str | None) -> Build:
    toolchain = for_job(job)
    sources = collect(job.implementation)
    if sha256 is not None and sha256 != sources.sha256:
        raise changed(sources.folder)
    key = _key(job, sources, toolchain)
    cached = cache.entry("builds", key)
    found = _load(cached) if cached else None
    if found is not None:
        return found
    if cached is not None:
        shutil.rmtree(cached, ignore_errors=True)
    check_flags(toolchain, job.board, job.options)
    try:
        made = cache.fill("builds", key, lambda folder: _make(folder, job, sources, toolchain))
    except BuildError as failure:
        if job.implementation.bundled:
            raise
        raise with_cause(failure, sources, toolchain.family, job.board) from None
    found = _load(made)
    if found is None:
        raise UserError(f"{made}: cannot be read back; check the disk or set PENNYWEIGHT_CACHE")
    return found


def _key(job: Job, sources: Sources, toolchain: Toolchain) -> str:
    """Boards that do not differ for the compiler share their builds."""
    implementation = job.implementation
    randomness = randomness_of(job, sources)
    parts = {
        "sources": sources.sha256,
        "compiled": sources.compiled,
        "descriptions": sources.descriptions,
        "include": sources.include,
        "defines": implementation.manifest.defines,
        "felics": _adapted(implementation),
        "framework": framework_flags(sources, implementation),
        "compiler": toolchain.identity.of(sources.has_cplusplus),
        "roots": {name: sorted(symbols) for name, symbols in roots(implementation).items()},
        "surroundings": _surroundings(job, toolchain),
        **({} if randomness is None else {"randomness": _random_inputs(randomness)}),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _random_inputs(randomness: Randomness) -> list[str]:
    bindings = [path.name for path in randomness.bindings]
    return [randomness.source, *randomness.macros, *bindings]


def _adapted(implementation: Implementation) -> tuple[str, ...]:
    found = implementation.felics or implementation.felics_ae
    return found.macros() if found else ()


def _check_platform(package: FelicsAe, board: Board) -> None:
    """Raises `BuildError` if a package lists platforms without the board's."""
    if package.platforms and board.packages.felics_ae not in package.platforms:
        named = ", ".join(package.platforms)
        reason = f"its implementation.info says that it is for {named}"
        raise BuildError(Status.SKIPPED, reason)


def _surroundings(job: Job, toolchain: Toolchain) -> str:
    """Everything that a build depends on except the implementation: the inputs of the empty
    program.
    """
    board = job.board
    parts = {
        "code": own_code(BUILDING, *toolchain.family.roots()),
        "firmware": firmware_sha256(data_root() / "firmware", toolchain.family),
        "compiler": toolchain.identity.sha256,
        "libraries": libraries_sha256(
            toolchain.driver,
            toolchain.family.library_flags(board.file.compiler.flags),
            toolchain.family.libraries(),
        ),
        "board": [
            board.file.compiler.flags,
            *((memory.base, memory.size) for memory in board.file.memory),
        ],
        "flags": job.options,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _make(folder: Path, job: Job, sources: Sources, toolchain: Toolchain) -> None:
    """Fills `folder` with the programs and `build.json`. Raises `BuildError`."""
    implementation, board = job.implementation, job.board
    firmware = data_root() / "firmware"
    all_flags = (*board.file.compiler.flags, *job.options)
    felics = implementation.felics
    part = toolchain.family.felics_part
    if felics is not None and part in felics.not_for:
        reason = f"its implementation.info says that it is not for {part}"
        raise BuildError(Status.SKIPPED, reason)
    more = _defined(implementation.manifest.defines) + framework_flags(sources, implementation)
    if felics is not None:
        more += felics_flags(firmware, toolchain.family)
    if implementation.felics_ae is not None:
        _check_platform(implementation.felics_ae, board)
        more += felics_ae_flags(firmware, implementation.felics_ae, board.packages.felics_ae)
    headers = headers_folder(firmware)
    objects = compile_all(toolchain, sources, (*all_flags, *more), headers, folder)
    linker = Linker(
        toolchain,
        board,
        all_flags,
        firmware,
        folder,
        cplusplus=sources.has_cplusplus,
        adapter=adapter_of(implementation, firmware),
        randomness=randomness_of(job, sources),
        reader=Reader(toolchain, sources, (*all_flags, *more), headers, folder),
    )
    wanted = roots(implementation)
    completed = completed_by_description(toolchain, sources, all_flags, linker, objects, wanted)
    objects, aliases = completed.objects, completed.aliases
    names = [each.file for each in objects]
    surroundings = _surroundings(job, toolchain)
    empty = linker.link_empty(surroundings)
    linked: dict[str, Linked] = {}
    unfit: dict[str, str] = {}
    for name, symbols in wanted.items():
        try:
            linked[name] = linker.link(name, names, symbols, aliases)
            check_fit(linked[name], board)
        except BuildError as failure:
            if name == "full" or failure.status is not Status.DOES_NOT_FIT:
                raise
            unfit[name] = failure.reason
    if is_replaced(toolchain) or _surroundings(job, toolchain) != surroundings:
        raise changed(toolchain.driver)
    # For FELICS packages, the package's own functions count, not the adapter for verification.
    own = "parts" if felics is not None else NATIVE
    whole = own if own in linked else "full"
    table = difference(
        linked[whole].image,
        linked[whole].map_text,
        empty.image,
        empty.map_text,
        {each.file: each.source for each in objects},
    )
    description = {
        "programs": {
            name: {
                "flash": program.image.flash,
                "ram": program.image.ram,
                "sha256": hashlib.sha256(program.image.elf).hexdigest(),
            }
            for name, program in {"empty": empty, **linked}.items()
        },
        "sizes": dataclasses.asdict(_sizes(empty, linked, whole)),
        "symbols": [dataclasses.asdict(row) for row in table],
        "unfit": unfit,
        "library_random": from_library(linked["full"].map_text),
    }
    for leftover in folder.iterdir():
        if leftover.suffix != ".elf":
            leftover.unlink()
    (folder / "build.json").write_text(json.dumps(description, indent=1), encoding="utf-8")


def _defined(macros: Sequence[str]) -> tuple[str, ...]:
    """A manifest's macros for the compiler: `NAME` or `NAME value`."""
    return tuple(f"-D{macro.replace(' ', '=', 1)}" for macro in macros)


def completed_by_description(
    toolchain: Toolchain,
    sources: Sources,
    flags: tuple[str, ...],
    linker: Linker,
    objects: list[Object],
    wanted: Mapping[str, frozenset[str]],
) -> Completed:
    """The objects, with those of the package's description if needed.

    Raises `BuildError`.
    """
    folder = linker.folder
    missing = wanted["full"] - defined(folder / each.file for each in objects)
    # Objects for link-time optimisation have no symbols: only a link can find them.
    if not sources.descriptions or not missing or linker.finds(objects, wanted["full"]):
        return Completed(objects)

    def compile_source(name: str, to_link: bool) -> Object:
        chosen = flags if to_link else (*flags, "-fno-lto")
        return compile_one(
            toolchain, sources, name, chosen, headers_folder(linker.firmware), folder
        )

    return complete(objects, missing, sources.descriptions, compile_source, folder)


def check_fit(program: Linked, board: Board) -> None:
    """Raises `BuildError` with the number of excess bytes."""
    image = program.image
    for memory, used, name in (
        (board.flash, image.flash, "flash"),
        (board.ram, image.ram, "static RAM"),
    ):
        if used > memory.size:
            raise BuildError(
                Status.DOES_NOT_FIT,
                f"{used - memory.size} bytes too many: {used} bytes of {name}, "
                f"but the part has {memory.size}",
            )


def _sizes(empty: Linked, linked: dict[str, Linked], whole: str) -> Sizes:
    def flash(name: str) -> int | None:
        return linked[name].image.flash - empty.image.flash if name in linked else None

    def ram(name: str) -> int | None:
        return linked[name].image.ram - empty.image.ram if name in linked else None

    return Sizes(
        flash=flash(whole),
        flash_enc=flash("enc"),
        flash_dec=flash("dec"),
        ram=ram(whole),
        ram_enc=ram("enc"),
        ram_dec=ram("dec"),
    )


def _load(folder: Path) -> Build | None:
    """The result of `_make` in a folder; `None` if it is damaged."""
    try:
        description = json.loads((folder / "build.json").read_text(encoding="utf-8"))
        programs = {}
        for name, facts in description["programs"].items():
            elf = (folder / f"{name}.elf").read_bytes()
            if hashlib.sha256(elf).hexdigest() != facts["sha256"]:
                return None
            if name not in description["unfit"]:
                programs[name] = Program(name, elf, facts["flash"], facts["ram"])
        return Build(
            programs=programs,
            sizes=Sizes(**description["sizes"]),
            symbols=[SymbolSize(**row) for row in description["symbols"]],
            unfit=description["unfit"],
            library_random=description["library_random"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
