"""`python -m kernelplay`: the command line."""

import sys

from kernelplay.cli import main

sys.exit(main())
