"""A scenario says what is raced: read from YAML with file:line errors, or built in Python.

scenario.py      Scenario; its parts in candidates.py, instances.py, settings.py
reading.py       YAML file → Scenario
checks.py        contradictions between parts
records.py, forms.py, leaves.py, number.py, lists.py, shapes.py, space_shape.py
                 what each type of field allows: one description for reader, schema and docs
annotations.py, docstrings.py
                 where that description comes from
compose.py, nodes.py, scalars.py, units.py, table.py, files.py
                 YAML and CSV → plain values with their keys and lines
reference.py     the JSON Schema, and the list of all keys
"""

from racing.scenario.candidates import CandidateSource, Entry
from racing.scenario.instances import InstanceSource, Problem
from racing.scenario.reading import read, reads
from racing.scenario.reference import json_schema, reference
from racing.scenario.scenario import Scenario
from racing.scenario.settings import Execution, RaceSettings

__all__ = [
    "CandidateSource",
    "Entry",
    "Execution",
    "InstanceSource",
    "Problem",
    "RaceSettings",
    "Scenario",
    "json_schema",
    "read",
    "reads",
    "reference",
]
