#!/usr/bin/env python3
"""Installs everything that is missing.

    python3 scripts/setup.py bench        what `make bench` needs
    python3 scripts/setup.py test         what `make test` needs in addition
    python3 scripts/setup.py tools        the same, except the simulators
    python3 scripts/setup.py simulators   the simulators alone, once their tools are installed
    python3 scripts/setup.py for-tests    the same, without link-time optimisation
    python3 scripts/setup.py quick        the same, not optimised

System packages are installed with apt-get, as root or through sudo, and are listed first. Python
packages are installed into .venv, from lock files with hashes. The simulators' wheel is built by
cargo and kept in the user's cache under the hash of its sources; a better build that exists is
used instead. `make test` builds it in parallel with steps that do not need it, without link-time
optimisation, which keeps one processor busy for eight minutes.

This script uses only the standard library, because it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
NOTICES = ROOT / "scripts" / "notices.py"
STAMP = VENV / "pennyweight-setup.json"
OLDEST_RUST = (1, 88)
RUST_COMPONENTS = {"fmt": "rustfmt", "clippy": "clippy"}
"""Commands of cargo that the tests use, and rustup's names for them."""

PROFILES = {"simulators": "release", "for-tests": "tests", "quick": "dev"}
"""Goals that build the simulators alone, from the best to the quickest, with cargo's profiles."""

GOALS = ("bench", "test", "tools", *PROFILES)

SAY_EVERY_S = 5.0


class SetupError(Exception):
    """Missing requirements and the remedy: one sentence for each."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.args))


@dataclass(frozen=True)
class Tool:
    """Something that Debian's or Ubuntu's packages provide."""

    what: str
    present: Callable[[], bool]
    packages: tuple[str, ...]
    required: bool
    """Without it the setup fails; otherwise only some boards cannot run."""

    def missing(self, why: str) -> str:
        """What is missing, why it is not installed here, and the packages that provide it."""
        remedy = f"apt-get install {' '.join(self.packages)}"
        return f"{self.what} is missing and {why}: install it with `{remedy}`"


def on_path(*names: str) -> Callable[[], bool]:
    """True if any of the commands is on PATH."""
    return lambda: any(shutil.which(name) for name in names)


def header(name: str) -> Callable[[], bool]:
    """True if the C compiler finds the header."""

    def found() -> bool:
        compiler = shutil.which("cc")
        if compiler is None:
            return False
        source = f"#include <{name}>\n"
        command = [compiler, "-E", "-xc", "-", "-o", os.devnull]
        return subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0

    return found


def newlib() -> bool:
    """True if the Arm compiler has newlib-nano."""
    compiler = shutil.which("arm-none-eabi-gcc")
    if compiler is None:
        return False
    command = [compiler, "-mcpu=cortex-m0", "-mthumb", "-print-file-name=libc_nano.a"]
    printed = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return Path(printed).is_absolute()


def msp430_sources() -> bool:
    """True if the requirements for building the MSP430's compiler, or the compiler itself, are
    installed.
    """
    if shutil.which("msp430-elf-gcc"):
        return True
    archives = ("binutils/binutils-*.tar.xz", "gcc-12/gcc-12*.tar.xz")
    sources = all(any(Path("/usr/src").glob(pattern)) for pattern in archives)
    commands = all(map(shutil.which, ("bison", "flex", "g++", "make", "xz")))
    headers = ("gmp.h", "mpfr.h", "mpc.h", "zlib.h")
    return sources and commands and all(header(name)() for name in headers)


def avr_compiler() -> bool:
    """True if avr-gcc is installed, or will be installed with the Python packages."""
    return platform.machine() == "x86_64" or shutil.which("avr-gcc") is not None


def venv_module() -> bool:
    """True if this Python can create virtual environments with pip."""
    command = [sys.executable, "-c", "import ensurepip, venv"]
    return subprocess.run(command, capture_output=True).returncode == 0


BENCH_TOOLS = [
    Tool("Python's venv module", venv_module, ("python3-venv",), True),
    Tool("a C compiler for cargo to link with", on_path("cc"), ("gcc", "libc6-dev"), True),
    Tool(
        "the Arm compiler (for the Cortex-M boards)",
        newlib,
        ("gcc-arm-none-eabi", "libnewlib-arm-none-eabi"),
        False,
    ),
    Tool(
        "the AVR compiler, for the AVR boards (the distribution's does not support the ATmega4809, "
        "which needs avr-gcc 7.3.0, packaged for x86-64 only)",
        avr_compiler,
        ("gcc-avr", "avr-libc"),
        False,
    ),
    Tool(
        "the RISC-V compiler (for the RISC-V boards)",
        on_path("riscv64-unknown-elf-gcc"),
        ("gcc-riscv64-unknown-elf",),
        False,
    ),
    Tool(
        "the Xtensa compiler (for the ESP8266 and the ESP32)",
        on_path("xtensa-lx106-elf-gcc"),
        ("gcc-xtensa-lx106", "binutils-xtensa-lx106"),
        False,
    ),
    Tool(
        "the MIPS compiler (for the PIC32MX)",
        on_path("mipsel-linux-gnu-gcc"),
        ("gcc-mipsel-linux-gnu",),
        False,
    ),
]
TEST_TOOLS = [
    Tool("git, whose list of files the formatters work on", on_path("git"), ("git",), True),
    Tool(
        "Clang with libFuzzer, the other compiler for C of the host",
        on_path("clang"),
        ("clang", "libclang-rt-dev"),
        True,
    ),
    Tool(
        "simavr, the AVR simulator to compare with",
        header("simavr/sim_avr.h"),
        ("libsimavr-dev", "libelf-dev"),
        True,
    ),
    Tool(
        "what the MSP430's compiler is built from, and with (for the MSP430 board)",
        msp430_sources,
        (
            *("binutils-source", "gcc-12-source", "bison", "flex", "g++", "make", "xz-utils"),
            *("libgmp-dev", "libmpfr-dev", "libmpc-dev", "zlib1g-dev"),
        ),
        False,
    ),
    Tool("a C++ compiler, for yasimavr", on_path("c++"), ("g++",), True),
    Tool(
        "QEMU, the Arm simulator to compare with",
        on_path("qemu-system-arm"),
        ("qemu-system-arm",),
        True,
    ),
    Tool(
        "QEMU, the RISC-V simulator to compare with",
        on_path("qemu-system-riscv32"),
        ("qemu-system-misc",),
        True,
    ),
    Tool(
        "QEMU, the MIPS simulator to compare with",
        on_path("qemu-system-mipsel"),
        ("qemu-system-mips",),
        True,
    ),
    Tool(
        "mspdebug, the MSP430 simulator to compare with",
        on_path("mspdebug"),
        ("mspdebug",),
        True,
    ),
    Tool(
        "zsh and fish, whose completion is tested",
        lambda: on_path("zsh")() and on_path("fish")(),
        ("zsh", "fish"),
        True,
    ),
    Tool("avrdude, which writes AVR boards", on_path("avrdude"), ("avrdude",), True),
    Tool("stm32flash, which writes STM32s", on_path("stm32flash"), ("stm32flash",), True),
    Tool(
        "OpenOCD, the debug server of Arm and RISC-V boards", on_path("openocd"), ("openocd",), True
    ),
    Tool(
        "the source of the Arduino Uno's boot loader",
        Path("/usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot.c").is_file,
        ("arduino-core-avr",),
        True,
    ),
    Tool(
        "Chromium, for the report's tests",
        on_path("chromium", "chromium-browser", "google-chrome"),
        ("chromium", "fonts-dejavu-core"),
        True,
    ),
]


def say(text: str) -> None:
    """Prints a line of progress at once."""
    print(f"setup: {text}", flush=True)


def run(command: list[str], *, what: str, cwd: Path = ROOT) -> None:
    """Runs a command; on failure shows the end of what it printed."""
    result = subprocess.run(
        command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if result.returncode != 0:
        tail = "\n".join(result.stdout.splitlines()[-25:])
        raise SetupError(f"{what} failed (`{' '.join(command)}`):\n{tail}")


def run_pip(arguments: list[str], count: int) -> None:
    """Installs Python packages, and prints the progress every few seconds."""
    command = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    command += ["--no-color", "install", "--progress-bar", "off", *arguments]
    said = time.monotonic()
    fetched = 0
    printed: list[str] = []
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            printed.append(line.rstrip())
            fetched += line.startswith("Collecting ")
            installing = line.startswith("Installing collected packages")
            if installing or time.monotonic() - said >= SAY_EVERY_S:
                said = time.monotonic()
                say(f"  installing {fetched} packages" if installing else f"  {fetched} of {count}")
    if process.returncode != 0:
        tail = "\n".join(printed[-25:])
        failed = f"installing Python packages failed (`{' '.join(command)}`):"
        raise SetupError(f"{failed}\n{tail}")


def privileged(command: list[str]) -> list[str] | None:
    """The command as root, or None if root is not available."""
    if os.geteuid() == 0:
        return command
    sudo = shutil.which("sudo")
    if sudo is None:
        return None
    if not sys.stdin.isatty():
        probe = subprocess.run([sudo, "-n", "true"], capture_output=True)
        return [sudo, "-n", *command] if probe.returncode == 0 else None
    return [sudo, *command]


def check_prerequisites(goal: str, tools: Iterable[Tool]) -> list[Tool]:
    """The missing tools that can be installed or that are optional.

    Raises SetupError with a sentence for each requirement that cannot be met: nothing is installed,
    downloaded or built before all of them are met.
    """
    missing = [tool for tool in tools if not tool.present()]
    why = why_not_installable() if missing else None
    problems = rust_problems(goal)
    if why is not None:
        problems += [tool.missing(why) for tool in missing if tool.required]
    if problems:
        raise SetupError(*problems)
    return missing


def why_not_installable() -> str | None:
    """Why system packages cannot be installed here; None if they can."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get"
    return "this needs root or sudo" if privileged([]) is None else None


def install_system_packages(missing: list[Tool]) -> None:
    """Installs what is missing; a failure ends the setup only if the tool is required."""
    if not missing:
        return
    why = why_not_installable()
    if why is not None:
        for tool in missing:
            if tool.required:
                raise SetupError(tool.missing(why))
            say(f"{tool.missing(why)}; the boards that need it are skipped")
        return
    apt = shutil.which("apt-get") or "apt-get"
    install = privileged([apt, "install", "-y", "--no-install-recommends"]) or []
    packages = [package for tool in missing for package in tool.packages]
    say(f"installing system packages: {' '.join(packages)}")
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    update = privileged([apt, "update", "-qq"])
    if update is not None:
        subprocess.run(update, capture_output=True)
    for number, tool in enumerate(missing, start=1):
        say(f"  {number} of {len(missing)}: {' '.join(tool.packages)}")
        result = subprocess.run([*install, *tool.packages], capture_output=True, text=True)
        if tool.present():
            continue
        lines = (result.stderr or result.stdout).strip().splitlines() or ["no message"]
        sentence = (
            f"`apt-get install {' '.join(tool.packages)}` did not bring {tool.what} ({lines[-1]})"
        )
        if tool.required and tool.packages[0] != "chromium":
            raise SetupError(sentence)
        say(sentence)


def digest_of(paths: Iterable[Path], *extra: str) -> str:
    """SHA-256 over names and contents of files (folders: all files below) and extra strings."""
    digest = hashlib.sha256()
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode() + b"\0")
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    for text in extra:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def read_stamp() -> dict[str, str]:
    """What an earlier setup installed; empty if there was none or its interpreter is gone."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    usable = isinstance(stamp, dict) and (VENV / "bin" / "python").exists()
    return stamp if usable and stamp.get("root") == str(ROOT) else {}


def write_stamp(stamp: dict[str, str]) -> None:
    """Records what is installed; written last, so that a failed setup is repeated."""
    temporary = STAMP.with_suffix(".tmp")
    temporary.write_text(json.dumps({**stamp, "root": str(ROOT)}, indent=1))
    temporary.replace(STAMP)


def cache_folder() -> Path:
    """The user's cache folder for pennyweight."""
    if own := os.environ.get("PENNYWEIGHT_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "pennyweight"


def python_environment(goal: str, stamp: dict[str, str]) -> None:
    """Makes .venv and installs the locked packages if the lock file changed."""
    lock = ROOT / "requirements" / ("build.txt" if goal == "bench" else "dev.txt")
    key = digest_of([lock], sys.version)
    # The test lock contains all of the bench lock: it is never replaced by the smaller one.
    also = digest_of([ROOT / "requirements" / "dev.txt"], sys.version)
    if stamp.get("python") in {key, also} and stamp:
        return
    if not stamp:
        say("making the Python environment .venv")
        shutil.rmtree(VENV, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(VENV)], what="making .venv")
    count = sum("==" in line for line in lock.read_text().splitlines())
    say(f"installing up to {count} Python packages from requirements/{lock.name}")
    run_pip(["--require-hashes", "-r", str(lock)], count)
    stamp["python"] = key
    stamp.pop("package", None)


def rust_problems(goal: str) -> list[str]:
    """One sentence for each part of Rust that is missing or too old."""
    try:
        rust_version()
    except SetupError as error:
        return [str(error)]
    wanted = {} if goal == "bench" else RUST_COMPONENTS
    return [
        f"`cargo {word}` is missing, with which `make test` checks the Rust sources: install it "
        f"with `rustup component add {component}`, or with the package that your distribution "
        "splits it into"
        for word, component in wanted.items()
        if subprocess.run(["cargo", word, "--version"], capture_output=True).returncode != 0
    ]


def rust_version() -> str:
    """The line of `rustc --version`; raises SetupError if Rust is missing or too old."""
    needed = ".".join(map(str, OLDEST_RUST))
    if shutil.which("cargo") is None or shutil.which("rustc") is None:
        at_home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo") / "bin"
        if (at_home / "cargo").exists() and (at_home / "rustc").exists():
            raise SetupError(
                f'Rust is in {at_home}, which is not on PATH: `export PATH="{at_home}:$PATH"`'
            )
        raise SetupError(
            f"Rust is missing: install a current stable Rust ({needed} or newer), "
            "for instance with rustup, and have cargo on PATH"
        )
    printed = subprocess.run(["rustc", "--version"], capture_output=True, text=True)
    line = printed.stdout.strip()
    if printed.returncode != 0:
        said = (printed.stderr.strip().splitlines() or ["no message"])[0]
        raise SetupError(
            f"rustc does not run ({said}): install a current stable Rust, with rustup by "
            "`rustup default stable`"
        )
    try:
        version = tuple(int(part) for part in line.split()[1].split("-")[0].split(".")[:2])
    except (IndexError, ValueError):
        raise SetupError(f"`rustc --version` printed '{line}', not a version") from None
    if version < OLDEST_RUST:
        raise SetupError(
            f"{line} is too old: the simulators need Rust {needed} or newer (`rustup update`)"
        )
    return line


def simulator_sources() -> list[Path]:
    """The sources of the simulators' wheel: the workspace's manifests, and the folders of the
    bindings' crate and of all crates that it depends on.
    """
    import tomllib  # Only in Python 3.11 and newer, which is checked by now.

    rooms: dict[Path, None] = {}
    waiting = [ROOT / "simulator" / "python"]
    while waiting:
        room = waiting.pop()
        if room not in rooms:
            rooms[room] = None
            manifest = tomllib.loads((room / "Cargo.toml").read_text(encoding="utf-8"))
            kinds = ("dependencies", "build-dependencies")
            needed = [each for kind in kinds for each in manifest.get(kind, {}).values()]
            paths = (each.get("path") for each in needed if isinstance(each, dict))
            waiting += [(room / path).resolve() for path in paths if path]
    return [ROOT / "Cargo.toml", ROOT / "Cargo.lock", *sorted(rooms)]


def simulator_wheel(stamp: dict[str, str], profile: str = "release") -> None:
    """Builds the simulators' wheel with cargo's `profile`, or takes it from the cache, and installs
    it. A build of these sources with a better profile is used if it exists.
    """
    sources = digest_of(simulator_sources(), rust_version(), platform.machine(), sys.version)
    for each in PROFILES.values():
        key = sources if each == "release" else f"{sources}-{each}"
        shelf = cache_folder() / "wheels" / key
        if each == profile or stamp.get("simulator") == key or list(shelf.glob("*.whl")):
            profile = each
            break
    if profile == "dev":
        # Each is large, and soon replaced.
        shelf = ROOT / "target" / "quick-wheel"
    if stamp.get("simulator") == key:
        return
    if profile == "dev" or not list(shelf.glob("*.whl")):
        if profile != "dev":
            say("building the simulators (Rust, optimised): ten to thirty minutes")
        started = time.monotonic()
        bench = shelf.with_name(f"{shelf.name}.{os.getpid()}.tmp")
        manifest = ROOT / "simulator" / "python" / "Cargo.toml"
        command = [str(VENV / "bin" / "maturin"), "build", "--profile", profile]
        command += ["--locked", "--quiet"]
        command += ["--manifest-path", str(manifest), "--out", str(bench)]
        command += ["--interpreter", str(VENV / "bin" / "python")]
        try:
            run([sys.executable, str(NOTICES)], what="writing the notices of third-party code")
            run(command, what="building the simulators")
            shutil.rmtree(shelf, ignore_errors=True)
            bench.replace(shelf)
        finally:
            shutil.rmtree(bench, ignore_errors=True)
        say(f"simulators built in {time.monotonic() - started:.0f} s")
    wheel = next(shelf.glob("*.whl"))
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q"]
    install = ["install", "--no-deps", "--no-index", "--force-reinstall", str(wheel)]
    run([*pip, *install], what="installing the simulators")
    stamp["simulator"] = key


def package(stamp: dict[str, str]) -> None:
    """Installs the Python package in editable form."""
    key = digest_of([ROOT / "pyproject.toml"])
    if stamp.get("package") == key:
        return
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q"]
    install = ["install", "--no-deps", "--no-index", "--no-build-isolation", "-e", str(ROOT)]
    run([*pip, *install], what="installing the package pennyweight")
    stamp["package"] = key


def browser(stamp: dict[str, str]) -> None:
    """Installs Chromium with Playwright if the system has no package (Ubuntu has only a snap)."""
    if on_path("chromium", "chromium-browser", "google-chrome")() or stamp.get("browser"):
        return
    say("installing Playwright's Chromium")
    command = [str(VENV / "bin" / "python"), "-m", "playwright", "install", "chromium"]
    run(command, what="installing a browser for the report's tests")
    stamp["browser"] = "playwright"


def main() -> int:
    """Command line."""
    if len(sys.argv) != 2 or sys.argv[1] not in GOALS:
        print(__doc__, file=sys.stderr)
        return 2
    goal = sys.argv[1]
    if sys.version_info < (3, 11):
        print(
            f"setup: this is Python {platform.python_version()}, but 3.11 or newer is needed: "
            "`make PYTHON=python3.11 ...`",
            file=sys.stderr,
        )
        return 1
    try:
        stamp = read_stamp()
        before = dict(stamp)
        if goal not in PROFILES:
            goal_tools = BENCH_TOOLS + ([] if goal == "bench" else TEST_TOOLS)
            install_system_packages(check_prerequisites(goal, goal_tools))
            python_environment(goal, stamp)
            package(stamp)
        if goal != "tools":
            simulator_wheel(stamp, PROFILES.get(goal, "release"))
        if goal in {"test", "tools"}:
            browser(stamp)
        if stamp != before:
            write_stamp(stamp)
    except SetupError as error:
        for sentence in error.args:
            print(f"setup: {sentence}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; run it again to continue", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
