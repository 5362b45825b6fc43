"""How much of a published benchmark runs here: what builds, verifies and measures, and why not.

`pairs` tries implementations with flags; `nist` and `felics` say which each benchmark has.
"""
