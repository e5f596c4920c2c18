"""Progress of a run: a line on a terminal, or one in the cell of a notebook.

state.py     the state of a race or a search as one line
terminal.py  one live line on a terminal, plain lines elsewhere
notebook.py  one line in the output of a cell, redrawn
json_lines.py  a JSON object a line, for programs
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol, Self

from racing.base.errors import InputError, must_be
from racing.runner.progress.notebook import Notebook, kernel
from racing.runner.progress.terminal import Terminal

if TYPE_CHECKING:
    from racing.core.experiment import Outcome

__all__ = ["Notebook", "Progress", "Terminal", "progress_for"]


class Progress(Protocol):
    """The protocol of progress: watches a race or a search within a `with` block."""

    def __call__(self, race: Any, outcome: Outcome) -> None:
        """Receive an outcome."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None: ...


def progress_for(wanted: bool | None) -> Progress:
    """The progress display.

    Parameters
    ----------
    wanted
        True for a line in a notebook's cell, or on stderr; False for none; None for one in a
        notebook, or if stderr is a terminal.

    Raises
    ------
    InputError
        If it is something else.
    """
    if wanted not in (True, False, None):
        raise InputError(must_be("progress", "true, false or None", wanted))
    if wanted is not False and kernel() is not None:
        return Notebook()
    return Terminal(quiet=not (sys.stderr.isatty() if wanted is None else wanted))
