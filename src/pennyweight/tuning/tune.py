"""Tuning: a search whose best build so far is always in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.progress import Progress
from pennyweight.tuning.builds import Builds
from pennyweight.tuning.flagfile import read_flags, write_flags
from pennyweight.tuning.objective import UNITS, Aim
from pennyweight.tuning.search import Search, Step
from pennyweight.tuning.space import (
    STANDARD_LEVELS,
    Candidate,
    Choice,
    candidate_of,
    difference,
    flags_of,
)

SAMPLE = "a sample of the known-answer tests"
ALL = "all known-answer tests"


@dataclass
class Tuning:
    """A search and what it has found so far; `path` has the flags of the last of `steps`.

    `standard` has the value of each standard level that works, in cycles or bytes.
    """

    job: Job
    aim: Aim
    budget: int
    path: Path
    standard: dict[str, float] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    verified: str = ""
    """What the last of `steps` has passed."""
    tried: int = 0

    @property
    def best(self) -> Step | None:
        """The best build so far."""
        return self.steps[-1] if self.steps else None

    @property
    def best_standard(self) -> tuple[str, float]:
        """The best of the standard levels and its value. There is one once there is a step."""
        return min(self.standard.items(), key=lambda item: item[1])

    def rows(self) -> list[dict[str, object]]:
        """The table: the standard levels, then each step with what it changed."""
        reference = self.best_standard[1] if self.standard else None
        rows: list[dict[str, object]] = [
            self._row(level, value, reference, level, None)
            for level, value in self.standard.items()
        ]
        before: Candidate | None = None
        for step in self.steps:
            flags = flags_of(step.candidate)
            if flags not in self.standard:
                change = flags if before is None else difference(before, step.candidate)
                rows.append(self._row(change, step.score[0], reference, flags, step.tried))
            before = step.candidate
        return rows

    def _row(
        self, change: str, value: float, reference: float | None, flags: str, tried: int | None
    ) -> dict[str, object]:
        return {
            "change": change,
            self.aim: value,
            "ratio": value / reference if reference else None,
            "builds": tried,
            "flags": flags,
        }

    def summary(self) -> str:
        """The result in one sentence."""
        if self.best is None:
            return "No build was found."
        cost = f"{self.best.score[0]:,.0f} {UNITS[self.aim]}"
        if self.standard:
            level, reference = self.best_standard
            saved = 1 - self.best.score[0] / reference if reference else 0.0
            fewer = f"{100 * saved:.1f} % fewer than" if saved else "no fewer than"
            cost += f", {fewer} {level}, the best of {', '.join(self.standard)} ({reference:,.0f})"
        return f"{cost}; {self.tried} builds; passed {self.verified}."


def tune(state: Tuning, workers: int | None, progress: Progress) -> Iterator[Step]:
    """Searches and yields each step, after its flags are in the file.

    A step has passed a sample of the known-answer tests. At the end the best one has to pass all
    of them, else the one before it is taken. Raises `UserError` if no level works.
    """
    builds = Builds(state.job, state.aim, workers, progress)
    progress.start(state.budget)
    choices = builds.choices()
    search = Search(
        choices,
        builds.scores,
        lambda each: builds.passes(each, "quick"),
        state.budget,
        builds.redundant,
        _earlier(state.path, choices),
    )
    for step in search.steps():
        state.tried = search.tried
        for level in STANDARD_LEVELS:
            score = search.score(search.level(level))
            if score is not None:
                state.standard[level] = score[0]
        state.steps.append(step)
        _keep(state, builds, SAMPLE)
        yield step
    state.tried = search.tried
    if state.best is None:
        raise UserError(f"{state.job.title}: no optimisation level works: {builds.problem}")
    while state.steps and not builds.passes(state.steps[-1].candidate, "full"):
        state.steps.pop()
    if not state.steps:
        state.path.unlink(missing_ok=True)
        raise UserError(f"{state.job.title}: no build passes verification: {builds.problem}")
    _keep(state, builds, ALL)


def _earlier(path: Path, choices: Sequence[Choice]) -> list[Candidate]:
    """The builds of an earlier search in the file. Raises `UserError` for a file of other flags,
    which would be lost.
    """
    if not path.exists():
        return []
    found = [candidate_of(flags, choices) for flags in read_flags(path)]
    earlier = [each for each in found if each is not None]
    if len(earlier) < len(found):
        raise UserError(
            f"{path}: has flags that tune does not try, and would be overwritten; give another "
            "file with --into"
        )
    return earlier


def _keep(state: Tuning, builds: Builds, verified: str) -> None:
    """Writes the best build's flags to the file."""
    assert state.best is not None
    state.verified = verified
    job = state.job
    command = f"pennyweight tune {job.implementation.id} --board {job.board.id} --for {state.aim}"
    if job.compiler:
        command += f" --compiler {job.compiler}"
    write_flags(
        state.path,
        flags_of(state.best.candidate),
        [f"Written by `{command}`, with {builds.compiler}.", state.summary()],
    )
