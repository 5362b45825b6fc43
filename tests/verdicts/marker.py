"""How a test says that its verdict may be kept."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from verdicts import code, project
from verdicts.inputs import Inputs

FORMAT = 1
"""Raise when what a verdict means changes."""

NAME = "cached_verdict"

T = TypeVar("T", bound=Callable[..., None])


@dataclass(frozen=True, slots=True)
class Cached:
    """What a test declares about itself."""

    kind: str
    inputs: Callable[..., Inputs] | None
    """`None`: all files of the project that its module may read; see `project`."""

    def of(self, arguments: dict[str, Any]) -> Inputs:
        """The inputs of one case; `arguments` are those of the test that it is parametrized by."""
        if self.inputs is None:
            return Inputs()
        names = inspect.signature(self.inputs).parameters
        return self.inputs(**{name: arguments[name] for name in names})


def cached(kind: str, inputs: Callable[..., Inputs]) -> Callable[[T], T]:
    """Marks a test whose passing is kept.

    `kind` names what is counted at the end of a run. `inputs` gets those of the test's parameters
    that it names itself and gives what the verdict depends on.
    """

    def mark(test: T) -> T:
        marked: T = pytest.mark.cached_verdict(Cached(kind, inputs))(test)
        return marked

    return mark


def cached_by_project(kind: str) -> pytest.MarkDecorator:
    """Marks a module, or a test, whose passing is kept until any file of the project changes that
    the module may read, or any tool. For tests that run many parts of it.
    """
    marked: pytest.MarkDecorator = pytest.mark.cached_verdict(Cached(kind, None))
    return marked


def key(item: pytest.Function, cached: Cached, inputs: Inputs, *, fresh: bool = False) -> str:
    """The hash of everything that one test's verdict depends on.

    With `fresh`, files are read again even if they were read earlier in this run.
    """
    if cached.inputs is None:
        return project.key(item)
    written = (code.digest(item.path), code.digest(project.CONFTEST))
    parts = (FORMAT, item.originalname, *written, inputs.digest(fresh=fresh))
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
