"""The scheduler behind `make schedule`."""
