"""The layers in ARCHITECTURE.md are those of `.importlinter`, which `make lint` checks."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

import pytest

import pennyweight
from pennyweight import api

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "ARCHITECTURE.md"

Layers = list[frozenset[str]]


def checked_layers() -> Layers:
    """The layers of `.importlinter`, the highest first."""
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter", encoding="utf-8")
    lines = parser["importlinter:contract:layers"]["layers"].split("\n")
    return [frozenset(re.split(r"\s*\|\s*", line)) for line in lines if line]


def drawn_layers(page: str) -> Layers:
    """The layers in the picture of a page: on each line names, and to their right a description of
    several words.
    """
    picture = re.search(r"^```\n( __main__\n.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert picture is not None
    parts = [re.split(" {2,}", line.strip()) for line in picture[1].splitlines()]
    return [frozenset(each for each in line if " " not in each) for line in parts]


def described_packages(page: str) -> set[str]:
    """The packages in the table of a page."""
    table = re.search(r"^\| package \| contains \|\n.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert table is not None
    return set(re.findall(r"^\| `(\w+)` \|", table[1], re.MULTILINE))


def test_the_picture_shows_the_checked_layers() -> None:
    layers = checked_layers()
    assert len(layers) > 10 and frozenset({"build", "store"}) in layers
    assert drawn_layers(PAGE.read_text(encoding="utf-8")) == layers


def test_the_table_describes_each_package_below_the_api() -> None:
    described = described_packages(PAGE.read_text(encoding="utf-8"))
    assert described == frozenset().union(*checked_layers()) - {"__main__", "cli", "api"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" build        store ", " build              "),
        ("\n job  ", "\n jobs "),
        ("\n catalogue ", "\n zebra\n catalogue "),
        (" calibration  devices ", " measure      devices "),
    ],
)
def test_another_picture_has_other_layers(old: str, new: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert old in page
    assert drawn_layers(page.replace(old, new, 1)) != checked_layers()


def test_the_package_offers_every_function_of_the_api() -> None:
    assert pennyweight.__all__ == api.__all__
    for name in pennyweight.__all__:
        assert callable(getattr(pennyweight, name)), name
