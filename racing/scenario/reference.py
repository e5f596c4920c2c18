"""What a scenario can hold: a JSON Schema for editors, and a list of all keys for the docs.

Both come from the kinds that the reader uses, so they allow what it allows. Contradictions
between keys are found by the reader alone.
"""

from __future__ import annotations

from typing import Any

from racing.records import KeyDoc
from racing.scenario.scenario import Scenario
from racing.space_keys import WithSpace


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a scenario file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "racing scenario",
        **WithSpace(Scenario).schema(),
    }


def reference() -> list[KeyDoc]:
    """Every key that a scenario file can have, in order."""
    return list(WithSpace(Scenario).key_docs(""))
