"""What reads texts, and what it may do with any of them: give a result, or a clear error."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from racing.errors import FormatError, InputError, SamplingError
from racing.formats.irace_parameters import parse_parameters
from racing.formats.irace_scenario import parse_scenario
from racing.formats.irace_write import write_parameters
from racing.formats.pcs import parse_pcs
from racing.space import Categorical, Integer, Ordinal, Real, Space
from tests.fuzz import texts

_PLACE = re.compile(r"^[^:\n]*:\d+:\d+: .")
_PARAMETERS = {
    "a": Integer(1, 9),
    "b": Real(0, 5),
    "kind": Categorical(["x", "y", "z"]),
    "size": Ordinal(["low", "mid", "high"]),
    "c": Real(0.1, 2, when="kind == x"),
}


class Unclear(AssertionError):
    """An error that does not say what is wrong, and where."""


@dataclass(frozen=True)
class Subject:
    """What reads texts.

    Attributes
    ----------
    read
        Reads one; it may raise `InputError` alone, with a clear message.
    words, sound
        What texts are made of.
    modules
        Where it reads: files seen from `racing/`, for the coverage.
    """

    read: Callable[[str], None]
    words: Sequence[str]
    sound: Sequence[str]
    modules: tuple[str, ...]


def read_expression(text: str) -> None:
    """As a condition, a bound or a clause, by the length of the text; then used."""
    makes: tuple[Callable[[], Space], ...] = (
        lambda: Space({**_PARAMETERS, "d": Integer(1, 3, when=text)}),
        lambda: Space({**_PARAMETERS, "d": Integer(1, text)}),
        lambda: Space(_PARAMETERS, forbidden=[text]),
    )
    try:
        space = makes[len(text) % 3]()
    except InputError as error:
        _clear(str(error))
        return
    units = space.encoding.draw(np.random.default_rng(0), 20)
    space.encoding.allowed(units)
    space.encoding.decode(units)


def read_parameters(text: str) -> None:
    """A parameter file of irace; what is read can be used, written, and read back."""
    space = _of_format(parse_parameters, text)
    if not isinstance(space, Space):
        return
    try:
        space.sample(np.random.default_rng(0), 5)
        again = write_parameters(space)
    except (SamplingError, FormatError) as error:
        _clear(str(error))
        return
    assert list(parse_parameters(again)) == list(space)


def read_scenario(text: str) -> None:
    """A scenario file of irace."""
    _of_format(parse_scenario, text)


def read_pcs(text: str) -> None:
    """A parameter file of AClib."""
    _of_format(parse_pcs, text)


def _of_format(parse: Callable[[str, str], object], text: str) -> object:
    """What a file says; None if it is refused, with a place for every error."""
    try:
        return parse(text, "file")
    except FormatError as error:
        for each in error.errors:
            if not _PLACE.match(each):
                raise Unclear(each) from error
        return None


def _clear(message: str) -> None:
    if len(message) < 8 or "Traceback" in message:
        raise Unclear(message)


_EXPRESSIONS = tuple(
    f"space/expressions/{name}.py" for name in ("parse", "tokens", "resolve", "ranges", "evaluate")
)
_R = ("formats/r_syntax.py", "formats/r_conditions.py")
SUBJECTS = {
    "expressions": Subject(
        read_expression, texts.EXPRESSION_WORDS, texts.EXPRESSIONS, _EXPRESSIONS
    ),
    "parameters": Subject(
        read_parameters, texts.PARAMETER_WORDS, texts.PARAMETERS,
        ("formats/irace_parameters.py", "formats/irace_write.py", *_R),
    ),
    "scenarios": Subject(
        read_scenario, texts.SCENARIO_WORDS, texts.SCENARIOS, ("formats/irace_scenario.py", *_R)
    ),
    "pcs": Subject(read_pcs, texts.PCS_WORDS, texts.PCS, ("formats/pcs.py",)),
}  # fmt: skip
