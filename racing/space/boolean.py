"""A boolean parameter."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from racing.errors import InputError
from racing.space.levels import Levels
from racing.space.parameter import Clause, Value, option_faults


@dataclass(frozen=True)
class Boolean(Levels):
    """True or false; a command line says `--name=true` or `--name=false`.

    In expressions the name alone is a condition: `restarts and not fast`.

    Attributes
    ----------
    default
        The value where none is given.
    switch
        What a command line puts before the value; `--name=` by default. One that ends in a space
        makes two arguments.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.
    """

    _: KW_ONLY
    default: bool | None = None
    switch: str | None = None
    when: Clause | None = None

    ordered = False

    def __post_init__(self) -> None:
        for error in option_faults(self):
            raise InputError(error)

    @property
    def levels(self) -> tuple[Value, ...]:
        """False, then true."""
        return (False, True)
