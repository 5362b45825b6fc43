"""From rows to knowledge: rates, fits, choices, warnings.

Every function here takes and gives Arrow tables or plain numbers, so that a notebook can call it;
only `facts` reads files, those of algorithms for their attacks. `facts` describes boards and
algorithms, `rates` has the arithmetic, `rows` adds it to a table of measurements; `fit`, `choice`
and `plausibility` look at many rows.
"""
