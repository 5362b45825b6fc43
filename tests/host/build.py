"""Finds every bundled implementation and builds it for this machine with a runner."""

from __future__ import annotations

import atexit
import functools
import importlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host.units import Compiler, Program, Unit, clang, finding, messages

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
IMPLEMENTATIONS = ROOT / "implementations"

WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")
SANITIZERS = (
    "-gline-tables-only",
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
)

RUNNERS = {"aead": "aead_runner.c", "hash": "hash_runner.c", "auth": "mac_runner.c"}
FUZZED = {"aead": "aead_fuzz.c", "auth": "mac_fuzz.c"}
"""The fuzzing targets, for the kinds that open or check what others send."""


@dataclass(frozen=True)
class Bundled:
    """The folder with an implementation's `api.h`, and its manifest."""

    folder: Path
    manifest: dict[str, Any] = field(hash=False, compare=False)
    """Its paths are relative to `IMPLEMENTATIONS`, so that they are the same in every clone."""

    @property
    def kind(self) -> str:
        """`aead`, `hash` or `auth`."""
        return "hash" if self.customised else self._folder_kind

    @property
    def customised(self) -> bool:
        """Is it called by `crypto_cxof`?"""
        return self._folder_kind == "cxof"

    @property
    def _folder_kind(self) -> str:
        return self.folder.parent.parent.name.removeprefix("crypto_")

    def defines(self) -> list[str]:
        """Compiler options that select the functions that the runner calls."""
        promised = {
            "INCREMENTAL": self.manifest.get("incremental"),
            "XOF": self.manifest.get("xof"),
            "CUSTOMISATION": self.manifest.get("customisation"),
            "CUSTOMISED": self.customised,
        }
        return [f"-D{name}" for name, exists in promised.items() if exists]

    @property
    def algorithm(self) -> str:
        """Official name in lower case."""
        return self.folder.parent.name

    @property
    def id(self) -> str:
        """`algorithm/implementation`."""
        return f"{self.algorithm}/{self.folder.name}"

    def sources(self) -> list[Path]:
        """The folder's own C files and those that the manifest names."""
        named = [(IMPLEMENTATIONS / each).resolve() for each in self.manifest.get("sources", ())]
        return sorted({*named, *(each.resolve() for each in self.folder.glob("*.c"))})

    def include(self) -> tuple[str, ...]:
        """Compiler options: the manifest's macros, then the folders of headers: its own first, then
        the bundled ones.
        """
        defines = [f"-D{each.replace(' ', '=', 1)}" for each in self.manifest.get("defines", ())]
        named = (IMPLEMENTATIONS / each for each in self.manifest.get("include", ()))
        folders = [self.folder, *named, ROOT / "firmware" / "include"]
        return (*defines, *(f"-I{each}" for each in folders))


@functools.cache
def bundled() -> tuple[Bundled, ...]:
    """All implementations of the families, by kind, algorithm and name; each has a folder of its
    own with its `api.h` until this process ends.
    """
    # Imported by name, so that the catalogue's code is not an input of verdicts, only its output.
    catalogue = importlib.import_module("pennyweight.catalogue")
    root = Path(tempfile.mkdtemp(prefix="pennyweight-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    found = []
    for each in catalogue.load(ROOT).implementations:
        kind = "crypto_cxof" if each.customised else f"crypto_{each.kind.value}"
        folder = root / kind / each.algorithm / each.name
        folder.mkdir(parents=True)
        for name, text in each.generated:
            (folder / name).write_text(text, encoding="ascii")
        manifest = each.manifest.model_dump(exclude_unset=True, exclude={"title", "notes"})
        found.append(Bundled(folder, manifest))
    return tuple(sorted(found, key=lambda each: each.folder))


def host_compiler(*flags: str) -> Compiler:
    """Clang for this machine; a warning is an error."""
    return Compiler("clang", (*WARNINGS, *flags), clang())


def program_of(
    implementation: Bundled,
    runner: str,
    *options: str,
    flags: tuple[str, ...] = SANITIZERS,
    sources: Sequence[Path] | None = None,
) -> Program:
    """Its sources, or some of them, with a runner of this folder."""
    compiler = host_compiler(*flags)
    own = (*options, *implementation.include())
    chosen = list(implementation.sources() if sources is None else sources)
    if implementation.manifest.get("shares"):
        chosen.append(ROOT / "firmware" / "random" / "free.c")
    return Program(
        (
            *(Unit(compiler, each, own) for each in chosen),
            Unit(compiler, HERE / runner, (*own, f"-I{HERE}")),
        ),
        flags,
    )


def program(implementation: Bundled, *forced: str) -> Program:
    """It with the runner of its kind under the sanitizers.

    Clang's sanitizers see more than GCC's, such as NULL + 0. `forced` are macros, as `NAME=0`, that
    choose what this machine would not.
    """
    options = (*implementation.defines(), *(f"-D{each}" for each in forced))
    return program_of(implementation, RUNNERS[implementation.kind], *options)


def build(implementation: Bundled, into: Path, *forced: str) -> Path:
    """Builds that program in a folder; its path."""
    return program(implementation, *forced).link(into / "runner")


def sized(original: Bundled, sizes: Mapping[str, int], place: Path) -> Bundled:
    """An implementation's sources with other numbers in `api.h`."""
    folder = place / original.folder.parent.parent.name / original.algorithm / "sized"
    folder.mkdir(parents=True)
    api = (original.folder / "api.h").read_text(encoding="ascii")
    for name, value in sizes.items():
        api, found = re.subn(rf"(?m)^#define {name} \d+$", f"#define {name} {value}", api)
        assert found == 1
    (folder / "api.h").write_text(api, encoding="ascii")
    manifest = dict(original.manifest)
    manifest["sources"] = [str(each) for each in original.sources()]
    manifest["include"] = [str(IMPLEMENTATIONS / each) for each in manifest["include"]]
    return Bundled(folder, manifest)


def build_sized(original: Bundled, sizes: Mapping[str, int], place: Path) -> Path:
    """The runner of an implementation's sources with other numbers in `api.h`."""
    made = sized(original, sizes, place)
    return build(made, made.folder)


def build_including(original: Bundled, runner: str, sizes: Mapping[str, int], place: Path) -> Path:
    """A runner of its own that includes the implementation's `aead.c`, for what the API has no
    place.
    """
    made = sized(original, sizes, place)
    others = [each for each in made.sources() if each.name not in ("aead.c", "one_shot.c")]
    assert len(others) == len(made.sources()) - 2
    # Where sizes are variables there, a sum of them is an int.
    flags = (*SANITIZERS, "-Wno-implicit-int-conversion")
    return program_of(made, runner, flags=flags, sources=others).link(made.folder / "runner")


def units(
    implementation: Bundled, compiler: Compiler, folders: Sequence[Path] = ()
) -> tuple[Unit, ...]:
    """Its sources as a compiler gets them; `folders` have headers of the C library."""
    options = (*implementation.include(), *(f"-I{each}" for each in folders))
    return tuple(Unit(compiler, each, options) for each in implementation.sources())


def warnings(compiled: Sequence[Unit]) -> str:
    """What a compiler has to say about units; empty if nothing."""
    return "".join(finding(unit, messages) or "" for unit in compiled)


def ask(program: Path, requests: list[str]) -> list[str]:
    """The runner's answers, one for each request."""
    result = subprocess.run(
        [program], input="".join(f"{each}\n" for each in requests), capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    answers = result.stdout.splitlines()
    assert len(answers) == len(requests)
    return answers


def field_of(value: bytes) -> str:
    """A byte string as the runners read it."""
    return value.hex() or "-"
