"""`python -m racing` is the command line."""

import sys

from racing.cli import main

sys.exit(main())
