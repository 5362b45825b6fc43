"""What a compiler may read while it builds a package: the package's own files, ours, its own.

A package is somebody else's code. What it includes (`#include`, `.include`, `.incbin`), and what it
asks after, must lie in its folder, in ours or among the compiler's headers: all else is neither in
the name of a job nor a package's business. The compiler tells what it read; where it failed, its
messages name the files.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path, PurePosixPath

from pennyweight.build.failure import BuildError
from pennyweight.build.sources import Sources
from pennyweight.model import Status
from pennyweight.toolchains import Toolchain
from pennyweight.toolchains.command import run

_PLACE = re.compile(r"^(?:In file included from |\s+from )?(?P<file>[^:\n]+):\d+[:,]", re.MULTILINE)
"""How a message of the compiler or the assembler begins: a file and a line."""

_HANDED_ON = re.compile(r"cc\w{6}(?:\.\w+)*\.s|<[^>]*>|\{standard input\}")
"""What a compiler hands on to the assembler, and what is no file."""

_QUESTION = re.compile(r"__has_(?:include(?:_next)?|embed)\b(?P<rest>[^\n]*)")
_ANSWERED = re.compile(r"""\s*\(\s*(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>)""")

_HOSTS_HEADERS = (Path("/usr/include"), Path("/usr/local/include"))
"""Headers of the machine that compiles, which some compilers search last."""


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
        self._elsewhere = (
            headers.resolve(),
            build_folder.resolve(),
            *toolchain.family.library_headers(headers.parent),
            *_compiler_folders(toolchain.driver, flags),
        )
        self._folders: dict[Path, Path] = {}
        self._seen: set[Path] = set()

    def check_listing(self, name: str, listing: Path) -> None:
        """Raises `BuildError` for a file that a make rule names and `name` must not read, and for
        one that asks whether such a file is there.
        """
        try:
            text = listing.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return
        for entry in _prerequisites(text):
            self._check(name, entry)

    def check_messages(self, name: str, output: str) -> None:
        """Raises `BuildError` for a file that messages show and `name` must not read."""
        for found in _PLACE.finditer(output):
            entry = found["file"].strip()
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
            _check_questions(path)
            return
        own = next((each for each in self._sources.allowed if path.is_relative_to(each)), None)
        if own is not None:
            if any(part.startswith(".") for part in path.relative_to(own).parts):
                raise _refused(
                    f"{name}: includes {entry}, whose name begins with a dot: such files are not "
                    "taken for sources; rename it"
                )
            _check_questions(path)
            return
        if not any(path.is_relative_to(folder) for folder in self._elsewhere):
            raise _refused(
                f"{name}: includes {entry}, which lies outside the implementation's folder and "
                "its manifest's 'include'"
            )

    def _resolved(self, path: Path) -> Path:
        """`path.resolve()`, each folder resolved once: a compiler's headers lie in few."""
        if path.name in ("", ".."):
            return path.resolve()
        folder = self._folders.get(path.parent)
        if folder is None:
            folder = self._folders[path.parent] = path.parent.resolve()
        found = folder / path.name
        return found.resolve() if found.is_symlink() else found


def _check_questions(path: Path) -> None:
    """Raises `BuildError` if a source asks whether a file is there that it could not include."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for question in _QUESTION.finditer(text.replace("\\\n", "")):
        if not question["rest"].lstrip().startswith("("):
            continue
        answered = _ANSWERED.match(question["rest"])
        wanted = PurePosixPath((answered["quoted"] or answered["angled"]) if answered else "/")
        if wanted.is_absolute() or ".." in wanted.parts:
            raise _refused(
                f"{path.name}: asks by {question[0].strip()} for a file that may lie outside the "
                "implementation's folder"
            )


@functools.cache
def _compiler_folders(driver: Path, flags: tuple[str, ...]) -> tuple[Path, ...]:
    """Where a compiler keeps its headers: its whole prefix, or, where it shares that with the
    system, the folders that it searches (GCC manual, section "Directory Options").
    """
    prefix = driver.resolve().parent.parent
    if prefix != Path("/usr"):
        return (prefix,)
    found: set[Path] = set()
    for language in ("c", "c++"):
        words: list[str | Path] = [driver, *flags, f"-x{language}", "-E", "-v", "/dev/null"]
        lines = run(words, cwd=Path("/")).output.splitlines()
        if "#include <...> search starts here:" in lines and "End of search list." in lines:
            begin = lines.index("#include <...> search starts here:") + 1
            found |= {
                Path(line.strip()).resolve()
                for line in lines[begin : lines.index("End of search list.")]
            }
    return tuple(sorted(found - set(_HOSTS_HEADERS)))


def _refused(reason: str) -> BuildError:
    return BuildError(Status.BUILD_FAILED, reason)


def _prerequisites(text: str) -> list[str]:
    """The files of a make rule as gcc writes it, spaces and dollars escaped."""
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
