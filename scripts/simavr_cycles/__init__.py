"""Cycles of simavr against those of the simulator, through the path of real boards."""
