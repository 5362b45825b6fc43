"""scripts/setup.py on machines that lack something."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "setup.py"


@pytest.fixture
def setup(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("pennyweight_setup", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "pennyweight_setup", module)
    spec.loader.exec_module(module)
    return module


def ordinary_user(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """No root and no sudo; apt-get is installed."""
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(
        setup.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None
    )


def tool(setup: ModuleType, required: bool, present: bool = False) -> object:
    return setup.Tool("a compiler", lambda: present, ("gcc-example", "libc-example"), required)


def test_without_root_a_required_tool_is_named_with_its_packages(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordinary_user(setup, monkeypatch)
    with pytest.raises(setup.SetupError) as caught:
        setup.install_system_packages([tool(setup, required=True)])
    assert str(caught.value) == (
        "a compiler is missing and this needs root or sudo: "
        "install it with `apt-get install gcc-example libc-example`"
    )


def test_without_root_an_optional_tool_is_named_and_the_setup_continues(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ordinary_user(setup, monkeypatch)
    setup.install_system_packages([tool(setup, required=False)])
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert "`apt-get install gcc-example libc-example`" in printed
    assert "the boards that need it are skipped" in printed


def test_as_root_the_packages_are_named_then_installed(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[str]] = []
    installed: list[str] = []

    def fake(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        installed.extend(command[4:] if "install" in command else [])
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(setup.os, "geteuid", lambda: 0)
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(setup.subprocess, "run", fake)
    wanted = setup.Tool("a compiler", lambda: "gcc-example" in installed, ("gcc-example",), True)
    setup.install_system_packages([wanted])
    assert capsys.readouterr().out.splitlines() == [
        "setup: installing system packages: gcc-example",
        "setup:   1 of 1: gcc-example",
    ]
    assert commands[-1] == [
        *("/usr/bin/apt-get", "install", "-y", "--no-install-recommends"),
        "gcc-example",
    ]


def test_a_package_that_does_not_bring_the_tool_is_an_error(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fake(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 100, "", "E: Unable to locate package\n")

    monkeypatch.setattr(setup.os, "geteuid", lambda: 0)
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(setup.subprocess, "run", fake)
    with pytest.raises(setup.SetupError, match=r"did not bring a compiler.*Unable to locate"):
        setup.install_system_packages([tool(setup, required=True)])


def test_installed_packages_are_not_installed_again(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup.subprocess, "run", lambda *_, **__: pytest.fail("ran a command"))
    monkeypatch.setattr(setup, "rust_problems", lambda _: [])
    there = tool(setup, required=True, present=True)
    setup.install_system_packages(setup.check_prerequisites("bench", [there]))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("rustc 1.63.0 (4b91a6ea7 2022-08-08)", "too old: the simulators need Rust 1.88 or newer"),
        ("gibberish", "not a version"),
    ],
)
def test_a_rust_that_will_not_do_is_refused(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, printed: str, sentence: str
) -> None:
    def fake(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0, printed, "")

    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(setup.subprocess, "run", fake)
    with pytest.raises(setup.SetupError, match=sentence):
        setup.rust_version()


def test_without_rust_the_remedy_is_named(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(setup.shutil, "which", lambda name: None)
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    with pytest.raises(setup.SetupError, match="install a current stable Rust"):
        setup.rust_version()
    for name in ("cargo", "rustc"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).touch()
    with pytest.raises(setup.SetupError, match=f"Rust is in {tmp_path}/bin, .*export PATH="):
        setup.rust_version()


def test_everything_missing_is_reported_before_anything_is_done(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ordinary_user(setup, monkeypatch)
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    monkeypatch.setattr(setup.subprocess, "run", lambda *_, **__: pytest.fail("ran a command"))
    tools = [tool(setup, required=True), tool(setup, required=False), tool(setup, required=True)]
    with pytest.raises(setup.SetupError) as caught:
        setup.check_prerequisites("bench", tools)
    rust, *others = caught.value.args
    assert rust.startswith("Rust is missing: install")
    assert [text.split(":")[1] for text in others] == [
        " install it with `apt-get install gcc-example libc-example`"
    ] * 2


def test_what_is_missing_and_can_be_done_without_does_not_end_the_setup(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordinary_user(setup, monkeypatch)
    monkeypatch.setattr(setup, "rust_version", lambda: "rustc 1.95.0")
    compiler = tool(setup, required=False)
    assert setup.check_prerequisites("bench", [compiler]) == [compiler]


def test_the_tests_need_rustfmt_and_clippy_and_the_campaign_does_not(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fake(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, int(command[0] == "cargo"), "", "")

    monkeypatch.setattr(setup, "rust_version", lambda: "rustc 1.95.0")
    monkeypatch.setattr(setup.subprocess, "run", fake)
    assert setup.check_prerequisites("bench", []) == []
    with pytest.raises(setup.SetupError) as caught:
        setup.check_prerequisites("test", [])
    assert ["`rustup component add rustfmt`" in text for text in caught.value.args] == [True, False]
    assert ["`rustup component add clippy`" in text for text in caught.value.args] == [False, True]


def test_a_broken_or_foreign_stamp_counts_as_none(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    stamp = tmp_path / "stamp.json"
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "STAMP", stamp)
    assert setup.read_stamp() == {}
    stamp.write_text("{half")
    assert setup.read_stamp() == {}
    setup.write_stamp({"python": "1"})
    assert setup.read_stamp()["python"] == "1"
    monkeypatch.setattr(setup, "ROOT", tmp_path / "moved")
    assert setup.read_stamp() == {}


def test_the_digest_sees_names_and_contents(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    (tmp_path / "a").mkdir()
    file = tmp_path / "a" / "one"
    file.write_text("1")
    first = setup.digest_of([tmp_path / "a"])
    file.write_text("2")
    second = setup.digest_of([tmp_path / "a"])
    file.rename(tmp_path / "a" / "two")
    third = setup.digest_of([tmp_path / "a"])
    assert len({first, second, third}) == 3


def test_the_simulators_are_optimised_except_for_a_quick_answer(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    profiles: list[str] = []
    installed: list[str] = []

    def run(command: list[str], what: str) -> None:
        if "maturin" in command[0]:
            profiles.append(command[command.index("--profile") + 1])
            into = Path(command[command.index("--out") + 1])
            into.mkdir(parents=True)
            (into / f"{profiles[-1]}.whl").touch()
        elif "install" in command:
            installed.append(Path(command[-1]).name)
        else:
            assert command[-1] == str(setup.NOTICES)

    monkeypatch.setattr(setup, "run", run)
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(setup, "simulator_sources", lambda: [])
    monkeypatch.setattr(setup, "rust_version", lambda: "rustc 1.99")
    stamp: dict[str, str] = {}
    setup.simulator_wheel(stamp, "dev")
    setup.simulator_wheel(stamp, "dev")
    assert (profiles, installed) == (["dev"], ["dev.whl"]), "once"
    for number, (profile, quicker) in enumerate(
        [("tests", ["tests", "dev"]), ("release", ["release", "tests", "dev"])], start=1
    ):
        setup.simulator_wheel(stamp, profile)
        assert (profiles[number:], installed[number:]) == ([profile], [f"{profile}.whl"])
        for each in quicker:
            setup.simulator_wheel(stamp, each)
            assert len(installed) == number + 1, "what is installed is better"
        other: dict[str, str] = {}
        setup.simulator_wheel(other, "dev")
        assert len(profiles) == number + 1, "another clone has built it"
        assert installed.pop() == f"{profile}.whl"


def test_an_unknown_goal_shows_the_usage() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "lunch"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "setup.py bench" in done.stderr


def test_lock_files_pin_versions_and_hashes_and_hold_no_addresses() -> None:
    for name in ("build", "dev"):
        lock = (SCRIPT.parent.parent / "requirements" / f"{name}.txt").read_text()
        requirements = [
            line for line in lock.splitlines() if line and not line.startswith((" ", "#"))
        ]
        assert len(requirements) > 20
        assert all("==" in line for line in requirements)
        assert lock.count("--hash=sha256:") >= len(requirements)
        assert "://" not in lock


def test_a_machine_without_the_packaged_avr_compiler_gets_the_distributions(
    setup: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [avr] = [each for each in setup.BENCH_TOOLS if "gcc-avr" in each.packages]
    monkeypatch.setattr(setup.platform, "machine", lambda: "x86_64")
    assert avr.present()
    ordinary_user(setup, monkeypatch)
    monkeypatch.setattr(setup.platform, "machine", lambda: "aarch64")
    assert not avr.present()
    setup.install_system_packages([avr])
    printed = capsys.readouterr().out
    assert "`apt-get install gcc-avr avr-libc`" in printed
    assert "ATmega4809" in printed


def test_pip_is_not_silent(
    setup: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(
        "#!/bin/sh\necho Collecting a\necho Collecting b\n"
        "echo Installing collected packages: a, b\nexit ${FAIL:-0}\n"
    )
    python.chmod(0o755)
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "SAY_EVERY_S", 0.0)
    setup.run_pip(["a"], 7)
    assert capsys.readouterr().out.splitlines() == [
        "setup:   1 of 7",
        "setup:   2 of 7",
        "setup:   installing 2 packages",
    ]
    monkeypatch.setenv("FAIL", "1")
    with pytest.raises(setup.SetupError, match="Collecting b"):
        setup.run_pip(["a"], 7)
