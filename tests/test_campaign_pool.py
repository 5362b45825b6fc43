"""Worker processes: what they return, how they fail, how they die, how they are stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import pool_examples as examples
from pennyweight.model import UserError
from pennyweight.pool import Outcome, Task, run_tasks
from pennyweight.pool.counts import Count

STOP_SECONDS = 2.0


def run_all(*tasks: Task, workers: int = 2) -> dict[str, Outcome]:
    return {outcome.task.key: outcome for outcome in run_tasks(tasks, workers)}


def wait_for(marker: Path) -> list[int]:
    """The process ids that a task wrote down."""
    deadline = time.monotonic() + 20
    while not marker.exists():
        assert time.monotonic() < deadline, "the task did not start"
        time.sleep(0.02)
    return [int(number) for number in marker.read_text().split()]


def assert_gone(*numbers: int, within: float = STOP_SECONDS) -> None:
    deadline = time.monotonic() + within

    def alive(number: int) -> bool:
        try:
            stat = Path(f"/proc/{number}/stat").read_text()
        except OSError:
            return False
        return stat.rpartition(")")[2].split()[0] != "Z"

    while any(alive(number) for number in numbers):
        assert time.monotonic() < deadline, f"still running: {numbers}"
        time.sleep(0.02)


def test_values_come_back_from_all_workers() -> None:
    tasks = [Task(str(n), examples.double, (n,)) for n in range(20)]
    outcomes = run_all(*tasks)
    assert {key: outcome.value for key, outcome in outcomes.items()} == {
        str(n): 2 * n for n in range(20)
    }


def test_a_long_task_sends_what_it_has_counted(tmp_path: Path) -> None:
    """Each task counts from 0."""
    seen: dict[str, list[int]] = {"first": [], "second": []}

    def counted(task: Task, count: Count) -> None:
        assert count.what == "calls"
        seen[task.key].append(count.number)
        (tmp_path / task.key).touch()

    tasks = [Task(key, examples.count_until, (str(tmp_path / key),)) for key in seen]
    for outcome in run_tasks(tasks, 1, counted=counted):
        numbers = seen[outcome.task.key]
        assert numbers[0] > 0 and numbers[-1] <= outcome.value


def test_a_worker_runs_no_code_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pickle", "selectors", "click"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run_all(Task("a", len, ("abc",)))["a"].value == 3
    assert not (tmp_path / "ran").exists()


def test_no_tasks_need_no_worker() -> None:
    assert run_all() == {}


def test_a_task_is_reported_when_it_is_handed_out() -> None:
    seen: list[str] = []
    tasks = [Task(str(n), examples.double, (n,)) for n in range(3)]
    list(run_tasks(tasks, 1, started=lambda task: seen.append(task.key)))
    assert seen == ["0", "1", "2"]


def test_errors_come_back_unchanged() -> None:
    outcomes = run_all(
        Task("user", examples.fail_as_user, ("board.toml",)),
        Task("odd", examples.fail_oddly),
        Task("unpicklable", examples.give_unpicklable),
        Task("good", examples.double, (4,)),
        workers=1,
    )
    assert isinstance(outcomes["user"].error, UserError)
    assert str(outcomes["user"].error) == "board.toml: no such thing"
    assert "1 is not 2" in str(outcomes["odd"].error)
    assert "fail_oddly" in outcomes["odd"].trace
    assert outcomes["unpicklable"].error is not None
    assert outcomes["good"].value == 8


@pytest.mark.parametrize(
    ("task", "how"),
    [
        (Task("bad", examples.die, (signal.SIGKILL,)), "memory ran out); its last output: last w"),
        (Task("bad", examples.die, (signal.SIGSEGV,)), "signal SIGSEGV; its last output: last wo"),
        (Task("bad", examples.leave, (7,)), "it ended with exit status 7"),
    ],
)
def test_a_worker_that_dies_loses_only_its_task(task: Task, how: str) -> None:
    before = [Task(f"a{n}", examples.double, (n,)) for n in range(4)]
    after = [Task(f"b{n}", examples.double, (n,)) for n in range(4)]
    outcomes = run_all(*before, task, *after)
    assert how in outcomes["bad"].died
    assert outcomes["bad"].value is None and outcomes["bad"].error is None
    assert all(outcomes[t.key].value == 2 * t.arguments[0] for t in (*before, *after))


def test_every_worker_may_die() -> None:
    tasks = [Task(str(n), examples.die, (signal.SIGKILL,)) for n in range(5)]
    assert all(outcome.died for outcome in run_all(*tasks).values())


def test_the_children_of_a_dead_worker_are_ended(tmp_path: Path) -> None:
    marker = tmp_path / "pids"
    outcomes = run_tasks([Task("sleeper", examples.sleep_with_child, (str(marker),))], 1)
    script = (
        "import os, pathlib, signal, sys, time\n"
        "marker = pathlib.Path(sys.argv[1])\n"
        "while not marker.exists(): time.sleep(0.02)\n"
        "os.kill(int(marker.read_text().split()[0]), signal.SIGKILL)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(marker)]):
        (outcome,) = list(outcomes)
    assert "SIGKILL" in outcome.died
    assert_gone(*wait_for(marker))


@pytest.mark.parametrize("function", [examples.sleep_with_child, examples.ignore_signals_and_sleep])
def test_giving_up_stops_everything_within_two_seconds(
    tmp_path: Path, function: Callable[[str], None]
) -> None:
    markers = [tmp_path / "one", tmp_path / "two"]
    tasks = [Task(m.name, function, (str(m),)) for m in markers]
    tasks.append(Task("quick", examples.double, (1,)))
    outcomes = run_tasks([tasks[2], *tasks[:2]], 2)
    assert next(outcomes).value == 2
    numbers = [number for marker in markers for number in wait_for(marker)]
    start = time.monotonic()
    outcomes.close()  # type: ignore[attr-defined]
    assert time.monotonic() - start < STOP_SECONDS
    assert_gone(*numbers, within=STOP_SECONDS)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_do_not_outlive_their_parent(tmp_path: Path, number: signal.Signals) -> None:
    marker = tmp_path / "pids"
    script = (
        "import sys, pool_examples\n"
        "from pennyweight.pool import Task, run_tasks\n"
        "list(run_tasks([Task('x', pool_examples.sleep_with_child, (sys.argv[1],))], 1))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path = {sys.path!r}\n{script}", str(marker)],
        stderr=subprocess.PIPE,
    ) as parent:
        numbers = wait_for(marker)
        start = time.monotonic()
        parent.send_signal(number)
        parent.wait(10)
        assert time.monotonic() - start < STOP_SECONDS
    assert_gone(*numbers)
