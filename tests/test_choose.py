"""Advice: the ranking, the reasons for exclusion, and the command."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import pennyweight
from cli_runs import Command, runner
from packages_for_tests import copied
from pennyweight.analysis.advice import STATUSES, Limits, advise
from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts, ImplementationFacts
from pennyweight.api import choosing
from pennyweight.api.requests import ChooseRequest
from pennyweight.catalogue import load
from pennyweight.model import UserError

BOARD = BoardFacts("toy", "Toy", hz=8_000_000, current_ma=5.0, voltage_v=3.0)
ALGORITHMS = {
    "quick": AlgorithmFacts("quick", "Quick", tag=8, status="finalist"),
    "solid": AlgorithmFacts("solid", "Solid", tag=16, status="standard"),
    "fallen": AlgorithmFacts(
        "fallen", "Fallen", tag=16, status="broken", attack="Forged.", attack_source="A, B 2019"
    ),
    "early": AlgorithmFacts("early", "Early", tag=16, status="round 2"),
}
STATED = {
    (algorithm, name): ImplementationFacts(algorithm, name, steady, shares=shares)
    for algorithm, name, steady, shares in (
        ("quick", "a", True, None),
        ("solid", "table", False, None),
        ("solid", "ct", True, None),
        ("solid", "masked2", True, 2),
        ("solid", "masked3", True, 3),
        ("quick", "masked2", True, 2),
    )
}


def row(algorithm: str, name: str, cycles: int | None, **more: Any) -> dict[str, Any]:
    usual = {"flags": "-Os", "ad": 0, "m": 64, "flash": 1000, "ram": 0, "stack": 100}
    failed = {"status": "ok", "reason": ""}
    if cycles is None:
        failed = {"status": "crashed", "reason": "in permute"}
    names = {"algorithm": algorithm, "implementation": name, "cycles": cycles}
    return {**names, **usual, **failed, **more}


ROWS = [
    row("quick", "a", 1000),
    row("solid", "table", 2000, flash=3000),
    row("solid", "ct", 4000, flash=1500, stack=300),
    row("fallen", "ref", 10),
    row("early", "ref", 20),
    row("mine", "ref", 9000),
]


def test_the_best_build_of_each_is_ranked_with_its_rates() -> None:
    ranking, excluded = advise(ROWS, ALGORITHMS, STATED, BOARD, Limits(), battery_mah=100)
    assert [(c.algorithm, c.implementation, c.cycles) for c in ranking] == [
        ("quick", "a", 1000),
        ("solid", "table", 2000),
        ("mine", "ref", 9000),
    ]
    first, second, third = ranking
    assert third.status == "unknown"
    assert first.times_the_best == 1.0 and second.times_the_best == 2.0
    # 1000 cycles at 8 MHz are 125 us; 15 mW for 125 us are 1.875 uJ; 64 bytes in 125 us.
    assert first.time_us == pytest.approx(125)
    assert first.energy_uj_estimate == pytest.approx(1.875)
    assert first.bytes_per_second == pytest.approx(512_000)
    # 100 mAh at 3 V are 1080 J.
    assert first.messages_per_battery_estimate == math.floor(1080 / 1.875e-6)
    assert [(e.algorithm, e.reason, e.status) for e in excluded] == [
        ("early", "its status is round 2", "round 2"),
        ("fallen", "its status is broken", "broken"),
    ]


def test_other_statuses_are_ranked_on_request_with_their_attacks() -> None:
    limits = Limits(statuses=("broken", "standard"))
    ranking, excluded = advise(ROWS, ALGORITHMS, STATED, BOARD, limits)
    assert [(c.algorithm, c.status, c.attack, c.attack_source) for c in ranking] == [
        ("fallen", "broken", "Forged.", "A, B 2019"),
        ("solid", "standard", "", ""),
    ]
    assert [e.status for e in excluded] == ["round 2", "unknown", "finalist"]
    everything, none = advise(ROWS, ALGORITHMS, STATED, BOARD, Limits(statuses=STATUSES))
    assert len(everything) == 5 and none == []


@pytest.mark.parametrize(
    ("limits", "kept", "reasons"),
    [
        (
            Limits(tag=16),
            ["solid/table"],
            {
                "quick": "its tag has 8 bytes, less than 16",
            },
        ),
        (Limits(statuses=("standard",)), ["solid/table"], {"quick": "its status is finalist"}),
        (Limits(flash=2000), ["quick/a", "solid/ct", "mine/ref"], {}),
        (
            Limits(flash=2000, stack=200),
            ["quick/a", "mine/ref"],
            {
                # The slower one exceeds its limit by 100 bytes, the faster one by 1,000.
                "solid": "ct -Os, the closest build, needs 300 bytes of stack, more than the "
                "limit of 200"
            },
        ),
        (Limits(constant_time=True), ["quick/a", "solid/ct"], {}),
        (
            Limits(flash=10, ram=-1),
            [],
            {
                "quick": "a -Os, the closest build, needs 1,000 bytes of flash, more than the "
                "limit of 10 and needs 0 bytes of static RAM, more than the limit of -1"
            },
        ),
    ],
)
def test_limits_exclude_with_a_reason(
    limits: Limits, kept: list[str], reasons: dict[str, str]
) -> None:
    ranking, excluded = advise(ROWS, ALGORITHMS, STATED, BOARD, limits)
    assert [f"{c.algorithm}/{c.implementation}" for c in ranking] == kept
    message = {e.algorithm: e.reason for e in excluded}
    assert reasons.items() <= message.items()


MASKED = [
    *ROWS,
    row("quick", "masked2", 5000, random_words=30, random_wait_cycles=700),
    row("solid", "masked2", 6000, op="enc", random_words=40, random_wait_cycles=0),
    row("solid", "masked2", 6100, op="dec", random_words=41, random_wait_cycles=0),
    row("solid", "masked3", 9000),
]


@pytest.mark.parametrize(
    ("order", "kept", "unprotected"),
    [
        (1, [("quick/masked2", 2, 30, 700), ("solid/masked3", 3, None, None)], ["mine"]),
        (2, [("solid/masked3", 3, None, None)], ["mine", "quick"]),
        (3, [], ["mine", "quick", "solid"]),
    ],
)
def test_protected_ranks_by_the_cost_under_masking(
    order: int, kept: list[tuple[str, int, int, int]], unprotected: list[str]
) -> None:
    ranking, excluded = advise(MASKED, ALGORITHMS, STATED, BOARD, Limits(protected=order))
    found = [
        (f"{c.algorithm}/{c.implementation}", c.shares, c.random_words, c.random_wait_cycles)
        for c in ranking
    ]
    assert found == kept
    assert [each.algorithm for each in excluded if each.unprotected] == unprotected
    assert {each.reason for each in excluded if each.unprotected} == {
        f"no implementation of it is masked at order {order} or more"
    }


def test_what_masks_the_ends_only_is_ranked_separately() -> None:
    rows = [
        row("quick", "masked2-init", 3000),
        row("quick", "masked2", 5000),
        row("quick", "masked2-asm", 4000),
    ]
    stated = {
        ("quick", each["implementation"]): ImplementationFacts(
            "quick", each["implementation"], True, shares=2
        )
        for each in rows
    }
    ranking, _ = advise(rows, ALGORITHMS, stated, BOARD, Limits(protected=1))
    assert [(c.implementation, c.masked, c.leakage) for c in ranking] == [
        ("masked2-init", "ends only", "not checked"),
        ("masked2-asm", "all blocks", "not checked"),
    ]
    small, excluded = advise(rows, ALGORITHMS, stated, BOARD, Limits(protected=1, flash=10))
    assert not small and len(excluded) == 2


def test_the_words_and_waits_of_all_operations_are_added() -> None:
    rows = [each for each in MASKED if each["implementation"] == "masked2"]
    ranking, _ = advise(rows, ALGORITHMS, STATED, BOARD, Limits(protected=1))
    assert [(c.cycles, c.random_words, c.random_wait_cycles) for c in ranking] == [
        (5000, 30, 700),
        (12100, 81, 0),
    ]


def test_another_aim_ranks_by_it() -> None:
    ranking, _ = advise(ROWS, ALGORITHMS, STATED, BOARD, Limits(), aim="flash")
    assert [(c.algorithm, c.implementation) for c in ranking] == [
        ("quick", "a"),
        ("mine", "ref"),
        ("solid", "ct"),
    ]
    assert ranking[2].times_the_best == pytest.approx(1.5)


def test_what_was_not_measured_is_out_and_operations_are_added() -> None:
    rows = [
        row("quick", "a", None),
        row("solid", "ct", 100, op="enc"),
        row("solid", "ct", 150, op="dec", stack=120),
        row("solid", "table", 10, op="enc"),
        row("solid", "table", None, op="dec"),
    ]
    ranking, excluded = advise(rows, ALGORITHMS, STATED, BOARD, Limits())
    assert [(c.implementation, c.cycles, c.stack) for c in ranking] == [("ct", 250, 120)]
    assert [(e.algorithm, e.reason) for e in excluded] == [("quick", "a -Os: crashed, in permute")]


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    monkeypatch.setenv("COLUMNS", "120")
    return runner(capsys)


NAMES = ("tinyjambu-128/small", "ascon-aead128/small", "sha-256/small")


def test_the_command_ranks_the_measured_algorithms(run: Command) -> None:
    words = ("choose", *NAMES, "--board", "stm32f030", "--message", "16", "--flags", "-Os")
    rows = run(*words, "--format", "json").rows
    assert {row["algorithm"] for row in rows} == {"tinyjambu-128", "ascon-aead128"}
    assert [row["rank"] for row in rows] == [1, 2] and rows[0]["cycles"] < rows[1]["cycles"]
    measured = run(
        "measure", rows[0]["algorithm"] + "/small", "--board", "stm32f030", "--lengths", "0:16",
        "--flags", "-Os", "--op", "enc", "--no-verify", "--format", "json",
    ).rows  # fmt: skip
    assert measured[0]["cycles"] == rows[0]["cycles"]
    strict = run(*words, "--min-tag", "16")
    assert "tinyjambu-128: its tag has 8 bytes, less than 16." in strict.out and strict.status == 0
    nothing = run(*words, "--max-flash", "1")
    assert nothing.status == 1 and "No algorithm meets these limits." in nothing.out

    # From Python the same rows, asked with the same words.
    same = pennyweight.choose("stm32f030", 16, names=NAMES, flags="-Os").to_pylist()
    assert [{name: row[name] for name in rows[0]} for row in same] == rows
    table = pennyweight.choose("stm32f030", 16, names=NAMES, flags="-Os", min_tag=16).to_pylist()
    assert [(row["rank"], row["algorithm"]) for row in table] == [
        (1, "ascon-aead128"),
        (None, "tinyjambu-128"),
    ]
    assert table[1]["excluded"] == "its tag has 8 bytes, less than 16"


def test_the_command_ranks_masked_implementations(run: Command) -> None:
    names = ("ascon-aead128", "ascon-128", "tinyjambu-128")
    words = ("choose", *names, "--board", "stm32f407-24mhz", "--message", "16", "--flags", "-Os")
    rows = run(*words, "--protected", "2", "--format", "json").rows
    ranked = [row for row in rows if row["rank"]]
    assert {row["algorithm"] for row in ranked} >= {"ascon-aead128", "ascon-128"}
    for each in ranked:
        assert each["shares"] >= 3 and each["random_words"] > 0
        assert 0 < each["random_wait_cycles"] < each["cycles"]
        assert each["flags"] == "-Os (random: trng)"
    plain = run(*words, "--format", "json").rows
    assert {row["shares"] for row in plain} == {None}
    table = run(*words, "--protected", "2").out
    assert "shares" in table.splitlines()[0] and "ends only" in table
    assert {row["masked"] for row in ranked} == {"all blocks", "ends only"}
    assert {row["leakage"] for row in ranked} == {"documented"}
    two = run(*words[:2], *words[4:], "--protected", "1", "--format", "json").rows
    leakage = {row["implementation"]: row["leakage"] for row in two if row["shares"] == 2}
    assert leakage["masked2-init"] == "shares meet"
    assert leakage.get("masked2-asm", "documented") == "documented"
    assert "pennyweight leakage NAME --board stm32f407-24mhz" in " ".join(table.split())
    unmasked = {row["algorithm"] for row in rows if not row["rank"]}
    if unmasked:
        assert "no implementation of it is masked at order 2 or more." in table
    # From Python in the same words.
    same = pennyweight.choose("stm32f407-24mhz", 16, names=names, flags="-Os", protected=2)
    assert [row["algorithm"] for row in same.to_pylist()] == [row["algorithm"] for row in rows]


def by_status(run: Command, *words: str) -> tuple[list[str], dict[str, str]]:
    """What is ranked, and the status of what its status excludes."""
    asked = ("choose", "--board", "stm32f030", "--message", "16", "--flags", "-Os", *words)
    rows = run(*asked, "--format", "json").rows
    ranked = [row["algorithm"] for row in rows if row["rank"]]
    return ranked, {row["algorithm"]: row["status"] for row in rows if not row["rank"]}


def test_the_command_ranks_statuses_on_request(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("orange-zest-spec/small", "ace-ae-128/small", "ascon-aead128/small")
    every = {"orange-zest-spec", "ace-ae-128", "ascon-aead128"}
    ranked, others = by_status(run, *names)
    assert set(ranked) == every and others == {}, "what is named is ranked"
    ranked, others = by_status(run, *names, "--status", "standard,finalist")
    assert ranked == ["ascon-aead128"]
    assert others == {"orange-zest-spec": "broken", "ace-ae-128": "round 2"}
    assert by_status(run, *names, "--standard-only") == (ranked, others)
    assert set(by_status(run, *names, "--status", "Round-2,broken")[0]) == every - {ranked[0]}
    assert set(by_status(run, *names, "--status", "all")[0]) == every

    words = ("choose", *names, "--board", "stm32f030", "--message", "16", "--flags", "-Os")
    table = run(*words, "--status", "standard").out
    assert "Excluded by status: 1 round 2, 1 broken. --status all ranks them too." in table
    assert "orange-zest" not in table and "Excluded:" not in table
    monkeypatch.setenv("COLUMNS", "80")
    narrow = run(*words).out
    assert narrow.splitlines()[0].split()[-1] == "status"
    assert max(map(len, narrow.splitlines())) <= 80
    attacks = " ".join(narrow.partition("Best known attacks, by rank:")[2].split())
    for row in run(*words, "--format", "json").rows:
        if row["rank"] is not None:
            assert f"{row['rank']}: {row['attack']}" in attacks
    [orange] = [r for r in run(*words, "--format", "json").rows if r["status"] == "broken"]
    assert "ORANGE" in orange["attack_source"] and "forge" in orange["attack"].lower()

    # From Python with the same words, or a list of them.
    for status in ("round 2,broken", ["round-2", "broken"]):
        same = pennyweight.choose("stm32f030", 16, names=names, flags="-Os", status=status)
        found = [row["algorithm"] for row in same.to_pylist() if row["rank"]]
        assert set(found) == every - {"ascon-aead128"}


def test_without_names_only_recommended_statuses_are_measured() -> None:
    asked = choosing.question(ChooseRequest("stm32f030"), load())
    measured = {each.known.variant.status for each in asked.implementations if each.known}
    assert measured == {"standard", "finalist"}
    assert {each.status for each in asked.excluded} == {"round 2", "caesar", "broken"}
    assert {"mixfeed", "orange-zest"} <= {each.algorithm for each in asked.excluded}
    assert {job.implementation.algorithm for job in asked.jobs} == {
        each.algorithm for each in asked.implementations
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"status": "brokn"}, "--status: 'brokn' is not a status; did you mean broken?"),
        ({"status": ["round 3"]}, "known are standard, finalist, other, unknown, round-2, caesar"),
        ({"status": []}, "status: at least one is required"),
        ({"status": "caesar"}, "no algorithm has status caesar; use some of "),
        ({"status": "all", "standard_only": True}, "--standard-only and --status exclude"),
        ({"kind": "mac"}, "--kind: 'mac' is not a kind; known are aead, hash, auth"),
        ({"by": "cycles"}, "--by: 'cycles' is not a metric; known are speed, flash, ram, stack"),
        ({"message": True}, "--message: True is not a length"),
        ({"ad": 8, "kind": "hash"}, "has no associated data"),
        ({"battery": -1.0}, "--battery: -1.0 is not a capacity"),
        ({"battery": "big"}, "--battery: big is not a capacity"),
        ({"max_flash": "4k"}, "--max-flash: '4k' is not a size; use a whole number of bytes"),
        ({"max_stack": -1}, "--max-stack: -1 is not a size"),
        ({"min_tag": True}, "--min-tag: True is not a size"),
        ({"protected": 0}, "--protected: 0 is not an order of masking; use 1 for two shares"),
        ({"protected": 1}, "--protected: no selected implementation is masked at order 1 or more"),
    ],
)
def test_bad_requests_from_python_are_reported_in_a_sentence(
    options: dict[str, Any], expected: str
) -> None:
    with pytest.raises(UserError, match=re.escape(expected)):
        pennyweight.choose("stm32f030", names=NAMES, **options)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--max-flash", "4q"), "--max-flash: '4q' is not a size"),
        (("--message", "-1"), "--message: -1 is out of range"),
        (("--kind", "hash", "--ad", "4"), "no associated data"),
        (("--kind", "auth"), "none of the selected implementations is of this kind"),
        (("--status", "brokn"), "--status: 'brokn' is not a status; did you mean broken?"),
        (("--battery", "0"), "--battery"),
        (("--battery", "inf"), "--battery: inf is not a capacity"),
    ],
)
def test_bad_requests_are_reported_in_one_sentence(
    run: Command, words: tuple[str, ...], expected: str
) -> None:
    assert expected in run("choose", *NAMES, "--board", "stm32f030", *words).refused()


def test_a_package_that_cannot_be_read_is_named(run: Command, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    shutil.copytree(folder, folder.with_name("other"))
    (folder / "implementation.toml").write_text('masked = "all"\n', encoding="utf-8")
    words = ("choose", folder, "--board", "stm32f030", "--message", "16")
    for more in ((), ("--protected", "1")):
        assert "implementation.toml: unknown field 'masked'" in run(*words, *more).refused()
    # In a tree, the others are ranked.
    tree = run("choose", tmp_path, *words[2:], "--format", "json").rows
    assert [row["implementation"] for row in tree if row["rank"]] == ["other"]
    [broken] = [row for row in tree if not row["rank"]]
    assert "implementation.toml: unknown field 'masked'" in broken["excluded"]
    # Alone in it, it is refused for what is wrong with it.
    shutil.rmtree(tmp_path / "crypto_aead" / "toy" / "other")
    assert "unknown field 'masked'" in run("choose", tmp_path, *words[2:]).refused()
