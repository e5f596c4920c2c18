"""The command `racing schema`."""

from __future__ import annotations


def test_schema_prints_json(racing):
    assert "$schema" in racing("schema").data
