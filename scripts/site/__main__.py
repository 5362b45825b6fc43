"""`make site`: builds a static site from the documentation and one results folder.

The site has a start page, the documentation in `docs/`, the report of all results in `report/`
(studies, boards, algorithms and implementations), and an index of all pages for the search, which
Pagefind makes. It needs a web server: browsers do not let a page from disk read the index.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import jinja2

from pennyweight import report
from pennyweight.model import UserError
from pennyweight.report.output_folder import MARKER, check_output_folder, replacing
from pennyweight.studies import QUICK_SUFFIX, find_study
from pennyweight.version import __version__

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INDEX = "index.html"

_NOT_CONTENT = ".skip, .masthead, footer, .sidebar-drawer, .toc-drawer, .mobile-header, .headerlink"
"""Parts of the pages that the search ignores."""


def main(arguments: Sequence[str]) -> int:
    """Builds the site; 2 if the results or the folder cannot be used."""
    parser = argparse.ArgumentParser(prog="site", description=__doc__)
    parser.add_argument("--results", default="results", help="results folder")
    parser.add_argument("--into", type=Path, default=ROOT / "site", help="folder of the site")
    given = parser.parse_args(arguments)
    try:
        print(f"{build(given.results, given.into)}")
    except UserError as error:
        print(f"site: {error}", file=sys.stderr)
        return 2
    return 0


def build(results: str | Path, into: Path) -> Path:
    """Builds the site in a folder; the path of its start page. An earlier site is replaced.

    Raises `UserError`, and then leaves the folder unchanged.
    """
    check_output_folder(into)
    with replacing(into) as made:
        report(results, made / "report")
        _link_back(made / "report")
        with tempfile.TemporaryDirectory() as trees:
            docs = (str(ROOT / "docs"), str(made / "docs"))
            _run("sphinx", "-q", "-b", "html", "-d", trees, *docs)
        _write_start(made)
        _run("pagefind", "--site", str(made), "--quiet", "--exclude-selectors", _NOT_CONTENT)
        (made / MARKER).write_text("site\n", encoding="utf-8")
    return into / INDEX


def _link_back(report: Path) -> None:
    """Adds the start page, with the documentation and the search, to the report's navigation."""
    begin = '<nav aria-label="Pages">\n    <ul>'
    link = '\n      <li><a href="../index.html">Search and documentation</a></li>'
    for page in report.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace(begin, begin + link, 1), encoding="utf-8")


def _title(study: str) -> str:
    """The title of a study; its name, if it is not bundled."""
    try:
        return find_study(study.removesuffix(QUICK_SUFFIX)).title
    except UserError:
        return study


def _write_start(site: Path) -> None:
    style = (site / "report" / "assets" / "style.css").read_text(encoding="utf-8")
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined
    )
    text = templates.get_template("start.html.j2").render(
        version=__version__,
        style=style,
        asks=(site / "report" / "part.html").is_file(),
        studies=sorted(
            (each.name, _title(each.stem.removeprefix("study-")))
            for each in (site / "report").glob("study-*.html")
        ),
    )
    (site / INDEX).write_text(text, encoding="utf-8")


def _run(module: str, *arguments: str) -> None:
    """Runs a Python tool. Raises `UserError` if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise UserError(f"{module} failed: {' '.join(last)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
