"""`pennyweight calibrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pennyweight.api.requests import CalibrateRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import (
    Column,
    format_option,
    print_csv,
    print_json,
    print_prose,
    print_table,
)
from pennyweight.cli.requests import asking

if TYPE_CHECKING:
    from pennyweight.calibration.fit import Fitted
    from pennyweight.calibration.run import CalibrationResult

_FIELDS = (
    Column("field", "field"),
    Column("value", "value"),
    Column("next", "next best"),
    Column("error", "difference, %", lambda value: f"{value:.2f}"),
    Column("unexplained", "unexplained counts"),
)
_ROWS = (
    Column("benchmark", "benchmark", prose=True),
    Column("measured", "measured", lambda value: f"{value:,.1f}"),
    Column("spread", "spread"),
    Column("simulated", "simulated", lambda value: f"{value:,.1f}"),
)
_WORST = 10


@click.command(
    "calibrate",
    cls=Command,
    examples=(
        "pennyweight calibrate --on probe --board my-board.toml",
        "pennyweight calibrate --on simulator:stm32f407-168mhz --board stm32f407-24mhz",
    ),
)
@asking(CalibrateRequest)
@format_option
def command(request: CalibrateRequest, form: str) -> int:
    """Measure a part's wait states, prefetch and caches; propose its board file's timing line.

    Micro-benchmarks run on the connected part, and in the simulator with each timing that a board
    file can have. The timing that explains the counts best is printed with its confidence, the next
    best value of each field, and the benchmarks that it does not explain.

    --on simulator:BOARD measures a simulated board instead, as a trial. The exit status is 1 if no
    timing explains the counts.
    """
    from pennyweight.api import progress
    from pennyweight.api.calibrating import calibrate_board
    from pennyweight.catalogue import load

    with progress("Measuring", in_logs=True, steps="steps") as bar:
        result = calibrate_board(request, load(), bar)
    if form == "json":
        print_json([_record(result)])
    elif form == "csv":
        print_csv(_benchmark_rows(result))
    else:
        _print(result)
    return 1 if result.confidence == "not determined" else 0


def _print(result: CalibrationResult) -> None:
    rows = len(result.measured)
    is_determined = result.confidence != "not determined"
    print_prose(f"{result.board.title}, measured on {result.device}: {rows} micro-benchmarks")
    click.echo()
    if is_determined:
        click.echo(f"{result.best.line}\n")
        click.echo(f"Confidence: {result.confidence}. It {_far(result.best, rows)}.")
    else:
        click.echo("Timing not determined: check device.counter and the clock in the board file.")
        click.echo(f"The closest candidate {_far(result.best, rows)}:\n{result.best.line}")
    if result.second is None:
        click.echo("The core has no other timing model.")
    elif is_determined and result.best.timing["model"] == "zero-wait":
        click.echo(f"A cache of more than {result.largest_cache} bytes would look the same.")
    if result.second is not None:
        click.echo(f"The next candidate {_far(result.second, rows)}:\n{result.second.line}")
    for each in result.equal[:_WORST]:
        click.echo(f"These benchmarks cannot distinguish it from:\n{each.line}")
    if result.current is not None:
        if dict(result.current.timing) == dict(result.best.timing):
            click.echo("The board file has this timing.")
        else:
            click.echo(f"The board file {_far(result.current, rows)}:\n{result.current.line}")
    fields = _field_rows(result)
    if fields and is_determined:
        click.echo("\nEach field alone:")
        print_table(fields, _FIELDS)
    worst = [each for each in _benchmark_rows(result) if not each["explained"]]
    if worst:
        click.echo("\nLargest unexplained differences, in cycles per round:")
        print_table(worst[:_WORST], _ROWS)
    for reason in result.failed:
        click.echo(f"Not measured: {reason}")


def _far(fitted: Fitted, rows: int) -> str:
    """The distance of a candidate in words, after a subject."""
    return (
        f"differs by {100 * fitted.error:.2f} % on average and leaves {fitted.unexplained} of "
        f"{rows} counts unexplained"
    )


def _field_rows(result: CalibrationResult) -> list[dict[str, Any]]:
    return [
        {
            "field": name,
            "value": result.best.timing[name],
            "next": others[0].timing[name],
            "error": 100 * others[0].error,
            "unexplained": others[0].unexplained,
        }
        for name, others in result.fields.items()
        if others
    ]


def _benchmark_rows(result: CalibrationResult) -> list[dict[str, Any]]:
    """All benchmarks in cycles per round, the largest unexplained differences first."""
    left = {each for each, _, _ in result.unexplained}
    rows = [
        {
            "benchmark": benchmark.name,
            "measured": measured.cycles / benchmark.rounds,
            "spread": measured.spread,
            "simulated": simulated / benchmark.rounds,
            "explained": benchmark not in left,
        }
        for benchmark, measured, simulated in zip(
            result.benchmarks, result.measured, result.best.counts, strict=True
        )
    ]
    order = {each.name: i for i, (each, _, _) in enumerate(result.unexplained)}
    return sorted(rows, key=lambda row: order.get(str(row["benchmark"]), len(order)))


def _record(result: CalibrationResult) -> dict[str, Any]:
    def fitted(each: Fitted | None) -> dict[str, Any] | None:
        if each is None:
            return None
        return {
            "timing": dict(each.timing),
            "error": each.error,
            "unexplained": each.unexplained,
        }

    return {
        "board": result.board.id,
        "device": result.device,
        "confidence": result.confidence,
        "line": result.best.line,
        "best": fitted(result.best),
        "equal": [fitted(each) for each in result.equal],
        "second": fitted(result.second),
        "board_file": fitted(result.current),
        "fields": _field_rows(result),
        "benchmarks": _benchmark_rows(result),
        "failed": result.failed,
    }
