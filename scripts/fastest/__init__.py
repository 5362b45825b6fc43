"""The measurement behind `studies/fastest.tsv`."""
