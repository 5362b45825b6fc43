"""The GitHub Action: its steps run in a shell on a repository with a made-up regression."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from packages_for_tests import toy
from pennyweight.catalogue.root import data_root

YAML: Any = importlib.import_module("yaml")
ACTION = YAML.safe_load((data_root() / "action.yml").read_text(encoding="utf-8"))
INSTALLING = ("Install Pennyweight", "Install compilers")
LOOP = "for (volatile unsigned char wait = 0; wait < 9; wait++) {}"


GITHUB = """#!/bin/bash
# The part of GitHub's command line that the action uses.
[ "$EARLIER" != denied ] || exit 1
case "$*" in *--jq*startswith*comparison*) echo "$EARLIER"; exit ;; esac
echo "$@" > "$RUNNER_TEMP/gh.txt"
cp "$(sed 's/.*body=@//' <<< "$*")" "$RUNNER_TEMP/comment.md"
"""


@dataclass
class Runner:
    """What the steps need of GitHub's runner: expressions, outputs, path and summary."""

    repository: Path
    folder: Path
    inputs: dict[str, str]
    event: dict[str, str] = field(default_factory=dict)
    earlier: str = ""
    """The numbers of the action's earlier comments; `denied` if the token may not comment."""

    def run(self) -> str:
        """Runs the steps; the name of the one that failed, or 'passed'."""
        self.folder.mkdir()
        outputs: dict[str, str] = {}
        for step in ACTION["runs"]["steps"]:
            if step["name"] in INSTALLING:
                continue
            done = self.step(step, outputs)
            if done.returncode != 0:
                return f"{step['name']}: {done.stdout}{done.stderr}"
        return "passed"

    def step(
        self, step: dict[str, Any], outputs: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        output, tools = self.folder / "output", self.folder / "bin"
        tools.mkdir(exist_ok=True)
        gh = tools / "gh"
        gh.write_text(GITHUB)
        gh.chmod(0o755)
        values = {
            **{f"inputs.{name}": text for name, text in self.inputs.items()},
            **{f"steps.compare.outputs.{name}": text for name, text in outputs.items()},
            **self.event,
        }
        environment = {
            name: re.sub(r"\$\{\{ (.+?) \}\}", lambda found: values[found[1]], text)
            for name, text in step.get("env", {}).items()
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.repository,
            env={
                **os.environ,
                **environment,
                "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
                "RUNNER_TEMP": str(self.folder),
                "GITHUB_ACTION_PATH": str(data_root()),
                "GITHUB_REPOSITORY": "owner/project",
                "EARLIER": self.earlier,
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        if output.exists():
            for line in output.read_text().splitlines():
                name, _, text = line.partition("=")
                outputs[name] = text
        return done


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    shutil.copytree(toy("ref").folder, folder / "cipher")
    git(folder, "init", "--quiet")
    return commit(folder)


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(folder: Path) -> Path:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Change")
    return folder


def slow_down(repository: Path) -> None:
    source = repository / "cipher" / "encrypt.c"
    text = source.read_text()
    begin = text.index("{", text.index("crypto_aead_encrypt")) + 1
    source.write_text(f"{text[:begin]} {LOOP} {text[begin:]}")


def action(repository: Path, folder: Path, **inputs: str) -> Runner:
    defaults = {name: str(given.get("default", "")) for name, given in ACTION["inputs"].items()}
    chosen = {
        **defaults,
        "packages": "cipher",
        "boards": "atmega328p",
        "base": git(repository, "rev-list", "--max-parents=0", "HEAD"),
        **{name.replace("_", "-"): text for name, text in inputs.items()},
    }
    return Runner(repository, folder, chosen, {"github.event.pull_request.number": "7"})


def test_a_regression_fails_and_the_comment_shows_the_worst_row(
    repository: Path, tmp_path: Path
) -> None:
    slow_down(repository)
    commit(repository)
    runner = action(repository, tmp_path / "runner")
    assert runner.run().startswith("Fail on a regression")
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert comment.splitlines()[1] == "### Pennyweight: figures grew by more than 0%"
    base, head = git(repository, "rev-list", "HEAD").splitlines()[::-1]
    assert f"**A**: `base-{base[:12]}.json`, **B**: `head-{head[:12]}.json`" in comment
    assert re.search(r"^Flags `-O2`; compilers: `avr-gcc .*`\.$", comment, re.MULTILINE)
    table = [line for line in comment.splitlines() if line.startswith("|")]
    ratios = [float(line.split("|")[-3]) for line in table[2:]]
    assert ratios == sorted(ratios, reverse=True) and ratios[0] > 1
    assert any("| cycles |" in line and line.endswith("| ! |") for line in table)
    assert (tmp_path / "runner" / "summary.md").read_text() == comment
    asked = (tmp_path / "runner" / "gh.txt").read_text()
    assert asked.startswith("api repos/owner/project/issues/7/comments --field body=@")
    page = tmp_path / "runner" / "pennyweight-comparison" / "comparison.html"
    assert "<h1>Regression</h1>" in page.read_text()
    assert git(repository, "worktree", "list").count("\n") == 0


def test_no_change_and_growth_within_the_limit_pass(repository: Path, tmp_path: Path) -> None:
    (repository / "README").write_text("Nothing that is measured.\n")
    commit(repository)
    runner = action(repository, tmp_path / "equal")
    runner.earlier = "41\n43"
    assert runner.run() == "passed"
    asked = (tmp_path / "equal" / "gh.txt").read_text()
    assert asked.startswith("api --method PATCH repos/owner/project/issues/comments/41 ")
    assert "0 differ" in (tmp_path / "equal" / "comment.md").read_text()
    slow_down(repository)
    commit(repository)
    runner = action(repository, tmp_path / "limit", fail_above="50%")
    runner.earlier = "denied"
    assert runner.run() == "passed"
    assert not (tmp_path / "limit" / "comment.md").exists()


def test_a_new_package_passes_with_the_reason(repository: Path, tmp_path: Path) -> None:
    (repository / "cipher").rename(repository / "renamed")
    commit(repository)
    assert action(repository, tmp_path / "new", packages="renamed").run() == "passed"
    comment = (tmp_path / "new" / "comment.md").read_text()
    assert comment.splitlines()[1] == "### Pennyweight: nothing was compared"
    assert "has none of the packages." in comment


def test_a_regression_fails_although_another_package_is_new(
    repository: Path, tmp_path: Path
) -> None:
    shutil.copytree(repository / "cipher", repository / "another")
    slow_down(repository)
    commit(repository)
    runner = action(repository, tmp_path / "runner", packages="cipher another")
    assert runner.run().startswith("Fail on a regression")
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert "figures grew by more than 0%" in comment.splitlines()[1]
    assert "\nNew packages, measured but not compared: `another`.\n" in comment


def break_syntax(repository: Path) -> None:
    source = repository / "cipher" / "encrypt.c"
    source.write_text(f"{source.read_text()}\nthis is not C\n")


def accept_forgeries(repository: Path) -> None:
    """Never returns an error."""
    source = repository / "cipher" / "encrypt.c"
    text = source.read_text()
    assert "return -1" in text
    source.write_text(text.replace("return -1", "return 0"))


def hide_header(repository: Path) -> None:
    (repository / "cipher" / "api.h").unlink()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [(break_syntax, "build failed; encrypt.c:"), (accept_forgeries, "accepted a forgery")],
)
def test_a_package_that_breaks_fails_with_the_reason_in_the_comment(
    repository: Path, tmp_path: Path, damage: Callable[[Path], None], reason: str
) -> None:
    damage(repository)
    commit(repository)
    runner = action(repository, tmp_path / "runner")
    assert runner.run().startswith("Fail on a regression")
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert comment.splitlines()[1] == "### Pennyweight: cases cannot be measured"
    [line] = [each for each in comment.splitlines() if each.startswith("- ")]
    assert line.startswith(f"- `cipher` on `atmega328p -O2`: `{reason}")


@pytest.mark.parametrize("damage", [break_syntax, accept_forgeries, hide_header])
def test_a_repair_passes(repository: Path, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    sound = git(repository, "rev-parse", "HEAD")
    damage(repository)
    base = git(commit(repository), "rev-parse", "HEAD")
    git(repository, "checkout", "--quiet", sound, "--", "cipher")
    (repository / "README").write_text("Repaired.\n")
    commit(repository)
    assert action(repository, tmp_path / "runner", base=base).run() == "passed"
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert comment.splitlines()[1] == "### Pennyweight: nothing was compared"
    assert "\nNot measured in the base commit: `cipher`.\n" in comment


def test_what_was_broken_before_does_not_fail_a_change(repository: Path, tmp_path: Path) -> None:
    accept_forgeries(repository)
    base = git(commit(repository), "rev-parse", "HEAD")
    (repository / "README").write_text("Nothing that is measured.\n")
    commit(repository)
    assert action(repository, tmp_path / "runner", base=base).run() == "passed"
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert "Without a figure, as in the base commit" in comment
    assert "- `cipher` on `atmega328p -O2`: `accepted a forgery" in comment


def test_a_new_package_that_does_not_compile_fails(repository: Path, tmp_path: Path) -> None:
    shutil.copytree(repository / "cipher", repository / "other")
    (repository / "other" / "encrypt.c").write_text("this is not C\n")
    commit(repository)
    runner = action(repository, tmp_path / "runner", packages="cipher other")
    assert runner.run().startswith("Fail on a regression")
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert "0 differ" in comment and "- `other` on `atmega328p -O2`: `build failed; " in comment


def first_lines(folder: Path) -> tuple[str, str]:
    """The mark and the heading of the comment."""
    mark, heading, *_ = (folder / "comment.md").read_text().splitlines()
    return mark, heading


def test_a_package_by_its_full_path_is_compared_with_the_base(
    repository: Path, tmp_path: Path
) -> None:
    slow_down(repository)
    commit(repository)
    for name, text in (("full", f"{repository}/cipher"), ("dotted", "./cipher/")):
        runner = action(repository, tmp_path / name, packages=text)
        assert runner.run().startswith("Fail on a regression")
        assert first_lines(tmp_path / name)[1].endswith("figures grew by more than 0%")


def test_a_package_in_a_submodule_is_compared_with_the_bases_submodule(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("COUNT", "1"), ("KEY_0", "protocol.file.allow"), ("VALUE_0", "always")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", text)
    project = tmp_path / "project"
    project.mkdir()
    git(project, "init", "--quiet")
    git(project, "submodule", "--quiet", "add", str(repository), "a third")
    commit(project)
    slow_down(project / "a third")
    commit(project / "a third")
    commit(project)
    runner = action(project, tmp_path / "runner", packages="a*/cipher")
    assert runner.run().startswith("Fail on a regression")
    assert first_lines(tmp_path / "runner")[1].endswith("figures grew by more than 0%")


@pytest.mark.parametrize("packages", ["cipher other", "*", "cipher oth*"])
def test_a_package_that_is_deleted_fails(repository: Path, tmp_path: Path, packages: str) -> None:
    shutil.copytree(repository / "cipher", repository / "other")
    base = git(commit(repository), "rev-parse", "HEAD")
    shutil.rmtree(repository / "other")
    commit(repository)
    runner = action(repository, tmp_path / "runner", packages=packages, base=base)
    assert runner.run().startswith("Fail on a regression")
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert "\n- `other`: `the folder is missing`\n" in comment and "0 differ" in comment


def test_folders_that_are_no_packages_are_named_and_excluded(
    repository: Path, tmp_path: Path
) -> None:
    (repository / "notes").mkdir()
    (repository / "notes" / "util.h").write_text("")
    commit(repository)
    assert action(repository, tmp_path / "runner", packages="*").run() == "passed"
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert "\nNot packages, and excluded: `notes`.\n" in comment and ".git" not in comment
    (repository / "notes" / "api.h").write_text("#define CRYPTO_KEYBYTES sixteen\n")
    commit(repository)
    failed = action(repository, tmp_path / "meant", packages="*").run()
    assert "::error::notes cannot be measured: " in failed


def test_comparisons_with_other_inputs_have_comments_of_their_own(
    repository: Path, tmp_path: Path
) -> None:
    marks = set()
    for name, boards in (("a", "atmega328p"), ("b", "stm32f030"), ("c", "atmega328p")):
        assert action(repository, tmp_path / name, boards=boards).run() == "passed"
        marks.add(first_lines(tmp_path / name)[0])
    assert len(marks) == 2


def test_names_are_not_markup(repository: Path, tmp_path: Path) -> None:
    name = "@all ![x](http:y)<img>"
    shutil.copytree(repository / "cipher", repository / "src" / name)
    commit(repository)
    assert action(repository, tmp_path / "runner", packages="cipher src/*").run() == "passed"
    comment = (tmp_path / "runner" / "comment.md").read_text()
    assert f"not compared: `src/{name}`." in comment
    assert comment.count("@all") == comment.count(f"`src/{name}`")


def test_the_base_is_never_an_option_of_git(repository: Path, tmp_path: Path) -> None:
    target = tmp_path / "written"
    for base in (f"--upload-pack=touch {target}", f"--output={target}"):
        failed = action(repository, tmp_path / f"runner{len(base)}", base=base).run()
        assert "is not a commit" in failed
        assert not target.exists()


def test_the_base_may_be_a_branch_that_has_to_be_fetched(repository: Path, tmp_path: Path) -> None:
    git(repository, "branch", "stable")
    slow_down(repository)
    commit(repository)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repository}", str(clone))
    runner = action(clone, tmp_path / "runner", base="stable")
    assert runner.run().startswith("Fail on a regression")


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"base": ""}, "there is no commit to compare with"),
        ({"base": "0" * 40}, "this is the first push of a branch"),
        ({"base": "0" * 39 + "1"}, "cannot be fetched"),
        ({"packages": "no-such-folder"}, "no-such-folder cannot be measured: "),
        ({"packages": "nothing/*"}, "nothing matches 'nothing/*'"),
        ({"packages": " "}, "packages: none is given"),
        ({"packages": "/etc/*"}, "packages: '/etc/*' is outside of the checkout"),
        ({"packages": "cipher/../../x"}, "is outside of the checkout"),
        ({"packages": "cip* notes*"}, "nothing matches 'notes*'"),
        ({"boards": "uno"}, "cipher cannot be measured: unknown board 'uno'"),
        ({"fail_above": "much"}, "cannot be compared"),
    ],
)
def test_wrong_inputs_end_in_one_error(
    repository: Path, tmp_path: Path, inputs: dict[str, str], sentence: str
) -> None:
    failed = action(repository, tmp_path / "runner", **inputs).run()
    assert failed.startswith("Measure and compare: ")
    [error] = [line for line in failed.splitlines() if "::error::" in line]
    assert sentence in error
