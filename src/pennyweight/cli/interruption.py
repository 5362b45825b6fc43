"""Which errors are Ctrl-C in another's words."""

from __future__ import annotations

_DATABASE = ("_duckdb", "duckdb", "duckdb.duckdb")


def is_interruption(error: BaseException) -> bool:
    """Whether an error, or what it came from, is an interruption by the user.

    DuckDB takes Ctrl-C during a query for itself and raises a RuntimeError, or an error of its
    own, whose text is about an interruption. Its class is known by name: loading it takes time.
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
