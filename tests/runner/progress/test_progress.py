"""Where progress is shown, and where not."""

from __future__ import annotations

import sys

import pytest

import racing
from racing.base.errors import InputError
from racing.runner.progress import Terminal, progress_for
from racing.runner.progress.notebook import kernel


def cost(values, instance, seed):
    return abs(values["x"] - 0.31) + (seed % 7) / 100


def run(**options):
    return racing.minimize(cost, [{"x": k / 10} for k in range(11)], range(20), **options)


def test_nobody_is_bothered_where_nobody_looks(capsys):
    run()
    run(progress=False)
    assert capsys.readouterr() == ("", "")


def test_lines_on_stderr_where_they_are_wanted(capsys):
    found = run(progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("dropped")]
    dropped = sum(int(line.split()[1].rstrip(":")) for line in lines)
    assert dropped == len(found.eliminations)


def test_a_terminal_has_a_live_line(monkeypatch, capsys):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    run()
    assert "━ " in (line := capsys.readouterr().err)
    assert "best #4 0.026 (#1 0.326)" in line


def test_a_notebook_that_is_gone_ends_no_run(monkeypatch):
    class Gone:
        HTML = str
        shown = 0

        def display(self, html, *, display_id):
            return self

        def update(self, html):
            self.shown += 1
            raise OSError("the kernel is gone")

    gone = Gone()
    monkeypatch.setitem(sys.modules, "IPython.display", gone)
    monkeypatch.setattr("racing.runner.progress.kernel", lambda: gone)
    assert run(progress=True).winner is not None
    assert gone.shown


def test_outside_of_a_notebook_there_is_no_kernel():
    assert kernel() is None
    assert isinstance(progress_for(None), Terminal)


def test_anything_else_is_refused():
    with pytest.raises(InputError, match="progress must be true, false or None"):
        progress_for("always")
