"""`make constant-time-all`."""
