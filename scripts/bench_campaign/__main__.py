"""Measures how fast campaigns are, and where their time goes.

    make bench-campaign [ARGS="--study everything --jobs 2"]

Runs the study three times in temporary folders with an empty cache: in this process, measuring the
time in compilers and simulators; with one worker; and with all workers. Then runs it once more with
nothing to do. Prints jobs per minute, the shares of the time, the speedup, and the time of a run in
which every job is done. Results and cache of the user are not touched.

`--every 50` takes every fiftieth job of a large study and estimates the time of the whole. The
estimate is too high, because fewer jobs share builds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pennyweight.toolchains.command as command
from pennyweight import cache, catalogue
from pennyweight.campaign.engine import Tally, run_campaign
from pennyweight.campaign.plan import PlannedJob, plan_study
from pennyweight.measure import run_job
from pennyweight.model import UserError
from pennyweight.pool import available_cores
from pennyweight.store import ResultStore
from pennyweight.studies import find_study
from pennyweight.target import Target


class Clock:
    """Seconds spent in a function, from all callers."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed by this clock."""

        def timed(*arguments: Any, **options: Any) -> Any:
            begun = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self.seconds += time.perf_counter() - begun

        return timed


def replace_everywhere(old: object, new: object) -> None:
    """Replaces `old` with `new` in all modules of the package that refer to it."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("pennyweight"):
            for name, value in list(vars(module).items()):
                if value is old:
                    setattr(module, name, new)


def shares(jobs: Iterable[PlannedJob], folder: Path) -> str:
    """Runs the jobs in this process and reports where the time went."""
    os.environ["PENNYWEIGHT_CACHE"] = str(folder / "cache")
    compiling, simulating = Clock(), Clock()
    replace_everywhere(command.run, compiling.around(command.run))
    boot, call = Target.__init__, Target.call
    Target.__init__ = simulating.around(boot)  # type: ignore[method-assign]
    Target.call = simulating.around(call)  # type: ignore[method-assign]
    store = ResultStore(folder / "results")
    store.prepare()
    begun = time.perf_counter()
    # A campaign's main process stores a result while its worker runs the next job.
    with store.adding_many(), ThreadPoolExecutor(1) as writer:
        stored = [writer.submit(store.add, run_job(job)) for job in jobs]
        for each in stored:
            each.result()
    whole = time.perf_counter() - begun
    Target.__init__, Target.call = boot, call  # type: ignore[method-assign]
    rest = whole - compiling.seconds - simulating.seconds
    return (
        f"compiling and linking {compiling.seconds / whole:.0%}, "
        f"simulating {simulating.seconds / whole:.0%}, everything else {rest / whole:.1%}"
    )


def timed_run(jobs: list[PlannedJob], folder: Path, workers: int) -> float:
    """Seconds of a campaign with no results and an empty cache."""
    os.environ["PENNYWEIGHT_CACHE"] = str(folder / "cache")
    tally = Tally()
    begun = time.perf_counter()
    run_campaign(jobs, ResultStore(folder / "results"), tally, workers)
    if tally.lost:
        raise UserError(f"{tally.lost} jobs were lost; `pennyweight run` reports the reasons.")
    return time.perf_counter() - begun


def repeated(study: str, folder: Path) -> float:
    """Seconds of the whole command, including its start, when every job is done."""
    words = [sys.executable, "-m", "pennyweight", "run", "--study", study]
    words += ["--results", str(folder / "results")]
    for _ in range(2):
        begun = time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)
        seconds = time.perf_counter() - begun
    return seconds


def main() -> int:
    """Prints the figures; 2 if the study cannot be run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--study", default="default", help="name or path [default]")
    cores = available_cores()
    parser.add_argument("--jobs", type=int, default=cores, help=f"workers [{cores}]")
    parser.add_argument("--every", type=int, default=1, help="take only every Nth job [1]")
    given = parser.parse_args()
    if given.every < 1:
        parser.error("--every must be 1 or more")
    # Compilers that were built here are kept, because building them is not measured.
    os.environ.setdefault("PENNYWEIGHT_TOOLCHAINS", str(cache.folder() / "toolchains"))
    try:
        planned = plan_study(find_study(given.study), catalogue.load()).jobs
        jobs = planned[given.every // 2 :: given.every]
        with tempfile.TemporaryDirectory() as name:
            base = Path(name)
            print(f"study {given.study}: {len(jobs)} of {len(planned)} jobs", flush=True)
            print(f"time of one worker: {shares(jobs, base / 'shares')}", flush=True)
            one = timed_run(jobs, base / "one", 1)
            print(f"1 worker: {len(jobs) / one * 60:,.0f} jobs a minute", flush=True)
            many = timed_run(jobs, base / "many", given.jobs)
            print(
                f"{given.jobs} workers: {len(jobs) / many * 60:,.0f} jobs a minute, "
                f"{one / many:.2f} times as many",
                flush=True,
            )
            if given.every > 1:
                whole = many / len(jobs) * len(planned) / 60
                print(f"all {len(planned)} jobs would take {whole:,.0f} minutes at most")
            else:
                print(f"with nothing to do: {repeated(given.study, base / 'many'):.1f} s")
    except UserError as error:
        print(f"bench-campaign: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
