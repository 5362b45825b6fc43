"""The top of the command line; each command's module is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword

import click

from pennyweight.version import __version__

_COMMANDS: Mapping[str, str] = {
    "boards": "List the boards.",
    "algorithms": "List the algorithms.",
    "implementations": "List the implementations.",
    "verify": "Prove implementations right on boards.",
    "measure": "Measure implementations on boards.",
    "time": "Time one function of source files on boards.",
    "profile": "Show what a call is made of.",
    "constant-time": "Find where secrets show in time.",
    "run": "Run a study and write its report.",
    "status": "Tell how far a study is.",
    "report": "Write the report of stored results.",
    "export": "Put results and report into one file for others.",
    "import": "Take over results of others.",
    "compare": "Compare two sets of measurements.",
    "accuracy": "Compare simulated boards with real ones.",
    "coverage": "Tell how much of NIST's benchmark runs.",
    "toolchain": "List compilers, and build those that nobody packages.",
    "choose": "Rank algorithms for one's own traffic and limits.",
    "gc": "Clear what nothing refers to.",
}


def module_of(word: str) -> str:
    """The module of a command: its name, which must be a name and no word of Python's."""
    name = word.replace("-", "_")
    return f"{name}_" if iskeyword(name) else name


class _LazyGroup(click.Group):
    """Knows its commands by name and imports `pennyweight.cli.commands.<name>` for one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which one meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"pennyweight.cli.commands.{module_of(cmd_name)}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a guess at what a misspelt word was meant to be."""
        from pennyweight.catalogue.suggest import did_you_mean

        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            hint = did_you_mean(args[0], _COMMANDS) or f" known are {', '.join(_COMMANDS)}."
            raise click.UsageError(f"no command '{args[0]}':{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with a line each, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 90},
    epilog="Every command explains itself: pennyweight measure --help",
)
@click.version_option(__version__, prog_name="pennyweight", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def program(debug: bool) -> None:
    """Tells what a cipher costs on a microcontroller: cycles, RAM, flash and energy.

    It builds implementations with the part's own compiler, proves them right against known
    answers, measures them in cycle-accurate simulators, and writes a report. No board is needed.
    """
