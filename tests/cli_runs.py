"""Runs the command line in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from pennyweight.cli import main


@dataclass(frozen=True)
class Run:
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        found = json.loads(self.out)
        assert isinstance(found, list)
        return found

    @property
    def reasons(self) -> str:
        """What it printed on standard error, without the breaks of lines."""
        return " ".join(self.err.split())

    def refused(self) -> str:
        """The one sentence of a command that was wrong."""
        assert self.status == 2, self
        assert self.out == ""
        assert len(self.err.strip().splitlines()) == 1, self.err
        assert self.err.startswith("pennyweight: ") and "Traceback" not in self.err
        return self.err.strip()


Command = Callable[..., Run]


def runner(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: object) -> Run:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Run(ended.value.code, printed.out, printed.err)

    return run
