"""Self-contained copies of bundled implementations, in SUPERCOP's layout.

`package` gives the files of a copy: sources and headers in one flat folder, `api.h`, the licence,
and known-answer tests with a Makefile. `readme` writes what it costs, `folder` puts all of it where
the user wants it. A copy compiles to the same code as the original.
"""

from __future__ import annotations

from pennyweight.standalone.folder import check_target, place_in, write
from pennyweight.standalone.package import Api, package
from pennyweight.standalone.readme import readme

__all__ = ["Api", "check_target", "package", "place_in", "readme", "write"]
