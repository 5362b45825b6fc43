"""The files of an implementation, and their digest."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pennyweight.build.contents import content_of, meaning_of
from pennyweight.build.crate import CRATE
from pennyweight.build.dependencies import Dependency, dependencies_of
from pennyweight.build.failure import BuildError
from pennyweight.build.includes import given_to, reached
from pennyweight.build.random_bindings import bound
from pennyweight.catalogue import felics
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.manifest import MANIFEST
from pennyweight.catalogue.walking import walk
from pennyweight.model import Status
from pennyweight.toolchains import rust

CPLUSPLUS_SUFFIXES = (".cpp", ".cc", ".cxx")
ASSEMBLY_SUFFIXES = (".S", ".s")
SUFFIXES = (".c", *ASSEMBLY_SUFFIXES, *CPLUSPLUS_SUFFIXES)
_NOT_SOURCES = ("genkat",)
"""NIST packages contain the generator of their known answers, which has its own `main`."""

DESCRIPTIONS = ("lwc_crypto_aead.c", "lwc_crypto_hash.c")
"""Files in which packages for NIST's benchmarks name their functions; compiled only if the names
differ from those of the API.
"""

_RANDOM = ("randombytes", "pw_random32")
"""The functions for random numbers: SUPERCOP's, and that of `pennyweight/random.h`."""

_PRECOMPILED = (".gch", ".pch")

MOST_BYTES = 64 << 20
_MOST_FILES = 20_000
_DEEPEST = 100
"""Maximum nesting of folders; a thousand is more than many programs can handle."""

_ODD = re.compile(r"[\x00-\x1f\x7f\\]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A source with the files that it includes. The digest covers their names and contents, and the
    generated headers among them.
    """

    sha256: str
    files: frozenset[Path]


@dataclass(frozen=True)
class Sources:
    """The files of an implementation.

    `compiled` contains paths relative to the folder, in link order; `include` contains relative
    folders.
    """

    folder: Path
    compiled: tuple[str, ...]
    include: tuple[str, ...]
    allowed: tuple[Path, ...]
    """Folders that headers may come from."""
    descriptions: tuple[str, ...] = ()
    """Those of `DESCRIPTIONS` in the folder."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Sources of other packages that this one is built on, with their compiler flags."""
    generated: tuple[tuple[str, str], ...] = ()
    """Headers that a build generates, by name, with their text; only for families, whose folder
    contains sources of other implementations too.
    """

    @property
    def has_cplusplus(self) -> bool:
        """Whether any source is C++."""
        return any(name.endswith(CPLUSPLUS_SUFFIXES) for name in self.compiled)

    @cached_property
    def resolved(self) -> frozenset[Path]:
        """The real paths of the compiled files."""
        return frozenset((self.folder / name).resolve() for name in self.compiled)

    @cached_property
    def links(self) -> frozenset[Path]:
        """The files that are links, by the location of the link."""
        folder = self.folder.resolve()
        return frozenset(
            Path(os.path.normpath(folder / name))
            for name, path in self.files()
            if path.is_symlink()
        )

    def own_headers(self, build_folder: Path) -> tuple[str, ...]:
        """Compiler options for the implementation's own headers, which precede those of `include`.
        Generated ones are in `build_folder` (:meth:`write_generated`).
        """
        return (f"-I{build_folder}",) if self.generated else ("-I.",)

    def write_generated(self, build_folder: Path) -> None:
        """Writes the generated headers to a folder. Raises `OSError`."""
        for name, text in self.generated:
            (build_folder / name).write_text(text, encoding="utf-8")

    @property
    def sha256(self) -> str:
        """Digest of names and content of all files that could enter the build, computed on first
        use.
        """
        return self._read[0]

    @cached_property
    def meaning(self) -> str:
        """As `sha256`, but without C's comments."""
        total = hashlib.sha256()
        for name, path in self.files():
            line = f"{name}\n{meaning_of(path)}\n"
            total.update(line.encode("utf-8", errors="surrogateescape"))
        if CRATE in self.compiled:
            total.update(rust.versions().encode())
        return total.hexdigest()

    def unit(self, name: str) -> Unit:
        """A compiled file of a family, with what it includes. Raises `BuildError`."""
        headers = [self.folder / each for each in self.include]
        names = [each for each, _ in self.generated]
        with _reading():
            files = reached([self.folder / name], headers, names)
            used = given_to(files, names)
            lines = [
                f"{path.relative_to(self.folder).as_posix()}\n{content_of(path).sha256}\n"
                for path in sorted(files)
            ]
        lines += [f"{each}\n{text}\n" for each, text in self.generated if each in used]
        return Unit(hashlib.sha256("".join(lines).encode()).hexdigest(), frozenset(files))

    @property
    def asks(self) -> bool:
        """Whether any file contains the word with which a source tests for a file."""
        return self._read[1]

    @property
    def framework(self) -> frozenset[str]:
        """The macros of SUPERCOP's framework, and the functions for random numbers, that the files
        mention.
        """
        return self._read[2]

    @property
    def uses_random(self) -> bool:
        """Whether the files mention a function for random numbers."""
        return bool(self.bindings) or not self.framework.isdisjoint(_RANDOM)

    @cached_property
    def bindings(self) -> tuple[Path, ...]:
        """Pennyweight's sources for the functions for random numbers of third-party frameworks.
        They replace the package's files of the same names. Raises `BuildError`.
        """
        if self.generated:
            return ()
        with _reading():
            return bound(self.files())

    @cached_property
    def _read(self) -> tuple[str, bool, frozenset[str]]:
        total = hashlib.sha256()
        asks = False
        framework: set[str] = set()
        for name, path in self.files():
            try:
                content = content_of(path)
            except OSError as error:
                raise _failure(f"'{name}' cannot be read ({error.strerror})") from None
            asks = asks or content.asks
            framework |= content.framework
            total.update(f"{name}\n{content.sha256}\n".encode("utf-8", errors="surrogateescape"))
        for name, text in self.generated:
            total.update(f"{name}\n{text}\n".encode())
        if CRATE in self.compiled:
            total.update(rust.versions().encode())
        return total.hexdigest(), asks, frozenset(framework)

    def files(self) -> list[tuple[str, Path]]:
        """All files that could enter the build: names relative to the folder, and real paths.

        Raises `BuildError` if they are too large, or if reading one might not end.
        """
        return self._files

    @cached_property
    def _files(self) -> list[tuple[str, Path]]:
        return self._included() if self.generated else self._all()

    def _included(self) -> list[tuple[str, Path]]:
        """The files that a family's compiled files include."""
        with _reading():
            paths = reached(
                (self.folder / name for name in self.compiled),
                [self.folder / name for name in self.include],
                [name for name, _ in self.generated],
            )
        return sorted((path.relative_to(self.folder).as_posix(), path) for path in paths)

    def _all(self) -> list[tuple[str, Path]]:
        """The files in the folder and in those of headers."""
        found: dict[str, Path] = {}
        size = 0
        for root in ("", *self.include):
            for place, folders, files in walk(self.folder / root, _check_reachable):
                if place.count(os.sep) > _DEEPEST + str(self.folder / root).count(os.sep):
                    raise _too_deep(Path(place).name)
                for name in (*folders, *files):
                    if name.endswith(_PRECOMPILED):
                        raise _failure(
                            f"{name!r} is a precompiled header, which would be used instead of "
                            "its source: remove it"
                        )
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                inside = os.path.relpath(place, self.folder) if files else ""
                for file in files:
                    path = Path(place, file)
                    bytes_of = _size(path)
                    if bytes_of is not None and not file.startswith("."):
                        name = file if inside == "." else f"{inside}/{file}"
                        found[name] = path
                        size += bytes_of
                    if size > MOST_BYTES:
                        raise _failure(
                            f"the sources are larger in total than {MOST_BYTES >> 20} MB"
                        )
                    if len(found) > _MOST_FILES:
                        raise _failure(f"the sources are more than {_MOST_FILES:,} files")
        for name in self.compiled:
            found[name] = self.folder / name
        return sorted(found.items())


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """A context in which a file that cannot be read is a `BuildError`."""
    try:
        yield
    except OSError as error:
        raise _failure(f"{error.filename} cannot be read ({error.strerror})") from None


def _check_reachable(error: OSError) -> None:
    """Raises `BuildError` for a path that is too long for Pennyweight; a compiler, which runs in
    the folder, would use a shorter one.
    """
    if error.errno == errno.ENAMETOOLONG:
        raise _too_deep(Path(str(error.filename)).name)


def _too_deep(name: str) -> BuildError:
    return _failure(f"{name[:60]!r} is nested too deep: its path is too long; move it up")


def _size(path: Path) -> int | None:
    """A file's bytes; `None` for a broken link. Raises `BuildError` for a device."""
    try:
        seen = path.stat()
    except OSError as error:
        _check_reachable(error)
        return None
    if not stat.S_ISREG(seen.st_mode):
        raise _failure(f"{path.name!r} is a device or a pipe, not a file: remove it")
    return seen.st_size


def collect(implementation: Implementation) -> Sources:
    """The sources of an implementation. Raises `BuildError`."""
    if implementation.generated:
        return _of_family(implementation)
    folder = implementation.folder
    manifest = implementation.manifest
    inside = _bounds(implementation)
    own = _own(folder)
    if implementation.felics or implementation.felics_ae:
        own = [name for name in own if name not in felics.NOT_SOURCES]
    descriptions = tuple(name for name in own if name in DESCRIPTIONS)
    own = [name for name in own if name not in DESCRIPTIONS] or own
    extra = [_relative(folder, name, inside, "sources") for name in manifest.sources]
    for name in extra:
        if not (folder / name).is_file():
            raise _failure(f"{MANIFEST}: field 'sources': there is no file '{name}'")
        if not name.endswith(SUFFIXES):
            raise _failure(f"{MANIFEST}: field 'sources': '{name}' is not a C or assembly file")
    include = [_relative(folder, name, inside, "include") for name in manifest.include]
    for name in include:
        if not (folder / name).is_dir():
            raise _failure(f"{MANIFEST}: field 'include': there is no folder '{name}'")
    _check_names(folder, inside)
    others = _dependencies(implementation, inside)
    include += [os.path.relpath(each.folder, folder) for each in others]
    renamed = tuple(
        (os.path.relpath(each.folder / name, folder), flag)
        for each in others
        for name in _own(each.folder)
        for flag in each.renamed
    )
    extra += dict.fromkeys(name for name, _ in renamed)
    compiled = [name for name in own if name not in extra] + list(dict.fromkeys(extra))
    if implementation.crate:
        compiled = [CRATE]
    if not compiled:
        raise _failure(f"no source in the folder: it has no file that ends in {_listed(SUFFIXES)}")
    for name in compiled:
        if Path(name).name.startswith("@"):
            raise _failure(
                f"the file name {name!r} begins with '@', which marks a file of "
                "options: rename the file"
            )
    for name in include:
        _check_names(folder / name, inside)
    for name in compiled:
        _check_name(Path(name).name)
        _check_link(folder / name, inside)
    allowed = [folder.resolve(), *((folder / name).resolve() for name in include)]
    found = Sources(folder, tuple(compiled), tuple(include), tuple(allowed), descriptions, renamed)
    replaced = {binding.name for binding in found.bindings}
    if not replaced:
        return found
    kept = tuple(name for name in compiled if Path(name).name not in replaced)
    return dataclasses.replace(found, compiled=kept)


def _of_family(implementation: Implementation) -> Sources:
    """The sources that a family's manifest combines, in the folder of all families."""
    folder = implementation.tree.resolve()
    return Sources(
        folder,
        implementation.manifest.sources,
        implementation.manifest.include,
        allowed=(folder,),
        generated=implementation.generated,
    )


def _dependencies(implementation: Implementation, inside: Path) -> list[Dependency]:
    """The packages that a package of a tree is built on; none for a package without a tree."""
    own_rules = implementation.felics or implementation.felics_ae
    if own_rules or inside != implementation.tree.resolve() or inside == implementation.folder:
        return []
    return dependencies_of(implementation.folder, inside)


def _own(folder: Path) -> list[str]:
    """The source files in the folder itself, by name."""
    try:
        files = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError as error:
        raise _failure(f"the folder cannot be read ({error.strerror})") from None
    return [
        name
        for name in files
        if name.endswith(SUFFIXES) and not name.startswith((".", *_NOT_SOURCES))
    ]


def _check_names(root: Path, inside: Path) -> None:
    """Raises `BuildError` for a name that a compiler's dependency list cannot represent, and for a
    link to a folder: neither a digest nor another machine would include its content.
    """
    waiting = [str(root)]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue  # files that cannot be read are reported where they are read
        for entry in entries:
            if entry.name.startswith("."):
                continue
            _check_name(entry.name)
            if entry.is_symlink():
                if entry.is_dir():
                    raise _failure(
                        f"{entry.name!r} is a link to a folder: replace it with the folder, or "
                        f"list the folder in 'include' of {MANIFEST}"
                    )
                _check_link(Path(entry.path), inside)
            elif entry.is_dir():
                waiting.append(entry.path)


def _check_name(name: str) -> None:
    if _ODD.search(name):
        raise _failure(f"the file name {name!r} has a control character or a backslash: rename it")


def _bounds(implementation: Implementation) -> Path:
    """The folder that must contain all of a package's files: its tree. For a package in the user's
    home folder, it is the package itself, because other files there do not belong to it.
    """
    tree = implementation.tree.resolve()
    with contextlib.suppress(RuntimeError):  # no known home folder
        if Path.home().resolve().is_relative_to(tree):
            return implementation.folder.resolve()
    return tree


def _check_link(path: Path, inside: Path) -> None:
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside):
        raise _failure(f"{path.name!r} is a link that points out of the implementation's folder")


def _relative(folder: Path, name: str, inside: Path, field: str) -> str:
    """`name` in normalised form. Raises `BuildError` if it is outside `inside`."""
    path = Path(os.path.normpath(folder / name))
    if Path(name).is_absolute() or not path.resolve().is_relative_to(inside):
        raise _failure(f"{MANIFEST}: field '{field}': '{name}' is outside the implementation")
    return os.path.relpath(path, folder)


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words[:-1]) + f" or {words[-1]}"


def _failure(reason: str) -> BuildError:
    return BuildError(Status.BUILD_FAILED, reason)
