"""The prose check: what it finds in pages and sources, and that the repository passes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePath

import pytest
from scripts.prose.__main__ import ROOT, WORDS, findings
from scripts.prose.rules import read_word_list

CONFIGURATION = """
longest_sentence = 12
allowed = ["known-answer tests?"]

[[scope]]
files = ["**/*.md"]
exclude = ["drafts/**/*.md"]
parts = ["text"]

[[scope]]
files = ["src/*"]
parts = ["comments", "docstrings", "strings", "names"]

[[rule]]
avoid = "tells?|told"
instead = "report"

[[rule]]
avoid = "in little code"
instead = "small"

[[rule]]
avoid = "answer"
instead = "output"
"""


def found_in(folder: Path, name: str, text: str) -> list[str]:
    """What the check finds in one file of a repository with the configuration above."""
    (folder / "words.toml").write_text(CONFIGURATION)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    words = read_word_list(folder / "words.toml")
    return [str(each) for each in findings(folder, words, [PurePath(name)])]


def test_a_bad_sentence_is_found_with_its_line_and_a_better_word(tmp_path: Path) -> None:
    page = "# Title\n\nA page.\nIt tells\nthe reader.\n"
    assert found_in(tmp_path, "page.md", page) == ["page.md:4: avoid 'tells': write report"]


def test_a_phrase_may_be_broken_across_lines(tmp_path: Path) -> None:
    assert found_in(tmp_path, "a/page.md", "> A cipher in\n> little code.\n") == [
        "a/page.md:1: avoid 'in little code': write small"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Run `it tells`.\n",
        "```text\nit tells\n```\n",
        "<!-- it tells -->\n",
        "Foretells.\n",
        "A known-answer test passes.\n",
    ],
)
def test_code_and_allowed_terms_are_not_prose(tmp_path: Path, text: str) -> None:
    assert found_in(tmp_path, "page.md", text) == []


def test_a_long_sentence_is_found_and_several_short_ones_are_not(tmp_path: Path) -> None:
    long = "One sentence that has more words than anybody wants to read at a time."
    assert found_in(tmp_path, "page.md", f"Short.\n\nFirst. {long}\n") == [
        "page.md:3: sentence of 14 words; 12 are the limit"
    ]
    assert found_in(tmp_path, "page.md", "Six words are not too many. " * 5) == []


def test_tables_headings_and_lists_are_checked(tmp_path: Path) -> None:
    page = "# Told\n\n- tells\n\n| a | b |\n| --- | --- |\n| x | told |\n"
    lines = [each.split(":")[1] for each in found_in(tmp_path, "page.md", page)]
    assert lines == ["1", "3", "7"]


def test_comments_docstrings_strings_and_names_of_sources_are_checked(tmp_path: Path) -> None:
    source = (
        '"""It tells."""\n'
        "value = 1  # told\n"
        'text = ("in "\n    "little code")\n'
        "def what_it_told() -> None: ...\n"
        "class WhoTells: ...\n"
        "# `told` is a name\n"
    )
    lines = [each.split(":")[1] for each in found_in(tmp_path, "src/code.py", source)]
    assert lines == ["1", "2", "3", "5", "6"]
    header = "/* It\n * tells. */\nint x; // told\n"
    lines = [each.split(":")[1] for each in found_in(tmp_path, "src/code.h", header)]
    assert lines == ["2", "3"]


@pytest.mark.parametrize("name", ["code.c", "code.h", "code.S", "code.inc", "code.ld"])
def test_comments_of_c_assembly_and_linker_scripts_are_checked(tmp_path: Path, name: str) -> None:
    source = (
        "/* It\n * tells. */\n"
        "#define TEXT 1 /* A cipher in little code. */\n"
        "#if 1\nvalue: x = 1; // told\n#endif\n"
        "/* `told` is a name. */\n"
    )
    words = CONFIGURATION.replace('"comments", "docstrings", "strings", "names"', '"comments"')
    (tmp_path / "words.toml").write_text(words)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / name).write_text(source)
    found = findings(tmp_path, read_word_list(tmp_path / "words.toml"), [PurePath("src", name)])
    assert [each.line for each in found] == [2, 3, 5]


def test_notes_of_a_manifest_are_checked_across_continued_lines(tmp_path: Path) -> None:
    manifest = '''# It tells.
title = "{title}, told"
notes = """A cipher in \\
little code."""
'''
    lines = [each.split(":")[1] for each in found_in(tmp_path, "src/manifest.toml", manifest)]
    assert lines == ["1", "2", "3"]


def test_text_comments_and_labels_of_templates_are_checked(tmp_path: Path) -> None:
    template = (
        "{#- It tells. -#}\n"
        '<p class="told">It is told by <b>a\n  cipher in</b> little code.</p>\n'
        "<p>{{ told }}, <code>told</code> {% if told %}and{% endif %}</p>\n"
        '<select aria-label="Untold">\n'
        "<script>told();</script>\n"
        '<input placeholder="Told">\n'
    )
    words = CONFIGURATION.replace('["src/*"]', '["*.j2"]').replace('"names"', '"text"')
    (tmp_path / "words.toml").write_text(words)
    (tmp_path / "page.html.j2").write_text(template)
    path = PurePath("page.html.j2")
    found = findings(tmp_path, read_word_list(tmp_path / "words.toml"), [path])
    assert [each.line for each in found] == [1, 7, 2, 3]


def test_files_outside_every_scope_are_not_checked(tmp_path: Path) -> None:
    assert found_in(tmp_path, "drafts/page.md", "It tells.\n") == []
    assert found_in(tmp_path, "code.py", "# It tells.\n") == []
    assert found_in(tmp_path, "src/deep/code.py", "# It tells.\n") == []


def test_an_unknown_part_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text(CONFIGURATION.replace('"names"', '"jokes"'))
    with pytest.raises(ValueError, match="unknown part 'jokes': use text, comments"):
        read_word_list(path)


def test_a_bad_word_makes_the_command_fail(tmp_path: Path) -> None:
    """The linters of every tier run the command on all files."""
    command = [sys.executable, "-m", "scripts.prose", "README.md"]
    clean = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (clean.returncode, clean.stdout) == (0, ""), clean.stdout
    stricter = tmp_path / "words.toml"
    stricter.write_text(
        WORDS.read_text(encoding="utf-8") + '\n[[rule]]\navoid = "cycles"\ninstead = "x"\n'
    )
    command += ["--words", str(stricter)]
    failing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert failing.returncode == 1 and "README.md:3: avoid 'cycles'" in failing.stdout
