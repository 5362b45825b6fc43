"""Charts as Vega-Lite specifications, rendered to SVG and PNG.

The specifications are plain dictionaries in Vega-Lite's terms.
"""
