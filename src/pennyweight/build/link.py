"""Links objects into programs that differ by their root symbols."""

from __future__ import annotations

import functools
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight.build import file_cache
from pennyweight.build.failure import BuildError, link_failure, missing_symbol, timed_out, too_large
from pennyweight.build.file_access import Reader
from pennyweight.build.firmware import cplusplus_runtime, felics_adapter, felics_ae_adapter
from pennyweight.build.image import Image
from pennyweight.build.objects import Object, compile_firmware
from pennyweight.build.randomness import Randomness
from pennyweight.catalogue import felics_ae, shared_api
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.flags import optimises_links
from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Kind
from pennyweight.toolchains import Toolchain
from pennyweight.toolchains.clang import for_gnu
from pennyweight.toolchains.command import TIME_LIMIT_S, Completed, run

ENCRYPT = "crypto_aead_encrypt"
DECRYPT = "crypto_aead_decrypt"
HASH = "crypto_hash"
CXOF = "crypto_cxof"
AUTH = "crypto_auth"
AUTH_VERIFY = "crypto_auth_verify"

AEAD_PARTS = (
    "aead_init",
    "aead_ad",
    "aead_encrypt",
    "aead_decrypt",
    "aead_finalize",
    "aead_tag",
    "aead_verify",
    "aead_state_bytes",
    "aead_block_bytes",
)
HASH_PARTS = ("hash_init", "hash_update", "hash_final", "hash_state_bytes")
MAC_PARTS = (
    "mac_init",
    "mac_update",
    "mac_finalize",
    "mac_tag",
    "mac_verify",
    "mac_state_bytes",
)
HASH_INIT_CUSTOM = "hash_init_custom"
MAC_INIT_CUSTOM = "mac_init_custom"
SQUEEZE = "hash_squeeze"
KEY_SETUP = {
    Kind.AEAD: ("aead_set_key", "aead_start"),
    Kind.AUTH: ("mac_set_key", "mac_start"),
}

NATIVE = "native"
"""The program with only the package's own functions, if an adapter calls them; with only those that
are measured, if they take shares."""

_START = ("start.S", "start.c")

_MOST_SYMBOLS = 200_000
"""Maximum number of symbols; real programs have some thousand, including those of libraries."""

_LARGEST_MAP = 32 << 20
"""Maximum bytes of a linker's map: a line or two for each section of each object."""


def roots(implementation: Implementation) -> dict[str, frozenset[str]]:
    """The programs of an implementation except `empty`, and the root symbols of each.

    `enc` and `dec` are the two directions: for a MAC, making a tag and verifying one.
    """
    if implementation.kind is Kind.HASH:
        one_shot = CXOF if implementation.customised else HASH
        programs = {"full": frozenset((one_shot,))}
    else:
        forth, back = _DIRECTIONS[implementation.kind]
        programs = {
            "enc": frozenset((forth,)),
            "dec": frozenset((back,)),
            "full": frozenset((forth, back)),
        }
    felics = implementation.felics
    if felics is not None:
        programs["enc"] = frozenset(felics.functions()) - {"ProcessCiphertext", felics.verify_tag}
        programs["dec"] = frozenset(felics.functions()) - {"ProcessPlaintext", felics.make_tag}
        programs["parts"] = frozenset(felics.functions())
    elif implementation.shared is not None:
        programs["enc"] = frozenset((shared_api.ENCRYPT,))
        programs["dec"] = frozenset((shared_api.DECRYPT,))
        programs[NATIVE] = programs["enc"] | programs["dec"]
        programs["full"] = programs[NATIVE].union(shared_api.HELPERS)
    elif implementation.felics_ae is not None:
        programs["enc"] = frozenset((felics_ae.ENCRYPT,))
        programs["dec"] = frozenset((felics_ae.DECRYPT,))
        programs[NATIVE] = programs["enc"] | programs["dec"]
    elif implementation.manifest.incremental:
        programs["parts"] = frozenset(_parts(implementation))
    return programs


_DIRECTIONS = {Kind.AEAD: (ENCRYPT, DECRYPT), Kind.AUTH: (AUTH, AUTH_VERIFY)}


def _parts(implementation: Implementation) -> list[str]:
    """The symbols of the incremental API, as far as the manifest declares them."""
    kind, manifest = implementation.kind, implementation.manifest
    names = {Kind.AEAD: AEAD_PARTS, Kind.HASH: HASH_PARTS, Kind.AUTH: MAC_PARTS}[kind]
    found = list(names)
    if manifest.customisation and kind is not Kind.AEAD:
        found.append(HASH_INIT_CUSTOM if kind is Kind.HASH else MAC_INIT_CUSTOM)
    if manifest.key_setup and kind in KEY_SETUP:
        found += KEY_SETUP[kind]
    if manifest.xof and kind is Kind.HASH:
        found.append(SQUEEZE)
    return found


@dataclass(frozen=True, slots=True)
class Adapter:
    """A source of Pennyweight with the one-shot API on top of a package's functions."""

    source: Path
    macros: tuple[str, ...]


def adapter_of(implementation: Implementation, firmware: Path) -> Adapter | None:
    """The adapter that an implementation needs, if it was written for FELICS."""
    if implementation.felics is not None:
        return Adapter(felics_adapter(firmware), implementation.felics.macros())
    if implementation.felics_ae is not None:
        return Adapter(felics_ae_adapter(firmware), implementation.felics_ae.macros())
    return None


@dataclass(frozen=True, slots=True)
class Linked:
    """A linked program and the linker's map of it."""

    image: Image
    map_text: str


class Linker:
    """Links in one folder, for one board, with one set of flags."""

    def __init__(
        self,
        toolchain: Toolchain,
        board: Board,
        flags: tuple[str, ...],
        firmware: Path,
        folder: Path,
        cplusplus: bool = False,
        adapter: Adapter | None = None,
        randomness: Randomness | None = None,
        reader: Reader | None = None,
    ) -> None:
        """`reader` checks the files that are read if the assembler runs again, for link-time
        optimisation; without one, they are not checked.
        """
        self.firmware = firmware
        self._reader = reader
        self.folder = folder
        self._toolchain = toolchain
        # Clang's flags are nothing to the GNU toolchain, which links.
        self._flags = flags if toolchain.clang is None else for_gnu(flags)
        self._arguments = toolchain.family.link_arguments(board, firmware)
        place = firmware / toolchain.family.firmware
        start = next(place / name for name in _START if (place / name).is_file())
        compile_firmware(toolchain, start, board.file.compiler.flags, folder / "start.o")
        self._libraries: list[str] = []
        libraries = toolchain.family.library_sources(firmware)
        runtime = (cplusplus_runtime(firmware),) if cplusplus else ()
        for source in (*libraries, *runtime):
            self._libraries.append(f"{source.stem}.o")
            target = folder / self._libraries[-1]
            compile_firmware(toolchain, source, board.file.compiler.flags, target)
        if adapter is not None:
            self._libraries.append("felics.o")
            adapter_flags = (*board.file.compiler.flags, *adapter.macros)
            compile_firmware(toolchain, adapter.source, adapter_flags, folder / "felics.o")

        if randomness is not None:
            for source in randomness.files(firmware):
                self._libraries.append(f"{source.stem}.o")
                flags = (*board.file.compiler.flags, *randomness.macros)
                compile_firmware(toolchain, source, flags, folder / self._libraries[-1])

    def link_empty(self, key: str) -> Linked:
        """The empty program, from the user's cache if possible; `key` is the hash of its inputs.

        It is the same for all implementations. Raises `BuildError`.
        """
        elf, listing = self.folder / "empty.elf", self.folder / "empty.map"

        def make(folder: Path) -> None:
            self.link("empty", [], frozenset())
            for file in (elf, listing):
                shutil.copyfile(file, folder / file.name)

        file_cache.provide("empty", key, self.folder, make)
        return Linked(
            Image(elf.read_bytes()), listing.read_text(encoding="utf-8", errors="replace")
        )

    def finds(self, objects: Sequence[Object], symbols: frozenset[str]) -> bool:
        """Whether objects link into a program with these symbols. Other failures do not count."""
        try:
            self.link("probe", [each.file for each in objects], symbols)
        except BuildError as failure:
            return not any(f"'{symbol}'" in failure.reason for symbol in symbols)
        finally:
            (self.folder / "probe.elf").unlink(missing_ok=True)
        return True

    def link(
        self,
        name: str,
        objects: Sequence[str],
        symbols: frozenset[str],
        aliases: Mapping[str, str] | None = None,
    ) -> Linked:
        """The program `name`; `aliases` maps symbols to the functions that implement them.

        Raises `BuildError`.
        """
        named = {symbol: real for symbol, real in (aliases or {}).items() if symbol in symbols}
        elf = self.folder / f"{name}.elf"
        listing = self.folder / f"{name}.map"
        command: list[str | Path] = [
            self._toolchain.driver,
            *self._flags,
            "-g1",
            "start.o",
            *objects,
            *self._libraries,
            *self._arguments,
            f"-Wl,--gc-sections,-Map={listing.name}",
            *(f"-Wl,-u,{symbol}" for symbol in sorted({*symbols, *named.values()})),
            *(f"-Wl,--defsym={symbol}={real}" for symbol, real in sorted(named.items())),
            *("-o", elf.name),
        ]
        if optimises_links(self._flags):
            done = self._assemble_and_link(command)
        else:
            # Objects that falsely claim to need link-time optimisation must not get it.
            command += ["-fno-lto", "-fno-use-linker-plugin"]
            done = run(command, cwd=self.folder, temporary=self.folder)
        if done.timed_out:
            raise timed_out("linking", TIME_LIMIT_S)
        if not done.ok:
            raise link_failure(done.output)
        image = Image(elf.read_bytes())
        if image.symbol_count > _MOST_SYMBOLS:
            raise too_large(f"the program has more than {_MOST_SYMBOLS:,} symbols")
        if listing.stat().st_size > _LARGEST_MAP:
            raise too_large("the program has too many sections")
        for symbol in sorted(symbols):
            if not image.defines(symbol):
                raise missing_symbol(symbol)
        return Linked(image, listing.read_text(encoding="utf-8", errors="replace"))

    def _assemble_and_link(self, command: Sequence[str | Path]) -> Completed:
        """A link in which the assembler runs again, on all sources combined: whether it reads a
        file may depend on a definition in one of them. Raises `BuildError` if it reads a file that
        it must not.
        """
        if self._reader is None:
            return run(command, cwd=self.folder, temporary=self.folder)
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            lists = Path(name)
            script = lists / "as"
            real = shlex.quote(_assembler(self._toolchain.driver))
            into = shlex.quote(str(lists))
            script.write_text(f'#!/bin/sh\nexec {real} --MD {into}/$$.d "$@"\n', encoding="utf-8")
            script.chmod(0o700)
            done = run([*command, f"-B{lists}/"], cwd=self.folder, temporary=self.folder)
            for listing in sorted(lists.glob("*.d")):
                self._reader.check_listing("linking", listing, self.folder)
            if not done.ok:
                self._reader.check_messages("linking", done.output, self.folder)
        return done


@functools.cache
def _assembler(driver: Path) -> str:
    """The assembler of a compiler."""
    return run([driver, "-print-prog-name=as"], cwd=driver.parent).output.strip()
