"""Exit codes of errors; docs/cli.md has the same table, which test_cli_docs.py checks."""

from __future__ import annotations

import pytest

from racing.base import errors
from racing.cli import exits


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.InputError, exits.BAD_INPUT),
        (errors.ScenarioError, exits.BAD_INPUT),
        (errors.TableError, exits.BAD_INPUT),
        (errors.TargetError, exits.TARGET_FAILED),
        (errors.TargetFailed, exits.TARGET_FAILED),
        (errors.LogError, exits.LOG_TROUBLE),
        (errors.LogBusy, exits.LOG_TROUBLE),
        (errors.LogDamaged, exits.LOG_TROUBLE),
        (errors.RaceError, exits.BAD_INPUT),
        (errors.MissingExtra, exits.BAD_INPUT),
    ],
)
def test_every_kind_of_error_has_its_code(kind, code):
    assert exits.of(kind.__new__(kind)) == code
