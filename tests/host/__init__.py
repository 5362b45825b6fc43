"""Host builds of the bundled implementations, under sanitizers, against known answers."""
