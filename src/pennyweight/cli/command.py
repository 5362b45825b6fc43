"""Commands whose help ends with examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

WITHOUT_PAGER = "without pager"
"""The root context's object if the user wants no pager."""


class Command(click.Command):
    """A click command with `examples`: command lines to print unchanged.

    With `pages`, output that is longer than the screen goes through the user's pager.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[str] = (),
        pages: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.examples = tuple(examples)
        self.pages = pages

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command, unless `--no-pager` is given with the pager."""
        if not self.pages or ctx.find_root().obj == WITHOUT_PAGER:
            return super().invoke(ctx)
        from pennyweight.cli.paging import paging

        with paging():
            return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples at the end."""
        _write(self.examples, formatter)


class Group(click.Group):
    """A click group with `examples`."""

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples at the end."""
        _write(self.examples, formatter)


def _write(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"  {example}\n")
