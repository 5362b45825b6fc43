"""`python -m pennyweight`."""

from pennyweight.cli import main

if __name__ == "__main__":
    main()
