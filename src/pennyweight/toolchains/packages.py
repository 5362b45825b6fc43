"""Detects the system's package manager, and installs compilers with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pennyweight.model import UserError

_STANDARD_ERROR = 2
"""Its file descriptor: messages of a package manager do not belong to the command's output."""

Packages = Mapping[str, tuple[str, ...]]
"""The packages that provide a compiler, by the name of the package manager."""


@dataclass(frozen=True, slots=True)
class PackageManager:
    """A package manager and its command that installs without questions."""

    name: str
    install: tuple[str, ...]
    needs_root: bool = True

    def command(self, packages: Sequence[str]) -> list[str]:
        """The command for a user to install packages."""
        sudo = ["sudo"] if self.needs_root and os.geteuid() != 0 else []
        return [*sudo, self.name, *self.install, *packages]


MANAGERS = (
    PackageManager("apt-get", ("install", "-y", "--no-install-recommends")),
    PackageManager("dnf", ("install", "-y")),
    PackageManager("pacman", ("-S", "--needed", "--noconfirm")),
)


def package_manager() -> PackageManager | None:
    """The first known package manager on PATH; `None` if there is none."""
    return next((each for each in MANAGERS if shutil.which(each.name)), None)


def install_command(packages: Packages) -> list[str] | None:
    """The command that installs a compiler on this system; `None` if no package is known."""
    manager = package_manager()
    if manager is None or manager.name not in packages:
        return None
    return manager.command(packages[manager.name])


def install(what: str, command: Sequence[str]) -> None:
    """Runs a package manager's command, whose output goes to standard error.

    Raises `UserError` if it fails or needs a password and there is no terminal.
    """
    line = " ".join(command)
    if command[0] == "sudo":
        if shutil.which("sudo") is None:
            raise UserError(f"{what}: installing needs root, and there is no sudo: run `{line}`")
        if not sys.stdin.isatty():
            probe = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
            if probe.returncode != 0:
                raise UserError(f"{what}: sudo asks for a password: run `{line}` in a terminal")
    done = subprocess.run(command, stdout=_STANDARD_ERROR, check=False)
    if done.returncode != 0:
        raise UserError(
            f"{what}: `{line}` failed with status {done.returncode}: see its messages above, "
            "fix the cause, and run the command again"
        )
