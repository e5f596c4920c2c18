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


def test_who_names_no_command_is_told_how_to_begin(racing):
    assert "name a command, such as init to begin; see racing --help" in racing().err


def test_instances_of_a_test_may_be_left_out(racing):
    assert "required: RUN\n" in racing("test").err


@pytest.mark.parametrize("option", [["--browser"], ["--port", "8000"]])
def test_options_of_the_live_page_are_refused_without_it(racing, option):
    said = racing("watch", "log.sqlite", *option)
    assert said.code == 2
    assert f"{option[0]}: is for --web; give both" in said.err


def test_version(racing):
    said = racing("--version")
    assert (said.code, said.out) == (0, f"racing {__version__}\n")
