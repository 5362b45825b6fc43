"""The steps of a tier run side by side, fail loudly, and are answered from the cache only as long
as nothing that they depend on has changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from scripts.tiers import step as step_module
from scripts.tiers import steps
from scripts.tiers.runner import Outcome, Runner, summary
from scripts.tiers.step import ROOT, Command, Item, Step, each_file, printed, tracked


@pytest.fixture(autouse=True)
def no_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENNYWEIGHT_TEST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(steps.BIN), prepend=os.pathsep)


def python(program: str) -> Command:
    return lambda names: (sys.executable, "-c", program, *names)


def run(*chosen: Step, lanes: int = 2) -> dict[str, Outcome]:
    return {each.step.name: each for each in Runner(chosen, lanes).run()}


@pytest.fixture
def step(tmp_path: Path) -> Step:
    """A step with two items that notes the items for which it runs."""
    items = []
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
        items.append(Item(name, (tmp_path / name,)))
    note = f"import sys; open({str(tmp_path / 'ran')!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')"
    return Step("check", python(note), tuple(items), "tool 1.0")


def ran(step: Step) -> list[str]:
    """What it ran for, each time; forgets it."""
    note = step.items[0].files[0].parent / "ran"
    lines = note.read_text().splitlines() if note.exists() else []
    note.unlink(missing_ok=True)
    return lines


def test_what_has_passed_is_answered_from_the_cache(step: Step) -> None:
    assert (run(step)["check"].run, ran(step)) == (2, ["one two"])
    outcome = run(step)["check"]
    assert (outcome.passed, outcome.cached, outcome.run, ran(step)) == (True, 2, 0, [])


def test_a_change_of_any_input_makes_it_run_again(step: Step) -> None:
    run(step)
    ran(step)
    step.items[1].files[0].write_text("changed")
    run(step)
    assert ran(step) == ["two"]
    run(replace(step, tools="tool 1.1"))
    assert ran(step) == ["one two"]
    run(replace(step, command=lambda names: (*step.command(names), "--strict")))
    assert ran(step) == ["one two --strict"]
    run(replace(step, items=(*step.items, Item("three", step.items[0].files))))
    assert ran(step) == ["three"]
    run(step)
    assert ran(step) == []


def test_what_failed_or_changed_meanwhile_has_no_verdict(step: Step) -> None:
    fails = replace(step, command=python("raise SystemExit('broken')"))
    for _ in range(2):
        outcome = run(fails)["check"]
        assert (outcome.passed, outcome.run) == (False, 2)
        assert "broken" in outcome.output
    first = step.items[0].files[0]
    changes = replace(step, command=python(f"open({str(first)!r}, 'a').write('x')"))
    run(changes)
    assert run(changes)["check"].run == 1


def test_all_failures_are_reported_and_what_needs_them_does_not_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    chosen = [
        Step("good", python("print('quiet')")),
        Step("bad", python("print('loud'); raise SystemExit(3)")),
        Step("needs bad", python("print('never')"), needs=("bad",)),
        Step("after bad", python("pass"), after=("bad",)),
        Step("absent", lambda _names: ["no-such-program"]),
        Step("followed", python("print('shown'); raise SystemExit(1)"), follows=True),
    ]
    outcomes = run(*chosen, lanes=1)
    assert {name: each.passed for name, each in outcomes.items()} == {
        **{"good": True, "bad": False, "needs bad": False},
        **{"after bad": True, "absent": False, "followed": False},
    }
    printed = capsys.readouterr().out
    assert "loud" in printed and "shown" in printed
    assert "quiet" not in printed and "never" not in printed
    assert "no-such-program: No such file or directory" in printed
    assert not summary(list(outcomes.values()), 1.0)
    listed = capsys.readouterr().out.split("FAILED")[1:]
    assert [each.strip() for each in listed] == ["followed", "bad", "needs bad", "absent"]


def test_independent_steps_run_side_by_side(tmp_path: Path) -> None:
    meet = (
        "import pathlib, sys, time\n"
        "mine, other = map(pathlib.Path, sys.argv[1:])\n"
        "mine.touch()\n"
        "while not other.exists(): time.sleep(0.01)\n"
    )

    def waiting(mine: str, other: str) -> Step:
        places = [str(tmp_path / each) for each in (mine, other)]
        return Step(mine, lambda _names: (sys.executable, "-c", meet, *places))

    assert all(each.passed for each in run(waiting("a", "b"), waiting("b", "a")).values())


def test_what_only_prepares_runs_only_if_needed(step: Step, tmp_path: Path) -> None:
    made = tmp_path / "made"
    prepares = Step("make", python(f"open({str(made)!r}, 'w')"), prepares=True)
    needs = replace(step, needs=("make",))
    assert set(run(prepares, needs)) == {"make", "check"}
    made.unlink()
    assert set(run(prepares, needs)) == {"check"}
    assert not made.exists()


def unit_test_step() -> Step:
    return next(each for each in steps.unit_tests() if each.items)


def test_the_digest_reads_the_sources_of_all_simulators() -> None:
    crates = {each.name: set(each.files) for each in unit_test_step().items}
    read = set(tracked("simulator/*/src/*.rs", ":!simulator/checks", ":!simulator/fuzz"))
    assert {each.relative_to(ROOT).parts[1] for each in read} >= {"avr", "python", "xtensa"}
    assert read <= crates["pennyweight-digest"]
    assert not read <= crates["pennyweight-avr"]


@pytest.mark.parametrize(
    ("program", "commands"),
    [
        ("c++", {"avr"}),
        ("qemu-system-arm", {"thumb v6m", "thumb v7m", "thumb v7em", "thumb v8m"}),
        ("mspdebug", {"msp430 original", "msp430 cpux"}),
        ("qemu-system-mipsel", {"mips", "mips mips16e"}),
        (
            "qemu-system-riscv32",
            {"riscv rv32imac", "riscv rv32imc", "riscv rv32imac-zbs", "riscv rv32ec"},
        ),
        ("qemu-system-xtensa", {"xtensa", "xtensa windowed"}),
    ],
)
def test_another_version_of_an_independent_simulator_makes_its_tests_run_again(
    program: str, commands: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def keys() -> dict[str, str]:
        lock = {each.name: each.keys()["all"] for each in steps.lock_steps()}
        return {**lock, **unit_test_step().keys()}

    before = keys()
    monkeypatch.setattr(
        steps, "printed", lambda *command: "2.0" if command[0] == program else printed(*command)
    )
    changed = {name for name, key in keys().items() if key != before[name]}
    assert changed == {"pennyweight-checks", *(f"lock step: {each}" for each in commands)}


def test_simulators_that_are_libraries_are_inputs() -> None:
    checks = next(each for each in unit_test_step().items if each.name == "pennyweight-checks")
    lock = next(each for each in steps.lock_steps() if each.name == "lock step: avr")
    for files in (checks.files, lock.items[0].files):
        assert {"libsimavr.so", "sim_avr.h", "RECORD"} <= {each.name for each in files}
    assert (
        "yasimavr" in next(each for each in lock.items[0].files if each.name == "RECORD").parts[-2]
    )


def test_a_variable_of_the_environment_is_an_input(
    step: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = step.keys()
    monkeypatch.setenv("RUSTFLAGS", "-C debug-assertions=off")
    assert step.keys() != before
    monkeypatch.delenv("RUSTFLAGS")
    assert replace(step, environment={"A": "1"}).keys() != before
    assert replace(step, environment={}).keys() == step.keys() == before


def test_a_new_file_is_an_item_before_it_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("made.c\n")
    for name in ("new.c", "made.c", "page.md"):
        (tmp_path / name).touch()
    monkeypatch.setattr(step_module, "ROOT", tmp_path)
    tracked.cache_clear()
    found = [item.name for item in each_file("*.c")]
    tracked.cache_clear()
    assert found == ["new.c"]


def test_the_steps_of_this_project_name_their_inputs() -> None:
    found = {each.name: each for each in steps.of("test")}
    missing = [name for name, each in found.items() if "No such file" in each.tools]
    assert missing == []
    for name, each in found.items():
        always = name in (steps.COMPILER, steps.EXTENSION)
        assert bool(each.items) != (each.follows or each.prepares or always)
        assert bool(each.items) == bool(each.tools)
        assert all(file.is_file() for item in each.items for file in item.files)
    for name in ("clippy", "lock step: avr"):
        files = {file.name for file in found[name].items[0].files}
        assert {"Cargo.lock", "simavr_peer.c", "atmega328p.toml", "timing.rs"} <= files
    crates = {each.name: each.files for each in found["simulators: unit tests"].items}
    assert {"pennyweight-avr", "pennyweight-mips", "pennyweight-checks"} <= crates.keys()
    reached = {file.parts[-3] for file in crates["pennyweight-avr"] if file.suffix == ".rs"}
    assert {"avr", "machine"} <= reached and "mips" not in reached
    for each in found.values():
        assert (steps.EXTENSION in each.needs) == ("Python" in each.name or "MSP430" in each.name)
    quick = {each.name for each in steps.of("check")}
    assert {each.name for each in steps.of("lint")} < quick
    assert {name for name in found if "Python" not in name} - quick <= {steps.COMPILER}
