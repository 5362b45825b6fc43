"""What a shell offers for values: boards, algorithms, implementations and studies."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from pennyweight.model import UserError

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(name: str) -> Completer | None:
    """The completer of the option or argument that is passed under `name`; `None` without one."""
    return _COMPLETERS.get(name)


def _boards(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Boards after the last comma, and files for boards of the user's own."""
    from pennyweight.catalogue import load

    done, comma, last = typed.rpartition(",")
    return _with_files(f"{done}{comma}{name}" for name in load().boards if name.startswith(last))


def _implementations(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Algorithms; after a slash their implementations; and folders with the user's own."""
    from pennyweight.catalogue import load

    known = load().implementations
    names = (each.id for each in known) if "/" in typed else (each.algorithm for each in known)
    return _with_files(name for name in dict.fromkeys(names) if name.startswith(typed))


def _studies(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    from pennyweight.studies import study_names

    return _with_files(name for name in study_names() if name.startswith(typed))


def _compilers(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    from pennyweight.api.installing import install_names

    return [CompletionItem(name) for name in install_names() if name.startswith(typed)]


def _with_files(names: Iterable[str]) -> list[CompletionItem]:
    try:
        found = [CompletionItem(name) for name in names]
    except UserError:
        # A shell has no place for messages: the command itself will print it.
        found = []
    return found or [CompletionItem("", type="file")]


_COMPLETERS: dict[str, Completer] = {
    "board": _boards,
    "boards": _boards,
    "name": _implementations,
    "names": _implementations,
    "study": _studies,
    "compiler_name": _compilers,
}
