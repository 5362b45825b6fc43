"""One manual page: a command's help in the macros of man(7)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from pennyweight.version import __version__


def page(context: click.Context) -> str:
    """The manual page of a context's command, with its options, subcommands and examples."""
    command = context.command
    path = context.command_path
    name = path.replace(" ", "-")
    lines = [
        f'.TH "{escaped(name.upper())}" "1" "" "Pennyweight {__version__}" "Pennyweight"',
        *(".SH NAME", f"{escaped(name)} \\- {escaped(_short(command))}"),
        *(".SH SYNOPSIS", f".B {escaped(path)}"),
        escaped(" ".join(command.collect_usage_pieces(context))),
        ".SH DESCRIPTION",
        *_paragraphs(command.help or ""),
    ]
    options = [
        record
        for each in command.get_params(context)
        if isinstance(each, click.Option) and (record := each.get_help_record(context))
    ]
    if options:
        lines.append(".SH OPTIONS")
        for switches, help_ in options:
            lines += [".TP", f"\\fB{escaped(switches)}\\fP", escaped(help_)]
    below = list(subcommands(context))
    if below:
        lines.append(".SH COMMANDS")
        for each in below:
            own = each.command_path.replace(" ", "-")
            lines += [".TP", f"\\fB{escaped(own)}\\fP(1)", escaped(_short(each.command))]
    examples = getattr(command, "examples", ())
    if examples:
        lines += [".SH EXAMPLES", ".nf", *(escaped(each) for each in examples), ".fi"]
    return "\n".join(lines) + "\n"


def context_of(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    """A command's context with the command's settings, as on the command line."""
    return click.Context(command, info_name=name, parent=parent, **command.context_settings)


def subcommands(context: click.Context) -> Iterator[click.Context]:
    """The contexts of a group's commands, in the order of its help; none of a plain command."""
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield context_of(command, name, context)


def escaped(text: str) -> str:
    """Text that roff prints unchanged: backslashes, hyphens, and control characters at line starts.

    An unescaped hyphen may be printed as a typographic one, which cannot be copied into a shell
    (groff_man_style(7), "Portability").
    """
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def _short(command: click.Command) -> str:
    return command.get_short_help_str(limit=200).rstrip(".")


def _paragraphs(text: str) -> Iterator[str]:
    for number, each in enumerate(inspect.cleandoc(text).split("\n\n")):
        if number:
            yield ".PP"
        # A lone \b keeps click from wrapping the paragraph.
        if each.startswith("\b"):
            yield from (".nf", escaped(each.removeprefix("\b\n")), ".fi")
        else:
            yield escaped(" ".join(each.split()))
