"""Studies of third-party packages: named by path, stored, and shown in the report."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from packages_for_tests import ARM, at, board, copied, enc, files
from pennyweight import api
from pennyweight.api.requests import RunRequest
from pennyweight.campaign import shipping
from pennyweight.campaign.engine import Tally
from pennyweight.campaign.plan import plan_study
from pennyweight.campaign.plan import planned as with_key
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results
from pennyweight.studies import read_study

STUDY = """
id = "external"
title = "Third-party packages"
boards = ["stm32f030"]
packages = ["tree"]
flags = ["-Os"]
verify = "quick"

[[cases]]
name = "short"
kind = "aead"
m = 16
"""


def study_next_to(tree: Path, text: str = STUDY) -> Path:
    path = tree.parent / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def planned(path: Path) -> list[str]:
    return [job.implementation.id for job in plan_study(read_study(path), files()).jobs]


def test_packages_are_kept_and_reported_in_the_report_whatever_came_of_them(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    copied(tree)
    broken = copied(tree, "rejects_valid")
    (broken.parent / "unbuilt").mkdir()
    (broken.parent / "unbuilt" / "api.h").write_text((broken / "api.h").read_text())
    results, pages = tmp_path / "results", tmp_path / "report"
    api.run_study(RunRequest(study_next_to(tree), results, jobs=1), Tally())
    with open_results(ResultStore(results)) as opened:
        rows = opened.query("SELECT DISTINCT implementation, status FROM measurements").to_pylist()
    found = {row["implementation"]: row["status"] for row in rows}
    assert found["ref"] == "ok" and found["unbuilt"] == "build failed"
    assert found["rejects_valid"] not in ("ok", "build failed")
    api.report(results, pages)
    reported = (pages / "not-measured.html").read_text(encoding="utf-8")
    assert "no source in the folder" in reported and found["rejects_valid"] in reported


def test_a_study_of_packages_measures_bundled_algorithms_only_by_name(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    copied(tree)
    assert planned(study_next_to(tree)) == ["toy/ref"]
    both = STUDY.replace("packages =", 'algorithms = ["aes-128-gcm"]\npackages =', 1)
    found = planned(study_next_to(tree, both))
    assert (
        "toy/ref" in found
        and any(each.startswith("aes-128-gcm/") for each in found)
        and len(found) > 2
    )


def test_packages_of_one_name_are_distinguished(tmp_path: Path) -> None:
    """In the store a row is known by its algorithm and implementation."""
    for name in ("tree", "other"):
        copied(tmp_path / name)
    text = STUDY.replace('["tree"]', '["tree", "other"]')
    found = planned(study_next_to(tmp_path / "tree", text))
    assert len(set(found)) == 2 and all(each.startswith("toy/ref@") for each in found)


def test_a_path_that_is_none_is_reported_before_anything_is_measured(tmp_path: Path) -> None:
    path = study_next_to(tmp_path / "tree")
    with pytest.raises(
        UserError,
        match=r"field 'packages': .*tree: no such folder; .*, relative to the study's file",
    ):
        plan_study(read_study(path), files())
    other = study_next_to(tmp_path / "tree", STUDY.replace('["tree"]', '["~nobody9/tree"]'))
    with pytest.raises(UserError, match="~nobody9/tree: no such folder"):
        plan_study(read_study(other), files())
    path = study_next_to(tmp_path / "tree")
    (tmp_path / "tree").mkdir()
    with pytest.raises(UserError, match=r"tree: no api\.h"):
        plan_study(read_study(path), files())
    copied(tmp_path / "other")
    both = study_next_to(tmp_path / "tree", STUDY.replace('["tree"]', '["tree", "other"]'))
    problems = [job.implementation.problem for job in plan_study(read_study(both), files()).jobs]
    assert len(problems) == 2 and "no api.h" in "".join(problems)


def test_a_quick_subset_may_have_fewer_packages(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    copied(tree)
    copied(tree, "rejects_valid")
    text = f'{STUDY}\n[quick]\npackages = ["tree/crypto_aead/toy/ref"]\n'
    quick = read_study(study_next_to(tree, text)).quick_subset()
    assert [job.implementation.name for job in plan_study(quick, files()).jobs] == ["ref"]


def test_a_package_that_was_distinguished_arrives_elsewhere_under_that_name(
    tmp_path: Path,
) -> None:
    folder = copied(tmp_path)
    named = replace(at(folder), name="ref@there")
    job = with_key(Job(named, board(ARM), "-Os", [enc(0, 16)]))
    travelling = shipping.ship(job)
    assert travelling is not None
    shutil.rmtree(folder)
    there = shipping.measure_shipped(travelling)
    assert there.provenance.job == job.key
    assert there.measurements[0].implementation == "ref@there"
