"""Real boards: the same calls on a part at the end of a cable as in the simulator."""
