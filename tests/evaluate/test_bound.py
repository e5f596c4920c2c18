"""Runs with a bound: stopped there, censored, no failure; past the limit it changes nothing."""

from __future__ import annotations

import math
import sys

import pytest

from racing.base.errors import InputError, TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.core.failures import OnFailure
from racing.evaluate import template
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function

BUSY = (sys.executable, "-S", "-c", "while True: pass")


def experiment(bound: float | None, **values: object) -> Experiment:
    return Experiment(Candidate(3, values), Instance(0, "a", 7), bound)


def outcome(target: Command | Function, bound: float | None, **values: object) -> Outcome:
    return Evaluator(target, on_failure=OnFailure(retries=2))(experiment(bound, **values))


def test_a_run_is_stopped_at_its_bound_on_the_clock():
    found = outcome(Command(command="sleep 30", cost="time"), 0.1)
    assert (found.status, found.cost, found.bound) == (Status.CENSORED, 0.1, 0.1)
    assert found.censored
    assert not found.failed
    assert found.attempts == 1
    assert 0.1 <= found.seconds < 30


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_a_run_is_stopped_at_its_bound_of_processor_time():
    found = outcome(Command(command=BUSY, cost="cpu_time", cpu_timeout=30), 0.1)
    assert (found.status, found.cost) == (Status.CENSORED, 0.1)


@pytest.mark.parametrize("bound", [0.15, 0.2, 5.0])
def test_a_bound_that_is_not_below_the_limit_leaves_a_real_timeout(bound):
    limits = {"cost": "time", "timeout": 0.15}
    penalised = outcome(Command(command="sleep 30", penalty=10, **limits), bound)
    assert (penalised.status, penalised.cost, penalised.bound) == (Status.OK, 1.5, bound)
    failed = outcome(Command(command="sleep 30", **limits), bound)
    assert (failed.status, failed.cost) == (Status.TIMEOUT, math.inf)


def test_another_limit_than_that_of_the_cost_stays_a_timeout():
    target = Command(command="sleep 30", cost="cpu_time", timeout=0.1, cpu_timeout=20)
    assert outcome(target, 5.0).status is Status.TIMEOUT


def test_who_ends_before_the_bound_has_its_own_cost_and_failures():
    quick = outcome(Command(command="true", cost="time"), 20.0)
    assert quick.status is Status.OK
    assert quick.cost < 20.0
    assert outcome(Command(command="false", cost="time"), 20.0).status is Status.CRASHED


@pytest.mark.parametrize(
    ("answer", "status"), [(1.9, Status.OK), (2.0, Status.CENSORED), (7.5, Status.CENSORED)]
)
def test_an_answer_that_reaches_the_bound_is_at_least_that(answer, status):
    found = outcome(Command(command="echo {x} {bound} {x}"), 2.0, x=answer)
    assert (found.status, found.cost) == (status, answer)


@pytest.mark.parametrize(
    ("bound", "options", "seen"),
    [
        (2.5, {}, ["--limit", "2.5", "-t2.5"]),
        (None, {}, []),
        (None, {"timeout": 4}, ["--limit", "4.0", "-t4.0"]),
        (2.5, {"cost": "time", "timeout": 4}, ["--limit", "2.5", "-t2.5"]),
        (9.0, {"cost": "time", "timeout": 4}, ["--limit", "4.0", "-t4.0"]),
    ],
)
def test_the_command_is_given_what_stops_it(bound, options, seen, tmp_path):
    script = "import sys; open('seen', 'w').write(' '.join(sys.argv[1:])); print(1)"
    words = (sys.executable, "-S", "-c", script, "--limit", "{bound}", "-t{bound}")
    outcome(Command(command=words, cwd=str(tmp_path), **options), bound)
    assert (tmp_path / "seen").read_text().split() == seen


def test_a_bound_inside_an_argument_cannot_be_left_out():
    arguments = template.parse("run a{bound}b")
    assert template.fill(arguments, experiment(3.0), {}, bound=3.0) == ["run", "a3.0b"]
    with pytest.raises(InputError, match="set a timeout, which is then used"):
        template.fill(arguments, experiment(None), {})


def test_a_parameter_cannot_be_called_bound_in_a_command():
    with pytest.raises(InputError, match="rename the parameter"):
        Command(command="sh {bound} {parameters}").check(["bound"])


def bounded(values, instance, seed, *, bound=None):
    return 10.0 if bound is None else min(10.0, bound)


def plain(values, instance, seed):
    return 10.0


def test_a_function_that_takes_a_bound_is_given_it():
    whole = outcome(Function(bounded), None)
    assert (whole.status, whole.cost, whole.bound) == (Status.OK, 10.0, None)
    found = outcome(Function(bounded), 4.0)
    assert (found.status, found.cost, found.bound) == (Status.CENSORED, 4.0, 4.0)
    assert outcome(Function(bounded), 11.0).status is Status.OK
    assert outcome(Function(plain), 4.0).status is Status.CENSORED


def test_capping_needs_a_function_that_takes_a_bound():
    Function(bounded).check()
    Function(bounded).check_bound()
    with pytest.raises(TargetError, match="needs a function that takes `bound`"):
        Function(plain).check_bound()
