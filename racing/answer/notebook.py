"""How a race, a search or a result shows itself in a notebook."""

from __future__ import annotations

from importlib import import_module


def in_notebook(view: object, words: str, *beside: object) -> str:
    """HTML of a race or search; `words` say what it is, a `Beside` what is known beside it.

    `racing.report` draws it, which stands above all that can be drawn. So this is the one module
    that asks for a higher one by its name, at the moment of drawing.
    """
    drawn: str = import_module("racing.report.notebook").in_notebook(view, words, *beside)
    return drawn
