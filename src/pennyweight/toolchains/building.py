"""Builds a compiler from a recipe into the user's cache: once, resumably and atomically.

The same command continues an interrupted build: finished stages are kept, and an interrupted `make`
continues. A killed stage starts again, because it may have left an incomplete file. Two processes
never build the same compiler at once: the second waits for the first.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pennyweight.model import UserError
from pennyweight.progress import Progress
from pennyweight.toolchains.command import search_path
from pennyweight.toolchains.digests import file_sha256
from pennyweight.toolchains.locations import VARIABLE, archives, folder
from pennyweight.toolchains.recipes.recipe import PREFIX, Recipe, Source, Stage
from pennyweight.toolchains.watchdog import ANNOUNCE, watchdog

_SECONDS_TO_STOP = 20
_WATCHED = f'exec 2>/dev/null; {ANNOUNCE}unset PWD OLDPWD SHLVL; exec 2>&1; exec "$@"'
"""Stops the build if its process is gone: a second build in its folder would write the same
files.
"""

_COMPLAINT = re.compile(r"\*\*\* |: error: |^configure: error: |^tar: ")


def find(recipe: Recipe) -> Path | None:
    """The driver of the newest compiler that was built from this recipe, or `None`."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads((folder() / f"{recipe.name}.json").read_text(encoding="utf-8"))
        driver = folder() / str(known[recipe.digest]) / recipe.driver
        if os.access(driver, os.X_OK):
            return driver
    return None


def build(recipe: Recipe, jobs: int, progress: Progress) -> Path:
    """The driver of the compiler that `recipe` builds from the sources on this machine.

    It is built in `jobs` processes unless it exists. Raises `UserError` if a package is missing,
    the disk is too small or a command fails.
    """
    missing = recipe.missing_packages()
    if missing:
        raise UserError(
            f"{recipe.name} is built from source, which needs missing packages: install them with "
            f"`apt-get install {' '.join(missing)}`"
        )
    for source in recipe.sources:
        if source.find() is None:
            raise UserError(
                f"{recipe.name} is built from the original {source.file} (SHA-256 "
                f"{source.sha256}), which was not found: give its path with --source, or "
                f"copy it to {archives()}"
            )
    name = f"{recipe.name}-{recipe.key()[:16]}"
    place = folder() / name
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with _alone(folder() / f"{name}.lock", progress):
            if not (place / recipe.driver).is_file():
                _Work(recipe, folder() / f"{name}.work", jobs, progress).make(place)
            _note(recipe, name)
    except OSError as error:
        raise UserError(
            f"{error.filename or folder()}: {error.strerror}; free some space or set {VARIABLE} to "
            "a writable folder"
        ) from None
    return place / recipe.driver


def bring(recipe: Recipe, archive: Path) -> None:
    """Stores a copy of a recipe's source archive. Raises `UserError` for any other file."""
    wanted = [source for source in recipe.sources if source.sha256]
    try:
        found = file_sha256(archive)
    except OSError as error:
        raise UserError(
            f"--source: {error.filename or archive}: {error.strerror}; give a readable file"
        ) from None
    for source in wanted:
        if source.sha256 == found:
            try:
                _keep(archive, source)
            except OSError as error:
                raise UserError(
                    f"{archives()}: {error.strerror}; free some space or set {VARIABLE} to a "
                    "writable folder"
                ) from None
            return
    if not wanted:
        raise UserError(f"--source: {recipe.name} is built from Debian's packages; remove it")
    names = " or ".join(f"{source.file} (SHA-256 {source.sha256})" for source in wanted)
    raise UserError(f"--source: {archive} has the SHA-256 {found}; {recipe.name} needs {names}")


def _keep(archive: Path, source: Source) -> None:
    """Copies atomically, so that an incomplete copy is never found."""
    archives().mkdir(parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=archives(), prefix=".new-")
    os.close(handle)
    try:
        shutil.copyfile(archive, new)
        Path(new).replace(archives() / source.file)
    finally:
        Path(new).unlink(missing_ok=True)


def _note(recipe: Recipe, name: str) -> None:
    """Records the newest result of this recipe."""
    index = folder() / f"{recipe.name}.json"
    known: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError):
        known = dict(json.loads(index.read_text(encoding="utf-8")))
    if known.get(recipe.digest) == name:
        return
    known[recipe.digest] = name
    handle, new = tempfile.mkstemp(dir=folder(), prefix=".new-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(known, file, indent=1)
    Path(new).replace(index)


@contextlib.contextmanager
def _alone(lock: Path, progress: Progress) -> Iterator[None]:
    """Holds a lock, which the system releases however this process ends."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.working_on("another process is building it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class _Work:
    """A build in its work folder, which survives an interruption."""

    def __init__(self, recipe: Recipe, place: Path, jobs: int, progress: Progress) -> None:
        self._recipe = recipe
        self._place = place
        self._progress = progress
        self._root = place / "root"
        self._running = place / "running"
        self._words = {"jobs": str(jobs), "root": str(self._root)}
        for source in recipe.sources:
            self._words[f"source:{source.package}"] = str(source.find())

    def make(self, result: Path) -> None:
        """Runs the remaining stages, tries the compiler, and moves it to `result`."""
        self._place.mkdir(exist_ok=True)
        self._check_disk()
        self._forget_what_was_killed()
        self._progress.start(sum(stage.lines for stage in self._recipe.stages))
        for stage in self._recipe.stages:
            if self._done(stage).exists():
                self._advance(stage.lines)
            else:
                self._do(stage)
        self._try()
        (self._root / PREFIX.lstrip("/")).replace(result)
        shutil.rmtree(self._place, ignore_errors=True)

    def _done(self, stage: Stage) -> Path:
        return self._place / f"{stage.name}.done"

    def _check_disk(self) -> None:
        free = shutil.disk_usage(self._place).free >> 20
        if free < self._recipe.disk_mb and not any(self._place.glob("*.done")):
            raise UserError(
                f"{self._place}: building {self._recipe.name} needs {self._recipe.disk_mb} MB "
                f"temporarily, but only {free} MB are free; free some space or set {VARIABLE}"
            )

    def _forget_what_was_killed(self) -> None:
        """If a stage did not end properly, goes back to where it begins."""
        if not self._running.exists():
            return
        name = self._running.read_text(encoding="utf-8")
        names = [stage.name for stage in self._recipe.stages]
        if name in names:
            first = self._recipe.stages[names.index(name)].begins_in or name
            for stage in self._recipe.stages[names.index(first) :]:
                self._done(stage).unlink(missing_ok=True)
        self._running.unlink()

    def _do(self, stage: Stage) -> None:
        self._running.write_text(stage.name, encoding="utf-8")
        self._progress.working_on(stage.title)
        if stage.clears:
            shutil.rmtree(self._place / stage.clears, ignore_errors=True)
        where = self._place / stage.folder
        where.mkdir(parents=True, exist_ok=True)
        left = stage.lines
        with (self._place / f"{stage.name}.log").open("w", encoding="utf-8") as log:
            for command in stage.commands:
                words = [self._fill(word) for word in command]
                left = self._run(stage, words, where, log, left)
        self._advance(left)
        self._done(stage).touch()
        self._running.unlink()

    def _fill(self, word: str) -> str:
        for name, value in self._words.items():
            word = word.replace(f"{{{name}}}", value)
        return word

    def _run(self, stage: Stage, words: list[str], where: Path, log: IO[str], left: int) -> int:
        """Runs one command; each printed line is a step, up to the expected number."""
        process = subprocess.Popen(
            ["/bin/sh", "-c", _WATCHED, "sh", *words],
            cwd=where,
            env=self._environment(stage),
            stdin=watchdog.pipe(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
            errors="replace",
        )
        assert process.stdout is not None
        complaint = ""
        try:
            for line in process.stdout:
                log.write(line)
                if not complaint and _COMPLAINT.search(line):
                    complaint = line.strip()
                if left > 0:
                    left -= 1
                    self._progress.step()
            status = process.wait()
        except BaseException:
            if _stop(process):
                self._running.unlink(missing_ok=True)
            raise
        finally:
            watchdog.ended(process.pid)
        if status != 0:
            self._running.unlink(missing_ok=True)
            raise UserError(
                f"building {self._recipe.name} failed while {stage.title} "
                f"({complaint[:160] or 'no message'}): the whole output is in {log.name}; the "
                "same command continues from there"
            )
        return left

    def _environment(self, stage: Stage) -> dict[str, str]:
        """Only PATH is inherited, with the newly built tools first."""
        own = self._root / PREFIX.lstrip("/") / "bin"
        path = f"{own}:{search_path()}"
        return {"PATH": path, "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0", **stage.environment}

    def _advance(self, steps: int) -> None:
        for _ in range(steps):
            self._progress.step()

    def _try(self) -> None:
        """Checks that the compiler can compile an empty function."""
        driver = self._root / PREFIX.lstrip("/") / self._recipe.driver
        with tempfile.TemporaryDirectory(dir=self._place) as here:
            (Path(here) / "try.c").write_text("void _start(void) {}\n", encoding="utf-8")
            done = subprocess.run(
                [driver, *self._recipe.check, "try.c", "-o", "try.elf"],
                cwd=here,
                capture_output=True,
                text=True,
            )
        if done.returncode != 0:
            shutil.rmtree(self._place, ignore_errors=True)
            raise UserError(
                f"{self._recipe.name} was built but does not compile "
                f"({(done.stderr.strip().splitlines() or ['no message'])[0]}); report this"
            )


def _stop(process: subprocess.Popen[str]) -> bool:
    """Ends a command and its children; true if it ended by itself after the signal.

    `make` then removes the file that it was writing.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=_SECONDS_TO_STOP)
        return True
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False
