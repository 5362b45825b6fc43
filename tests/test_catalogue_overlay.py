"""`PENNYWEIGHT_DATA`: a user's data files replace bundled ones, or are added to them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import cli_runs
from pennyweight import catalogue
from pennyweight.catalogue import overlay
from pennyweight.catalogue.root import data_root
from pennyweight.model import UserError

BOARD = "stm32f030"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> cli_runs.Command:
    return cli_runs.runner(capsys)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder: a board with less RAM."""
    bundled = (data_root() / "boards" / f"{BOARD}.toml").read_text(encoding="utf-8")
    folder = tmp_path / "my-data"
    (folder / "boards").mkdir(parents=True)
    changed = bundled.replace("size = 0x1000", "size = 0x800")
    assert changed != bundled
    (folder / "boards" / f"{BOARD}.toml").write_text(changed, encoding="utf-8")
    monkeypatch.setenv("PENNYWEIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(overlay.VARIABLE, str(folder))
    return folder


def test_a_file_replaces_the_bundled_one_and_the_others_stay(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    merged = catalogue.load(data_root())
    assert merged.board(BOARD).ram.size == 2048
    monkeypatch.delenv(overlay.VARIABLE)
    bundled = catalogue.load(data_root())
    assert bundled.board(BOARD).ram.size == 4096
    assert merged.boards.keys() == bundled.boards.keys()
    assert merged.algorithms.keys() == bundled.algorithms.keys()
    assert len(merged.implementations) == len(bundled.implementations)
    assert merged.board(BOARD).sha256 != bundled.board(BOARD).sha256


def test_files_are_added_and_a_change_is_seen_by_the_next_process(own: Path) -> None:
    first = data_root()
    study = own / "studies" / "mine.toml"
    study.parent.mkdir()
    study.write_text("x = 1\n", encoding="utf-8")
    overlay.merged.cache_clear()
    second = data_root()
    assert (second / "studies" / "mine.toml").read_text() == "x = 1\n"
    assert (second / "studies" / "default.toml").is_file()
    study.write_text("x = 2\n", encoding="utf-8")
    os.utime(study, (1, 1))
    overlay.merged.cache_clear()
    third = data_root()
    assert (third / "studies" / "mine.toml").read_text() == "x = 2\n"
    assert len({first, second, third}) == 3
    overlay.merged.cache_clear()
    assert data_root() == third, "nothing has changed"


def test_errors_name_the_users_file(own: Path, run: cli_runs.Command) -> None:
    board = own / "boards" / f"{BOARD}.toml"
    board.write_text(board.read_text() + "\ncolour = 1\n", encoding="utf-8")
    overlay.merged.cache_clear()
    refused = run("measure", "sha-256/small", "--board", BOARD).refused()
    assert str(board) in refused and "cache" not in refused


def test_doctor_counts_the_users_files(own: Path, run: cli_runs.Command) -> None:
    assert f"with 1 file from {own}" in run("doctor").out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bords", "'bords' is not a folder of data; did you mean boards"),
        ("xyz", "'xyz' is not a folder of data; known are algorithms, boards"),
    ],
)
def test_a_folder_that_would_replace_nothing_is_an_error(
    own: Path, name: str, message: str
) -> None:
    (own / name).mkdir()
    with pytest.raises(UserError, match=message):
        data_root()


def test_a_missing_folder_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(overlay.VARIABLE, "/no/where")
    with pytest.raises(UserError, match="/no/where: there is no such folder; correct or unset it"):
        data_root()
