"""Studies: files that define the boards, algorithms, flags and cases of a campaign.

`study` defines the fields, `cases` the named groups of cases; `files` finds and reads studies.
"""

from __future__ import annotations

from pennyweight.studies.cases import Scenario, operations_of
from pennyweight.studies.files import find_study, read_study, study_names
from pennyweight.studies.study import QUICK_SUFFIX, Study, has_key_setup

__all__ = [
    "QUICK_SUFFIX",
    "Scenario",
    "Study",
    "find_study",
    "has_key_setup",
    "operations_of",
    "read_study",
    "study_names",
]
