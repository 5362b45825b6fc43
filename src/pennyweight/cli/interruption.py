"""Recognises Ctrl-C in the errors of libraries."""

from __future__ import annotations

_DATABASE = ("_duckdb", "duckdb", "duckdb.duckdb")


def is_interruption(error: BaseException) -> bool:
    """Whether an error, or what it came from, is an interruption by the user.

    DuckDB handles Ctrl-C during a query itself and raises a RuntimeError or its own
    InterruptException. The class is compared by name, because importing DuckDB takes time.
    """
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        kind = type(each)
        if isinstance(each, KeyboardInterrupt):
            return True
        if kind.__name__ == "InterruptException" and kind.__module__ in _DATABASE:
            return True
        if kind is RuntimeError and str(each).startswith("Query interrupted"):
            return True
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
    return False
