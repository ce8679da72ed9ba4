"""`kernelplay` and `python -m kernelplay`: the command line, which can be stopped while it is still being loaded."""

import sys


def main() -> int:
    """Run the command line and return the exit status."""
    try:
        from kernelplay import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
