"""The top of the command line; each command's module is imported when it is used."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword

import click

from pennyweight.cli import shells
from pennyweight.engine import AUTO, VARIABLE
from pennyweight.version import __version__

_COMMANDS: Mapping[str, str] = {
    "boards": "List the boards.",
    "algorithms": "List the algorithms.",
    "implementations": "List the implementations.",
    "verify": "Verify implementations against known-answer tests.",
    "measure": "Measure implementations on boards.",
    "time": "Time one function of C or assembly files.",
    "profile": "Profile one call: cycles by function and instruction.",
    "constant-time": "Detect secret-dependent timing.",
    "leakage": "Detect values that depend on a secret, by a model of the core.",
    "run": "Run a study and write its report.",
    "status": "Show a study's progress.",
    "report": "Write a report of stored results.",
    "export": "Export results and report to one file.",
    "import": "Import third-party results.",
    "compare": "Compare two sets of measurements.",
    "watch": "Measure again whenever a file changes.",
    "accuracy": "Compare simulated boards with real ones.",
    "calibrate": "Measure a part's wait states, prefetch and caches.",
    "coverage": "Show how much of NIST's benchmark runs.",
    "toolchain": "List, install and build compilers.",
    "doctor": "Check the installation and list missing compilers.",
    "devices": "List debug probes, serial ports and the boards they fit.",
    "choose": "Rank algorithms for your message lengths and limits.",
    "tune": "Search for the compiler flags with the lowest cost.",
    "vendor": "Copy an implementation for use outside Pennyweight.",
    "completion": "Print the completion script for a shell.",
    "gc": "Remove unreferenced cache entries and results.",
}


def module_of(word: str) -> str:
    """The module of a command: its name, with `_` appended to Python's keywords."""
    name = word.replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


class _LazyGroup(click.Group):
    """Lists commands by name and imports `pennyweight.cli.commands.<name>` when one is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help text."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"pennyweight.cli.commands.{module_of(cmd_name)}").command
        assert isinstance(command, click.Command)
        command.short_help = _COMMANDS[cmd_name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click, with a suggestion for a misspelt command."""
        from pennyweight.catalogue.suggest import did_you_mean

        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            hint = did_you_mean(args[0], _COMMANDS) or f" use one of {', '.join(_COMMANDS)}."
            raise click.UsageError(f"unknown command '{args[0]}':{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line for each command, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 90},
    epilog="See the help of a command with: pennyweight measure --help",
)
@click.version_option(__version__, prog_name="pennyweight", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
@click.option("--no-pager", is_flag=True, help="Print long output without a pager.")
@click.option(
    "--engine",
    type=click.Choice(["interpreter", "translator", AUTO]),
    default=AUTO,
    envvar=VARIABLE,
    show_envvar=True,
    show_default=True,
    help="What runs simulated programs, with the same results: the interpreter, translated code as "
    "soon as possible (for tests), or translated code for what runs often. May be given anywhere.",
)
def program(debug: bool, no_pager: bool, engine: str) -> None:
    """Measure what a cipher costs on a microcontroller: cycles, RAM, flash and energy.

    Pennyweight builds implementations with the part's own compiler, verifies them against
    known-answer tests, measures them in cycle-accurate simulators, and writes a report. No board
    is needed.
    """
    os.environ[VARIABLE] = engine  # the simulators read it, in worker processes too


shells.register()
