"""Progress in the output of a notebook's cell: one line of HTML that is redrawn.

It needs no widgets, so a saved notebook keeps it, and it looks the same in every viewer.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from racing.base.markup import paragraph
from racing.runner.progress.state import WIDTH, look

if TYPE_CHECKING:
    from racing.core.experiment import Outcome
    from racing.core.view import View

_LOOK = 0.5  # seconds between two redraws


def kernel() -> Any:
    """The kernel of this notebook; None outside of one. Imports nothing."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None)


class Notebook:
    """Watches a race in a notebook."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._looked = -_LOOK
        self._last: tuple[View, Outcome] | None = None
        self._refused = 0

    def __enter__(self) -> Self:
        display: Any = import_module("IPython.display")
        html = display.HTML(paragraph("the first evaluations are running"))
        self._handle = display.display(html, display_id=True)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._last is not None:
            self._draw(*self._last)

    def __call__(self, race: View, outcome: Outcome) -> None:
        """Receive an outcome."""
        self._last = race, outcome
        self._refused += outcome.refused
        if time.monotonic() - self._looked > _LOOK:
            self._draw(race, outcome)

    def _draw(self, race: View, outcome: Outcome) -> None:
        display: Any = import_module("IPython.display")
        self._looked = time.monotonic()
        html = display.HTML(paragraph(self._line(race, outcome)))
        with suppress(Exception):  # the notebook may be closed while the run goes on
            self._handle.update(html)

    def _line(self, race: View, outcome: Outcome) -> str:
        return look(race, outcome, refused=self._refused).line(width=2 * WIDTH, bar=True)
