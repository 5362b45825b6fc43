"""Manual pages: one for each command, with what its help has, in valid roff."""

from __future__ import annotations

import re

import click
import pytest
from scripts.man.__main__ import write
from scripts.man.page import escaped, subcommands

from pennyweight.cli.group import program

MACROS = {".TH", ".SH", ".PP", ".TP", ".B", ".nf", ".fi"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("man")
    (folder / "pennyweight-renamed.1").write_text("a page of an earlier version\n")
    (folder / "other.1").write_text("a page of another program\n")
    write(folder)
    (folder / "other.1").unlink()
    return {each.stem: each.read_text(encoding="utf-8") for each in folder.iterdir()}


def plain(roff: str) -> str:
    """What a reader sees, without layout."""
    lines = [line for line in roff.splitlines() if line.split(" ")[0] not in MACROS - {".B"}]
    text = "\n".join(line.removeprefix(".B ").replace("\\&", "") for line in lines)
    return re.sub(r"\\f[BP]", "", text).replace("\\-", "-").replace("\\e", "\\")


def test_each_command_has_a_page_and_no_other(pages: dict[str, str]) -> None:
    top = click.Context(program, info_name="pennyweight")
    names = {f"pennyweight-{each.info_name}" for each in subcommands(top)}
    assert len(names) > 20 and {"pennyweight", *names} <= pages.keys()
    assert "pennyweight-toolchain-install" in pages and "pennyweight-renamed" not in pages
    assert all(f"{name}(1)" in plain(pages["pennyweight"]) for name in names)


def test_a_page_has_the_options_and_examples_of_the_command(pages: dict[str, str]) -> None:
    command = program.get_command(click.Context(program), "measure")
    assert command is not None
    text = plain(pages["pennyweight-measure"])
    for each in command.params:
        if isinstance(each, click.Option):
            assert each.opts[0] in text
    for example in getattr(command, "examples"):  # noqa: B009 - not an attribute of click's class
        assert example in text.splitlines()


def test_each_page_has_both_names_of_the_option_for_help(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        assert "\n\\fB\\-h, \\-\\-help\\fP\n" in text, name


def test_only_known_macros_begin_a_line(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        for line in text.splitlines():
            assert line and line[0] != "'", (name, line)
            assert line[0] != "." or line.split(" ")[0] in MACROS, (name, line)
            assert not re.search(r"(?<!\\)-", line), (name, line)


def test_text_that_roff_would_interpret_is_escaped() -> None:
    assert escaped("'aes-*' and\n.TH") == "\\&'aes\\-*' and\n\\&.TH"
    assert escaped("a\\b") == "a\\eb"
