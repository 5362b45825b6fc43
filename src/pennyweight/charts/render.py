"""Renders a chart's specification to files."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import vl_convert
from PIL import Image

from pennyweight.charts.palette import LIGHT, dark_counterparts
from pennyweight.charts.svg_reduction import compact

_VEGA_LITE = "6.4"
_PNG_SCALE = 2.0
_HIGHEST_PNG = 4000
"""Maximum height of a PNG in pixels."""

_COLOURS = 128
_NO = Image.Dither.NONE

_PLACES = re.compile(r'\b(?:d|transform|x|y|x1|x2|y1|y2)="[^"]*"')
_DIGITS = re.compile(r"(\.\d\d)\d+")

_WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure's files: SVG for a screen and for a phone, PNG, PDF."""

    wide: str
    narrow: str
    png: bytes
    pdf: bytes

    STYLE: ClassVar[int] = 6
    """Version of this module's output, so that cached drawings of older versions are not used."""


Shape = dict[str, Any] | str
"""A chart's specification, or its SVG if it was drawn directly."""


def draw(wide: Shape, narrow: Shape, label: str) -> Drawing:
    """The files of a chart for a screen and a phone."""
    return Drawing(to_svg(wide, label), to_svg(narrow, label), to_png(wide), to_pdf(wide))


def to_svg(shape: Shape, label: str) -> str:
    """An SVG for both colour schemes; `label` is its text for screen readers.

    The colours of dark mode are rules in the SVG, so that one file serves both: an image in a page
    follows the page's colour scheme.
    """
    svg = _plain_svg(shape)
    opening = re.match(r"<svg[^>]*>", svg)
    assert opening is not None
    head = opening.group(0).removesuffix(">") + ' role="img">'
    return f"{head}<title>{_escape(label)}</title>{_style(svg)}{svg[opening.end() :]}\n"


def to_png(shape: Shape) -> bytes:
    """A PNG on white, for documents. Two pixels per CSS pixel, fewer for a very high figure."""
    white = _on_white(shape)
    found = re.search(r'height="(\d+)"', white)
    scale = min(_PNG_SCALE, _HIGHEST_PNG / int(found.group(1))) if found else _PNG_SCALE
    return _in_few_colours(vl_convert.svg_to_png(white, scale=scale))


def to_pdf(shape: Shape) -> bytes:
    """A PDF on white with scalable lines and text, for print."""
    pdf: bytes = vl_convert.svg_to_pdf(_on_white(shape))
    return pdf


def _plain_svg(shape: Shape) -> str:
    """The SVG in the light scheme, with positions rounded to a hundredth of a pixel."""
    if isinstance(shape, str):
        return compact(shape)
    svg: str = vl_convert.vegalite_to_svg(json.dumps(shape), vl_version=_VEGA_LITE)
    return compact(_PLACES.sub(lambda found: _DIGITS.sub(r"\1", found.group(0)), svg))


def _on_white(shape: Shape) -> str:
    return _plain_svg(shape).replace(f'"{LIGHT["paper"]}"', f'"{_WHITE}"')


def _in_few_colours(png: bytes) -> bytes:
    """The same image with a palette: a figure's few colours, and their mixtures at edges."""
    with Image.open(io.BytesIO(png)) as image:
        few = image.convert("RGB").quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=_NO)
    written = io.BytesIO()
    few.save(written, "PNG", compress_level=9)
    return written.getvalue()


def _style(svg: str) -> str:
    """Rules for the dark scheme and for paper, for the colours in the drawing."""
    rules = "".join(
        f"[{place}]{{{what}:{dark}}}"
        for light, dark in dark_counterparts().items()
        for what in ("fill", "stroke")
        if (place := f'{what}="{light}"') in svg
    )
    dark = f"@media screen and (prefers-color-scheme:dark){{{rules}}}"
    paper = f'@media print{{[fill="{LIGHT["paper"]}"]{{fill:{_WHITE}}}}}'
    return f"<style>{dark}{paper}</style>"


def _escape(text: str) -> str:
    for plain, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, escaped)
    return text
