"""The search: single changes first, then combinations of what helped, then iterated local search.

It asks for the scores of batches of candidates, so that they can be built in parallel, and does not
depend on the number of workers: the same batches give the same steps.

References: Z. Pan, R. Eigenmann, "Fast and Effective Orchestration of Compiler Optimizations for
Automatic Performance Tuning", CGO 2006, for combining the flags that help one by one; H. R.
Lourenço, O. C. Martin, T. Stützle, "Iterated Local Search", Handbook of Metaheuristics (2003), for
the restarts from changed copies of the best.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pennyweight.tuning.space import LEVELS, Candidate, Choice

Score = tuple[float, ...]
"""What a build costs, the objective first; smaller is better."""

Evaluate = Callable[[Sequence[Candidate]], Mapping[Candidate, Score]]
"""Builds and measures candidates; those that fail have no score."""

Accept = Callable[[Candidate], bool]
"""Does a build pass verification? A candidate that does not is never the best."""

_SEED = 1
_RESTARTS_AT_ONCE = 12
_LARGEST_CHANGE = 4
_HELPFUL = 4
"""How much more often than others a restart changes a choice that helped before."""


@dataclass(frozen=True, slots=True)
class Step:
    """A candidate that became the best, after `tried` builds."""

    candidate: Candidate
    score: Score
    tried: int


class Search:
    """One search. `tried` counts the builds that were asked for, at most `budget`.

    `choices` begin with those that are most likely to help. `redundant` gives the values that
    change nothing at a level. `first` are candidates to start with, in addition to the levels.
    """

    def __init__(
        self,
        choices: Sequence[Choice],
        evaluate: Evaluate,
        accept: Accept,
        budget: int,
        redundant: Callable[[str], Collection[str]] = lambda level: (),
        first: Sequence[Candidate] = (),
    ) -> None:
        self._choices = list(choices)
        self._evaluate = evaluate
        self._accept = accept
        self._budget = budget
        self._redundant = redundant
        self._first = list(first)
        self._random = random.Random(_SEED)
        self._scores: dict[Candidate, Score | None] = {}
        self._rejected: set[Candidate] = set()
        self._helpful: dict[int, set[str]] = {}
        self.tried = 0
        self.best: Step | None = None

    def score(self, candidate: Candidate) -> Score | None:
        """The score of a candidate that was tried; `None` if it failed or was not."""
        return self._scores.get(candidate)

    def level(self, level: str) -> Candidate:
        """The candidate that has an optimisation level and nothing else."""
        return (level, *("" for _ in self._choices))

    def steps(self) -> Iterator[Step]:
        """Each candidate that becomes the best, until the budget is used or nothing is left."""
        yield from self._take([*self._first, *(self.level(each) for each in LEVELS)])
        if self.best is None:
            return
        yield from self._single_changes()
        yield from self._combinations()
        yield from self._local_search()
        while self.tried < self._budget:
            before = self.tried
            yield from self._restart()
            if self.tried == before:
                return

    def _take(self, candidates: Sequence[Candidate]) -> Iterator[Step]:
        """Tries candidates; the best of them that passes verification becomes the best of all."""
        wanted = [each for each in dict.fromkeys(candidates) if each not in self._scores]
        wanted = wanted[: self._budget - self.tried]
        if wanted:
            self.tried += len(wanted)
            found = self._evaluate(wanted)
            self._scores.update({each: found.get(each) for each in wanted})
        scored = [
            (score, each)
            for each in dict.fromkeys(candidates)
            if (score := self._scores.get(each)) is not None
        ]
        for score, each in sorted(scored):
            if self.best is not None and score >= self.best.score:
                return
            if each in self._rejected:
                continue
            if self._accept(each):
                self.best = Step(each, score, self.tried)
                yield self.best
                return
            self._rejected.add(each)

    def _single_changes(self) -> Iterator[Step]:
        """Every change of one choice from the best level; of a small budget, half of it."""
        assert self.best is not None
        start = self.best
        redundant = set(self._redundant(start.candidate[0]))
        singles = {
            _with(start.candidate, position, value): (position, value)
            for position, each in enumerate(self._choices, 1)
            for value in each.values
            if value not in redundant
        }
        yield from self._take(list(singles)[: self._budget // 2])
        for candidate, (position, value) in singles.items():
            score = self._scores.get(candidate)
            if score is not None and score < start.score:
                self._helpful.setdefault(position, set()).add(value)
        self._start = start

    def _combinations(self) -> Iterator[Step]:
        """The best change with the second best, with the third, and so on, together."""
        start = self._start.candidate
        gains = sorted(
            (score, position, value)
            for position, values in self._helpful.items()
            for value in values
            if (score := self._scores[_with(start, position, value)]) is not None
        )
        together, combined = start, []
        for _, position, value in gains:
            if not together[position]:
                together = _with(together, position, value)
                combined.append(together)
        yield from self._take(combined)

    def _local_search(self) -> Iterator[Step]:
        """Adds changes that helped alone and removes others, as long as the result improves."""
        while self.best is not None and self.tried < self._budget:
            best = self.best.candidate
            nearby = [
                _with(best, position, "") for position in range(1, len(best)) if best[position]
            ]
            nearby += [
                _with(best, position, value)
                for position, values in self._helpful.items()
                for value in sorted(values)
                if best[position] != value
            ]
            improved = list(self._take(nearby))
            yield from improved
            if not improved:
                return

    def _restart(self) -> Iterator[Step]:
        """Changes a few choices of the best at random; continues from there if that is better."""
        assert self.best is not None
        improved = list(self._take([self._changed() for _ in range(_RESTARTS_AT_ONCE)]))
        yield from improved
        if improved:
            yield from self._local_search()

    def _changed(self) -> Candidate:
        """The best with one to four choices changed; one that was not tried, if possible."""
        assert self.best is not None
        weights = [
            _HELPFUL if position in self._helpful else 1
            for position in range(1, len(self._choices) + 1)
        ]
        for _ in range(20):
            candidate = self.best.candidate
            if self._random.random() < 1 / 8:
                candidate = _with(candidate, 0, self._random.choice(LEVELS))
            if self._choices:
                positions = range(1, len(self._choices) + 1)
                count = self._random.randint(1, _LARGEST_CHANGE)
                for position in self._random.choices(positions, weights, k=count):
                    values = ("", *self._choices[position - 1].values)
                    candidate = _with(candidate, position, self._random.choice(values))
            if candidate not in self._scores:
                break
        return candidate


def _with(candidate: Candidate, position: int, value: str) -> Candidate:
    return (*candidate[:position], value, *candidate[position + 1 :])
