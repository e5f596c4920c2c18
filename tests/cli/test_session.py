"""What commands that evaluate have in common: their options, and how they are interrupted."""

from __future__ import annotations

import argparse
import json
import signal

import pytest

from racing.base.errors import InputError
from racing.cli.options import DRIVING, ENGINE, add_options
from racing.cli.session import Interrupts, driven
from racing.scenario import read
from tests.runs_kit import write_scenario


def arguments(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_options(parser, (*DRIVING, ENGINE))
    return parser.parse_args(given)


def test_what_is_not_given_is_left_to_the_scenario():
    found = arguments()
    assert (found.jobs, found.engine, found.quiet, found.log_format) == (None, None, False, "text")


@pytest.mark.parametrize("given", [("--engine", "fast"), ("--log-format", "xml"), ("--jobs", "x")])
def test_what_is_not_known_is_refused(given, capsys):
    with pytest.raises(SystemExit):
        arguments(*given)
    assert given[1] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "jobs"), [("3", 3), ("-1", -1), ("2.0", 2), ("0", None), ("-2", None), ("2.5", None),
                       ("x", None), ("007", None), ("true", None), ("1e400", None)]
)  # fmt: skip
def test_jobs_are_read_as_those_of_a_scenario(tmp_path, capsys, text, jobs):
    scenario = write_scenario(tmp_path, execution="?")
    scenario.write_text(scenario.read_text().replace("'?'", f"{{jobs: {text}}}"))
    if jobs is not None:
        assert arguments("--jobs", text).jobs == read(scenario).execution.jobs == jobs
        return
    with pytest.raises(InputError) as wrong:
        read(scenario)
    with pytest.raises(SystemExit):
        arguments("--jobs", text)
    words = str(wrong.value).splitlines()[0].partition(": ")[2].removeprefix("execution.jobs")
    assert words.lstrip(": ") in capsys.readouterr().err


def test_the_run_gets_jobs_and_a_way_to_see_ctrl_c():
    before = signal.getsignal(signal.SIGINT)

    def go(options):
        assert options.jobs == 3
        assert not options.interrupted()
        signal.raise_signal(signal.SIGINT)
        assert options.interrupted(), "the run ends by itself, after what is running"
        return "result"

    assert driven(go, arguments("--jobs", "3", "--quiet")) == "result"
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_leaves_no_handler_behind():
    before = signal.getsignal(signal.SIGINT)

    def go(options):
        raise ValueError("no luck")

    with pytest.raises(ValueError, match="no luck"):
        driven(go, arguments("--quiet"))
    assert signal.getsignal(signal.SIGINT) is before


def test_progress_is_json_lines_on_stderr_and_results_have_stdout(racing, scenario, tmp_path):
    said = racing("run", scenario, "--log", tmp_path / "a.sqlite", "--log-format", "json", "--json")
    assert said.code == 0
    assert said.data["finished"]
    assert [json.loads(line) for line in said.err.splitlines()]


# --- ctrl-C and SIGTERM, sent to this very process ---


def test_the_first_ctrl_c_is_a_request_and_the_second_stops_at_once():
    said: list[str] = []
    before = signal.getsignal(signal.SIGINT)
    with Interrupts(said.append) as interrupted:
        assert not interrupted()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()
        assert len(said) == 1
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)  # ignored: the program is about to exit
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_sigterm_stops_at_once():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with Interrupts(print), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
        signal.signal(number, handler)


def test_without_a_signal_the_handlers_are_as_before():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with Interrupts(print) as interrupted:
        assert signal.getsignal(signal.SIGINT) not in before
    assert not interrupted()
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
