"""Wrong command lines, and the version."""

from __future__ import annotations

import pytest

from racing import __version__


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["run"], ["run", "x", "--nonsense"]])
def test_a_wrong_command_line_is_exit_2(racing, arguments):
    said = racing(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert "usage: racing" in said.err


def test_version(racing):
    said = racing("--version")
    assert (said.code, said.out) == (0, f"racing {__version__}\n")
