"""Errors of a space, each with its place."""

from __future__ import annotations

from dataclasses import dataclass

from racing.base.errors import ExpressionError, show


@dataclass(frozen=True)
class PlacedError:
    """One error.

    Attributes
    ----------
    path
        Its place: (parameter,), (parameter, "when" | "low" | "high" | "default"),
        ("forbidden", i), ("known", i) or ("known", i, parameter); i counts from 0.
    message
        What is wrong.
    text
        The expression with the error, if any.
    offset
        The place in `text`: characters from its start, from 0.

    Examples
    --------
    >>> from racing.space import PlacedError
    >>> error = PlacedError(("forbidden", 2), "unknown name 'z'", "x > z", 4)
    >>> error.place
    'forbidden[2]'
    >>> print(error)
    forbidden[2]: unknown name 'z' (column 5 of "x > z")
    """

    path: tuple[str | int, ...]
    message: str
    text: str = ""
    offset: int | None = None

    def __str__(self) -> str:
        if self.offset is None:
            return f"{self.place}: {self.message}"
        return f"{self.place}: {self.message} (column {self.offset + 1} of {show(self.text)})"

    @property
    def place(self) -> str:
        """The path as text: `beta.when`, `forbidden[2]`."""
        first, *rest = self.path
        return str(first) + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in rest)


def from_expression(path: tuple[str | int, ...], error: ExpressionError) -> PlacedError:
    """The error of an expression at `path`."""
    return PlacedError(path, error.reason, error.text, error.offset if error.text else None)
