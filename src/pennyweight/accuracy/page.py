"""Writes `accuracy.md` and its figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from pennyweight.accuracy.errors import CODES, SETS, Comparison, Measure, Summary, summarise
from pennyweight.accuracy.figure import Distribution
from pennyweight.accuracy.run import BoardResult
from pennyweight.accuracy.sets import CALIBRATION
from pennyweight.benchmarks.nist import ADDRESS
from pennyweight.benchmarks.nist_boards import NistBoard
from pennyweight.charts.render import draw
from pennyweight.markdown import table
from pennyweight.store.atomic import make_folder, write_whole

SUMMARY = (
    "board",
    "set",
    "code",
    "compared",
    "median",
    "90th percentile",
    "maximum",
    "bias",
    "target",
)
"""The columns of the table of errors."""

PAGE = "accuracy.md"
FIGURE = "images/accuracy"

_WORST = 12
_MOST_EXAMPLES = 3


def write(results: Sequence[BoardResult], folder: Path, only: Sequence[str]) -> list[Path]:
    """The page and the figure's files. Raises `UserError` if they cannot be written."""
    make_folder(folder / Path(FIGURE).parent)
    written = [folder / PAGE]
    chart = Distribution(_series(results))
    if chart.series:
        drawing = draw(chart.wide(), chart.narrow(), _label(results))
        for suffix, data in ((".svg", drawing.wide.encode()), (".png", drawing.png)):
            written.append(folder / f"{FIGURE}{suffix}")
            write_whole(written[-1], data)
    write_whole(written[0], page(results, only, bool(chart.series)).encode())
    return written


def page(results: Sequence[BoardResult], only: Sequence[str], has_figure: bool) -> str:
    """The page in Markdown."""
    parts = [_opening(results, only), _summary_table(results, "marginal")]
    if has_figure:
        parts.append(f"![{_label(results)}]({FIGURE}.svg)")
    parts += [
        _what_is_what(),
        _what_remains(),
        *(_board(result) for result in results),
        _totals(results),
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def _opening(results: Sequence[BoardResult], only: Sequence[str]) -> str:
    part = f"\n\nOnly variants that match {', '.join(only)} were compared." if only else ""
    samples = [f"{each.nist.board}={each.every}" for each in results if each.every > 1]
    every = f" --every {','.join(samples)}" if samples else ""
    return f"""
# How accurate the simulated boards are

NIST measured about 500 implementations of the lightweight cryptography finalists on real boards
([figures and sources]({ADDRESS})).
`pennyweight accuracy` builds the same sources, runs the same calls on the simulated boards, and
compares the results. It wrote this page. To reproduce it, run this command with a clone of that
repository:

```
pennyweight accuracy --nist Lightweight-Cryptography-Benchmarking{every}
```{part}

The table shows absolute errors of *steady marginals*. A steady marginal is the difference between
the cycles for 512 and for 256 bytes of message, or for 128 and 64 bytes if the board's RAM is too
small. It is also computed for decryption and for associated data. Set-up and the overhead of the
measurement cancel out in these differences. Rows of the **evaluation** set were never used to
choose a parameter.

NIST measured no ESP32, MSP430F1611 or FE310. They are compared with other sources: the
[ESP32](howto/esp32.md#comparison-with-published-ratios) with ratios between algorithms, the
[MSP430F1611](howto/msp430.md#comparison-with-felics) with counts of a simulator, and the
[FE310](exact-counts.md#constant-time-aes) with cycle counts of assembly."""


def _summary_table(results: Sequence[BoardResult], measure: Measure) -> str:
    return table(SUMMARY, summaries(results, measure), numbers=range(3, 8))


def summaries(results: Sequence[BoardResult], measure: Measure) -> list[list[str]]:
    """The errors by board, set and code, as texts in the order of `SUMMARY`."""
    lines: list[list[str]] = []
    for result in results:
        for which in SETS:
            for code in CODES:
                chosen = [
                    each
                    for each in result.comparisons
                    if (each.measure, each.set, each.code) == (measure, which, code)
                ]
                lines += _line(result.nist, which, code, summarise(chosen), measure)
            lines += _line(result.nist, which, "all", _all_code(result, measure, which), measure)
    return lines


def _all_code(result: BoardResult, measure: Measure, which: str) -> Summary | None:
    chosen = [e for e in result.comparisons if (e.measure, e.set) == (measure, which)]
    return summarise(chosen) if len({each.code for each in chosen}) > 1 else None


def _line(
    board: NistBoard, which: str, code: str, summary: Summary | None, measure: Measure
) -> list[list[str]]:
    """A line of the table, or none; targets apply to the marginals of the evaluation set."""
    if summary is None:
        return []
    aim = ""
    if (measure, which) == ("marginal", "evaluation") and board.aim is not None:
        median, decile = board.aim
        met = 100 * summary.median <= median and 100 * summary.ninth_decile <= decile
        aim = f"{median:g} / {decile:g} %{', met' if met else ', missed'}"
    cells = [
        board.board,
        which,
        code,
        str(summary.count),
        _percent(summary.median),
        _percent(summary.ninth_decile),
        _percent(summary.largest),
        f"{100 * summary.bias:+.2f} %",
        aim,
    ]
    return [cells]


def _what_is_what() -> str:
    names = ", ".join(sorted(CALIBRATION))
    return (
        f"""
## What is compared

- **Calibration** rows are those of the AEAD variants {names}.
  They are one variant of most families, so they include every style of code. All other rows,
  including all hash functions, are **evaluation** rows. Timing rules are from manuals. Where a
  manual leaves a rule open, it was chosen with calibration rows only.
- A package counts as **assembly** if at least half of its own code in the linked program is from
  assembly files. All others count as **C**; their error includes the effect of the compiler.
- Sources are built unchanged, at the row's optimisation level, with the compiler stated for each
  board and Pennyweight's start-up code and linker script.
- The board's **unit** is converted to cycles by its clock frequency. If the timer interrupt of the
  Arduino core was enabled, the nearest whole number of interrupts is added to the simulated cycles,
  because the board's figures are medians of five trials.
- Arduino's cores for the MKR Zero and the Nano 33 BLE link a C library whose `memcpy` and `memset`
  copy byte by byte ([newlib "nano", compiled for size](https://interrupt.memfault.com/blog/memcpy-newlib-nano)),
  while Debian's build of that library copies words. The simulated programs for these boards
  therefore use bytewise functions, compiled for size.
- The AVR boards print at 9,600 baud. Text that the harness printed before a call is still being
  sent during the call, with one interrupt per character, every 1.04 ms, until the buffer of 64
  characters is empty. Pennyweight reconstructs the order of cases, texts and trials from the
  harness's source, and adds the interrupts that occurred in half of the trials. The handler's
  cycles are counted in Arduino's own code, built at the row's level. No part of this was fitted to
  measurements.
- Some packages export their functions only through a table of NIST's harness. Pennyweight calls
  them through the same table.
- **Bias** is the median of the signed errors. It is positive if the simulator counts too
  many cycles.
- A figure with a resolution of 4 µs is up to 4 µs too small, and the error of a difference is up to
  4 µs in either direction. The column *rounding alone* shows this error relative to the row."""
        + "\n"
    )


def _what_remains() -> str:
    return """
## Known causes of the remaining errors

These causes were found on calibration rows of the AVR boards. The section of each other board lists
its own.

- **Rounding.** Where RAM is small, fast code takes a millisecond or less for the bytes compared. An
  error of 4 µs is then almost 1 %; the column *rounding alone* shows it for each row.
- **Number of interrupts.** Whether half of the five trials had *n* or *n* + 1 timer interrupts
  depends on unknown phases. The error is up to one interrupt (6 to 8 µs) per figure."""


def _board(result: BoardResult) -> str:
    nist = result.nist
    marginals = [each for each in result.comparisons if each.measure == "marginal"]
    compared = len({each.row for each in result.comparisons})
    text = (
        f"## {nist.title}\n\n{_sample(result)}"
        f"Board `{nist.board}`, NIST's `{nist.id}`: {compared} of {result.rows} rows compared. "
        f"Figures in {nist.unit}"
        + (f" with a resolution of {nist.step}" if nist.step > 1 else "")
        + (f", × {nist.cycles_per_unit} = cycles" if nist.cycles_per_unit > 1 else "")
        + f". {nist.why[:1].upper()}{nist.why[1:]}"
        + f". Compiler on the board: {nist.compiler}{_here(result)}."
    )
    remarks = "\n".join(f"- {each}" for each in (*_aim_missed(nist, marginals), *nist.remarks))
    parts = [text, remarks, _worst(marginals), _by_package(marginals), _left_out(result)]
    return "\n\n".join(part for part in parts if part)


def _here(result: BoardResult) -> str:
    if not result.compiler:
        return ""
    as_then = ", configured to inline like the former and not to vectorise at -O2"
    newer = result.nist.as_then and result.nist.is_newer(result.compiler)
    return f"; here: {result.compiler}{as_then if newer else ''}"


def _sample(result: BoardResult) -> str:
    if result.every == 1:
        return ""
    return f"A sample of one comparable row in {result.every}.\n\n"


def _aim_missed(board: NistBoard, marginals: list[Comparison]) -> list[str]:
    """By how much a target is missed, in a sentence; empty if it is met or undefined."""
    summary = summarise([each for each in marginals if each.set == "evaluation"])
    if summary is None or board.aim is None:
        return []
    reached = (summary.median, summary.ninth_decile)
    parts = []
    for name, share, aim in zip(("median", "90th percentile"), reached, board.aim, strict=True):
        more = 100 * share - aim
        parts.append(
            f"missed by {max(more, 0.05):.1f} percentage points in the {name}"
            if more > 0
            else f"met in the {name}"
        )
    if not any(part.startswith("missed") for part in parts):
        return []
    return [f"On the evaluation rows that were compared, the target is {' and '.join(parts)}."]


def _worst(marginals: list[Comparison]) -> str:
    chosen = [each for each in marginals if each.set == "evaluation"]
    chosen.sort(key=lambda each: (-abs(each.error), each.row, each.what))
    if not chosen:
        return ""
    lines = [
        "Evaluation rows with the largest errors:",
        "",
        "| row | code | difference | board's cycles | simulated | error | rounding alone |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {each.row} | {each.code} | {each.what} | {each.measured:,.0f} | {each.simulated:,.0f} "
        f"| {100 * each.error:+.2f} % | {_percent(each.resolution)} |"
        for each in chosen[:_WORST]
    ]
    return "\n".join(lines)


def _by_package(marginals: list[Comparison]) -> str:
    """Packages with the largest medians, which point to a cause."""
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for each in marginals:
        groups.setdefault((each.row.rpartition(" ")[0], each.code), []).append(each)
    summaries = [(summarise(group), package) for package, group in groups.items()]
    ranked = sorted(
        ((summary, package) for summary, package in summaries if summary is not None),
        key=lambda pair: (-pair[0].median, pair[1]),
    )
    if not ranked:
        return ""
    lines = [
        "Packages with the largest median errors over all optimisation levels:",
        "",
        "| package | code | compared | median | maximum | bias |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {name} | {code} | {summary.count} | {_percent(summary.median)} "
        f"| {_percent(summary.largest)} | {100 * summary.bias:+.2f} % |"
        for summary, (name, code) in ranked[:_WORST]
    ]
    return "\n".join(lines)


def _left_out(result: BoardResult) -> str:
    if not result.left_out:
        return ""
    counts = Counter(reason for _, reason in result.left_out)
    lines = ["Excluded:", ""]
    for reason, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        rows = [row for row, why in result.left_out if why == reason]
        shown = ", ".join(rows[:_MOST_EXAMPLES])
        more = ", ..." if len(rows) > _MOST_EXAMPLES else ""
        lines.append(f"- {count} × {reason} ({shown}{more})")
    return "\n".join(lines)


def _totals(results: Sequence[BoardResult]) -> str:
    return (
        "## Whole calls\n\n"
        "The same comparison for whole calls, which include set-up and the overhead of the "
        "measurement. "
        "Reading the clock twice, and rounding of short messages, affect only the board's "
        "figures.\n\n" + _summary_table(results, "total")
    )


def _series(results: Iterable[BoardResult]) -> dict[str, list[float]]:
    """Absolute errors of evaluation marginals in percent, by board and code."""
    found = {}
    for result in results:
        for code in CODES:
            errors = [
                100 * abs(each.error)
                for each in result.comparisons
                if (each.measure, each.set, each.code) == ("marginal", "evaluation", code)
            ]
            if errors:
                found[f"{result.nist.board}, {code}"] = errors
    return found


def _label(results: Sequence[BoardResult]) -> str:
    names = ", ".join(result.nist.board for result in results)
    return f"Distribution of the errors of steady marginals on the evaluation set: {names}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"
