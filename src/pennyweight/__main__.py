"""The entry point, `pennyweight` and `python -m pennyweight`, also if the import is interrupted."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and ends the process. Ctrl-C during the imports prints one line too."""
    try:
        from pennyweight.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.stderr.write("pennyweight: interrupted.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
