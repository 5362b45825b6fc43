"""Runs steps side by side, keeps the output of each together, and reports failures at the end."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scripts.tiers.step import ROOT, Step

_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step ended."""

    step: Step
    passed: bool
    seconds: float = 0.0
    run: int = 0
    cached: int = 0
    output: str = ""
    is_shown: bool = False
    """Its output has been printed."""


class Runner:
    """Starts each step as soon as the steps that it needs have passed, `lanes` at a time.

    A step whose output is followed runs in addition to these lanes, because it uses all cores.
    """

    def __init__(self, steps: Sequence[Step], lanes: int) -> None:
        self._steps = {each.name: each for each in steps}
        self._lanes = lanes
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._is_stopped = False

    def run(self) -> list[Outcome]:
        """Runs all; prints a line for each step that ends and the output of those that fail."""
        pending = {name: step.pending() for name, step in self._steps.items()}
        wanted = self._wanted(pending)
        with ThreadPoolExecutor(len(self._steps)) as pool, self._stopping():
            futures: dict[str, Future[Outcome]] = {}
            gate = threading.Semaphore(self._lanes)
            with tempfile.TemporaryDirectory() as folder:
                for name in self._in_order(wanted):
                    step = self._steps[name]
                    before = [
                        futures[each] for each in (*step.needs, *step.after) if each in futures
                    ]
                    log = Path(folder) / str(len(futures))
                    arguments = (step, pending[name], before, log, gate)
                    futures[name] = pool.submit(self._one, *arguments)
                self._follow(futures, folder)
                return [future.result() for future in futures.values()]

    def _wanted(self, pending: dict[str, list[str]]) -> list[str]:
        """All steps except those that only prepare what has a verdict."""
        needed = {
            need
            for name, step in self._steps.items()
            if pending[name] or not (step.items or step.prepares)
            for need in step.needs
        }
        return [name for name, step in self._steps.items() if not step.prepares or name in needed]

    def _in_order(self, names: list[str]) -> Iterator[str]:
        """Each after those that it needs; those whose output is followed as early as possible."""
        done: set[str] = set()
        waiting = sorted(names, key=lambda each: not self._steps[each].follows)
        while waiting:
            name = next(each for each in waiting if done.issuperset(self._before(each, names)))
            waiting.remove(name)
            done.add(name)
            yield name

    def _before(self, name: str, names: list[str]) -> set[str]:
        """The steps, of those that run, that end before it starts."""
        step = self._steps[name]
        return {*step.needs, *step.after} & set(names)

    def _follow(self, futures: dict[str, Future[Outcome]], folder: str) -> None:
        """Waits for the steps, then copies the output of a followed one as it grows."""
        for name, future in futures.items():
            if not self._steps[name].follows:
                future.result()
        for number, (name, future) in enumerate(futures.items()):
            if not self._steps[name].follows:
                continue
            say(f"\n== {name}")
            log = Path(folder) / str(number)
            shown = 0
            while True:
                is_done = future.done()
                if log.exists():
                    with log.open("rb") as output:
                        output.seek(shown)
                        data = output.read()
                    shown += len(data)
                    sys.stdout.write(data.decode(errors="replace"))
                    sys.stdout.flush()
                if is_done:
                    break
                time.sleep(_POLL_S)
            show(future.result())

    def _one(
        self,
        step: Step,
        pending: list[str],
        before: list[Future[Outcome]],
        log: Path,
        gate: threading.Semaphore,
    ) -> Outcome:
        ended = [each.result() for each in before]
        failed = [
            each.step.name for each in ended if not each.passed and each.step.name in step.needs
        ]
        if failed or self._is_stopped:
            why = f"not run: {', '.join(failed)} failed" if failed else "not run"
            outcome = Outcome(step, False, output=why)
        elif step.items and not pending:
            outcome = Outcome(step, True, cached=len(step.items))
        elif step.follows:
            outcome = self._carry_out(step, pending, log)
        else:
            with gate:
                outcome = self._carry_out(step, pending, log)
        if not step.follows:
            show(outcome)
        return outcome

    def _carry_out(self, step: Step, pending: list[str], log: Path) -> Outcome:
        keys = step.keys()
        started = time.monotonic()
        with log.open("wb") as output:
            try:
                process = self._start(step, pending, output.fileno())
            except OSError as error:
                return Outcome(step, False, output=f"{error.filename}: {error.strerror}")
            status = process.wait()
            with self._lock:
                self._processes.discard(process)
        if status == 0:
            step.keep(keys, pending)
        return Outcome(
            step,
            status == 0,
            time.monotonic() - started,
            len(pending) if step.items else 1,
            len(step.items) - len(pending),
            "" if step.follows else log.read_text(errors="replace"),
            is_shown=step.follows,
        )

    def _start(self, step: Step, pending: list[str], output: int) -> subprocess.Popen[bytes]:
        with self._lock:
            process = subprocess.Popen(
                [*step.command(pending)],
                cwd=ROOT,
                env={**os.environ, **step.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._processes.add(process)
        return process

    @contextlib.contextmanager
    def _stopping(self) -> Iterator[None]:
        """Ends the processes that were started if this process is interrupted."""
        try:
            yield
        except BaseException:
            self._is_stopped = True
            with self._lock:
                for process in self._processes:
                    with contextlib.suppress(OSError):
                        os.killpg(process.pid, signal.SIGTERM)
            raise


def show(outcome: Outcome) -> None:
    """Prints a line about a step that has ended, and its output if it failed."""
    counts = ""
    if outcome.cached:
        counts = f", {outcome.cached} of {outcome.cached + outcome.run} cached"
    if outcome.cached and not outcome.run:
        say(f"cached  {outcome.step.name}")
        return
    word = "ok    " if outcome.passed else "FAILED"
    say(f"{word}  {outcome.step.name} ({outcome.seconds:.0f} s{counts})")
    if not outcome.passed and not outcome.is_shown:
        say("".join(f"        {line}\n" for line in outcome.output.splitlines()).rstrip())


def summary(outcomes: Sequence[Outcome], seconds: float) -> bool:
    """Prints what was cached, what failed, and the time; whether all passed."""
    cached = [each for each in outcomes if each.cached and not each.run]
    failed = [each for each in outcomes if not each.passed]
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    say(
        f"\n{len(outcomes)} steps, {len(cached)} answered from the cache: {seconds:.0f} s, "
        f"{usage.ru_utime + usage.ru_stime:.0f} s of processor time"
    )
    for each in failed:
        say(f"FAILED  {each.step.name}")
    return not failed


def say(text: str) -> None:
    """Prints at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
