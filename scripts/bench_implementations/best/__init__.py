"""`--best`: the fastest and the smallest constant-time implementations of both sides."""
