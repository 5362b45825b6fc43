"""Names of jobs and verdicts, and the provenance of rows.

A name is a hash of everything that decides results: this package's code (`own_code`), the values in
data files (`relevant_fields`), and `digests` of sources, firmware and compiler. These modules do
not affect any number.
"""

from __future__ import annotations

from pennyweight.measure.naming.digests import sources_of
from pennyweight.measure.naming.key import Names, harness_identity, job_key
from pennyweight.measure.naming.provenance import provenance_of

__all__ = ["Names", "harness_identity", "job_key", "provenance_of", "sources_of"]
