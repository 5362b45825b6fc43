"""The measured choice of the fastest constant-time implementations, and that it is right."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from scripts.fastest.measuring import (
    Contest,
    asked_by_studies,
    bundled_studies,
    cases_of,
    contests,
    measured,
)

from board_choice import number
from pennyweight import catalogue
from pennyweight.campaign.plan import plan_study, planned
from pennyweight.catalogue import Implementation
from pennyweight.catalogue.boards import load_board
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.studies import Study, read_study
from pennyweight.studies.fastest import (
    FLAGS,
    FastestTable,
    choose,
    fastest_of,
    is_candidate,
    read_fastest,
)
from pennyweight.toolchains import missing
from verdicts import Inputs, cached

KNOWN = catalogue.load()
CANDIDATES = [each for each in KNOWN.implementations if is_candidate(each)]
ROOT = Path(__file__).parent.parent


def of(algorithm: str) -> list[Implementation]:
    return [each for each in KNOWN.implementations if each.algorithm == algorithm]


def test_each_length_chooses_the_fewest_cycles() -> None:
    assert choose({"a": (10, 90), "b": (11, 80), "c": (12, 85)}) == ("a", "b")
    assert choose({"a": (10, 90), "b": (11, 95)}) == ("a",)


def test_of_equal_ones_the_first_by_name_is_chosen() -> None:
    assert choose({"b": (10, 90), "a": (10, 90)}) == ("a",)


def test_what_does_not_fit_is_not_chosen() -> None:
    assert choose({"a": (None, None), "b": (11, None)}) == ("b",)
    assert choose({"a": (None, None)}) == ()
    assert choose({}) == ()


def test_the_table_reads_what_it_writes(tmp_path: Path) -> None:
    table = FastestTable(
        ("one", "two"), {("x", "-Os"): (("a", "b"), ()), ("x", "-O3"): (("a",), ("b",))}
    )
    path = tmp_path / "fastest.tsv"
    path.write_text(table.text(), encoding="utf-8")
    assert read_fastest(path) == table


def test_new_choices_replace_old_ones_and_nothing_else() -> None:
    table = FastestTable(("one",), {("x", "-Os"): (("a",),), ("y", "-Os"): (("b",),)})
    renewed = table.replaced(["two"], {("x", "-Os", "two"): ("c",), ("x", "-Os", "one"): ("d",)})
    assert renewed.boards == ("one", "two")
    assert renewed.rows == {("x", "-Os"): (("d",), ("c",)), ("y", "-Os"): (("b",), None)}
    assert renewed.restricted(["two"], ["x"]).rows == {("x", "-Os"): (("c",),)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"line 1: the header .* `make fastest`"),
        ("name\tflags\tone\n", r"line 1: the header"),
        ("algorithm\tflags\tone\nx\t-Os\n", r"line 2: expected an algorithm, .* and 1 cells"),
        ("algorithm\tflags\tone\nx\t-O9\ta\n", r"line 2: expected an algorithm, one of -Os, -O3"),
    ],
)
def test_a_damaged_table_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "fastest.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        read_fastest(path)


TABLE = FastestTable(
    ("sam3x8e", "stm32f030", "stm32f429"),
    {
        ("ascon-aead128", "-Os"): (("small",), ("fast8",), ("small-bi32",)),
        ("ascon-aead128", "-O3"): (("bi32",), ("fast32",), ("bi32", "small-bi32")),
    },
)


def chosen(board: str, *flags: str) -> set[str]:
    found = fastest_of(of("ascon-aead128"), KNOWN.board(board), flags, KNOWN.boards, TABLE)
    return {each.partition("/")[2] for each in found}


def test_a_study_takes_the_choice_at_its_flags() -> None:
    assert chosen("sam3x8e", "-Os") == {"small"}
    assert chosen("sam3x8e", "-O2") == {"bi32"}
    assert chosen("sam3x8e", "-O3 -funroll-loops", "-Os") == {"bi32", "small"}


def test_a_board_that_is_not_listed_takes_the_choice_of_its_core(tmp_path: Path) -> None:
    assert chosen("stm32f407-24mhz", "-O3") == {"bi32", "small-bi32"}
    # No board with this core is listed: all of its width.
    assert chosen("fe310-g002", "-O3") == {"bi32", "small-bi32", "fast32"}
    text = KNOWN.board("sam3x8e").text.replace('id = "sam3x8e"', 'id = "mine"')
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    mine = load_board(path)
    assert fastest_of(of("ascon-aead128"), mine, ["-O3"], KNOWN.boards, TABLE) == {
        "ascon-aead128/bi32"
    }


def test_the_fastest_assembly_is_not_chosen_for_other_cores() -> None:
    rows = {("ascon-aead128", level): (("asm",), ("asm",), ("asm", "bi32")) for level in FLAGS}
    table = FastestTable(("sam3x8e", "pic32mx340", "stm32f429"), rows)

    def names(board: str) -> set[str]:
        where = KNOWN.board(board)
        found = fastest_of(of("ascon-aead128"), where, ["-O3"], KNOWN.boards, table)
        return {each.partition("/")[2] for each in found}

    assert names("sam3x8e") == {"asm"}
    assert names("stm32f407-24mhz") == {"asm", "bi32"}
    # Of the choices of its width, the one that is C.
    assert names("esp8266") == {"bi32"}
    # All choices are assembly for other cores.
    everything = {each.name for each in of("ascon-aead128") if is_candidate(each)}
    assert names("pic32mx340") == everything - {"asm", "asm8", "halves-asm"}


def test_an_algorithm_that_is_not_measured_yet_is_included() -> None:
    found = fastest_of(of("sha-256"), KNOWN.board("sam3x8e"), ["-Os"], KNOWN.boards, TABLE)
    assert found == {each.id for each in of("sha-256") if is_candidate(each)}


def test_table_code_and_packages_of_users_are_no_candidates() -> None:
    names = {each.name for each in of("aes-128-gcm") if is_candidate(each)}
    assert "ct32" in names
    assert not {name for name in names if "table" in name}
    assert not is_candidate(replace(of("aes-128-gcm")[0], bundled=False))


def test_a_selection_without_names_and_fastest_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    text = (ROOT / "studies" / "one-euro.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("fastest = true", "").replace("names = [", "name = ["), "utf-8")
    with pytest.raises(UserError, match="name"):
        read_study(path)
    path.write_text(
        "\n".join(
            line for line in text.splitlines() if not line.startswith(("fastest =", "names = "))
        ),
        "utf-8",
    )
    with pytest.raises(UserError, match=r"selects none: add 'names', or fastest = true"):
        read_study(path)


def test_the_table_has_everything_that_the_studies_use() -> None:
    table = read_fastest()
    for each in asked_by_studies(KNOWN, CANDIDATES, KNOWN.boards.values()):
        names = table.names(each.algorithm, each.flags, each.board.id)
        own = {candidate.name for candidate in each.candidates}
        what = f"{each.algorithm} {each.flags} on {each.board.id}: run `make fastest`"
        assert names is not None, what
        assert set(names) <= own, what


def measures(study: Study, board: str) -> dict[str, set[str]]:
    """The names of the implementations that a study measures on a board, by algorithm."""
    one = study.model_copy(
        update={"boards": (board,), "optional_boards": (), "libraries": (), "packages": ()}
    )
    names: dict[str, set[str]] = {}
    for job in plan_study(one, KNOWN).jobs:
        names.setdefault(job.implementation.algorithm, set()).add(job.implementation.name)
    return names


def contested(study: Study, board: str) -> list[Contest]:
    """Contests on a board of which a study leaves a candidate out, at flags of the table."""
    kept = measures(study, board)
    asked = [each for each in CANDIDATES if each.algorithm in kept]
    return [
        each
        for each in contests(asked, [KNOWN.board(board)], [f for f in study.flags if f in FLAGS])
        if {candidate.name for candidate in each.candidates} - kept[each.algorithm]
    ]


def keys(study: Study, board: str) -> Inputs:
    """The measurements of the contests by their keys, and the table that decides them."""
    if missing(KNOWN.board(board)):
        return Inputs("no compiler")
    names = [
        planned(Job(each, contest.board, contest.flags, cases_of(each), "none")).key
        for contest in contested(study, board)
        for each in contest.candidates
    ]
    return Inputs(
        names,
        files=(ROOT / "studies",),
        stated=("implementations/**/*", "boards/*", "cores/*", "algorithms/**/*", "firmware/**/*"),
    )


def one_of_each_instruction_set(study: Study) -> list[str]:
    """A study's boards, but one of those that have the same instruction set: they mostly agree, and
    `make fastest` measures all.
    """
    found: dict[str, list[str]] = {}
    for name, board in KNOWN.boards.items():
        if any(fnmatchcase(name, text) for text in (*study.boards, *study.optional_boards)):
            found.setdefault(board.core_file.file.instruction_set, []).append(name)
    return [max(names, key=lambda each: number(f"{study.id} {each}")) for names in found.values()]


STUDIES = [
    (study, board)
    for study in bundled_studies()
    if any(selection.fastest for selection in study.implementations)
    for board in one_of_each_instruction_set(study)
]


@cached("fastest implementations", keys)
@pytest.mark.parametrize(
    ("study", "board"), [pytest.param(*each, id=f"{each[0].id}-{each[1]}") for each in STUDIES]
)
def test_no_study_omits_a_faster_implementation(study: Study, board: str) -> None:
    """No constant-time implementation that a study omits is faster than those that it measures."""
    assert missing(KNOWN.board(board)) is None, missing(KNOWN.board(board))
    kept = measures(study, board)
    slower = []
    for contest, cycles in measured(contested(study, board), workers=1):
        names = kept[contest.algorithm]
        for position, case in enumerate(cases_of(contest.candidates[0])):
            at = {n: c for n, each in cycles.items() if (c := each[position]) is not None}
            best = min(at, key=at.__getitem__, default="")
            if best and not any(at.get(name) == at[best] for name in names):
                slower.append(
                    f"{contest.algorithm} {contest.flags}, {case.m} bytes: {best} takes "
                    f"{at[best]:,} cycles; measured are { {n: at.get(n) for n in names} }"
                )
    assert not slower, "run `make fastest`:\n" + "\n".join(slower)
