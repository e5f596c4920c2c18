"""The configurations that may be tried: named parameters, each with its domain.

Parameter    what every kind of parameter can do
├── Real         a number from an interval, on a linear or logarithmic scale
├── Integer      a whole number from an interval, on a linear or logarithmic scale
└── Categorical  one of a list of values
Space        name → parameter: samples, completes and checks configurations
"""

from racing.space.categorical import Categorical
from racing.space.integer import Integer
from racing.space.parameter import Parameter, Value, Values
from racing.space.real import Real
from racing.space.space import Space

__all__ = ["Categorical", "Integer", "Parameter", "Real", "Space", "Value", "Values"]
