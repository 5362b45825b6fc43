"""A step of a tier: a command, and the content that its outcome depends on."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from verdicts import storage  # noqa: E402
from verdicts.files import content  # noqa: E402

FORMAT = 2
"""Raise when what the verdict of a step means changes."""

VARIABLES = ("CC", "CFLAGS", "CARGO_BUILD_RUSTFLAGS", "RUSTFLAGS")
"""Variables of the environment on which the commands' outcome depends."""

Command = Callable[[Sequence[str]], Sequence[str]]
"""Takes the names of the items to check and returns the command to run."""


@dataclass(frozen=True, slots=True)
class Item:
    """A part of a step with a verdict of its own, such as a source file."""

    name: str
    files: tuple[Path, ...]
    """Its inputs, in addition to the step's tools and its command."""
    tools: str = ""
    """The exact versions of the tools that it calls, in addition to the step's."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command that passes or fails.

    A step with items runs for the items without a verdict in the user's cache. A step without
    items has no verdict and runs each time.
    """

    name: str
    command: Command
    items: tuple[Item, ...] = ()
    tools: str = ""
    """The exact versions of the tools that it calls."""
    needs: tuple[str, ...] = ()
    """Steps that must pass before it runs."""
    after: tuple[str, ...] = ()
    """Steps that must end before it runs."""
    prepares: bool = False
    """It only prepares other steps: it runs if one that needs it runs."""
    follows: bool = False
    """Its output is printed while it runs, once the other steps have ended."""
    environment: Mapping[str, str] = field(default_factory=dict)

    def keys(self) -> dict[str, str]:
        """The hash of all inputs of each item, by the item's name."""
        return {each.name: self._key(each) for each in self.items}

    def _key(self, item: Item) -> str:
        total = hashlib.sha256(f"{FORMAT} {self.name} {item.name}\n{self.tools}\n".encode())
        total.update(item.tools.encode())
        variables = {name: os.environ.get(name, "") for name in VARIABLES} | dict(self.environment)
        total.update(json.dumps(variables, sort_keys=True).replace(str(ROOT), ".").encode())
        total.update("\0".join(self.command([item.name])).replace(str(ROOT), ".").encode())
        for path in item.files:
            name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
            total.update(f"\n{name} {content(str(path)).sha256}".encode())
        return total.hexdigest()

    def pending(self) -> list[str]:
        """The names of the items without a verdict."""
        return [name for name, key in self.keys().items() if not storage.has_passed(key)]

    def keep(self, before: Mapping[str, str], names: Iterable[str]) -> None:
        """Stores the verdicts of items that passed, unless an input changed meanwhile."""
        now = self.keys()
        for name in names:
            if now.get(name) == before[name]:
                storage.keep_passed(before[name])


@cache
def tracked(*patterns: str) -> tuple[Path, ...]:
    """The repository's files that match Git's pathspecs, in order, new ones too."""
    which = ("--cached", "--others", "--exclude-standard")
    command = ["git", "ls-files", "-z", *which, "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = sorted({each.decode() for each in listed.stdout.split(b"\0") if each})
    return tuple(path for name in names if (path := ROOT / name).is_file())


def whole(*patterns: str) -> tuple[Item, ...]:
    """One item: all files that match."""
    return (Item("all", tracked(*patterns)),)


def each_file(*patterns: str) -> tuple[Item, ...]:
    """An item for each file that matches, named by its path."""
    files = tracked(*patterns)
    return tuple(Item(path.relative_to(ROOT).as_posix(), (path,)) for path in files)


@cache
def printed(*command: str) -> str:
    """The output of a command, such as its version, or why it does not run."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return f"{done.stdout}{done.stderr}"
