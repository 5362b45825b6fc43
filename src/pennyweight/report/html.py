"""Loads the HTML templates."""

from __future__ import annotations

import jinja2


def templates() -> jinja2.Environment:
    """The templates of all pages. Values are escaped, and a missing one is an error."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("pennyweight.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
