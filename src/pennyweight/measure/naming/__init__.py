"""Names of jobs and verdicts, and the provenance of rows.

A name is over what decides results: `own_code` of this package, the `meaning` of data files,
`digests` of sources, firmware and compiler. Nothing here decides a number.
"""

from __future__ import annotations

from pennyweight.measure.naming.digests import sources_of
from pennyweight.measure.naming.key import Names, harness_identity, job_key
from pennyweight.measure.naming.provenance import provenance_of

__all__ = ["Names", "harness_identity", "job_key", "provenance_of", "sources_of"]
