"""How much of a published benchmark can be built, verified and measured, and why not the rest.

`pairs` tries implementations with flags; `nist` and `felics` list those of each benchmark.
"""
