"""From a chart's specification to files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import vl_convert

from pennyweight.report.palette import LIGHT, dark_counterparts

_VEGA_LITE = "6.4"
_PNG_SCALE = 2.0
_HIGHEST_PNG = 4000
"""Pixels that a PNG is high at most."""

_WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure's files: SVG for a screen and for a phone, PNG."""

    wide: str
    narrow: str
    png: bytes

    STYLE: ClassVar[int] = 3
    """Counts changes of this module, so that drawings kept from before are not taken for new."""


Shape = dict[str, Any] | str
"""A chart's specification, or its SVG where it was drawn by hand."""


def draw(wide: Shape, narrow: Shape, label: str) -> Drawing:
    """The files of a chart in its two shapes."""
    return Drawing(to_svg(wide, label), to_svg(narrow, label), to_png(wide))


def to_svg(shape: Shape, label: str) -> str:
    """An SVG that reads in both colour schemes; `label` is its text for who cannot see it.

    The colours for dark mode are rules within the SVG, so that one file serves both: an image in
    a page takes the page's colour scheme.
    """
    svg: str = (
        shape
        if isinstance(shape, str)
        else vl_convert.vegalite_to_svg(json.dumps(shape), vl_version=_VEGA_LITE)
    )
    opening = re.match(r"<svg[^>]*>", svg)
    assert opening is not None
    head = opening.group(0).removesuffix(">") + f' role="img" aria-label="{_escape(label)}">'
    return f"{head}<title>{_escape(label)}</title>{_dark_style()}{svg[opening.end() :]}\n"


def to_png(shape: Shape) -> bytes:
    """A PNG on white: for documents. At two pixels a CSS pixel, less for a very high figure."""
    if isinstance(shape, str):
        white = shape.replace(f'fill="{LIGHT["paper"]}"', f'fill="{_WHITE}"')
        found = re.search(r'height="(\d+)"', shape)
        scale = min(_PNG_SCALE, _HIGHEST_PNG / int(found.group(1))) if found else _PNG_SCALE
        hand: bytes = vl_convert.svg_to_png(white, scale=scale)
        return hand
    png: bytes = vl_convert.vegalite_to_png(
        json.dumps(shape | {"background": _WHITE}),
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
