"""The ratios as Markdown tables, for the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scripts.bench_implementations.comparison import ALLOWED, C_ALONE, Line

FAST, SMALL = "-O3", "-Os"
"""Flags for speed and for size, whose cycles and flash are shown."""

_Columns = list[tuple[str, str]]
"""Boards, and the subset of bundled implementations."""


def markdown(lines: Sequence[Line], titles: Mapping[str, str], call: str = "") -> str:
    """Two tables with a line for each algorithm: cycles for 16 and 128 bytes, and flash.

    `call` describes the measured call, if it differs from the page's.

    A column for each board (by its title), and one for the bundled implementations in C alone if
    they differ. Ratios above the limit are bold; a dash means that no implementation of NIST's
    runs.
    """
    boards = [board for board in titles if any(line.key[1] == board for line in lines)]
    apart = {line.key[1] for line in lines if line.among == C_ALONE}
    columns = [
        (board, among) for board in boards for among in ("", C_ALONE) if not among or board in apart
    ]
    parts = (
        (f"Cycles {call and f'{call}, '}at `{FAST}`:", FAST, ("16 bytes", "128 bytes")),
        (f"Flash at `{SMALL}`:", SMALL, ("flash",)),
    )
    return "\n\n".join(
        f"{head}\n\n{_table(lines, titles, columns, flags, fields)}"
        for head, flags, fields in parts
    )


def _table(
    lines: Sequence[Line],
    titles: Mapping[str, str],
    columns: _Columns,
    flags: str,
    fields: Sequence[str],
) -> str:
    by_key = {(*line.key, line.among): line for line in lines}
    heads = [", ".join(filter(None, (titles[board], among))) for board, among in columns]
    rows = [_row(["algorithm", *heads]), _row(["---"] * (len(heads) + 1))]
    for algorithm in sorted({line.key[0] for line in lines}):
        cells = []
        for board, among in columns:
            whole = by_key.get((algorithm, board, flags, ""))
            line = by_key.get((algorithm, board, flags, among), whole)
            cells.append(_cell(line, fields))
        rows.append(_row([algorithm, *cells]))
    return "\n".join(rows)


def _cell(line: Line | None, fields: Iterable[str]) -> str:
    if line is None:
        return ""
    if not line.bundled:
        return "**fails**"
    ratios = [line.ratio(name) for name in fields]
    known = [ratio for ratio in ratios if ratio is not None]
    return " ".join(map(_number, known)) or "–"


def _number(ratio: float) -> str:
    return f"**{ratio:.2f}**" if ratio > ALLOWED else f"{ratio:.2f}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
