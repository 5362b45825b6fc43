"""Charts as Vega-Lite specifications, and turning them into SVG and PNG.

The specifications are plain dictionaries: `altair.Chart.from_dict` makes a notebook's object of
one.
"""
