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
    "aim",
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
compares. This page is what it wrote; with a clone of that repository you get it again:

```
pennyweight accuracy --nist Lightweight-Cryptography-Benchmarking{every}
```{part}

The table shows absolute errors of *steady marginals*: what 512 bytes of message take more than 256
(128 more than 64 where the board's RAM ended there), and the same for decryption and for associated
data. Set-up and the harness of the measurement cancel in them. Half of
the rows are at most as far off as the median, nine tenths as the 90th percentile. Rows of the
**evaluation** set never served to choose a parameter."""


def _summary_table(results: Sequence[BoardResult], measure: Measure) -> str:
    lines = [f"| {' | '.join(SUMMARY)} |"]
    lines.append("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    lines += [f"| {' | '.join(cells)} |" for cells in summaries(results, measure)]
    return "\n".join(lines)


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
    """A line of the table, or none; aims are for the marginals of the evaluation set."""
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
## What is compared with what

- **Calibration** are the AEAD variants {names}: one of most families, so that every style of code
  is among them. **Evaluation** is everything else, all hash functions included. Timing rules come
  from manuals; where a manual leaves one open, it is settled on the calibration set alone.
- A package counts as **assembly** if at least half of its own code in the linked program came from
  assembly files. The rest is **C**, and its error holds the compiler's too.
- Sources are built unchanged, at the row's optimisation level, by our compiler, with our start-up
  code; code lies where our linker puts it.
- The board's **unit** is turned into cycles by its clock alone. Where the timer interrupt of the
  Arduino core was on, the simulated cycles are made larger by the nearest whole number of
  interrupts: the board's figures are medians of five trials.
- Arduino's cores for the MKR Zero and the Nano 33 BLE link a C library whose `memcpy` and `memset`
  go byte by byte ([newlib "nano", compiled for size](https://interrupt.memfault.com/blog/memcpy-newlib-nano));
  so do the programs that are compared with them, compiled for size by our compiler. Debian's
  variant of that library copies words.
- The AVR boards print at 9,600 baud, and what the harness printed before a call is still being sent
  while it runs: an interrupt for each character, every 1.04 ms, until the buffer of 64 is empty.
  The harness's course is followed in time (its order of cases, texts and trials, from its source),
  and the interrupts that half of the trials met are added. How long the handler takes is counted
  in Arduino's own, built at the row's level. Nothing of it is chosen by figures.
- Some packages export their functions through the table of NIST's harness only; they are called
  through it there and here.
- **Bias** is the median of the signed errors; positive means that the simulator says more.
- Rounding: a figure in steps of 4 µs is up to one step too small, a difference up to one step off
  either way. Where that is large, the tables say so."""
        + "\n"
    )


def _what_remains() -> str:
    return """
## What is known of the rest

Found on calibration rows:

- **Rounding.** Fast code takes a millisecond or less for the bytes compared where RAM is short. A
  step of 4 µs on either side is most of 1 % of that; the column *rounding alone* tells for each
  row.
- **Whole interrupts.** Which of two neighbouring whole numbers of timer interrupts half of five
  trials met depends on phases that are not known: up to one interrupt, 6 to 8 µs, in a figure."""


def _board(result: BoardResult) -> str:
    nist = result.nist
    marginals = [each for each in result.comparisons if each.measure == "marginal"]
    compared = len({each.row for each in result.comparisons})
    text = (
        f"## {nist.title}\n\n{_sample(result)}"
        f"Board `{nist.board}`, NIST's `{nist.id}`: {compared} of {result.rows} rows compared. "
        f"Figures in {nist.unit}"
        + (f", in steps of {nist.step}" if nist.step > 1 else "")
        + (f", x {nist.cycles_per_unit} = cycles" if nist.cycles_per_unit > 1 else "")
        + f"; {nist.why}"
        + f". Built there by {nist.compiler}{_here(result)}."
    )
    told = (*_aim_missed(nist, marginals), *nist.remarks)
    remarks = "\n".join(f"- {remark}" for remark in told)
    parts = [text, remarks, _worst(marginals), _by_package(marginals), _left_out(result)]
    return "\n\n".join(part for part in parts if part)


def _here(result: BoardResult) -> str:
    if not result.compiler:
        return ""
    told = ", told to inline as that one did and not to vectorise at -O2"
    newer = result.nist.as_then and result.nist.is_newer(result.compiler)
    return f"; here by {result.compiler}{told if newer else ''}"


def _sample(result: BoardResult) -> str:
    if result.every == 1:
        return ""
    return f"A sample: one row in {result.every} that can be compared.\n\n"


def _aim_missed(board: NistBoard, marginals: list[Comparison]) -> list[str]:
    """By how much an aim is missed, in a sentence; nothing if it is met or there is none."""
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
    return [f"On the evaluation rows that were compared, the aim is {' and '.join(parts)}."]


def _worst(marginals: list[Comparison]) -> str:
    chosen = [each for each in marginals if each.set == "evaluation"]
    chosen.sort(key=lambda each: (-abs(each.error), each.row, each.what))
    if not chosen:
        return ""
    lines = [
        "The evaluation rows that are farthest off:",
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
    """Medians by package where they are worst: they point at a mechanism."""
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
        "The packages that are farthest off, all optimisation levels together:",
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
    lines = ["Left out:", ""]
    for reason, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        rows = [row for row, why in result.left_out if why == reason]
        shown = ", ".join(rows[:_MOST_EXAMPLES])
        more = ", ..." if len(rows) > _MOST_EXAMPLES else ""
        lines.append(f"- {count} x {reason} ({shown}{more})")
    return "\n".join(lines)


def _totals(results: Sequence[BoardResult]) -> str:
    return (
        "## Whole calls\n\n"
        "The same for whole calls, set-up and the harness of the measurement included: reading the "
        "clock twice, and with short messages rounding, are in the board's figures only.\n\n"
        + _summary_table(results, "total")
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
