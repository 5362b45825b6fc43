"""The report: a folder of pages that opens from disk, offline.

`data` reads the results, `builds` and `pages` decide what is said, `figures` and `charts` what is
drawn, `templates` and `assets` how it looks; `site` writes it all.
"""

from pennyweight.report.site import write_report

__all__ = ["write_report"]
