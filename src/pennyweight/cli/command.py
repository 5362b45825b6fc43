"""A command whose help ends with examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click


class Command(click.Command):
    """As click's, with `examples`: lines to type, shown as they are."""

    def __init__(self, *arguments: Any, examples: Sequence[str] = (), **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples after all else."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {example}\n")
