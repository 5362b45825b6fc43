"""Compares simulated times with real boards: rebuilds and runs NIST's packages.

Given a clone of NIST's lightweight cryptography benchmarking repository, its packages are built
like those on the boards, run on the simulated boards, and compared row by row. No parameter in this
package was chosen to reduce errors.
"""
