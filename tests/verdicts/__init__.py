"""Verdicts of slow tests, kept in the user's cache under the hash of their inputs.

A test marked with :func:`cached` names its inputs; one marked with :func:`cached_by_project`
depends on all files of the project that its module may read (`project`). If a run with the same
inputs has passed before, on this machine, by any clone, the test passes without running again. Only
passes are kept. The hash covers the code of the test and of what it imports (`code`), the files and
values that it names, and the tools that it calls; `observer` fails a test that reads a file of the
project which it does not name, so that a forgotten input cannot go unnoticed.
"""

from verdicts.inputs import Inputs
from verdicts.marker import cached, cached_by_project

__all__ = ["Inputs", "cached", "cached_by_project"]
