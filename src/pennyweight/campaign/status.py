"""The progress of a study: jobs done, failed with their reasons, and to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

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
    real: dict[str, str] = field(default_factory=dict)
    """Where each real board was connected."""

    @property
    def to_do(self) -> int:
        """Jobs without a result on simulated boards."""
        return sum(each.to_do for each in self.boards if each.board not in self.real)

    @property
    def to_do_at(self) -> dict[str, int]:
        """Jobs without a result on real boards, by the place where these were connected."""
        found: Counter[str] = Counter()
        for each in self.boards:
            if each.to_do and each.board in self.real:
                found[self.real[each.board]] += each.to_do
        return dict(found)


def state_of(study: str, plan: Plan, store: ResultStore) -> State:
    """Compares a study's current plan, and what its last run on a real board planned, with the
    store.

    A job whose sources, compiler or board have changed is a different job, and to do; on a real
    board only when it is planned again. Raises UserError if the results cannot be read.
    """
    records = (each for each in store.campaigns() if each["id"] == study)
    real = [entry for record in records for entry in record.get("real", [])]
    board_of = {job.key: job.board.id for job in plan.jobs}
    board_of |= {key: entry["board"] for entry in real for key in entry["jobs"]}
    lost = {path.stem for path in store.lost_files()}
    outcomes = outcomes_of(store, board_of)
    done = store.done_of(board_of) - outcomes.damaged

    def count(keys: Iterable[str]) -> Counter[str]:
        return Counter(board_of[key] for key in set(keys) & board_of.keys())

    by_board = Counter(board_of.values())
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
        real={entry["board"]: entry["on"] for entry in real},
    )
