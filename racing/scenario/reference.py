"""The JSON Schema of scenarios, for editors, and the list of all keys, for the docs.

Both use the kinds of the reader, so they allow the same values. Only the reader finds
contradictions between keys.
"""

from __future__ import annotations

from typing import Any

from racing.base.records import KeyDoc
from racing.scenario.scenario import Scenario
from racing.space.keys import WithSpace


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a scenario file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "racing scenario",
        **WithSpace(Scenario).schema(),
    }


def reference() -> list[KeyDoc]:
    """All keys of a scenario file, in order."""
    return list(WithSpace(Scenario).key_docs(""))
