"""The workflow that publishes the site, and `make studies`, which measures for it."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from scripts.studies.__main__ import commands

from pennyweight.catalogue.root import data_root
from pennyweight.studies import find_study

YAML: Any = importlib.import_module("yaml")
ROOT = data_root()


def test_the_workflow_publishes_every_study(tmp_path: Path) -> None:
    workflow = YAML.safe_load((ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8"))
    words = [str(each["run"]) for each in workflow["jobs"]["publish"]["steps"] if "run" in each]
    made = [each for each in words if each.startswith("make ")]
    assert [each.split()[1] for each in made] == ["setup-test", "studies", "site"]
    for each in made:
        subprocess.run([*each.split(), "--dry-run"], cwd=ROOT, check=True, capture_output=True)
    files = {
        each.stem: tomllib.loads(each.read_text()) for each in (ROOT / "studies").glob("*.toml")
    }
    quick = {name for name, study in files.items() if "quick" in study}
    assert len(quick) > 5 and "default" not in quick
    asked = {words[2]: words[3:] for words in commands(str(tmp_path))}
    assert asked.pop("default") == ["--results", str(tmp_path)]
    assert set(asked) == quick
    assert "studies RESULTS=results ARGS=--catalogue" in made[1]
    everything = commands(str(tmp_path), catalogue=True)
    assert everything[:-1] == commands(str(tmp_path))
    assert everything[-1] == ["run", "--study", "catalogue", "--results", str(tmp_path)]
    for name, further in asked.items():
        assert further == ["--quick", "--results", str(tmp_path)]
        assert find_study(name).quick_subset().boards


@pytest.mark.parametrize(("statuses", "expected"), [((0, 1, 0), 1), ((0, 0, 0), 0), ((2, 0), 2)])
def test_a_study_that_fails_does_not_stop_the_others(
    statuses: tuple[int, ...], expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []

    def run(words: list[str]) -> subprocess.CompletedProcess[str]:
        ran.append(words)
        return subprocess.CompletedProcess(words, statuses[len(ran) - 1])

    module = sys.modules[commands.__module__]
    monkeypatch.setattr(module, "commands", lambda *_given: [["run"]] * len(statuses))
    monkeypatch.setattr(module.subprocess, "run", run)
    assert module.main([]) == expected
    assert len(ran) == len(statuses)
