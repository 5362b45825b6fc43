"""The tiers `lint`, `check` and `test`: their steps, and how they run side by side."""
