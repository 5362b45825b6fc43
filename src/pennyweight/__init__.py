"""Pennyweight measures what a cipher costs on a microcontroller.

The functions of :mod:`pennyweight.api` are also available here and are loaded on first use::

    import pennyweight

    pennyweight.boards()
    pennyweight.measure("ascon-aead128", "atmega328p", lengths="16:64")

Three of these names, `measure`, `verify` and `report`, are also packages. They are modules that can
be called: ``pennyweight.measure(...)`` is the function, and ``from pennyweight.measure import
run_job`` imports from the package.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pennyweight.version import __version__ as __version__

if TYPE_CHECKING:
    from pennyweight.api import (
        algorithms,
        boards,
        choose,
        compare,
        figures,
        implementations,
        leakage,
        measure,
        report,
        results,
        run,
        tune,
        vendor,
        verify,
    )

__all__ = [
    "algorithms",
    "boards",
    "choose",
    "compare",
    "figures",
    "implementations",
    "leakage",
    "measure",
    "report",
    "results",
    "run",
    "tune",
    "vendor",
    "verify",
]

_FUNCTIONS = tuple(name for name in __all__ if name not in ("measure", "report", "verify"))
_ROOMS = ("measure", "report", "verify")


class _Room(ModuleType):
    """A package that can also be called like the API function of the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._function(*arguments, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._function)

    @property
    def _function(self) -> Any:
        return _api(self.__name__.rpartition(".")[2])


class _Package(ModuleType):
    """Loads API functions on first use and makes the packages callable."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _ROOMS and isinstance(value, ModuleType):
            value.__class__ = _Room
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name in _ROOMS:
            return import_module(f"{__name__}.{name}")
        if name in _FUNCTIONS:
            return _api(name)
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_FUNCTIONS, *_ROOMS})


def _api(name: str) -> Any:
    return getattr(import_module(f"{__name__}.api"), name)


sys.modules[__name__].__class__ = _Package
