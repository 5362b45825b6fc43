"""A translation unit's hash covers everything that its object depends on, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host import units
from host.units import Compiler, Program, Unit, clang, compile_into, finding, messages
from verdicts import Inputs, storage

SOURCE = """#include "outer.h"
#include <stdint.h>
#ifdef NEVER
#include "never.h"
#endif
#include TABLE
uint8_t value(void) { return OUTER + USED; }
"""


@pytest.fixture(autouse=True)
def no_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENNYWEIGHT_TEST_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def unit(tmp_path: Path) -> Unit:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    (tmp_path / "value.c").write_text(SOURCE)
    (tmp_path / "second" / "outer.h").write_text('#include "inner.h"\n')
    (tmp_path / "second" / "inner.h").write_text("#define OUTER 1\n")
    (tmp_path / "second" / "never.h").write_text("#error\n")
    (tmp_path / "second" / "table.h").write_text("\n")
    options = ("-DUSED=2", "-DUNUSED=3", '-DTABLE="table.h"')
    folders = (f"-I{tmp_path / 'first'}", f"-I{tmp_path / 'second'}")
    return Unit(Compiler("clang", ("-O1",), clang()), tmp_path / "value.c", (*options, *folders))


def written(path: str, text: str) -> Callable[[Unit], Unit]:
    def change(unit: Unit) -> Unit:
        (unit.source.parent / path).write_text(text)
        return unit

    return change


def called(**changed: Any) -> Callable[[Unit], Unit]:
    return lambda unit: replace(unit, compiler=replace(unit.compiler, **changed))


def option(before: str, after: str) -> Callable[[Unit], Unit]:
    return lambda unit: replace(
        unit, options=tuple(after if each == before else each for each in unit.options)
    )


CHANGES: dict[str, Callable[[Unit], Unit]] = {
    "source": written("value.c", SOURCE + "\n"),
    "header": written("second/outer.h", '#include "inner.h"\n\n'),
    "header of a header": written("second/inner.h", "#define OUTER 2\n"),
    "header under a condition": written("second/never.h", "\n"),
    "header behind a macro": written("second/table.h", "\n\n"),
    "header earlier in the search": written("first/outer.h", "#define OUTER 1\n"),
    "header next to the source": written("outer.h", "#define OUTER 1\n"),
    "macro": option("-DUSED=2", "-DUSED=3"),
    "flags": called(flags=("-O2",)),
    "compiler": called(identity="another"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_anything_changes_the_hash(unit: Unit, change: str) -> None:
    before = unit.key()
    assert CHANGES[change](unit).key() != before


def test_a_source_edited_during_a_run_has_another_fresh_hash(
    unit: Unit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "ROOT", tmp_path)
    found = Inputs(units=(Program((unit,), ()),))
    before = found.digest()
    assert found.digest(fresh=True) == before
    written("value.c", SOURCE + "\n")(unit)
    assert found.digest() == before
    assert found.digest(fresh=True) != before


def test_a_header_of_the_system_is_part_of_the_hash(unit: Unit, tmp_path: Path) -> None:
    system = tmp_path / "system"
    system.mkdir()
    keys: set[str] = set()
    for text in ("#define HERE 1\n", "#define HERE 2\n"):
        (system / "here.h").write_text(text)
        unit.source.write_text("#include <here.h>\n")
        # Flags with another name, because facts about a compiler are cached for one run.
        compiler = replace(unit.compiler, flags=("-isystem", str(system), f"-DRUN{len(keys)}"))
        keys.add(compiler.system(frozenset({"here.h"})))
    assert len(keys) == 2


def test_macros_that_no_text_mentions_and_places_do_not_count(unit: Unit, tmp_path: Path) -> None:
    before = unit.key()
    assert option("-DUNUSED=3", "-DUNUSED=4")(unit).key() == before
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for folder in ("first", "second", "value.c"):
        (tmp_path / folder).rename(elsewhere / folder)
    options = tuple(each.replace(str(tmp_path), str(elsewhere)) for each in unit.options)
    assert Unit(unit.compiler, elsewhere / "value.c", options).key() == before


def test_where_names_are_pasted_together_all_macros_count(unit: Unit) -> None:
    unit.source.write_text(SOURCE + "#define JOIN(x, y) x ## y\n")
    before = unit.key()
    assert option("-DUNUSED=3", "-DUNUSED=4")(unit).key() != before


def test_an_object_is_made_once_and_again_if_it_is_damaged(unit: Unit, tmp_path: Path) -> None:
    target = tmp_path / "value.o"
    compile_into(unit, target)
    made = target.read_bytes()
    assert storage.read_object(unit.key()) == made
    [kept] = (each for each in (tmp_path / "cache").rglob("*") if each.is_file())
    kept.write_bytes(kept.read_bytes()[:-1] + b"!")
    assert storage.read_object(unit.key()) is None
    compile_into(unit, target)
    assert target.read_bytes() == made
    assert storage.read_object(unit.key()) == made


def test_what_does_not_compile_leaves_nothing(unit: Unit, tmp_path: Path) -> None:
    unit.source.write_text("int\n")
    with pytest.raises(AssertionError, match="error: expected"):
        compile_into(unit, tmp_path / "value.o")
    assert not [each for each in (tmp_path / "cache").rglob("*") if each.is_file()]


def test_a_warning_is_found_each_time_and_silence_is_kept(unit: Unit) -> None:
    warned = replace(unit, compiler=replace(unit.compiler, flags=("-Wunused-variable",)))
    unit.source.write_text("int f(void) { int unused; return 0; }\n")
    for _ in range(2):
        assert "unused variable" in (finding(warned, messages) or "")
    unit.source.write_text("int f(void) { return 0; }\n")
    runs = []

    def counted(each: Unit) -> str:
        runs.append(each)
        return messages(each)

    for _ in range(2):
        assert finding(warned, counted) is None
    assert len(runs) == 1
