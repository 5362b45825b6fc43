"""Emulators with real debug servers and serial ports, for tests of what talks to boards."""
