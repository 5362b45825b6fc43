"""`pennyweight completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from pennyweight.cli.command import Command

_SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_PENNYWEIGHT_COMPLETE"
"""The environment variable by which the script asks the program for completions."""


@click.command(
    "completion",
    cls=Command,
    examples=(
        "pennyweight completion bash >> ~/.bashrc",
        "pennyweight completion zsh >> ~/.zshrc",
        "pennyweight completion fish > ~/.config/fish/completions/pennyweight.fish",
    ),
)
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    """Print the script that completes commands, options, boards and algorithms in a shell.

    Append it to the shell's start-up file, or evaluate it there: eval "$(pennyweight completion
    bash)".
    """
    from pennyweight.cli.group import program

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(program, {}, "pennyweight", VARIABLE).source())
