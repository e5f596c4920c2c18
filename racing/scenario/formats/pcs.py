"""AClib's parameter configuration space files (.pcs), the old and the new syntax → a space.

    old:  alpha {1, 1.01, 1.066} [1]          beta [0.1, 10] [1] l     gamma [1, 99] [5] i
          beta | alpha in {1, 1.01}           {alpha=1, gamma=5}
    new:  alpha categorical {a, b} [a]        beta real [0.1, 10] [1] log
          size ordinal {s, m, l} [m]          gamma integer [1, 99] [5]
          beta | alpha in {a} && gamma > 3    {alpha == a && gamma > 5}

Old: Hutter and Ramage, Manual for SMAC version 2.06; new: version 2.10. `#` begins a comment.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from racing.base.errors import did_you_mean, must_be
from racing.scenario.files import read_format
from racing.scenario.formats.clauses import PCS, PCS_WORD, levels_of
from racing.scenario.formats.draft import Draft, Line, collecting, lines_of
from racing.space import Space

_NAME = rf"(?P<name>{PCS_WORD})"
_DEFAULT = r"\[(?P<default>[^\]]*)\]"
_NUMERIC = re.compile(  # \s*+ does not backtrack, so a line of blanks is read in linear time
    rf"{_NAME}\s*+(?P<type>real|integer)?\s*+\[(?P<low>[^,\]]+),(?P<high>[^,\]]+)\]\s*+"
    rf"{_DEFAULT}\s*+(?P<flags>il|li|i|l|log)?"
)
_LISTED = re.compile(
    rf"{_NAME}\s*+(?P<type>categorical|ordinal)?\s*+\{{(?P<values>[^}}]*)\}}\s*+{_DEFAULT}"
)
_CONDITION = re.compile(rf"{_NAME}\s*+\|\s*+(?P<condition>.+)")
_FORBIDDEN = re.compile(r"\{(?P<clause>[^{}]+)\}")
LARGEST = 1_000_000  # characters of a file


def read_pcs(path: str | os.PathLike[str]) -> Space:
    """The space of a .pcs file.

    Several conditions of one parameter must all hold. Values that Python writes the same way as a
    number are numbers, all others text. Every parameter has the switch `-name` and a space.

    Raises
    ------
    FormatError
        With all errors, each with file, line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario.formats import read_pcs
    >>> _ = Path("ants.pcs").write_text("ants integer [5, 50] [10]")
    >>> read_pcs("ants.pcs")["ants"].default
    10
    """
    path = Path(path)
    return parse_pcs(read_format(path), str(path))


def parse_pcs(text: str, file: str = "space.pcs") -> Space:
    """The space of the text of a .pcs file; see `read_pcs`."""
    draft = Draft(file, PCS)
    parameters, conditions = dict[str, dict[str, Any]](), dict[str, list[Line]]()
    clauses: list[Line] = []
    for line in lines_of(text, file, longest=LARGEST):
        with collecting(draft.errors):
            if found := _FORBIDDEN.fullmatch(line.text):
                clauses.append(Line(found["clause"], line.place.at(1)))
            elif found := _LISTED.fullmatch(line.text) or _NUMERIC.fullmatch(line.text):
                data = (_numeric if found.re is _NUMERIC else _listed)(found, line)
                values = next(iter(data.values())) if found.re is _LISTED else None
                draft.declare(found["name"], line.place, values)
                parameters[found["name"]] = {**data, "switch": f"-{found['name']} "}
            elif found := _CONDITION.fullmatch(line.text):
                at = line.place.at(found.start("condition"))
                conditions.setdefault(found["name"], []).append(Line(found["condition"], at))
            elif line.text.rstrip(":") not in ("Conditionals", "Forbidden"):  # of some old files
                raise line.place.error(
                    "a line must be a parameter, condition or forbidden clause, such as 'alpha "
                    "real [0, 1] [0.5]', 'alpha | mode in {a}' or '{alpha == 1 && mode == a}'; got "
                    f"{line.text[:40]!r}"
                )
    for clause in clauses:
        with collecting(draft.errors):
            draft.forbid(clause)
    for name, data in parameters.items():
        with collecting(draft.errors):
            draft.add(name, data, conditions.pop(name, ()))
    for name, lines in conditions.items():
        hint = did_you_mean(name, parameters)
        draft.errors.append(f"{lines[0].place}: there is no parameter {name!r}{hint}")
    return draft.space()


def _listed(found: re.Match[str], line: Line) -> dict[str, Any]:
    texts = [value.strip() for value in found["values"].split(",")]
    values, chosen = levels_of(texts), found["default"].strip()
    if chosen not in texts:
        why = f"the default must be one of {texts}; got {chosen!r}"
        raise line.place.error(f"{found['name']}: {why}")
    return {found["type"] or "categorical": [*values], "default": values[texts.index(chosen)]}


def _numeric(found: re.Match[str], line: Line) -> dict[str, Any]:
    flags, numbers = found["flags"] or "", list[float]()
    words = {"low": "the lower bound", "high": "the upper bound", "default": "the default"}
    for part, what in words.items():
        try:
            numbers.append(float(found[part]))
        except ValueError:
            why = must_be(what, "a number", found[part].strip())
            raise line.place.error(f"{found['name']}: {why}") from None
    whole = found["type"] == "integer" or (found["type"] is None and "i" in flags)
    domain = {"integer" if whole else "real": numbers[:2], "default": numbers[2]}
    return {**domain, "log": "l" in flags}
