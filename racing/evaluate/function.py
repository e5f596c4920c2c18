"""A target that is a Python function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from racing.errors import InputError
from racing.quantities import Seconds


@dataclass(frozen=True, kw_only=True)
class Function:
    """A Python function `solve(values, instance, seed)` that returns a number.

    Attributes
    ----------
    python
        Which function: `file.py:function` or `package.module:function`. Python code may give the
        function itself. It takes the candidate's values (a dictionary), the instance and the seed,
        and returns the cost, or a mapping with `cost` and, if it likes, `seconds`. What it prints
        goes to stderr.
    timeout
        The most time a call may take on the clock; it is then interrupted.
    cwd
        The folder that a relative `file.py` is seen from, and modules are first looked for in.
    """

    python: str | Callable[..., Any]
    timeout: Seconds | None = None
    cwd: str = "."

    def __post_init__(self) -> None:
        if isinstance(self.python, str):
            where, _, name = self.python.rpartition(":")
            if not where or not name.isidentifier():
                raise InputError(
                    f"python is {self.python!r}; expected file.py:function or module:function"
                )
        elif not callable(self.python):
            raise InputError(f"python is {self.python!r}; expected a function or its name")
        if self.timeout is not None and not self.timeout > 0:
            raise InputError(f"timeout is {self.timeout!r}; it must be above 0")
