"""Messages for programs that embed racing, through the logging of the standard library.

Not to be confused with `racing.log`, the record of a run. Every message goes to the logger
`racing` or to one below it, named as the module that sends it. The package installs no handler but
a `NullHandler`, sets no level and prints nothing; the embedding program decides:

    logging.getLogger("racing").setLevel(logging.INFO)
    logging.basicConfig()
"""

from __future__ import annotations

import logging

ROOT = "racing"

logging.getLogger(ROOT).addHandler(logging.NullHandler())


def logger(module: str) -> logging.Logger:
    """The logger of a module of this package; call it with `__name__`.

    Raises
    ------
    ValueError
        If the module belongs to another package.
    """
    if module.partition(".")[0] != ROOT:
        raise ValueError(f"{module}: expected the name of a module of racing; pass __name__")
    return logging.getLogger(module)
