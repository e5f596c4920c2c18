"""A scenario says what is raced: read from YAML with file:line errors, or built in Python.

scenario.py      Scenario; its parts in candidates.py, search.py, instances.py, settings.py
load.py          YAML file → Scenario
plan.py          what a scenario names, looked up once
checks.py        contradictions between parts
document.py, scalars.py, csv_rows.py, files.py
                 YAML and CSV → plain values with their lines
reference.py     the JSON Schema, and the list of all keys

What each field may hold is said by its annotation, and read by `racing.records`.
"""

from racing.scenario.candidates import CandidateSource, Entry
from racing.scenario.instances import InstanceSource, Problem
from racing.scenario.load import read, reads
from racing.scenario.plan import Plan
from racing.scenario.reference import json_schema, reference
from racing.scenario.scenario import Scenario
from racing.scenario.search import SearchSettings
from racing.scenario.settings import Execution, RaceSettings

__all__ = [
    "CandidateSource",
    "Entry",
    "Execution",
    "InstanceSource",
    "Plan",
    "Problem",
    "RaceSettings",
    "Scenario",
    "SearchSettings",
    "json_schema",
    "read",
    "reads",
    "reference",
]
