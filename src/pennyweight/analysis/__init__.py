"""Evaluates rows: rates, fits, choices, warnings.

Every function takes and returns Arrow tables or plain numbers, so that it can be used in a
notebook. Only `facts` reads files: those of algorithms, for their attacks. `facts` describes boards
and algorithms; `rates` computes derived values, and `rows` adds them to a table of measurements;
`fit`, `choice` and `plausibility` evaluate many rows.
"""
