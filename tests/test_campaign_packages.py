"""Studies of third-party packages: named by path, stored, and shown in the report."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from packages_for_tests import ARM, PACKAGES, at, board, copied, enc, files, side_by_side
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


def masked(tree: Path, old: str = "", new: str = "") -> Path:
    """ASCON-128 with shares around it, and a text of its api.h replaced."""
    folder = side_by_side("ascon-128/small", tree / "crypto_aead" / "ascon128v12" / "shared")
    for name in ("api.h", "crypto_aead_shared.h", "shared.c"):
        shutil.copy(PACKAGES / "crypto_aead" / "masked_toy" / "shared" / name, folder)
    api_header = folder / "api.h"
    text = api_header.read_text()
    assert old in text
    api_header.write_text(text.replace(old, new))
    return folder


GUARD = "#ifndef NUM_SHARES_KEY\n#define NUM_SHARES_KEY 2\n#endif\n"
FIXED = (GUARD, "#define NUM_SHARES_KEY 2\n")


def with_field(shares: str, quick: str = "") -> str:
    """The study with numbers of shares, on a board with enough RAM for the known answers."""
    text = STUDY.replace("flags =", f"shares = {shares}\nflags =", 1).replace(
        ARM, "stm32f407-24mhz"
    )
    return f"{text}\n[quick]\n{quick}\n" if quick else text


def test_masked_packages_are_measured_at_several_shares(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    masked(tree)
    copied(tree)
    path = study_next_to(tree, with_field('[2, "3", "4:1"]', "shares = [2]"))
    names = ["shared-2shares", "shared-3shares", "shared-4shares-1"]
    assert planned(path) == [*(f"ascon-128/{name}" for name in names), "toy/ref"]
    quick = plan_study(read_study(path).quick_subset(), files()).jobs
    assert [job.implementation.name for job in quick] == ["shared-2shares", "ref"]
    results = tmp_path / "results"
    api.run_study(RunRequest(path, results, jobs=1), Tally())
    with open_results(ResultStore(results)) as opened:
        rows = opened.query(
            "SELECT implementation, shares, op, cycles, random_words FROM measurements "
            "WHERE shares IS NOT NULL AND op = 'enc' ORDER BY implementation"
        ).to_pylist()
    assert [(row["implementation"], row["shares"]) for row in rows] == [
        (name, shares) for name, shares in zip(names, (2, 3, 4), strict=True)
    ]
    assert rows[0]["random_words"] < rows[1]["random_words"]
    assert rows[0]["cycles"] < rows[1]["cycles"]


def test_a_fixed_number_of_shares_is_measured_if_the_study_has_it(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    folder = masked(tree, *FIXED)
    path = study_next_to(tree, with_field("[3, 2]"))
    assert planned(path) == ["ascon-128/shared"]
    path = study_next_to(tree, with_field("[3, 4]"))
    with pytest.raises(UserError) as caught:
        planned(path)
    assert str(caught.value) == (
        f"study 'external': field 'shares': {folder} can be built with 2 shares only, because its "
        "api.h defines NUM_SHARES_KEY without #ifndef NUM_SHARES_KEY; add 2 to 'shares', or remove "
        "the folder from 'packages'"
    )


def test_shares_without_a_masked_package_are_refused(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    copied(tree)
    path = study_next_to(tree, with_field("[2]"))
    with pytest.raises(
        UserError,
        match=r"study 'external': field 'shares': none of the packages is masked, such as toy/ref; "
        r"remove 'shares', or state 'shares' in the implementation\.toml",
    ):
        planned(path)
    bundled = with_field("[2]").replace('packages = ["tree"]', 'algorithms = ["ascon-128"]')
    for text in (bundled, bundled.replace("shares = [2]", "") + "\n[quick]\nshares = [2]\n"):
        with pytest.raises(UserError) as caught:
            read_study(study_next_to(tree, text))
        message = str(caught.value)
        assert message.startswith(str(tree.parent / "study.toml"))
        assert "shares' is for masked 'packages', and the study has none: add" in message


@pytest.mark.parametrize(
    ("shares", "reason"),
    [
        ("[1]", "'1' is not a number of shares; use 2 to 16, or KEY:OTHERS such as 3:1"),
        ("[true]", "'True' is not a number of shares"),
        ('["two"]', "'two' is not a number of shares"),
        ('[3, "3:3"]', "'3' is listed twice: remove one"),
    ],
)
def test_invalid_shares_are_refused_with_file_and_field(
    shares: str, reason: str, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    masked(tree)
    path = study_next_to(tree, with_field(shares))
    with pytest.raises(UserError) as caught:
        read_study(path)
    assert str(path) in str(caught.value) and "shares" in str(caught.value)
    assert reason in str(caught.value)


def test_a_package_with_chosen_shares_arrives_elsewhere_with_them(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    masked(tree)
    [job] = plan_study(read_study(study_next_to(tree, with_field('["3:1"]'))), files()).jobs
    travelling = shipping.ship(job)
    assert travelling is not None
    shutil.rmtree(tree)
    there = shipping.measure_shipped(travelling)
    assert there.provenance.job == job.key
    row = there.measurements[0]
    assert (row.implementation, row.shares, row.status) == ("shared-3shares-1", 3, "ok")
