"""The official RISC-V instruction tests, run as they are."""
