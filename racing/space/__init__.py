"""Spaces of configurations: named parameters, each with its domain.

Parameter        the base of all kinds of parameters
├── Real         a number from an interval; linear, logarithmic or logit scale; digits or steps
├── Integer      a whole number from an interval; linear or logarithmic scale; steps
├── Ordinal      one of a list of values that has an order
├── Categorical  one of a list of values; a single one is a fixed parameter
├── Boolean      true or false
└── Flag         a switch that is on the command line or not
Space            name → parameter, forbidden combinations, known good configurations
├── complete, check, default, key      one configuration
├── sample, initial, enumerate, size   many: random, Sobol, all; their number
├── neighbours, distance               similar ones
└── encode, decode, encoding           the unit scale: arrays, NaN = inactive

Files:

parameter, numeric, listed, scale          the kinds of parameters, their names and scales
space, structure, checks                   the space, what depends on what, and its errors
configurations, values                     one configuration: complete, checked, compared
encoding                                   the unit scale
sampling, counting, nearby                 many configurations
expressions                                bounds, conditions and clauses
keys                                       a space as a file writes it
objects                                    Python objects as values, by their names

Every parameter takes `when`, the condition under which it is active; bounds may be expressions:

    Space(
        {
            "algorithm": Categorical(["ils", "aco"]),
            "ants": Integer(5, 100, log=True, when="algorithm == aco"),
            "elite": Integer(1, "ants / 2"),
        },
        forbidden=["algorithm == aco and elite > 20"],
        known=[{"algorithm": "ils"}],
    )

A configuration is a plain dict of the active parameters, in the order of the space.
Samplers and models use `Space.encoding`:

    names, kinds, levels, order        of the columns
    encode(configurations), decode(units)
    draw(rng, n)                       uniform rows, inactive = NaN; forbidden ones among them
    activate(units, rng)               NaN where inactive, newly active drawn
    allowed(units), refusals(units)    forbidden clauses
    columns(units)                     values as expressions see them
"""

from racing.space.encoding import Encoding
from racing.space.listed import Boolean, Categorical, Flag, Ordinal
from racing.space.numeric import Integer, Numeric, Real
from racing.space.parameter import Configuration, Parameter, Value, Values
from racing.space.space import Space
from racing.space.structure import PlacedError

__all__ = [
    "Boolean", "Categorical", "Configuration", "Encoding", "Flag", "Integer", "Numeric", "Ordinal",
    "Parameter", "PlacedError", "Real", "Space", "Value", "Values",
]  # fmt: skip
