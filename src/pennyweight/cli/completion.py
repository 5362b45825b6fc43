"""What a shell offers for values: boards, algorithms, implementations, studies, compilers, statuses
and published figures.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from pennyweight.model import UserError

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(name: str) -> Completer | None:
    """The completer of the option or argument that is passed under `name`; `None` without one."""
    offer = _COMPLETERS.get(name)
    return None if offer is None else functools.partial(_without_errors, offer)


def _without_errors(
    offer: Completer, context: click.Context, parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """Offers files after an error: a shell has no place for messages, the command prints it."""
    try:
        return offer(context, parameter, typed)
    except UserError:
        return _with_files(())


def _boards(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Boards after the last comma, and files for boards of the user's own."""
    from pennyweight.catalogue import load

    return _with_files(_listed(typed, load().boards))


def _implementations(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Algorithms; after a slash their implementations; and folders with the user's own."""
    from pennyweight.catalogue import load

    known = load().implementations
    names = (each.id for each in known) if "/" in typed else (each.algorithm for each in known)
    return _with_files(name for name in dict.fromkeys(names) if name.startswith(typed))


def _studies(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    from pennyweight.studies import study_names

    return _with_files(name for name in study_names() if name.startswith(typed))


def _installable(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    from pennyweight.api.installing import install_names

    return [CompletionItem(name) for name in install_names() if name.startswith(typed)]


def _compilers(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Compilers after the last comma, and files for the path of one."""
    return _with_files(_listed(typed, ("gcc", "clang")))


def _statuses(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    from pennyweight.api.choosing import status_words

    return [CompletionItem(each) for each in _listed(typed, status_words())]


def _inputs(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Sets of published figures, and files."""
    from pennyweight.comparison.inputs import PUBLISHED
    from pennyweight.published import names

    known = [f"{PUBLISHED}{name}" for name in names()] if typed else []
    return _with_files(each for each in known if each.startswith(typed))


def _listed(typed: str, names: Iterable[str]) -> list[str]:
    """What was typed with its last name completed; without the names that it lists already."""
    done, comma, last = typed.rpartition(",")
    return [
        f"{done}{comma}{name}"
        for name in names
        if name.startswith(last) and name not in done.split(",")
    ]


def _with_files(names: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names] or [CompletionItem("", type="file")]


_COMPLETERS: dict[str, Completer] = {
    "board": _boards,
    "boards": _boards,
    "name": _implementations,
    "names": _implementations,
    "study": _studies,
    "compiler_name": _installable,
    "compilers": _compilers,
    "status": _statuses,
    "a": _inputs,
    "b": _inputs,
}
