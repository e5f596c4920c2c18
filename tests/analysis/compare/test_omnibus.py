"""The tests of any difference."""

from __future__ import annotations

import pytest

from racing.analysis.compare import compare
from racing.analysis.compare.paired import OMNIBUS
from tests.analysis.compare.comparisons import said, some


@pytest.mark.parametrize("omnibus", OMNIBUS)
def test_every_omnibus_test_runs(omnibus):
    c = compare(some(n=6, m=4), omnibus=omnibus)
    assert (c.omnibus is None) == (omnibus == "none")
    assert said(c)
