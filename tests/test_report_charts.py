"""Charts: where things are placed, what the specifications say, what the files are."""

from __future__ import annotations

import doctest
import math
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from pennyweight.charts.bars import Bar, Bars
from pennyweight.charts.curves import Curves, Line
from pennyweight.charts.frame import wide
from pennyweight.charts.label_placement import Box, place_labels, spread
from pennyweight.charts.map import RatioMap, class_of
from pennyweight.charts.palette import (
    CLASSES,
    DARK,
    LIGHT,
    MOST_LINES,
    OTHERS,
    dark_counterparts,
    line_styles,
)
from pennyweight.charts.panels import Panel, Panels
from pennyweight.charts.render import to_pdf, to_png, to_svg
from pennyweight.charts.scale import Scale
from pennyweight.charts.scatter import Dot, Scatter
from pennyweight.charts.svg_reduction import compact, thinned
from pennyweight.report import numbers
from verdicts import cached_by_project

pytestmark = cached_by_project("report pages")


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
    lines = {style.color for style in line_styles([str(i) for i in range(20)], ["0"]).values()}
    lines -= {OTHERS.color}
    assert len(lines) == MOST_LINES
    for colour in lines:
        assert contrast(colour, LIGHT["paper"]) >= 4.5
        assert contrast(dark_counterparts()[colour], DARK["paper"]) >= 4.5


def distance(one: str, other: str) -> float:
    """Approximate distance of two colours in CIE L*a*b*; 2 is just visible."""

    def lab(colour: str) -> tuple[float, float, float]:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
        y = 0.2126 * r + 0.7152 * g + 0.0722 * b
        z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
        fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
        return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)

    return math.dist(lab(one), lab(other))


def test_no_two_lines_of_a_figure_look_alike() -> None:
    names = [f"n{i}" for i in range(MOST_LINES)]
    found = line_styles(names, ["n5", "n2", "missing"])
    colours = [style.color for style in found.values()]
    for i, colour in enumerate(colours):
        assert all(distance(colour, other) > 25 for other in colours[:i]), colour
        dark = dark_counterparts()
        assert all(distance(dark[colour], dark[other]) > 15 for other in colours[:i]), colour
    assert {name for name, style in found.items() if style.heavy} == {"n5", "n2"}
    assert found["n5"].dash != found["n2"].dash
    assert found["n5"].color == LIGHT["ink"]
    light = [style for style in found.values() if not style.heavy]
    assert len({style.dash for style in light}) == len(light)
    assert all(style.dash != (1, 0) for style in light)
    assert line_styles(list(reversed(names)), ["n5", "n2"]) == found
    assert line_styles([*names, "z"], ["n5", "n2"])["z"] == OTHERS


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
    places = [place for place in place_labels(points, [60.0] * 4, 12, points, area) if place]
    assert len(places) == 4
    placed = boxes(places, 60, 12)
    for i, box in enumerate(placed):
        assert box.overlap(area) == box.overlap(box)
        assert all(box.overlap(other) == 0 for other in placed[:i])
        assert all(box.overlap(Box(x - 2, y - 2, x + 2, y + 2)) == 0 for x, y in points)


def test_a_label_at_the_edge_goes_inside() -> None:
    (place,) = place_labels([(395.0, 20.0)], [60.0], 12, [(395.0, 20.0)], Box(0, 0, 400, 300))
    assert place is not None and place[0] + 30 <= 400


def test_a_label_without_room_is_left_away_if_it_may() -> None:
    crowd = [(x, y) for x in range(0, 200, 8) for y in range(0, 100, 8)]
    anchors, widths = [(96.0, 48.0), (150.0, 300.0)], [60.0, 60.0]
    area = Box(0, 0, 400, 400)
    left, kept = place_labels(anchors, widths, 12, crowd, area, optional={0, 1})
    assert left is None and kept is not None
    assert place_labels(anchors, widths, 12, crowd, area, optional={1})[0] is not None


@pytest.mark.parametrize("costs", [(900.0, 80_000.0), (9e5, 2.5e7), (3e8, 9e9)])
def test_the_labels_of_an_axis_are_not_cut_off(costs: tuple[float, float]) -> None:
    dots = tuple(
        Dot("a", 100.0 * i, y, line_styles(["a"], [])["a"], True) for i, y in enumerate(costs, 1)
    )
    svg = to_svg(Scatter("Flash", "Cycles", dots).wide(), "")
    texts = re.findall(r"<text[^>]*text-anchor=\"end\"[^>]*>([^<]+)<", svg)
    ticks = [text for text in texts if text[0].isdigit()]
    frame = wide()
    assert len(ticks) > 2 and max(map(frame.text_width, ticks)) < frame.left


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
    style = line_styles([name])[name]
    return Line(name, tuple((m, 100 + slope * m) for m in range(0, 257, 4)), style)


def layers(spec: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    return (each for each in spec["layer"] if each["mark"]["type"] == kind)


def test_curves_name_each_line_at_its_end() -> None:
    chart = Curves("Cycles to encrypt", (line("low", 1), line("high", 9)))
    for spec, apart in ((chart.wide(), 32), (chart.narrow(), 64)):
        (texts,) = layers(spec, "text")
        assert [v["name"] for v in texts["data"]["values"]] == ["low", "high"]
        (points,) = layers(spec, "point")
        assert {v["m"] for v in points["data"]["values"]} == set(range(0, 257, apart))
        y = points["encoding"]["y"]
        assert y["axis"]["title"] == "Cycles to encrypt" and y["scale"]["domain"][0] == 0
        assert points["encoding"]["x"]["axis"]["title"] == "Message length (bytes)"


def test_lines_that_end_too_far_apart_get_a_logarithmic_scale() -> None:
    (near,) = layers(Curves("Cycles", (line("a", 1), line("b", 11))).wide(), "point")
    assert near["encoding"]["y"]["scale"]["type"] == "linear"
    (far,) = layers(Curves("Cycles", (line("a", 1), line("b", 60))).wide(), "point")
    assert far["encoding"]["y"]["scale"]["type"] == "log"


def test_a_name_near_the_edge_stays_within_the_figure() -> None:
    found = line_styles(["AES-256-GCM"])
    style = found["AES-256-GCM"]
    crowd = [Dot("AES-256-GCM", 200 + i, 100 + i, style, filled=True) for i in range(90)]
    edge = Dot("AES-256-GCM", 1000, 90, style, filled=True, mark="†")
    label = next(layers(Scatter("x", "y", (*crowd, edge)).wide(), "text"))["data"]["values"][0]
    assert label["text"] == "AES-256-GCM†"
    frame = wide(18)
    half = frame.text_width(label["text"]) / 2
    assert frame.plot_width / 2 < label["cx"] <= frame.plot_width + frame.right - half


def dots() -> tuple[Dot, ...]:
    found = line_styles(["fast", "small"])
    return (
        Dot("fast", 3000, 100, found["fast"], filled=True),
        Dot("fast", 5000, 90, found["fast"], filled=False),
        Dot("small", 800, 900, found["small"], filled=True),
        Dot("small", 4000, 950, found["small"], filled=False),
    )


def test_a_scatter_joins_what_nothing_beats() -> None:
    spec = Scatter("Flash (bytes)", "Cycles", dots()).wide()
    (front,) = layers(spec, "line")
    assert [v["x"] for v in front["data"]["values"]] == [800, 3000, 5000]
    for texts in layers(spec, "text"):
        assert [v["name"] for v in texts["data"]["values"]] == ["fast", "small"]
    filled = [len(each["data"]["values"]) for each in layers(spec, "point")]
    assert filled == [0, 0, 2, 2]


def test_a_phone_names_the_front_and_then_the_fastest() -> None:
    names = [f"n{i:02}" for i in range(20)]
    found = line_styles(names, ["n18"])
    crowd = [Dot(n, 1000, 100 + i, found[n], True) for i, n in enumerate(names[:-1])]
    tiny = Dot("n19", 10, 5000, found["n19"], True)
    spec = Scatter("Flash", "Cycles", (*crowd, tiny)).narrow()
    shown = [v["name"] for v in next(layers(spec, "text"))["data"]["values"]]
    assert len(shown) < 10 and {"n00", "n01", "n18", "n19"} <= set(shown)
    others = [len(each["data"]["values"]) for each in layers(spec, "point")]
    assert others == [0, 20 - MOST_LINES, 0, MOST_LINES]


def test_a_heavy_line_has_weight_and_its_name_too() -> None:
    found = line_styles(["a", "b"], ["b"])
    lines = tuple(Line(n, ((0, 10.0), (8, 20.0 + i)), found[n]) for i, n in enumerate("ab"))
    spec = Curves("Cycles", lines).wide()
    (drawn,) = layers(spec, "line")
    widths = dict(zip("ab", drawn["encoding"]["strokeWidth"]["scale"]["range"], strict=True))
    assert widths["b"] > 1.5 * widths["a"]
    weights = {
        v["name"]: each["mark"]["fontWeight"]
        for each in layers(spec, "text")
        for v in each["data"]["values"]
    }
    assert weights == {"a": "normal", "b": "bold"}


def test_in_the_drawing_too_the_heavy_lines_are_heavy_and_no_others() -> None:
    names = ["a", "b", "c", "d"]
    found = line_styles(names, ["b", "d"])
    lines = tuple(Line(n, ((0, 10.0), (8, 20.0 + i)), found[n]) for i, n in enumerate(names))
    svg = to_svg(Curves("Cycles", lines).wide(), "x")
    drawn = dict(re.findall(r'stroke="([^"]+)" stroke-width="([^"]+)" stroke-linejoin', svg))
    widths = {name: float(drawn[found[name].color]) for name in names}
    assert widths["b"] == widths["d"] > 1.5 * widths["a"] and widths["a"] == widths["c"]


def test_a_line_never_crosses_out_a_panels_number() -> None:
    chart = Panels("Cycles", (Panel("a", "8,939,816", ((0, 9e6), (64, 2e7))),))
    (number,) = re.findall(r"<text[^>]*>8,939,816<", chart.wide())
    assert 'paint-order="stroke"' in number and f'stroke="{LIGHT["paper"]}"' in number


def panels(number: int) -> Panels:
    behind = tuple((m, 900.0 + m) for m in range(0, 257, 4))
    return Panels(
        "Cycles to encrypt",
        tuple(
            Panel(
                f"An algorithm & its rather long name {i}",
                f"{i:,}",
                tuple((m, 100.0 + i + m) for m in range(0, 257, 4)),
                context=(behind,),
            )
            for i in range(number)
        ),
    )


@pytest.mark.parametrize("number", [1, 2, 130])
def test_panels_are_within_the_figure_next_to_each_other(number: int) -> None:
    chart = panels(number)
    for svg, narrow in ((chart.wide(), False), (chart.narrow(), True)):
        root = ElementTree.fromstring(svg)
        size = (int(root.get("width", 0)), int(root.get("height", 0)))
        assert size == chart.size(narrow)
        paths = [e.get("d", "") for e in root.iter() if e.get("fill") == "none"]
        assert len(paths) == 2 * number
        for path in paths:
            places = [tuple(map(float, pair.split())) for pair in path[1:].split("L")]
            assert all(0 < x < size[0] and 0 < y < size[1] for x, y in places)
        used = {e.get(name) for e in root.iter() for name in ("fill", "stroke")}
        assert used - {None, "none"} <= set(dark_counterparts())
    assert len(chart.wide()) < 2200 * number + 2000
    png = to_png(chart.wide())
    assert int.from_bytes(png[20:24]) <= 4001


def some_bars() -> Bars:
    return Bars(
        "Cycles to encrypt (stacked)",
        ("Initialise", "Associated data", "Encrypt", "Finalise and tag"),
        (Bar("one & only -O3", (1000, 500, 2000, 300)), Bar("other", (10, 0, 5000, 20))),
    )


def some_map(ads: int = 9) -> RatioMap:
    ratios = {(ad, m): 8.0 * 2 ** (-(ad + m) / 20) for ad in range(ads) for m in range(0, 129, 8)}
    return RatioMap("Ascon-AEAD128", "AES-128-GCM", ratios)


@pytest.mark.parametrize("chart", [some_bars(), some_map(), some_map(1)])
def test_bars_and_maps_are_whole_in_both_shapes_and_schemes(chart: Bars | RatioMap) -> None:
    for svg, narrow in ((chart.wide(), False), (chart.narrow(), True)):
        root = ElementTree.fromstring(svg)
        size = (int(root.get("width", 0)), int(root.get("height", 0)))
        assert size == chart.size(narrow)
        for each in root.iter("{http://www.w3.org/2000/svg}rect"):
            assert float(each.get("x", 0)) + float(each.get("width", 0)) <= size[0] + 1
            assert float(each.get("y", 0)) + float(each.get("height", 0)) <= size[1] + 1
        used = {e.get(name) for e in root.iter() for name in ("fill", "stroke")}
        plain = {colour for colour in used if colour and not colour.startswith("url(")}
        assert plain - {"none"} <= set(dark_counterparts())
        assert to_svg(svg, "a label").count("prefers-color-scheme:dark") == 1
    assert to_png(chart.wide()).startswith(b"\x89PNG")
    assert to_pdf(chart.wide()).startswith(b"%PDF-")


def test_the_parts_of_a_bar_add_up_and_show_their_total() -> None:
    svg = some_bars().wide()
    root = ElementTree.fromstring(svg)
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "Cycles to encrypt (stacked)"
    assert {"3,800", "5,030", "Initialise", "one & only -O3"} <= set(texts)
    bars = [e for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("height") == "20"]
    widths = [float(e.get("width", 0)) for e in bars if not str(e.get("fill")).startswith("url")]
    assert widths[2] == pytest.approx(2 * widths[0], rel=0.01)
    assert sum(widths[:4]) / sum(widths[4:]) == pytest.approx(3800 / 5030, rel=0.01)


@pytest.mark.parametrize(
    ("ratio", "number"),
    [(9, 0), (4, 0), (3.9, 1), (1.25, 2), (1, 3), (0.999, 4), (0.5, 5), (0.3, 6), (0.01, 7)],
)
def test_a_ratio_has_the_class_that_states_it(ratio: float, number: int) -> None:
    assert class_of(ratio) == number


def test_a_map_names_the_faster_build_without_colours_too() -> None:
    svg = some_map().wide()
    root = ElementTree.fromstring(svg)
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Ascon-AEAD128 is faster", "AES-128-GCM is faster"} <= set(texts)
    assert {"Associated data (bytes)", "Message length (bytes)"} <= set(texts)
    rects = list(root.iter("{http://www.w3.org/2000/svg}rect"))
    widths = {
        dotted: sum(
            float(e.get("width", 0))
            for e in rects
            if float(e.get("height", 0)) > 20 and (e.get("fill") == "url(#dots)") == dotted
        )
        for dotted in (True, False)
    }
    lost = sum(ratio < 1 for ratio in some_map().ratios.values())
    cells = len(some_map().ratios)
    assert widths[True] / (widths[False] - 760) == pytest.approx(lost / cells, rel=0.01)


def test_the_colours_of_a_map_are_in_order_of_lightness_from_the_middle() -> None:
    """Without colour vision, the lightness still shows the ratio; the hues differ in blue."""
    for scheme, sign in ((0, 1), (1, -1)):
        levels = [luminance((c.light, c.dark)[scheme]) * sign for c in CLASSES]
        assert levels[:4] == sorted(levels[:4])
        assert levels[4:] == sorted(levels[4:], reverse=True)


@pytest.mark.parametrize(
    "chart", [Curves("Cycles", (line("a<b", 1),)), Scatter("Flash (bytes)", "Cycles", dots())]
)
def test_files_are_whole_and_have_their_size(chart: Curves | Scatter) -> None:
    svg = to_svg(chart.wide(), 'Cycles of "a<b" & more')
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("height")) == ("760", "430")
    assert root.get("role") == "img"
    assert root.findtext("{http://www.w3.org/2000/svg}title") == 'Cycles of "a<b" & more'
    assert "prefers-color-scheme:dark" in svg and "http" not in svg.replace("http://www.w3.org", "")
    narrow = ElementTree.fromstring(to_svg(chart.narrow(), "x"))
    assert (narrow.get("width"), narrow.get("height")) == ("358", "380")
    png = to_png(chart.wide())
    assert png.startswith(b"\x89PNG") and int.from_bytes(png[16:20]) == 1520
    assert png[25] == 3, "a PNG with a palette"
    assert to_pdf(chart.wide()).startswith(b"%PDF-")


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


def test_points_that_lie_on_a_line_are_skipped() -> None:
    assert thinned([(0, 0), (1, 0), (2, 0), (3, 0)]) == [(0, 0), (3, 0)]
    steps = [(0.0, 9.0), (1.0, 9.0), (2.0, 9.0), (2.5, 5.0), (3.0, 5.0), (4.0, 5.04), (5.0, 5.0)]
    assert thinned(steps) == [(0.0, 9.0), (2.0, 9.0), (2.5, 5.0), (5.0, 5.0)]
    # There and back: the turning point is not a point of the line from start to end.
    assert thinned([(0, 0), (9, 0), (0, 0)]) == [(0, 0), (9, 0), (0, 0)]
    assert thinned([(0, 0), (5, 5)]) == [(0, 0), (5, 5)]


def test_a_compact_drawing_is_the_same_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """In fewer bytes; a dash may begin a part of a pixel later, and nothing else moves."""
    points = tuple((m, 1000 + 500 * (m // 16) + m % 3) for m in range(0, 257, 4))
    line = Line("ChaCha20-Poly1305", points, line_styles(["a"], [])["a"])
    panel = Panel("ATmega328P", "12,345", points, second=points[:9], context=(points,))
    for chart in (Curves("Cycles", (line,), False), Panels("Cycles", (panel,) * 3)):
        small, picture = to_svg(chart.wide(), "what"), to_png(chart.wide())
        with monkeypatch.context() as patch:
            patch.setattr("pennyweight.charts.render.compact", lambda svg: svg)
            large, same = to_svg(chart.wide(), "what"), to_png(chart.wide())
        assert len(small) < 0.85 * len(large)
        with Image.open(BytesIO(picture)) as one, Image.open(BytesIO(same)) as other:
            apart = ImageChops.difference(one.convert("L"), other.convert("L"))
        levels = apart.histogram()
        assert sum(levels[32:]) < 0.0005 * sum(levels) and sum(levels[128:]) == 0
    assert compact(small) == small
