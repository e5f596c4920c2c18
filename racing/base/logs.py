"""Loggers of the standard library, for programs that embed racing.

`racing.log` is something else: the record of a run. Every message goes to the logger
`racing` or to one below it, named as the module that sends it. The package installs no handler but
a `NullHandler`, sets no level and prints nothing; the embedding program decides:

    logging.getLogger("racing").setLevel(logging.INFO)
    logging.basicConfig()
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Self

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
        raise ValueError(f"module must be one of racing; got {module!r}; pass __name__")
    return logging.getLogger(module)


def only_warnings(name: str) -> None:
    """Limit a logger of another package to warnings, unless it has a level."""
    found = logging.getLogger(name)
    if found.level == logging.NOTSET:
        found.setLevel(logging.WARNING)


class Warnings(logging.Handler):
    """Context manager that reports warnings of a part of this package at once.

    Parameters
    ----------
    module
        The name of the part.
    say
        Called with each message.
    """

    def __init__(self, module: str, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._logger, self._say = logger(module), say

    def __enter__(self) -> Self:
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Report a warning."""
        self._say(f"warning: {record.getMessage()}")
