"""How Pennyweight builds compilers that no distribution packages. `building` executes a recipe."""
