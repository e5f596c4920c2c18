"""What engines warn of while a run goes on, such as a scheduler that does not answer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Self

ENGINES = "racing.evaluate.engines"


class EngineMessages(logging.Handler):
    """Within it, warnings of engines are said as they come."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def __enter__(self) -> Self:
        logging.getLogger(ENGINES).addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger(ENGINES).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Say a warning."""
        self._say(f"warning: {record.getMessage()}")
