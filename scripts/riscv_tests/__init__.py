"""The official RISC-V instruction tests, run unchanged."""
