"""Scenarios: read from YAML, with file:line errors, or built in Python.

scenario.py      Scenario, its schema and its keys; its parts in candidates.py, instances.py,
                 search_settings.py, settings.py
load.py          YAML file → Scenario, with keys replaced by --budget and --set
plan.py          the objects that a scenario names
checks.py        contradictions between parts; search_checks.py has those of searches
document.py, scalars.py, tables.py, files.py
                 YAML and tables → plain values with their places
families.py      families of instances: which kind of problem each one is
formats/         files of other programs → scenarios, and back

The annotation of each field gives its allowed values; `racing.base.records` reads it.
"""

from racing.scenario.candidates import CandidateSource, Entry
from racing.scenario.instances import InstanceSource, Problem
from racing.scenario.load import read, reads
from racing.scenario.plan import Plan
from racing.scenario.scenario import Scenario, json_schema, reference
from racing.scenario.search_settings import SearchSettings
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
