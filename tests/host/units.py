"""Translation units by content: each is compiled once, and its object is kept in the user's cache.

The hash of a unit covers the text of its source and of every header that it may include, the macros
that these texts mention, the flags, and the compiler with the headers of the system. Which headers
a source may include follows from its `#include` lines, whatever conditions they are under: that is
known without running a compiler, so that a cached verdict costs none. When a unit is compiled, the
compiler lists what it read; a file that the hash does not cover is an error.

References: GCC manual, sections "Directory Options" and "Preprocessor Options" (search order,
-MD); C11, 6.10.2 (`#include` of a macro).
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Protocol, TypeVar

from filelock import FileLock

from pennyweight.toolchains.digests import file_sha256
from verdicts import code, storage
from verdicts.code import ROOT
from verdicts.files import content

FORMAT = 1
"""Raise when how units are compiled changes."""

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:(["<])([^">\n]+)[">]|(\w+))', re.M)
_DEFINED = re.compile(rb'^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(["<])([^">\n]+)[">]', re.M)
_WORD = re.compile(rb"\w+")


@dataclass(frozen=True, slots=True)
class Include:
    """One `#include` line: `<name>`, `"name"`, or a macro."""

    name: str
    is_quoted: bool
    is_macro: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """What matters of a file for those that include it."""

    sha256: str
    includes: tuple[Include, ...]
    macros: tuple[tuple[str, Include], ...]
    """Macros that are names of headers."""
    words: frozenset[bytes]
    pastes: bool
    """Does it make names from parts, so that it may mention any macro?"""


_texts: dict[str, Text] = {}


def _text(path: str) -> Text:
    found = content(path)
    text = _texts.get(found.sha256)
    if text is None:
        includes = tuple(
            Include((macro or name).decode(), mark == b'"', bool(macro))
            for mark, name, macro in _INCLUDE.findall(found.data)
        )
        macros = tuple(
            (macro.decode(), Include(name.decode(), mark == b'"'))
            for macro, mark, name in _DEFINED.findall(found.data)
        )
        words = frozenset(_WORD.findall(found.data))
        text = Text(found.sha256, includes, macros, words, b"##" in found.data)
        _texts[found.sha256] = text
    return text


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler, the flags with which it is called, and what names its programs exactly."""

    driver: str
    flags: tuple[str, ...]
    identity: str

    def system(self, headers: frozenset[str]) -> str:
        """A digest of all headers that these headers of the system lead to."""
        return _system_digest(self.driver, self.flags, headers)


@functools.cache
def _system_digest(driver: str, flags: tuple[str, ...], headers: frozenset[str]) -> str:
    found = hashlib.sha256()
    for header in sorted(headers):
        # One that this compiler lacks is under a condition, or the unit does not compile.
        done = subprocess.run(
            [driver, *flags, "-M", "-xc", "-"],
            input=f"#include <{header}>\n",
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            for path in _listed(done.stdout):
                if path != "-":
                    found.update(f"{content(path).sha256}\n".encode())
        else:
            found.update(f"no {header}\n".encode())
    return found.hexdigest()


def _listed(rule: str) -> list[str]:
    """The files that a rule of `-M` names."""
    return rule.partition(":")[2].replace("\\\n", " ").split()


@dataclass(frozen=True)
class Unit:
    """A source with its compiler options."""

    compiler: Compiler
    source: Path
    options: tuple[str, ...]
    """What differs from source to source: `-D` and `-I`, in this order of search."""

    def _walk(self) -> tuple[dict[str, Text], set[tuple[str, ...]], frozenset[str]]:
        """The files that it may read, which of them includes which by what name, and the headers
        of the system.
        """
        folders = [each[2:] for each in self.options if each.startswith("-I")]
        macros = [
            (name, Include(value.strip('"<>'), value.startswith('"')))
            for name, _, value in (each[2:].partition("=") for each in self.options)
            if value[:1] in ('"', "<")
        ]
        source = str(self.source)
        texts: dict[str, Text] = {}
        edges: set[tuple[str, ...]] = set()
        system: set[str] = set()
        by_macro: list[tuple[str, str]] = []
        waiting = [source]
        while waiting:
            while waiting:
                path = waiting.pop()
                if path in texts:
                    continue
                texts[path] = text = _text(path)
                macros += text.macros
                for include in text.includes:
                    if include.is_macro:
                        by_macro.append((path, include.name))
                    else:
                        waiting += self._follow(path, include, folders, texts, edges, system)
            for path, macro in by_macro:
                for include in (value for name, value in macros if name == macro):
                    found = self._follow(path, include, folders, texts, edges, system)
                    waiting += [each for each in found if each not in texts]
        return texts, edges, frozenset(system)

    @staticmethod
    def _follow(
        includer: str,
        include: Include,
        folders: list[str],
        texts: dict[str, Text],
        edges: set[tuple[str, ...]],
        system: set[str],
    ) -> list[str]:
        """The file that an `#include` line means, unless it is a system header."""
        nearby = [os.path.dirname(includer)] if include.is_quoted else []  # noqa: PTH120
        for folder in (*nearby, *folders):
            path = f"{folder}/{include.name}"
            if os.path.isfile(path):  # noqa: PTH113
                edges.add((texts[includer].sha256, include.name, content(path).sha256))
                return [path]
        system.add(include.name)
        return []

    def key(self) -> str:
        """The hash of everything that the object depends on."""
        if self.source.is_relative_to(ROOT):
            return _key_of(self)
        return self.fresh_key()

    def fresh_key(self) -> str:
        """The same, for the current files."""
        texts, edges, system = self._walk()
        words = frozenset().union(*(text.words for text in texts.values()))
        pastes = any(text.pastes for text in texts.values())
        defines = [
            each
            for each in self.options
            if each.startswith("-D")
            and (pastes or each[2:].partition("=")[0].encode() in words or each[2] == "_")
        ]
        rest = [each for each in self.options if each[:2] not in ("-D", "-I")]
        parts = (
            *(FORMAT, self.compiler.identity, self.compiler.flags),
            *(self.compiler.system(system), self.source.name, texts[str(self.source)].sha256),
            *(sorted(edges), defines, rest),
        )
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def files(self) -> frozenset[Path]:
        """The files that it may read, except those of the system."""
        return frozenset(Path(os.path.realpath(each)) for each in self._walk()[0])


@functools.cache
def _key_of(unit: Unit) -> str:
    return unit.fresh_key()


def compile_into(unit: Unit, target: Path) -> None:
    """Puts the unit's object at `target`, from the cache if possible.

    Raises `AssertionError` with the compiler's messages if it does not compile.
    """
    key = unit.fresh_key()
    with _lock(key):
        data = storage.read_object(key)
        if data is None:
            data = _compiled(unit)
            if unit.fresh_key() == key:
                storage.write_object(key, data)
    target.write_bytes(data)


def _lock(key: str) -> FileLock:
    """Held while a unit is compiled, so that other processes wait for it."""
    folder = Path(tempfile.gettempdir()) / f"pennyweight-units-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return FileLock(folder / key[:2])


def _compiled(unit: Unit) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        done = _run(unit, "-c", Path(place))
        assert done.returncode == 0, done.stderr
        return (Path(place) / _OUTPUT).read_bytes()


def messages(unit: Unit) -> str:
    """What the compiler has to say when it makes assembly of the unit; empty if nothing."""
    with tempfile.TemporaryDirectory() as place:
        return _run(unit, "-S", Path(place)).stderr


def assembly(unit: Unit) -> str:
    """What the compiler makes of the unit. Raises `AssertionError` if it does not compile."""
    with tempfile.TemporaryDirectory() as place:
        done = _run(unit, "-S", Path(place))
        assert done.returncode == 0, done.stderr
        return (Path(place) / _OUTPUT).read_text(encoding="utf-8")


T = TypeVar("T")
Found = TypeVar("Found", covariant=True)


class Check(Protocol[Found]):
    """A function of a unit."""

    __code__: CodeType
    __qualname__: str

    def __call__(self, unit: Unit, /) -> Found: ...


def finding(unit: Unit, check: Check[T]) -> T | None:
    """What a check finds in a unit; `None` if it finds nothing, which is kept in the cache."""
    written = code.digest(Path(check.__code__.co_filename))
    parts = (check.__qualname__, written, unit.fresh_key())
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    with _lock(key):
        if storage.has_passed(key):
            return None
        found = check(unit)
        if not found and unit.fresh_key() == parts[-1]:
            storage.keep_passed(key)
    return found or None


_OUTPUT = "output"


def _run(unit: Unit, how: str, place: Path) -> subprocess.CompletedProcess[str]:
    """Compiles in a folder and checks that the hash covers what the compiler read."""
    listing = place / "read"
    command = [
        *(unit.compiler.driver, *unit.compiler.flags, *unit.options),
        *("-MD", "-MF", str(listing), how, "-o", str(place / _OUTPUT), str(unit.source)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place)
    if listing.is_file():
        read = {Path(os.path.realpath(place / each)) for each in _listed(listing.read_text())}
        missed = [each for each in read - unit.files() if _is_of_the_project(each)]
        assert not missed, f"{unit.source}: its hash does not cover {missed}"
    return done


def _is_of_the_project(path: Path) -> bool:
    """Is it a file of the project's own, not of a compiler that its environment holds?"""
    return path.is_relative_to(ROOT) and not path.is_relative_to(sys.prefix)


@dataclass(frozen=True)
class Program:
    """Units that are linked."""

    units: tuple[Unit, ...]
    flags: tuple[str, ...]

    def key(self) -> str:
        """The hash of all its inputs; units that are equal in every respect share one."""
        return self._key_of([each.key() for each in self.units])

    def fresh_key(self) -> str:
        """The same, for the current files."""
        return self._key_of([each.fresh_key() for each in self.units])

    def _key_of(self, keys: list[str]) -> str:
        return hashlib.sha256(json.dumps([self.flags, keys]).encode()).hexdigest()

    def files(self) -> frozenset[Path]:
        """The files that its units may read."""
        return frozenset().union(*(each.files() for each in self.units))

    def link(self, target: Path) -> Path:
        """Makes the program, and what lacks of its objects; its path."""
        with tempfile.TemporaryDirectory() as place:
            objects = [f"{place}/{number}.o" for number, _ in enumerate(self.units)]
            for unit, path in zip(self.units, objects, strict=True):
                compile_into(unit, Path(path))
            command = [self.units[0].compiler.driver, *self.flags, *objects, "-o", str(target)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
        return target


@functools.cache
def clang() -> str:
    """What names the host's Clang, its sanitizers and its linker exactly."""
    driver = shutil.which("clang")
    assert driver, "clang is not installed: run `make setup-test`"
    printed = [
        subprocess.run([driver, *words], capture_output=True, text=True, check=True).stdout
        for words in (("--version",), ("-print-resource-dir",), ("-print-prog-name=ld",))
    ]
    version, resources, linker = (each.strip() for each in printed)
    listed = subprocess.run(["ldd", os.path.realpath(driver)], capture_output=True, text=True)
    libraries = re.findall(r"=> (\S+)", listed.stdout)
    runtimes = sorted(map(str, Path(resources).glob("lib/linux/*x86_64*")))
    programs = [driver, linker, *libraries, *runtimes]
    return "\n".join([version, *(f"{each} {file_sha256(Path(each))}" for each in programs)])
