"""The progress of a study: jobs done, failed with their reasons, and to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pennyweight.campaign.outcome import Outcomes, outcomes_of
from pennyweight.campaign.plan import Plan
from pennyweight.store import ResultStore


@dataclass(frozen=True, slots=True)
class BoardState:
    """One board's jobs. Jobs that `failed` or were `skipped` are done; jobs that are `lost` will
    run again.
    """

    board: str
    jobs: int
    done: int
    to_do: int
    failed: int
    skipped: int
    lost: int


@dataclass(frozen=True, slots=True)
class State:
    """A study's jobs by board, the reasons of failures, and the skipped boards."""

    boards: list[BoardState]
    outcomes: Outcomes
    absent: dict[str, str]

    @property
    def to_do(self) -> int:
        """Jobs without a result."""
        return sum(board.to_do for board in self.boards)


def state_of(plan: Plan, store: ResultStore) -> State:
    """Compares a study's current plan with the store.

    A job whose sources, compiler or board have changed is a different job, and to do. Raises
    UserError if the results cannot be read.
    """
    lost = {path.stem for path in store.lost_files()}
    outcomes = outcomes_of(store, [job.key for job in plan.jobs])
    done = store.done_of(job.key for job in plan.jobs) - outcomes.damaged

    def count(keys: Iterable[str]) -> Counter[str]:
        wanted = set(keys)
        return Counter(job.board.id for job in plan.jobs if job.key in wanted)

    by_board = Counter(job.board.id for job in plan.jobs)
    finished, gone = count(done), count(lost)
    failed, skipped = count(outcomes.jobs & done), count(outcomes.skipped & done)
    return State(
        boards=[
            BoardState(
                board=board,
                jobs=jobs,
                done=finished[board],
                to_do=jobs - finished[board],
                failed=failed[board],
                skipped=skipped[board],
                lost=gone[board],
            )
            for board, jobs in by_board.items()
        ],
        outcomes=outcomes,
        absent=plan.absent | plan.unreachable,
    )
