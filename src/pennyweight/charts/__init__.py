"""Charts as Vega-Lite specifications, and turning them into SVG and PNG.

The specifications are plain dictionaries, in Vega-Lite's own words.
"""
