"""How much `pennyweight tune` saves."""
