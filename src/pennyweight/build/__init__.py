"""Builds an implementation for a board: programs, their sizes, and bytes by function."""

from __future__ import annotations

from pennyweight.build.failure import BuildError
from pennyweight.build.programs import Build, Program, build, build_key

__all__ = ["Build", "BuildError", "Program", "build", "build_key"]
