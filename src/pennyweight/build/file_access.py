"""Checks which files a compiler reads while it builds a package.

A package is untrusted. Files that it includes (`#include`, `.include`, `.incbin`) or tests for must
be in its folder, in Pennyweight's or among the compiler's headers; no other file is part of the
name of a job. The compiler lists the files that it read; if it failed, its messages name them.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

from pennyweight.build import pragmas
from pennyweight.build.clang_arguments import clang_arguments, library_headers
from pennyweight.build.directives import TESTS, directives
from pennyweight.build.failure import BuildError
from pennyweight.build.firmware import cplusplus_headers
from pennyweight.build.pasted import parts_in, pasted
from pennyweight.build.sources import Sources
from pennyweight.model import Status
from pennyweight.toolchains import Toolchain
from pennyweight.toolchains.clang import NO_ANSWERS, own_headers, resource_folder
from pennyweight.toolchains.headers import OF_THE_MACHINE, searched

_PLACE = re.compile(
    r"^(?:In file included from |[ \t]++from )?(?P<file>[^:\n]+):\d+[:,]", re.MULTILINE
)
"""Beginning of a message of the compiler or the assembler: a file and a line.

A package can print a megabyte of anything, and its files are searched with these expressions too,
so none may match white space in more than one way.
"""

_HANDED_ON = re.compile(r"cc\w{6}(?:\.\w+)*\.s|<[^>]*>|\{standard input\}")
"""Names between compiler and assembler that are not files."""

_QUESTION = re.compile(
    r"(?P<defined>\bdefined\s*+\(?\s*+|#\s*+ifn?def\s++)?"
    r"(?P<word>__has_(?:include|embed)\w*+)(?=(?P<rest>[^\n]{0,4200}))"
)
"""Maximum length of a path to search after the word (PATH_MAX of Linux: 4096)."""
_ANSWERED = re.compile(r"""\s*\(\s*(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>)""")

_POISONED = 'poisoned "__has_'
"""The compiler's message for a test where none is allowed."""

_LITERAL = re.compile(r'"(?:\\.|[^"\\])*+"')

NO_QUESTIONS = Path("pennyweight", "no_questions.h")
"""Pennyweight's header that removes the words with which a source tests for files."""

FIRST = Path("pennyweight", "first.h")
"""Pennyweight's empty first header. Only the very first header may be precompiled (GCC
manual, section "Using Precompiled Headers"), and precompiled headers are memory images that a
compiler loads unchecked.
"""

NO_DEPENDENCY = Path("pennyweight", "no_dependency.h")
"""Pennyweight's header that poisons the word of a pragma that tests for files."""


class Reader:
    """One compiler with one set of flags, reading one package."""

    def __init__(
        self,
        toolchain: Toolchain,
        sources: Sources,
        flags: tuple[str, ...],
        headers: Path,
        build_folder: Path,
    ) -> None:
        self._sources = sources
        self._build_folder = build_folder
        self._base = sources.folder.resolve()
        self._headers = headers
        self._compiler = (toolchain.driver, flags)
        if toolchain.clang is not None:
            self._compiler = (toolchain.clang, clang_arguments(toolchain, flags, headers.parent))
        self._elsewhere = (
            headers.resolve(),
            cplusplus_headers(headers.parent).resolve(),
            build_folder.resolve(),
            *toolchain.family.library_headers(headers.parent),
            *(
                _clang_folders(toolchain.clang, toolchain, flags, headers.parent)
                if toolchain.clang
                else _compiler_folders(toolchain.driver, flags)
            ),
        )
        self._folders: dict[Path, Path] = {}
        self._seen: set[Path] = set()
        self._parts: frozenset[str] = frozenset()

    @property
    def no_questions(self) -> tuple[str | Path, ...]:
        """Keeps a compiler from testing whether a file exists, also if macros construct the test.
        Packages that test in plain words are read instead.

        In both cases Pennyweight's header comes first, after which no compiler loads a precompiled
        one.
        """
        return ("-include", self._headers / (FIRST if self._sources.asks else NO_QUESTIONS))

    @property
    def no_dependency(self) -> tuple[str | Path, ...]:
        """Makes a compiler report the word of `#pragma GCC dependency`; see :mod:`.pragmas`."""
        return ("-include", self._headers / NO_DEPENDENCY)

    @property
    def clang_no_questions(self) -> tuple[str | Path, ...]:
        """The same for Clang."""
        answers = () if self._sources.asks else NO_ANSWERS
        return (*answers, "-include", self._headers / FIRST)

    def check_listing(self, name: str, listing: Path, base: Path | None = None) -> None:
        """Raises `BuildError` for a file in a make rule that `name` must not read, and for a source
        that tests whether such a file exists. `base` is the folder that the rule's names are
        relative to.
        """
        try:
            text = listing.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return
        for entry in _prerequisites(text):
            self._check(name, entry if base is None else str(base / entry))

    def check_pragmas(
        self, name: str, listing: Path, command: Sequence[str | Path], compiled: bool
    ) -> None:
        """Raises `BuildError` if a file that `name` includes tests for files with a pragma.
        `command` is that of :func:`.pragmas.in_operators`; `compiled`: it can compile the source.
        """
        try:
            text = listing.read_text(encoding="utf-8", errors="surrogateescape")
            paths = [self._resolved(self._sources.folder / each) for each in _prerequisites(text)]
        except OSError:  # the compiler stopped early, for example at the pragma
            paths = [path for _, path in self._sources.files()]
        found = any(self._is_own(path) and pragmas.in_text(_text_of(path)) for path in paths)
        if not found:
            built = pragmas.in_operators(
                command, f"./{name}", self._sources.folder, self._build_folder
            )
            found = compiled if built is None else built
        if found:
            raise _refused(
                f"{name}: tests for a file with the pragma 'GCC dependency'; remove the pragma"
            )

    def _is_own(self, path: Path) -> bool:
        """Whether a file is the package's, not the compiler's or Pennyweight's."""
        return not any(path.is_relative_to(folder) for folder in self._elsewhere)

    def check_unit(self, name: str, listing: Path, files: Collection[Path]) -> None:
        """Raises `BuildError` if `name`, of a family, read another of the families' files than
        `files`, which name the compiled object. The assembler also lists names from debugging
        information, without their folders; no such files exist.
        """
        try:
            text = listing.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return
        for entry in _prerequisites(text):
            path = self._resolved(self._sources.folder / entry)
            if path.is_relative_to(self._base) and path not in files and path.is_file():
                raise _refused(
                    f"{name}: includes {path.relative_to(self._base)}, which no #include names in "
                    "double quotes; do so"
                )

    def check_messages(self, name: str, output: str, base: Path | None = None) -> None:
        """Raises `BuildError` for a file in messages that `name` must not read, and for a
        constructed test. A linker's messages, relative to `base`, also name sources of libraries,
        which do not exist here.
        """
        if _POISONED in output:
            raise _refused(
                f"{name}: builds a test with __has_include from macros; write the test directly or "
                "remove it"
            )
        for found in _PLACE.finditer(output):
            entry = found["file"].strip()
            if base is not None and not (base / entry).exists():
                continue
            if not _HANDED_ON.fullmatch(PurePosixPath(entry).name) and (
                Path(entry).is_absolute() or (self._sources.folder / entry).exists()
            ):
                self._check(name, entry)

    def _check(self, name: str, entry: str) -> None:
        path = self._resolved(self._sources.folder / entry)
        if path in self._seen:
            return
        self._seen.add(path)
        if path in self._sources.resolved:
            self._check_questions(path)
            return
        own = next((each for each in self._sources.allowed if path.is_relative_to(each)), None)
        written = Path(os.path.normpath(self._base / entry))
        if written in self._sources.links:
            self._check_questions(path)
            return
        if own is not None:
            if any(part.startswith(".") for part in path.relative_to(own).parts):
                raise _refused(
                    f"{name}: includes {entry}, whose name begins with a dot: such files are "
                    "ignored; rename it"
                )
            if written != path:
                raise _refused(f"{name}: includes {entry} through a link to a folder")
            self._check_questions(path)
            return
        if not any(path.is_relative_to(folder) for folder in self._elsewhere):
            raise _refused(
                f"{name}: includes {entry}, which is outside the implementation's folder and "
                "its manifest's 'include'"
            )

    def _check_questions(self, path: Path) -> None:
        """Raises `BuildError` if a source tests for a file that it must not include, or does not
        show which file it tests for.
        """
        if not self._sources.asks:
            return
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        text = directives(text, TESTS, without="__has_")
        self._parts |= parts_in(_LITERAL.sub('""', text))
        parts = pasted(self._parts)
        if parts:
            raise _refused(
                f"{path.name}: the words {' and '.join(parts)} of this package, from which macros "
                f"can build {''.join(parts)}, may hide a test for a file; rename one of them"
            )
        for question in _QUESTION.finditer(text):
            answered = _ANSWERED.match(question["rest"])
            if question["defined"] and not question["rest"].lstrip().startswith("("):
                continue
            wanted = (answered["quoted"] or answered["angled"]) if answered else "/"
            if not self._may_ask_for(PurePosixPath(wanted)):
                raise _refused(
                    f"{path.name}: tests with {question['word']}{question['rest'].rstrip()[:80]} "
                    "for a file that may be outside the implementation's folder"
                )

    def _may_ask_for(self, wanted: PurePosixPath) -> bool:
        """Neither files outside nor headers that only this machine has."""
        if wanted.is_absolute() or any(part.startswith(".") for part in wanted.parts):
            return False
        for folder in (*self._sources.allowed, *searched(*self._compiler)):
            if (folder / wanted).exists():
                return folder not in OF_THE_MACHINE
        return True

    def _resolved(self, path: Path) -> Path:
        """`path.resolve()`, with each folder resolved once, because a compiler's headers are in few
        folders.
        """
        if path.name in ("", ".."):
            return path.resolve()
        folder = self._folders.get(path.parent)
        if folder is None:
            folder = self._folders[path.parent] = path.parent.resolve()
        found = folder / path.name
        return found.resolve() if found.is_symlink() else found


def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


@functools.cache
def _compiler_folders(driver: Path, flags: tuple[str, ...]) -> tuple[Path, ...]:
    """The folders of a compiler's headers: those that it searches, which may be links to another
    compiler's, and its whole prefix, unless it shares that with the system.
    """
    prefix = driver.resolve().parent.parent
    if prefix != Path("/usr"):
        return (prefix, *(each for each in searched(driver) if each not in OF_THE_MACHINE))
    return tuple(sorted(set(searched(driver, flags)) - set(OF_THE_MACHINE)))


def _clang_folders(
    clang: Path, toolchain: Toolchain, flags: tuple[str, ...], firmware: Path
) -> tuple[Path, ...]:
    """The folders of headers outside packages: Clang's own, and the C library's."""
    folders = (resource_folder(clang), *own_headers(firmware))
    found = (*folders, *library_headers(toolchain, flags, firmware))
    return tuple(folder.resolve() for folder in found)


def _refused(reason: str) -> BuildError:
    return BuildError(Status.BUILD_FAILED, reason)


def _prerequisites(text: str) -> list[str]:
    """The files of a make rule in gcc's format, with spaces and dollars escaped."""
    _, _, rest = text.replace("\\\n", " ").partition(": ")
    names: list[str] = []
    current = ""
    letters = iter(rest)
    for letter in letters:
        if letter in "\\$":
            current += next(letters, "")
        elif letter in " \n":
            if current:
                names.append(current)
            current = ""
        else:
            current += letter
    return [*names, current] if current else names
