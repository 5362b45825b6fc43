"""Sphinx configuration: Markdown pages, and reference pages made from the catalogue and the code.

`make docs` builds the site into docs/_build/html without a network.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "Pennyweight"
author = "The Pennyweight authors"
copyright = "2026, The Pennyweight authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "catalogue_pages"]
exclude_patterns = ["_build", "_extensions"]

html_theme = "furo"
html_title = "Pennyweight"
html_static_path = ["_static"]
html_favicon = "_static/icon.svg"
html_css_files = ["site.css"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "description"
autodoc_member_order = "bysource"
nitpicky = False
suppress_warnings = ["myst.xref_missing"]
