"""Measures the checked-out commit and its base with the same Pennyweight, and compares the figures.

Reads the action's inputs from the environment (`PW_...`), writes `comparison.md` and
`comparison.html`, and prints their paths and the result as a step's outputs. Exit status 2 with one
error that GitHub shows, if a commit or a package cannot be read; a regression is the result
`failed`.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from selection import ActionError, Packages, find_packages

from pennyweight.campaign.outcome import LIMITS
from pennyweight.catalogue.api_header import API
from pennyweight.markdown import code
from pennyweight.model import Status

Row = dict[str, Any]


@dataclass(frozen=True)
class Fault:
    """A case that has no figure."""

    case: tuple[object, ...]
    where: str
    """Board and flags."""
    status: str
    reason: str

    def line(self, package: str) -> str:
        """An item of a list in Markdown."""
        reason = f"{self.status}; {self.reason}" if self.reason else self.status
        return f"- {code(package)} on {code(self.where)}: {code(reason)}"


@dataclass(frozen=True)
class Commit:
    """What was measured in one commit, by package."""

    sha: str
    rows: dict[str, list[Row]] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    """Packages that `measure` refuses, with the reason."""
    absent: dict[str, None] = field(default_factory=dict)
    """Folders that only the other commit has."""

    def faults(self, package: str) -> list[Fault]:
        """The cases of a package that have no figure."""
        return [
            Fault(
                tuple(row[each] for each in ("algorithm", "board", "flags", "op", "ad", "m")),
                f"{row['board']} {row['flags']}",
                row["status"],
                row["reason"],
            )
            for row in self.rows.get(package, [])
            if row["status"] != Status.OK
        ]

    def has_figures(self, package: str) -> bool:
        """Whether a case of a package was measured."""
        return any(row["status"] == Status.OK for row in self.rows.get(package, []))


def main() -> int:
    """Runs the step."""
    try:
        _run(Path(os.environ["RUNNER_TEMP"]) / "pennyweight-comparison", Path.cwd())
    except ActionError as error:
        print(f"::error::{error}")
        return 2
    return 0


def _run(folder: Path, root: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    base, head = Commit(_base_commit()), Commit(_git("rev-parse", "HEAD"))
    with _checked_out(base.sha, folder / "base") as earlier:
        packages = find_packages(os.environ["PW_PACKAGES"], root, earlier)
        for commit, where, other in ((head, root, earlier), (base, earlier, root)):
            # What is a folder in one of the commits is not looked up as a name in the other.
            gone = [x for x in packages.all if (other / x).exists() and not (where / x).exists()]
            commit.absent.update(dict.fromkeys(gone))
            _measure(commit, where, [each for each in packages.all if each not in gone])
    for package, reason in head.unreadable.items():
        if base.has_figures(package):
            continue
        if package in packages.named or next((root / package).rglob(API), None):
            raise ActionError(f"{package} cannot be measured: {reason}")
        packages.excluded[package] = reason
    for package in head.absent:
        if not base.has_figures(package):
            packages.excluded[package] = "the base commit cannot measure it either"
    if not packages.all:
        package, reason = next(iter(packages.excluded.items()))
        raise ActionError(f"packages: no match is a package ({package}: {reason})")
    _write(folder, base, head, packages, _compare(folder, base, head, packages.all))


@dataclass(frozen=True)
class Comparison:
    """What `compare` found; nothing was compared if `table` is empty."""

    table: str = ""
    page: str = ""
    has_grown: bool = False
    lacks_figures: bool = False


def _compare(folder: Path, base: Commit, head: Commit, packages: Sequence[str]) -> Comparison:
    both = [each for each in packages if base.has_figures(each) and head.has_figures(each)]
    if not both:
        return Comparison()
    files = []
    for name, commit in (("base", base), ("head", head)):
        files.append(f"{name}-{commit.sha[:12]}.json")
        rows = [row for each in both for row in commit.rows[each]]
        (folder / files[-1]).write_text(json.dumps(rows), encoding="utf-8")
    words = ["pennyweight", "compare", *files, "--fail-above", os.environ["PW_FAIL_ABOVE"]]
    done = _output([*words, "--format", "markdown"], folder)
    if done.returncode > 1:
        raise ActionError(f"the two commits cannot be compared: {_sentence(done)}")
    page = _output([*words, "--format", "html"], folder)
    grown = _output([*words, "--allow-missing", "--format", "json"], folder).returncode == 1
    return Comparison(done.stdout, page.stdout, grown, done.returncode == 1 and not grown)


def _write(
    folder: Path,
    base: Commit,
    head: Commit,
    packages: Packages,
    found: Comparison,
) -> None:
    """Writes both files and the step's outputs."""
    limit = f"{os.environ['PW_FAIL_ABOVE'].strip().removesuffix('%')}%"
    new = [each for each in packages.all if each in base.absent]
    broken: dict[str, None] = {}
    known: dict[str, None] = {}
    repaired = []
    for package in packages.all:
        if reason := _lost(package, base, head):
            broken[f"- {code(package)}: {code(reason)}"] = None
        before = {each.case for each in base.faults(package)}
        faults = head.faults(package)
        for each in faults:
            is_known = package in base.unreadable or each.case in before
            is_known |= package in new and each.status in LIMITS
            # Without a compiler nothing is tested, whatever the base has.
            is_known &= each.status != Status.SKIPPED
            (known if is_known else broken)[each.line(package)] = None
        if not faults and (before or package in base.unreadable):
            repaired.append(code(package))

    headings: list[str] = []
    if found.has_grown:
        headings.append(f"figures grew by more than {limit}")
    if broken:
        headings.append("cases cannot be measured")
    if found.lacks_figures and not broken:
        headings.append("figures are missing")
    if not headings:
        headings.append(
            f"no figure grew by more than {limit}" if found.table else "nothing was compared"
        )
    parts = [f"{_mark()}\n### Pennyweight: {'; '.join(headings)}\n"]
    if broken:
        parts.append("\n".join(["This commit cannot be measured in these cases:\n", *broken, ""]))
    if found.table:
        parts.append(found.table)
    elif len(new) == len(packages.all):
        parts.append(f"The base commit {base.sha[:12]} has none of the packages.\n")
    else:
        parts.append(f"No figure was measured in both commits; the base is {base.sha[:12]}.\n")
    if known:
        why = "as in the base commit, or because a new package needs more memory"
        parts.append("\n".join([f"Without a figure, {why}:\n", *known, ""]))
    if repaired:
        parts.append(f"Not measured in the base commit: {', '.join(repaired)}.\n")
    if new:
        parts.append(f"New packages, measured but not compared: {', '.join(map(code, new))}.\n")
    if packages.excluded:
        names = ", ".join(map(code, packages.excluded))
        parts.append(f"Not packages, and excluded: {names}.\n")
    parts.append(_conditions(head))

    text = "\n".join(parts)
    comment, page = folder / "comparison.md", folder / "comparison.html"
    comment.write_text(text, encoding="utf-8")
    page.write_text(found.page or f"<pre>{html.escape(text)}</pre>\n", encoding="utf-8")
    _append("GITHUB_STEP_SUMMARY", text)
    result = "failed" if found.has_grown or found.lacks_figures or broken else "passed"
    _append("GITHUB_OUTPUT", f"markdown={comment}\nhtml={page}\nresult={result}\n")


def _conditions(head: Commit) -> str:
    """Flags and compilers, in one line."""
    versions = {row["compiler_version"] for rows in head.rows.values() for row in rows} - {"", None}
    compilers = ", ".join(code(each) for each in sorted(versions))
    flags = code(os.environ["PW_FLAGS"])
    return f"Flags {flags}; compilers: {compilers or 'none'}.\n"


def _lost(package: str, base: Commit, head: Commit) -> str:
    """Why a package that the base can measure is no longer one; empty if it is."""
    if not base.has_figures(package):
        return ""
    if package in head.absent:
        return "the folder is missing"
    return head.unreadable.get(package, "")


def _mark() -> str:
    """The first line of the comment, by which the action finds an earlier one with the same inputs:
    a pull request may have several comparisons.
    """
    inputs = [os.environ[f"PW_{each}"] for each in ("PACKAGES", "BOARDS", "LENGTHS", "FLAGS")]
    digest = hashlib.sha256("\n".join(inputs).encode()).hexdigest()[:12]
    return f"<!-- pennyweight: comparison {digest} -->"


def _base_commit() -> str:
    """The base, which is fetched if the clone does not have it."""
    base = os.environ.get("PW_BASE", "")
    if not base:
        raise ActionError(
            "there is no commit to compare with: run on pull_request or push, or set 'base'"
        )
    if not base.strip("0"):
        raise ActionError(
            "there is no commit to compare with: this is the first push of a branch; run on "
            "pull_request, or set 'base'"
        )
    if base.startswith("-"):
        raise ActionError(f"base: '{base}' is not a commit")
    try:
        return _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    except subprocess.CalledProcessError:
        pass
    try:
        _git("fetch", "--quiet", "--depth=1", "--", "origin", base)
        return _git("rev-parse", "--verify", "FETCH_HEAD^{commit}")
    except subprocess.CalledProcessError:
        raise ActionError(
            f"the commit {base} cannot be fetched; set 'fetch-depth: 0' in actions/checkout"
        ) from None


@contextmanager
def _checked_out(sha: str, folder: Path) -> Iterator[Path]:
    """The base in a folder of its own, with those submodules that the clone has checked out."""
    _git("worktree", "prune")
    _git("worktree", "add", "--quiet", "--force", "--detach", str(folder), sha)
    try:
        _check_out_submodules(folder)
        yield folder
    finally:
        _git("worktree", "remove", "--force", "--force", str(folder))


def _check_out_submodules(folder: Path) -> None:
    """Raises `ActionError` if one cannot be fetched."""
    for path in _git("submodule", "--quiet", "foreach", 'echo "$sm_path"').splitlines():
        if not _git("-C", str(folder), "ls-tree", "HEAD", "--", path).startswith(_SUBMODULE):
            continue
        words = ("submodule", "update", "--init", "--recursive", "--quiet", "--", path)
        try:
            _git("-C", str(folder), *words)
        except subprocess.CalledProcessError as error:
            raise ActionError(
                f"the submodule {path} of the base commit cannot be fetched: "
                f"{' '.join(error.stderr.split())}"
            ) from None


_SUBMODULE = "160000 "
"""The mode of a submodule in a tree (git-fast-import manual, "filemodify")."""


def _measure(commit: Commit, folder: Path, packages: Iterable[str]) -> None:
    """Measures each package by itself, so that one that is refused does not hide the others."""
    words = ["--board", os.environ["PW_BOARDS"], "--lengths", os.environ["PW_LENGTHS"]]
    words += [f"--flags={os.environ['PW_FLAGS']}", "--format", "json"]
    for each in packages:
        done = _output(["pennyweight", "measure", *words, "--", each], folder)
        if done.returncode > 1:
            commit.unreadable[each] = _sentence(done)
        else:
            commit.rows[each] = json.loads(done.stdout)


def _output(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    sys.stderr.write(done.stderr)
    return done


def _sentence(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return lines[-1].removeprefix("pennyweight: ")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _append(variable: str, text: str) -> None:
    """Appends to a file that GitHub names; without it, prints."""
    name = os.environ.get(variable)
    if name:
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)


if __name__ == "__main__":
    sys.exit(main())
