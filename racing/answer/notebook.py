"""How a race, a search or a result shows itself in a notebook.

What draws it stands above what is drawn, so nothing below names it: `racing` itself, which knows
all of its parts, says who draws when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from racing.core.view import View

Drawer: TypeAlias = "Callable[[View, str], str]"
"""HTML of a race or search, and of words that say what it is."""

_drawers: list[Drawer] = []


def draw_by(drawer: Drawer) -> None:
    """Say who draws."""
    _drawers[:] = [drawer]


def in_notebook(view: View, words: str) -> str:
    """HTML of a race or search; `words` say what it is."""
    return _drawers[0](view, words)
