"""The Thumb simulator's tests name instructions by their text: their table agrees with GNU as."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts.thumb_assembly.__main__ import LISTED, listed, main


def test_every_instruction_is_what_gnu_as_makes_of_it() -> None:
    assert main([]) == 0
    table = listed(LISTED.read_text())
    assert len(table) > 300
    assert table["adds r0, r1, r2"] == "1888"


def test_every_listed_instruction_is_tested() -> None:
    """A line that no test uses is dropped."""
    sources = "".join(path.read_text() for path in sorted(LISTED.parents[1].glob("*/*.rs")))
    words = {each for text in re.findall(r'"([^"\n]*)"', sources) for each in _instructions(text)}
    made = re.compile(r"(b..|bl.|mrs r0, \w+|msr \w+, r1)( \.\+36)?")
    unused = [each for each in listed(LISTED.read_text()) if each not in words]
    assert [each for each in unused if not made.fullmatch(each)] == []


def _instructions(text: str) -> list[str]:
    return text.split(": ")[0].split("; ")


@pytest.fixture
def falsified(tmp_path: Path) -> Path:
    path = tmp_path / LISTED.name
    path.write_text(
        LISTED.read_text().replace("1888       adds r0, r1, r2", "1889       adds r0, r1, r2")
    )
    return path


def test_a_wrong_encoding_is_reported_and_corrected(
    falsified: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], falsified) == 1
    reported = "assembled.txt: adds r0, r1, r2 is 1888, not 1889; run with --write to correct it\n"
    assert capsys.readouterr().out == reported
    assert main(["--write"], falsified) == 0
    assert falsified.read_text() == LISTED.read_text()


def test_an_invalid_instruction_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / LISTED.name
    path.write_text("0000       addle r0\n")
    assert main([], path) == 2
    assert "Error" in capsys.readouterr().err
