"""Advice: the ranking, the reasons for exclusion, and the command."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

import pennyweight
from cli_runs import Command, runner
from pennyweight.analysis.advice import Limits, advise
from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts
from pennyweight.model import UserError

BOARD = BoardFacts("toy", "Toy", hz=8_000_000, current_ma=5.0, voltage_v=3.0)
ALGORITHMS = {
    "quick": AlgorithmFacts("quick", "Quick", tag=8, status="finalist"),
    "solid": AlgorithmFacts("solid", "Solid", tag=16, status="standard"),
    "fallen": AlgorithmFacts("fallen", "Fallen", tag=16, status="broken", note="forged in 2019"),
}
STEADY = {("quick", "a"): True, ("solid", "table"): False, ("solid", "ct"): True}


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
]


def test_the_best_build_of_each_is_ranked_with_its_rates() -> None:
    ranking, excluded = advise(ROWS, ALGORITHMS, STEADY, BOARD, Limits(), battery_mah=100)
    assert [(c.algorithm, c.implementation, c.cycles) for c in ranking] == [
        ("quick", "a", 1000),
        ("solid", "table", 2000),
    ]
    first, second = ranking
    assert first.times_the_best == 1.0 and second.times_the_best == 2.0
    # 1000 cycles at 8 MHz are 125 us; 15 mW for 125 us are 1.875 uJ; 64 bytes in 125 us.
    assert first.time_us == pytest.approx(125)
    assert first.energy_uj_estimate == pytest.approx(1.875)
    assert first.bytes_per_second == pytest.approx(512_000)
    # 100 mAh at 3 V are 1080 J.
    assert first.messages_per_battery_estimate == math.floor(1080 / 1.875e-6)
    assert [(e.algorithm, e.reason) for e in excluded] == [("fallen", "is broken: forged in 2019")]


@pytest.mark.parametrize(
    ("limits", "kept", "reasons"),
    [
        (Limits(tag=16), ["solid/table"], {"quick": "its tag has 8 bytes, less than 16"}),
        (Limits(standard=True), ["solid/table"], {"quick": "is not a standard (status: finalist)"}),
        (Limits(flash=2000), ["quick/a", "solid/ct"], {}),
        (
            Limits(flash=2000, stack=200),
            ["quick/a"],
            {
                "solid": "table -Os, the closest build, needs 3,000 bytes of flash, more than the "
                "limit of 2,000"
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
    ranking, excluded = advise(ROWS, ALGORITHMS, STEADY, BOARD, limits)
    assert [f"{c.algorithm}/{c.implementation}" for c in ranking] == kept
    told = {e.algorithm: e.reason for e in excluded}
    assert reasons.items() <= told.items()


def test_another_aim_ranks_by_it() -> None:
    ranking, _ = advise(ROWS, ALGORITHMS, STEADY, BOARD, Limits(), aim="flash")
    assert [(c.algorithm, c.implementation) for c in ranking] == [("quick", "a"), ("solid", "ct")]
    assert ranking[1].times_the_best == pytest.approx(1.5)


def test_what_was_not_measured_is_out_and_operations_are_added() -> None:
    rows = [
        row("quick", "a", None),
        row("solid", "ct", 100, op="enc"),
        row("solid", "ct", 150, op="dec", stack=120),
        row("solid", "table", 10, op="enc"),
        row("solid", "table", None, op="dec"),
    ]
    ranking, excluded = advise(rows, ALGORITHMS, STEADY, BOARD, Limits())
    assert [(c.implementation, c.cycles, c.stack) for c in ranking] == [("ct", 250, 120)]
    assert [(e.algorithm, e.reason) for e in excluded] == [("quick", "a -Os: crashed, in permute")]


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    monkeypatch.setenv("COLUMNS", "120")
    return runner(capsys)


NAMES = ("tinyjambu-128/small", "ascon-aead128/small", "sha-256/small")


def test_the_command_ranks_what_is_measured(run: Command) -> None:
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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kind": "mac"}, "--kind: 'mac' is none; known are aead, hash, auth"),
        ({"by": "cycles"}, "--by: 'cycles' is none; known are speed, flash, ram, stack"),
        ({"message": True}, "--message: True is no length"),
        ({"ad": 8, "kind": "hash"}, "has no associated data"),
        ({"battery": -1.0}, "--battery: -1.0 is no charge"),
        ({"battery": "big"}, "--battery: big is no charge"),
        ({"max_flash": "4k"}, "--max-flash: '4k' is no size; give a whole number of bytes"),
        ({"max_stack": -1}, "--max-stack: -1 is no size"),
        ({"min_tag": True}, "--min-tag: True is no size"),
    ],
)
def test_bad_requests_from_python_are_told_in_a_sentence(
    options: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        pennyweight.choose("stm32f030", names=NAMES, **options)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--max-flash", "4q"), "--max-flash: '4q' is not a size"),
        (("--message", "-1"), "--message: -1 is out of range"),
        (("--kind", "hash", "--ad", "4"), "no associated data"),
        (("--kind", "auth"), "none of the implementations is of that kind"),
        (("--battery", "0"), "--battery"),
        (("--battery", "inf"), "--battery: inf is no charge"),
    ],
)
def test_bad_requests_are_told_in_a_sentence(
    run: Command, words: tuple[str, ...], said: str
) -> None:
    assert said in run("choose", *NAMES, "--board", "stm32f030", *words).refused()
