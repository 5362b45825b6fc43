"""Charts: where things are placed, what the specifications say, what the files are."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from pennyweight.analysis.facts import AlgorithmFacts
from pennyweight.report import numbers
from pennyweight.report.charts.curves import Curves, Line
from pennyweight.report.charts.placing import Box, place_labels, spread
from pennyweight.report.charts.render import to_png, to_svg
from pennyweight.report.charts.scale import Scale
from pennyweight.report.charts.scatter import Dot, Scatter
from pennyweight.report.palette import (
    DARK,
    LIGHT,
    dark_counterparts,
    looks_in_order,
    looks_of_algorithms,
)


def test_numbers_are_written_as_their_docstrings_say() -> None:
    result = doctest.testmod(numbers)
    assert result.failed == 0 and result.attempted >= 9


@pytest.mark.parametrize("write", [numbers.integer, numbers.rounded, numbers.duration])
def test_what_is_not_there_is_a_dash(write: Any) -> None:
    assert write(None) == "–"


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_every_text_colour_is_readable_in_both_schemes() -> None:
    for scheme in (LIGHT, DARK):
        for role in ("ink", "soft", "accent"):
            assert contrast(scheme[role], scheme["paper"]) >= 4.5
            assert contrast(scheme[role], scheme["raised"]) >= 4.5
    lines = {look.color for look in looks_in_order(str(i) for i in range(20)).values()}
    assert len(lines) == 8
    for colour in lines:
        assert contrast(colour, LIGHT["paper"]) >= 4.5
        assert contrast(dark_counterparts()[colour], DARK["paper"]) >= 4.5


def test_algorithms_of_a_family_share_a_hue_and_differ_without_it() -> None:
    names = [("aes-128-gcm", "aes"), ("aes-256-gcm", "aes"), ("ascon-128", "ascon")]
    looks = looks_of_algorithms(AlgorithmFacts(n, n, family=f) for n, f in names)
    small, large, other = (looks[name] for name, _ in names)
    assert small.color == large.color != other.color
    assert small.dash != large.dash and small.shape != large.shape


def test_labels_far_apart_stay_where_they_are() -> None:
    assert spread([10, 100, 50], 12, 0, 200) == [10, 100, 50]


def test_labels_too_close_are_moved_apart_about_their_mean() -> None:
    assert spread([50, 52], 10, 0, 200) == [46, 56]
    assert spread([50, 50, 50], 10, 0, 200) == [40, 50, 60]


def test_groups_that_meet_become_one() -> None:
    """50 and 52 want 46 and 56; 60 is then too close, and the three are centred on 54."""
    assert spread([50, 52, 60], 10, 0, 200) == [44, 54, 64]


def test_labels_stay_within_their_limits_in_their_order() -> None:
    placed = spread([199, 198, 1, 0], 10, 0, 200)
    assert placed == [200, 190, 10, 0]
    crowded = spread([5.0] * 30, 10, 0, 100)
    assert min(crowded) >= 0 and max(crowded) <= 100
    assert spread([], 10, 0, 100) == []


def boxes(centres: list[tuple[float, float]], width: float, height: float) -> list[Box]:
    return [Box.around(centre, width, height) for centre in centres]


def test_labels_of_a_scatter_cover_neither_points_nor_each_other() -> None:
    points = [(100.0, 100.0), (108.0, 103.0), (300.0, 50.0), (101.0, 118.0)]
    area = Box(0, 0, 400, 300)
    placed = boxes(place_labels(points, [60.0] * 4, 12, points, area), 60, 12)
    for i, box in enumerate(placed):
        assert box.outside(area) == 0
        assert all(box.overlap(other) == 0 for other in placed[:i])
        assert all(box.overlap(Box(x - 2, y - 2, x + 2, y + 2)) == 0 for x, y in points)


def test_a_label_at_the_edge_goes_inside() -> None:
    ((x, _),) = place_labels([(395.0, 20.0)], [60.0], 12, [(395.0, 20.0)], Box(0, 0, 400, 300))
    assert x + 30 <= 400


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [([3, 281_000], 0, 300_000), ([1, 7], 0, 7), ([0, 1000], 0, 1000), ([0, 0], 0, 1)],
)
def test_linear_scales_begin_at_zero_and_end_round(
    values: list[float], low: float, high: float
) -> None:
    scale = Scale.over(values, 100, logarithmic=False)
    assert (scale.low, scale.high) == (low, high)
    assert scale.ticks[0] == low and scale.ticks[-1] == high
    assert 2 <= len(scale.ticks) <= 9


def test_logarithmic_scales_enclose_their_values() -> None:
    scale = Scale.over([520, 3_300], 200)
    assert scale.logarithmic
    assert (scale.low, scale.high) == (500, 4000)
    assert scale.ticks == [500, 1000, 2000]
    assert scale.pixel(500) == 0 and scale.pixel(4000) == pytest.approx(200)
    assert scale.value(scale.pixel(1234)) == pytest.approx(1234)


def test_a_scale_with_a_zero_is_linear() -> None:
    assert not Scale.over([0, 5000], 200).logarithmic


def line(name: str, slope: float) -> Line:
    look = looks_in_order([name])[name]
    return Line(name, tuple((m, 100 + slope * m) for m in range(0, 257, 4)), look)


def layers(spec: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    return (each for each in spec["layer"] if each["mark"]["type"] == kind)


def test_curves_name_each_line_at_its_end() -> None:
    chart = Curves("Cycles to encrypt", (line("low", 1), line("high", 9)))
    for spec in (chart.wide(), chart.narrow()):
        (texts,) = layers(spec, "text")
        assert [v["name"] for v in texts["data"]["values"]] == ["low", "high"]
        (points,) = layers(spec, "point")
        assert {v["m"] for v in points["data"]["values"]} == set(range(0, 257, 32))
        y = points["encoding"]["y"]
        assert y["axis"]["title"] == "Cycles to encrypt" and y["scale"]["domain"][0] == 0
        assert points["encoding"]["x"]["axis"]["title"] == "Message length (bytes)"


def test_lines_that_end_too_far_apart_get_a_logarithmic_scale() -> None:
    (near,) = layers(Curves("Cycles", (line("a", 1), line("b", 11))).wide(), "point")
    assert near["encoding"]["y"]["scale"]["type"] == "linear"
    (far,) = layers(Curves("Cycles", (line("a", 1), line("b", 60))).wide(), "point")
    assert far["encoding"]["y"]["scale"]["type"] == "log"


def dots() -> tuple[Dot, ...]:
    looks = looks_in_order(["fast", "small"])
    return (
        Dot("fast", 3000, 100, looks["fast"], filled=True),
        Dot("fast", 5000, 90, looks["fast"], filled=False),
        Dot("small", 800, 900, looks["small"], filled=True),
        Dot("small", 4000, 950, looks["small"], filled=False),
    )


def test_a_scatter_joins_what_nothing_beats() -> None:
    spec = Scatter("Flash (bytes)", "Cycles", dots()).wide()
    (front,) = layers(spec, "line")
    assert [v["x"] for v in front["data"]["values"]] == [800, 3000, 5000]
    for texts in layers(spec, "text"):
        assert [v["name"] for v in texts["data"]["values"]] == ["fast", "small"]
    filled = [len(each["data"]["values"]) for each in layers(spec, "point")]
    assert filled == [2, 2]


def test_a_phone_names_the_front_and_then_the_fastest() -> None:
    names = [f"n{i:02}" for i in range(20)]
    looks = looks_in_order(names)
    crowd = [Dot(n, 1000, 100 + i, looks[n], True) for i, n in enumerate(names[:-1])]
    tiny = Dot("n19", 10, 5000, looks["n19"], True)
    texts = next(layers(Scatter("Flash", "Cycles", (*crowd, tiny)).narrow(), "text"))
    shown = [v["name"] for v in texts["data"]["values"]]
    assert len(shown) < 10 and {"n00", "n01", "n19"} <= set(shown)


@pytest.mark.parametrize(
    "chart", [Curves("Cycles", (line("a<b", 1),)), Scatter("Flash (bytes)", "Cycles", dots())]
)
def test_files_are_whole_and_have_their_size(chart: Curves | Scatter) -> None:
    svg = to_svg(chart.wide(), 'Cycles of "a<b" & more')
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("height")) == ("760", "430")
    assert root.get("role") == "img" and root.get("aria-label") == 'Cycles of "a<b" & more'
    assert "prefers-color-scheme:dark" in svg and "http" not in svg.replace("http://www.w3.org", "")
    narrow = ElementTree.fromstring(to_svg(chart.narrow(), "x"))
    assert (narrow.get("width"), narrow.get("height")) == ("358", "380")
    png = to_png(chart.wide())
    assert png.startswith(b"\x89PNG") and int.from_bytes(png[16:20]) == 1900


def test_every_colour_of_a_figure_has_a_dark_counterpart() -> None:
    known = dark_counterparts()
    for chart in (Curves("Cycles", (line("a", 1),)), Scatter("Flash", "Cycles", dots())):
        root = ElementTree.fromstring(to_svg(chart.wide(), "x"))
        used = {
            element.get(name)
            for element in root.iter()
            for name in ("fill", "stroke")
            if element.get("opacity") != "0"
        }
        assert used - {None, "none", "transparent"} <= set(known)
