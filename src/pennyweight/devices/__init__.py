"""Real boards: load, call and measure programs on a connected part, as in the simulator."""
