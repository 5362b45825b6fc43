"""The analyses against cases computed by hand."""

from __future__ import annotations

import doctest
from typing import Any

import pyarrow as pa
import pytest

from pennyweight.analysis import choice, fit, plausibility, rates
from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts
from pennyweight.analysis.rows import with_rates
from pennyweight.store.schema import measurement_schema

UNO = BoardFacts("uno", "Uno", hz=16_000_000, current_ma=9.0, voltage_v=5.0)


def table(*rows: dict[str, Any]) -> pa.Table:
    """Rows of the store, with defaults for what a test does not care about."""
    schema = pa.schema([field for field in measurement_schema() if field.name in COLUMNS])
    return pa.Table.from_pylist([{**COLUMNS, **row} for row in rows], schema=schema)


COLUMNS: dict[str, Any] = {
    "algorithm": "toy",
    "implementation": "toy/ref",
    "board": "uno",
    "flags": "-Os",
    "op": "enc",
    "ad": 0,
    "m": 0,
    "cycles": None,
    "stack": None,
    "flash": None,
    "ram": None,
    "buffers": "separate",
    "status": "ok",
}


def curve(points: dict[int, int], **others: Any) -> list[dict[str, Any]]:
    return [{"m": m, "cycles": cycles, **others} for m, cycles in points.items()]


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(rates) == doctest.TestResults(failed=0, attempted=4)


@pytest.mark.parametrize(
    "value",
    [
        rates.cycles_per_byte(None, 1, 1),
        rates.cycles_per_byte(100, 0, 0),
        rates.time_us(None, 8),
        rates.time_us(8, None),
        rates.throughput(0, 1, 1, 8),
        rates.throughput(100, 0, 0, 8),
        rates.energy_uj(100, 8, None, 3.3),
    ],
)
def test_what_cannot_be_computed_is_none(value: object) -> None:
    assert value is None


def test_rows_get_the_same_rates_as_single_values() -> None:
    rows = table(
        {"ad": 16, "m": 64, "cycles": 16_000},
        {"ad": 0, "m": 0, "cycles": 900},
        {"m": 8},
        {"m": 8, "cycles": 80, "board": "elsewhere"},
    )
    first, empty, failed, elsewhere = with_rates(rows, [UNO]).to_pylist()
    assert first["cycles_per_byte"] == rates.cycles_per_byte(16_000, 16, 64) == 200.0
    assert first["time_us"] == rates.time_us(16_000, UNO.hz) == 1000.0
    assert first["bytes_per_second"] == rates.throughput(16_000, 16, 64, UNO.hz) == 80_000.0
    assert first["energy_uj_estimate"] == rates.energy_uj(16_000, UNO.hz, 9.0, 5.0) == 45.0
    assert empty["cycles_per_byte"] is None and empty["bytes_per_second"] is None
    assert empty["time_us"] == 56.25
    assert all(
        failed[name] is None
        for name in ("cycles_per_byte", "time_us", "bytes_per_second", "energy_uj_estimate")
    )
    assert elsewhere["cycles_per_byte"] == 10.0 and elsewhere["time_us"] is None


def test_a_line_is_found_through_whole_blocks_only() -> None:
    """1,000 to set up and 50 a block of 16; partial blocks cost a whole one, the empty less."""
    points = {0: 400, 4: 1050, 16: 1050, 20: 1100, 32: 1100, 48: 1150}
    rows = table(*curve(points))
    (line,) = fit.fit_lines(rows, [AlgorithmFacts("toy", "Toy", block=16)]).to_pylist()
    assert line["points"] == 3 and line["shortest"] == 16 and line["longest"] == 48
    assert line["setup_cycles"] == pytest.approx(1000)
    assert line["cycles_per_byte"] == pytest.approx(50 / 16)
    assert line["cycles_per_block"] == pytest.approx(50)
    assert line["largest_error"] == pytest.approx(0)


def test_least_squares_by_hand() -> None:
    """(16, 100), (32, 130), (48, 190): slope 90/32, mean point (32, 140), intercept 50."""
    rows = table(*curve({16: 100, 32: 130, 48: 190}))
    (line,) = fit.fit_lines(rows, [AlgorithmFacts("toy", "Toy", block=16)]).to_pylist()
    assert line["cycles_per_byte"] == pytest.approx(90 / 32)
    assert line["setup_cycles"] == pytest.approx(50)
    assert line["largest_error"] == pytest.approx(10 / 130)


def test_an_unknown_block_is_taken_as_64() -> None:
    rows = table(*curve({32: 1, 64: 100, 96: 2, 128: 164}))
    (line,) = fit.fit_lines(rows).to_pylist()
    assert line["block"] == 64 and line["points"] == 2
    assert line["cycles_per_block"] == pytest.approx(64)
    assert line["setup_cycles"] == pytest.approx(36)


def test_one_length_makes_no_line() -> None:
    assert fit.fit_lines(table(*curve({64: 100}), {"m": 128})).num_rows == 0


def test_each_build_operation_and_ad_has_its_own_line() -> None:
    rows = table(
        *curve({64: 100, 128: 164}),
        *curve({64: 200, 128: 328}, op="dec"),
        *curve({64: 300, 128: 492}, ad=16),
        *curve({64: 400, 128: 656}, flags="-O3"),
    )
    lines = fit.fit_lines(rows).to_pylist()
    found = {(r["flags"], r["op"], r["ad"]): r["cycles_per_byte"] for r in lines}
    assert found == {
        ("-Os", "enc", 0): pytest.approx(1),
        ("-Os", "dec", 0): pytest.approx(2),
        ("-Os", "enc", 16): pytest.approx(3),
        ("-O3", "enc", 0): pytest.approx(4),
    }


def build(
    name: str, cycles: dict[int, int], flash: int, flags: str = "-Os"
) -> list[dict[str, Any]]:
    sizes = {"implementation": f"toy/{name}", "flags": flags, "flash": flash, "ram": 0}
    return curve(cycles, **sizes, stack=100)


def test_the_best_build_depends_on_the_purpose() -> None:
    rows = table(
        *build("small", {8: 200, 16: 300}, flash=500),
        *build("fast", {8: 100, 16: 150}, flash=900),
        *build("fast", {8: 110, 16: 130}, flash=2000, flags="-O3"),
    )
    (fastest,) = choice.best_builds(rows).to_pylist()
    assert (fastest["implementation"], fastest["flags"]) == ("toy/fast", "-O3")
    assert fastest["cycles"] == 240 and fastest["cases"] == 2
    (smallest,) = choice.best_builds(rows, "flash").to_pylist()
    assert (smallest["implementation"], smallest["flash"]) == ("toy/small", 500)
    chosen = choice.rows_of(rows, choice.best_builds(rows))
    assert chosen["cycles"].to_pylist() == [110, 130]


def test_a_build_that_fails_on_long_messages_does_not_win() -> None:
    rows = table(
        *build("whole", {8: 200, 16: 300}, flash=500),
        *build("half", {8: 100}, flash=400),
        {"implementation": "toy/half", "m": 16, "status": "crashed"},
    )
    (best,) = choice.best_builds(rows).to_pylist()
    assert best["implementation"] == "toy/whole"


def test_equal_builds_are_distinguished_the_same_way_every_time() -> None:
    rows = table(
        *build("b", {8: 100}, flash=500),
        *build("a", {8: 100}, flash=500),
        *build("c", {8: 100}, flash=600),
    )
    (best,) = choice.best_builds(rows).to_pylist()
    assert best["implementation"] == "toy/a"


def test_the_front_keeps_what_nothing_beats() -> None:
    points = [
        {"name": "fast", "cycles": 10, "flash": 90},
        {"name": "small", "cycles": 90, "flash": 10},
        {"name": "middle", "cycles": 50, "flash": 50},
        {"name": "beaten", "cycles": 60, "flash": 60},
        {"name": "equal", "cycles": 50, "flash": 50},
        {"name": "unknown", "cycles": 1, "flash": None},
    ]
    front = choice.pareto_front(points, ["cycles", "flash"])
    assert [p["name"] for p in front] == ["fast", "small", "middle", "equal"]


def test_cycles_that_fall_are_doubted() -> None:
    rows = table(*curve({8: 1000, 16: 960, 24: 1200, 32: 600, 40: 500}))
    (doubt,) = plausibility.doubts(rows)
    assert doubt.sentence == ("enc of 32 bytes takes 50% fewer cycles (600) than 24 bytes (1,200)")
    (doubt,) = plausibility.doubts(table(*curve({8: 1000, 16: 500}, ad=16)))
    assert doubt.sentence.endswith("than 8 bytes (1,000), with 16 bytes of associated data")


def test_a_small_fall_is_padding() -> None:
    """As the EUR 1 study saw: AES-128-CCM took 42,243 cycles for 4 bytes, 41,519 for 8."""
    assert plausibility.doubts(table(*curve({4: 42_243, 8: 41_519}))) == []


def test_a_whole_last_block_spares_gathering_and_nothing_more() -> None:
    """SHA-256 in words on a Cortex-M0: 63 bytes cost 12,689 cycles and 64 cost 12,061, both with
    two blocks; a block costs 5,650.
    """
    sha = [AlgorithmFacts("toy", "Toy", block=64)]
    cycles = {60: 12_540, 63: 12_689, 64: 12_061, 124: 18_190, 127: 18_339, 128: 17_711}
    assert plausibility.doubts(table(*curve(cycles)), sha) == []
    (doubt,) = plausibility.doubts(table(*curve(cycles | {128: 12_000})), sha)
    assert doubt.sentence.startswith("enc of 128 bytes takes 35% fewer cycles (12,000) than 127")


def test_messages_that_end_at_the_same_place_of_a_block_never_get_cheaper() -> None:
    """A fall of 2 % is small, but from one whole block to two nothing is spared."""
    toy = [AlgorithmFacts("toy", "Toy", block=16)]
    (doubt,) = plausibility.doubts(table(*curve({16: 1000, 24: 990, 32: 980})), toy)
    assert doubt.sentence == "enc of 32 bytes takes 2% fewer cycles (980) than 16 bytes (1,000)"


def test_what_ends_a_message_follows_its_last_block_not_its_length() -> None:
    """HMAC-SHA256's end pads 60 bytes into two blocks and 32 into one, whatever came before."""
    toy = [AlgorithmFacts("toy", "Toy", block=64)]
    ends = {60: 11_587, 96: 8_972, 124: 11_587}
    assert plausibility.doubts(table(*curve(ends, op="finalize")), toy) == []
    assert len(plausibility.doubts(table(*curve(ends, op="auth")), toy)) == 1
    (doubt,) = plausibility.doubts(table(*curve(ends | {124: 10_000}, op="finalize")), toy)
    assert doubt.sentence.startswith("finalize of 124 bytes takes 14% fewer cycles (10,000)")


def test_a_decryption_far_from_its_encryption_is_doubted() -> None:
    rows = table(
        *curve({8: 1000, 16: 2000}),
        *curve({8: 1200, 16: 3000}, op="dec"),
    )
    (doubt,) = plausibility.doubts(rows)
    assert doubt.sentence.startswith("dec takes 1.50 times the cycles of enc (3,000 and 2,000)")


def test_a_level_3_that_is_slower_or_too_fast_is_doubted() -> None:
    """Ratios 1.0 and 1.44 have the geometric mean 1.2; 0.2 is beyond belief; 0.8 is fine."""
    slower = [*curve({8: 100, 16: 100}), *curve({8: 100, 16: 144}, flags="-O3")]
    faster = [
        *curve({8: 1000}, board="due", flags="-O2 -flto"),
        *curve({8: 200}, board="due", flags="-O3 -flto"),
    ]
    fine = [
        *curve({8: 1000}, implementation="toy/fine"),
        *curve({8: 800}, implementation="toy/fine", flags="-O3"),
    ]
    found = plausibility.doubts(table(*slower, *faster, *fine))
    assert [(d.board, d.flags) for d in found] == [("due", "-O3 -flto"), ("uno", "-O3")]
    assert found[0].sentence.startswith("-O3 -flto takes 0.20 times the cycles of -O2 -flto")
    assert found[1].sentence.startswith("-O3 takes 1.20 times the cycles of -Os")


def test_nothing_measured_is_nothing_doubted() -> None:
    assert plausibility.doubts(table({"status": "crashed"})) == []
