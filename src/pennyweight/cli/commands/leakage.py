"""`pennyweight leakage`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from pennyweight.api.requests import LeakageRequest
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

_SHOWN = 20
"""Rows of a table without --long."""

_MORE_TRACES = (
    " Most of them are likely to depend on the inputs, too weakly for this number of traces: "
    "repeat with more --traces."
)

_COLUMNS = (
    Column("location", "where", prose=True),
    Column("instruction", "instruction", prose=True),
    Column("place", "place"),
    Column("what", "what"),
    Column("t", "t", lambda value: f"{value:.1f}"),
    Column("times", "times", rank=1),
    Column("old", "old value", rank=3, prose=True),
    Column("new", "new value", rank=2, prose=True),
)


@click.command(
    "leakage",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight leakage ascon-aead128/masked2 --board stm32f030 --function masked_permute",
        "pennyweight leakage ./my-masked-cipher --board sam3x8e --traces 50000 --order 2",
        "pennyweight leakage ./my-masked-cipher --board stm32f407 --vary data --format json",
    ),
)
@asking(LeakageRequest)
@click.option(
    "--long", is_flag=True, help="Show all rows, and the two values of each with their origin."
)
@format_option
def command(request: LeakageRequest, long: bool, form: str) -> int:
    """Detect values that depend on a secret, by a model of the core.

    The simulator runs the call many times, with fixed inputs or with random ones, and new random
    words each time. It counts the bits that change in registers, operand latches, buses and memory,
    and the ones of each new value. Instructions at which Welch's t-test between both groups is
    beyond 4.5, in two sets of traces, are reported, with the two values that were combined. A real
    part can leak where its model does not. The exit status is 1 if anything is reported, the traces
    are too few, or a call fails.
    """
    from pennyweight.api import call_selection, leaking, progress
    from pennyweight.target import Failure

    rows: list[dict[str, Any]] = []
    failed = interrupted = False
    with progress("Tracing", in_logs=True, steps="traces") as bar:
        found = []
        for job, result in leaking.checks(request, bar):
            found.append((job, result))
            if not isinstance(result, Failure) and result.interrupted:
                interrupted = True
                break
    for job, result in found:
        title = call_selection.title(job)
        rows += leaking.rows_of(job, result)
        if isinstance(result, Failure):
            failed = True
            print_prose(f"{title}: {result.status.value}: {result.reason}", err=True)
            continue
        problem = leaking.undecided(result)
        if form == "table" and not result.diverged:
            _print(title, result, long)
        if problem:
            failed = True
            print_prose(f"{title}: {problem}", err=True)
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv([{name: _plain(value) for name, value in row.items()} for row in rows])
    if interrupted:
        click.echo("pennyweight: interrupted; the traces so far are counted.", err=True)
        return 130
    return 1 if failed or any(row["findings"] for row in rows) else 0


def _counted(number: int, one: str) -> str:
    """For example `1 trace` or `2,000 traces`."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def _plain(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _print(title: str, report: Any, long: bool) -> None:
    from pennyweight.api.leaking import undecided

    asked = report.question
    if report.findings:
        rows = [
            {
                "location": each.location,
                "instruction": each.instruction or f"{each.pc:#x}",
                "place": each.place,
                "what": f"{each.kind}{', unmasked' if each.is_unmasked else ''}",
                "t": each.t,
                "times": each.times,
                "old": _made_of(each.old),
                "new": _made_of(each.new),
            }
            for each in report.findings
        ]
        strongest = sorted(range(len(rows)), key=lambda i: -abs(report.findings[i].t))
        chosen = sorted(range(len(rows)) if long else strongest[:_SHOWN])
        click.echo(title)
        print_table([rows[i] for i in chosen], _COLUMNS)
        if len(chosen) < len(rows):
            click.echo(f"{len(chosen)} of {len(rows)} rows, the largest; --long shows all.")
        if long:
            for i in chosen:
                _print_values(report.findings[i])
        print_prose(
            "value: the ones of the new value depend on what varies; it has no masks, or it is "
            "public, as a ciphertext is. change: only the bits that change do, so two values met, "
            "mostly shares of one secret; next to a constant, the other value shows by itself. "
            "unmasked: a value was computed from what varies and no random word."
        )
        if asked.function is None:
            counts = Counter(each.location.partition(" (")[0] for each in report.findings)
            print_prose(
                "Rows by function, for --function: "
                + ", ".join(f"{name or 'unknown'} {n}" for name, n in counts.most_common(8))
                + "."
            )
    else:
        silent = not undecided(report) and not report.interrupted
        click.echo(f"{title}: {'nothing beyond 4.5' if silent else 'nothing found so far'}")
    print_prose(
        f"Tested: {_counted(report.instructions, 'instruction')}, "
        f"{_counted(report.samples, 'sample')}, fixed against "
        f"random {asked.vary}, order {asked.order}, "
        f"{_counted(report.words, 'random word')} a trace, {_counted(report.traces, 'trace')}"
        + (f" and {report.repeated:,} more to confirm" if report.repeated else "")
        + f", seed {asked.seed}. Model: {report.model}."
    )
    if not report.words:
        print_prose(
            "The call draws no random word by pw_random32() or randombytes(): if it has masks, "
            "they are the same in all traces, and the result does not hold for random ones."
        )
    if report.findings and not report.repeated:
        print_prose(
            f"Not confirmed by a second set: {report.expected_by_chance:.2g} samples are expected "
            "beyond 4.5 by chance."
        )
    elif report.unconfirmed:
        were = "was" if report.unconfirmed == 1 else "were"
        print_prose(
            f"{_counted(report.unconfirmed, 'sample')} {were} beyond 4.5 in the first set only "
            f"({report.expected_by_chance:.2g} expected by chance)."
            + ("" if report.unconfirmed_by_chance else _MORE_TRACES)
        )
    print_prose(
        f"A difference of less than about {report.smallest_difference:.1f} in the "
        f"{'mean' if asked.order == 1 else 'variance'} of the ones of "
        f"{'an' if report.bits == 8 else 'a'} {report.bits}-bit value may be missed. "
        "A real part can leak where its model does not."
    )
    ran = report.traces + report.repeated
    if report.seconds > 0:
        pace = 60 * ran / report.seconds
        click.echo(
            f"{_counted(ran, 'trace')} in {report.seconds:.1f} s ({pace:,.0f} a minute)", err=True
        )


def _made_of(value: Any) -> str:
    """Where a value comes from, and what it was made of, in a few words."""
    made = ["input"] if value.has_input else []
    if value.words:
        more = f" and {len(value.words) - 1} more" if len(value.words) > 1 else ""
        made.append(f"word {value.words[0]}{more}")
    return f"{value.place or 'computed'}: {', '.join(made) or 'constant'}"


def _print_values(finding: Any) -> None:
    click.echo("")
    print_prose(f"{finding.location}: {finding.instruction or hex(finding.pc)}, {finding.place}")
    for name, value in (("old", finding.old), ("new", finding.new)):
        words = [str(word) for word in value.words[:4]]
        if len(value.words) > len(words):
            words.append(f"{len(value.words) - len(words)} more")
        made = ["the secret"] if value.has_input else []
        if words:
            made.append(f"random words {', '.join(words)}")
        source = [value.place] if value.place else []
        source.append(
            f"computed or loaded by {value.instruction} in {value.location}".replace("by  in", "in")
            if value.location
            else "there before the call"
        )
        text = f"{name}: {', '.join(source)}; made of {' and '.join(made) or 'constants'}"
        print_prose(text, "  ")
