"""One module per command, named like it, each with a `command`."""
