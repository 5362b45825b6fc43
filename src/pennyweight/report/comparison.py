"""The page of `pennyweight compare --format html`: one file without references to others."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from pennyweight.report.html import templates
from pennyweight.version import __version__


def comparison_page(
    a: str,
    b: str,
    result: str,
    columns: Sequence[tuple[str, bool]],
    rows: Sequence[Sequence[str]],
) -> str:
    """The HTML of a comparison of `b` with `a`, the worst rows first.

    `result` is its outcome in one sentence; `columns` has a title and whether it holds numbers;
    `rows` has a text for each column. The last column marks failing rows with "!".
    """
    assets = files("pennyweight.report").joinpath("assets")
    return (
        templates()
        .get_template("comparison.html.j2")
        .render(
            a=a,
            b=b,
            result=result,
            columns=columns,
            rows=rows,
            fails=any(row[-1] == "!" for row in rows),
            style=assets.joinpath("style.css").read_text(encoding="utf-8"),
            version=__version__,
        )
    )
