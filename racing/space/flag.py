"""A flag: a switch that is on the command line or not."""

from __future__ import annotations

from dataclasses import dataclass

from racing.errors import InputError, show
from racing.space.levels import Levels
from racing.space.parameter import Clause, Value, option_faults


@dataclass(frozen=True, kw_only=True)
class Flag(Levels):
    """A switch that is present (true) or absent (false): `--fast`, without a value.

    In expressions the name alone is a condition: `fast and depth > 3`.

    Attributes
    ----------
    switch
        What the command line has where the flag is true; `--name` by default. Spaces separate
        arguments.
    default
        The value where none is given.
    when
        The condition under which the parameter is active, such as `algorithm == ils`.
    """

    switch: str | None = None
    default: bool | None = None
    when: Clause | None = None

    ordered = False

    def __post_init__(self) -> None:
        for error in option_faults(self):
            raise InputError(error)
        if self.switch is not None and not self.switch.strip():
            raise InputError(f"the switch of a flag cannot be empty: {show(self.switch)}")

    @property
    def levels(self) -> tuple[Value, ...]:
        """False, then true."""
        return (False, True)
