"""From a chart's specification to files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import vl_convert

from pennyweight.report.palette import dark_counterparts

_VEGA_LITE = "6.4"
_PNG_SCALE = 2.5


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure's files: SVG for a screen and for a phone, PNG."""

    wide: str
    narrow: str
    png: bytes

    STYLE: ClassVar[int] = 1
    """Counts changes of this module, so that drawings kept from before are not taken for new."""


def draw(wide: dict[str, Any], narrow: dict[str, Any], label: str) -> Drawing:
    """The files of a chart in its two shapes."""
    return Drawing(to_svg(wide, label), to_svg(narrow, label), to_png(wide))


def to_svg(specification: dict[str, Any], label: str) -> str:
    """An SVG that reads in both colour schemes; `label` is its text for who cannot see it.

    The colours for dark mode are rules within the SVG, so that one file serves both: an image in
    a page takes the page's colour scheme.
    """
    svg: str = vl_convert.vegalite_to_svg(json.dumps(specification), vl_version=_VEGA_LITE)
    opening = re.match(r"<svg[^>]*>", svg)
    assert opening is not None
    head = opening.group(0).removesuffix(">") + f' role="img" aria-label="{_escape(label)}">'
    return f"{head}<title>{_escape(label)}</title>{_dark_style()}{svg[opening.end() :]}\n"


def to_png(specification: dict[str, Any]) -> bytes:
    """A PNG at 2.5 pixels a CSS pixel, on white: for documents."""
    png: bytes = vl_convert.vegalite_to_png(
        json.dumps(specification | {"background": "#ffffff"}),
        vl_version=_VEGA_LITE,
        scale=_PNG_SCALE,
    )
    return png


def _dark_style() -> str:
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in dark_counterparts().items()
    )
    return f"<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>"


def _escape(text: str) -> str:
    for plain, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, escaped)
    return text
