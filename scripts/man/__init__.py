"""Manual pages from the help texts of the commands."""
