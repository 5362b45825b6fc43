"""How far simulated times lie from real boards': NIST's measurements, built and run again.

Given a clone of NIST's lightweight cryptography benchmarking repository, the packages there are
built as they were for the boards, run on the simulated ones, and compared row by row. Nothing here
has a parameter that was chosen to make errors small.
"""
