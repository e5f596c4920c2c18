"""What was paid once is not paid again."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

import racing
from racing.base.errors import InputError, LogError, ScenarioError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Reused, Status
from racing.log import Header, SQLiteLog
from racing.report import gather
from racing.report.counts import Reuse
from racing.runner.reuse import Earlier, earlier_outcomes, key_of
from racing.runner.run import resume, run
from racing.scenario import Scenario, read
from tests.runs_kit import calls, interrupted_after, result, write_scenario

SHAPE = {"candidates": 6, "instances": 12, "noise": 6.0}


def changed(path: Path, **keys: object) -> Path:
    """The scenario in a file with other keys, beside it."""
    scenario = {**yaml.safe_load(path.read_text()), **keys}
    other = path.with_name(f"{path.stem}-other.yaml")
    other.write_text(yaml.safe_dump(scenario))
    return other


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The log of a run; its scenario is `race.yaml` in the same folder."""
    run(write_scenario(tmp_path, **SHAPE), log=tmp_path / "old.sqlite")
    return tmp_path / "old.sqlite"


def again(old: Path, **keys: object) -> Path:
    return changed(old.with_name("race.yaml"), **{"reuse": "old.sqlite", **keys})


def outcomes(log: Path) -> list[Outcome]:
    with SQLiteLog.open(log, write=False) as book:
        return book.outcomes()


# --- what is taken ----------------------------------------------------------------------------


def test_the_same_run_again_evaluates_nothing(old):
    before, new = len(calls(old.parent)), old.with_name("new.sqlite")
    run(again(old), log=new)
    assert len(calls(old.parent)) == before
    assert result(new) == result(old)
    assert {one.reused.log for one in outcomes(new)} == {"old.sqlite"}
    assert not any(one.seconds or one.spent for one in outcomes(new))


def test_more_candidates_and_instances_are_evaluated_alone(old):
    run(changed(old.with_name("race.yaml"), rule="none"), log=old.with_name("all.sqlite"))
    before = len(calls(old.parent))
    more = again(
        old,
        reuse=["old.sqlite", "all.sqlite"],
        candidates={"list": [{"x": k / 6} for k in range(6)] + [{"x": 0.99}]},
        instances={"list": ["new", *(f"i{k}" for k in range(12))]},
        rule="none",
    )
    run(more, log=old.with_name("new.sqlite"))
    assert len(calls(old.parent)) - before == 7 + 12  # a row, and a column


def test_a_chain_of_runs_knows_what_was_paid_at_first(old):
    run(again(old), log=old.with_name("second.sqlite"))
    run(again(old, reuse="second.sqlite"), log=old.with_name("third.sqlite"))
    first, third = outcomes(old), outcomes(old.with_name("third.sqlite"))
    assert [one.reused.seconds for one in third] == [one.seconds for one in first]
    assert [one.reused.started for one in third] == [one.started for one in first]
    assert {one.reused.log for one in third} == {"second.sqlite"}


def test_failures_are_evaluated_again(tmp_path):
    path = write_scenario(tmp_path, **SHAPE)
    sound = (tmp_path / "target.py").read_text()
    crash = "\n    if instance == 'i3':\n        raise OSError('no network')\n"
    (tmp_path / "target.py").write_text(sound.replace("    noise =", f"{crash}    noise ="))
    run(path, log=tmp_path / "old.sqlite")
    earlier = earlier_outcomes(read(again(tmp_path / "old.sqlite")))
    failed = [one for one in outcomes(tmp_path / "old.sqlite") if one.failed]
    assert earlier.failed == len(failed) > 0
    assert not any(name == "i3" for _, name, _ in earlier.outcomes)


def test_the_first_log_is_right_where_two_disagree(old):
    shutil.copy(old, old.with_name("copy.sqlite"))
    earlier = earlier_outcomes(read(again(old, reuse=["copy.sqlite", "old.sqlite"])))
    assert {one.reused.log for one in earlier.outcomes.values()} == {"copy.sqlite"}


def test_a_target_in_another_folder_is_the_same_if_its_files_are(old, tmp_path_factory):
    other = tmp_path_factory.mktemp("moved")
    for name in ("target.py", "race.yaml", "old.sqlite"):
        shutil.copy(old.with_name(name), other)
    assert len(earlier_outcomes(read(again(other / "old.sqlite")))) == len(outcomes(old))


def test_what_the_timeout_was_does_not_matter(old):
    target = {"python": "target.py:solve", "timeout": 60}
    path = again(old, target=target, execution={"engine": "loky"})
    assert len(earlier_outcomes(read(path))) == len(outcomes(old))


def test_outcomes_of_a_changed_file_are_told_apart(old):
    interrupted = old.with_name("half.sqlite")
    run(old.with_name("race.yaml"), log=interrupted, options=interrupted_after(20))
    target = old.with_name("target.py")
    target.write_text(target.read_text() + "# another comment\n")
    resume(interrupted, accept_changed_target=True)
    earlier = earlier_outcomes(read(again(old, reuse="half.sqlite")))
    assert earlier.others == 20
    assert len(earlier) == len(outcomes(interrupted)) - 20


def test_a_run_that_accepts_a_change_takes_what_was_made_before_it(old):
    new = old.with_name("new.sqlite")
    run(again(old), log=new, options=interrupted_after(10))
    target, before = old.with_name("target.py"), len(calls(old.parent))
    target.write_text(target.read_text() + "# another comment\n")
    resume(new, accept_changed_target=True)
    assert result(new) == result(old)
    assert len(calls(old.parent)) == before


def test_outcomes_of_another_function_of_the_same_name_are_told_apart(tmp_path):
    made = []

    def times(factor):
        def solve(values, instance, seed):
            made.append(factor)
            return factor * values["x"] + instance

        return solve

    def minimized(factor, log, reuse=None):
        options = {"reuse": reuse, "log": tmp_path / log, "rule": "none"}
        return racing.minimize(times(factor), [{"x": 1}, {"x": 2}], range(6), **options)

    minimized(2, "old.sqlite")
    with pytest.raises(InputError, match="files, functions or instances have changed since"):
        minimized(3, "new.sqlite", str(tmp_path / "old.sqlite"))
    minimized(2, "new.sqlite", str(tmp_path / "old.sqlite"))
    assert made == [2] * 12


def test_instances_that_are_objects_are_told_apart_one_by_one(tmp_path):
    made = []

    def product(values, instance, seed):
        made.append(instance)
        return values["x"] * instance[0]

    def minimized(objects, log, reuse=None):
        given = racing.Instances(objects, names=list("abcd"))
        options = {"reuse": reuse, "log": tmp_path / log, "rule": "none"}
        return racing.minimize(product, [{"x": 1}, {"x": 2}], given, **options)

    minimized([[1], [2], [3], [4]], "old.sqlite")
    made.clear()
    minimized([[1], [2], [33], [4]], "new.sqlite", str(tmp_path / "old.sqlite"))
    assert made == [[33], [33]]
    with pytest.raises(InputError, match="none of its 8 outcomes can be taken"):
        minimized([[5], [6], [7], [8]], "other.sqlite", str(tmp_path / "old.sqlite"))


# --- instances that are files ---------------------------------------------------------------------


def test_an_instance_whose_file_was_written_since_is_evaluated_again(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(name)
        os.utime(tmp_path / f"{name}.txt", (0, 0))
    path = write_scenario(tmp_path, candidates=3, source={"list": ["a.txt", "b.txt"]})
    run(path, log=tmp_path / "old.sqlite")
    before = len(calls(tmp_path))
    (tmp_path / "b.txt").write_text("other")
    os.utime(tmp_path / "b.txt")
    run(again(tmp_path / "old.sqlite"), log=tmp_path / "new.sqlite")
    assert len(calls(tmp_path)) - before == 3


# --- bounds -----------------------------------------------------------------------------------


def found(cost: float, *, status: Status = Status.OK, bound: float | None = None) -> Earlier:
    outcome = Outcome(1, 0, cost, status=status, bound=bound, reused=Reused(log="old"))
    return Earlier(outcomes={key_of({"x": 1}, Instance(0, "i", 7)): outcome})


@pytest.mark.parametrize(
    ("earlier", "bound", "expected"),
    [
        (found(3.0), None, (3.0, Status.OK)),
        (found(3.0), 5.0, (3.0, Status.OK)),
        (found(3.0), 2.0, (3.0, Status.CENSORED)),
        (found(3.0, status=Status.CENSORED, bound=3.0), 2.0, (2.0, Status.CENSORED)),
        (found(3.0, status=Status.CENSORED, bound=3.0), 4.0, None),
        (found(3.0, status=Status.CENSORED, bound=3.0), None, None),
    ],
    ids=["no bound", "below it", "beyond it", "lower bound", "higher bound", "bound gone"],
)
def test_a_bound_says_whether_what_was_learned_is_enough(earlier, bound, expected):
    experiment = Experiment(Candidate(9, {"x": 1}), Instance(4, "i", 7), bound)
    taken = earlier.find(experiment)
    assert (None if taken is None else (taken.cost, taken.status)) == expected
    assert taken is None or taken.key == (9, 4)


@pytest.mark.parametrize(
    ("values", "instance"),
    [({"x": 1.0}, Instance(0, "i", 7)), ({"x": 2}, Instance(0, "i", 7)),
     ({"x": 1, "y": 0}, Instance(0, "i", 7)), ({"x": True}, Instance(0, "i", 7)),
     ({"x": 1}, Instance(0, "j", 7)), ({"x": 1}, Instance(0, "i", 8))],
    ids=["float", "value", "more", "bool", "instance", "seed"],
)  # fmt: skip
def test_all_of_the_key_counts(values, instance):
    assert found(3.0).find(Experiment(Candidate(1, values), instance)) is None


# --- told -------------------------------------------------------------------------------------


def test_it_is_told_in_facts_export_and_words(old):
    new = old.with_name("new.sqlite")
    run(again(old), log=new)
    with SQLiteLog.open(new, write=False) as book:
        facts = gather(book)
    many = len(outcomes(old))
    assert facts.reuse.logs == {"old.sqlite": many}
    assert facts.target_seconds == 0 < facts.reuse.seconds
    said = Reuse(logs={"a": 1}, saved={"usd": 0.5, "tokens": 100}, seconds=2).sentence
    assert said == (
        "1 evaluation was not made again but taken from a, which saved $0.5, 100 tokens and 2 s."
    )


# --- refused ----------------------------------------------------------------------------------


def check_refused(
    old: Path, words: str, error: type[Exception] = InputError, **keys: object
) -> None:
    new = old.with_name("new.sqlite")
    with pytest.raises(error, match=words):
        run(again(old, **keys), log=new)
    assert not new.exists()


@pytest.mark.parametrize(
    ("reuse", "words"),
    [([], "reuse: the list is empty"),
     (7, "reuse must be text, not empty or a list of them; got 7"),
     (" ", "must be text, not empty"),
     (["old.sqlite", ""], r"reuse\[1\] must be text, not empty"),
     (["old.sqlite", "old.sqlite"], 'reuse: the value "old.sqlite" is given twice'),
     ({"log": "old.sqlite"}, "reuse must be text")],
    ids=["none", "number", "blank", "empty", "twice", "mapping"],
)  # fmt: skip
def test_what_is_no_list_of_logs_is_refused_in_yaml_and_python(old, reuse, words):
    path = again(old)
    path = changed(path, reuse=reuse)
    with pytest.raises(ScenarioError, match=words):
        read(path)
    scenario = read(old.with_name("race.yaml"))
    with pytest.raises(InputError, match=words):
        replace(scenario, reuse=reuse)


def test_python_may_give_paths(old):
    scenario = read(old.with_name("race.yaml"))
    for given in (old, [old], (old,), [str(old)]):
        assert replace(scenario, reuse=given).earlier_logs == (old,)


def test_a_log_that_is_not_there_is_refused(old):
    check_refused(old, r"reuse: there is no log none\.sqlite, relative to", reuse="none.sqlite")


def test_a_file_that_is_no_log_is_refused(old):
    check_refused(old, "target.py", LogError, reuse="target.py")


def test_the_own_log_is_refused(old):
    with pytest.raises(InputError, match=r"old\.sqlite is where this run is recorded"):
        run(again(old), log=old, force=True)
    assert outcomes(old)  # nothing is lost


def test_another_direction_is_refused(old):
    check_refused(old, "another target; they differ in direction", direction="maximize")


def test_another_function_is_refused(old):
    check_refused(old, "differ in target", target={"python": "./target.py:solve"})


def test_a_changed_file_is_refused(old):
    target = old.with_name("target.py")
    target.write_text(target.read_text() + "# another comment\n")
    check_refused(
        old,
        "files, functions or instances have changed since .*old.sqlite, so that none of its",
    )


def test_a_log_that_names_no_target_is_refused(old):
    with SQLiteLog.create(old.with_name("bare.sqlite"), Header(name="bare", seed=1)):
        pass
    check_refused(old, "names no target", reuse="bare.sqlite")


def test_a_function_without_a_file_is_refused(old):
    def cost(values, instance, seed):
        return values["x"]

    cost.__module__ = "nowhere"
    with pytest.raises(InputError, match="no file of it is known"):
        racing.minimize(cost, [{"x": 1}, {"x": 2}], ["a", "b"], reuse=str(old), progress=False)


def test_objects_without_names_are_refused(old):
    with pytest.raises(InputError, match="list 1 is an object without a name"):
        racing.minimize(
            lambda *_: 0, [{"x": 1}, {"x": 2}], [[1], [2]], reuse=str(old), progress=False
        )


# --- in Python --------------------------------------------------------------------------------


CALLED: list[tuple[float, str]] = []


def distance(values, instance, seed):
    CALLED.append((values["x"], instance))
    return abs(values["x"] - seed % 97 / 97)


def test_minimize_takes_what_an_earlier_call_has_paid(tmp_path):
    candidates = [{"x": k / 5} for k in range(5)]
    given = {"progress": False, "rule": "sign"}
    one = racing.minimize(
        distance, candidates, list("abcdefgh"), log=tmp_path / "one.sqlite", **given
    )
    CALLED.clear()
    for log in (None, tmp_path / "two.sqlite", tmp_path / "two.sqlite"):
        two = racing.minimize(
            distance, candidates, list("abcdefgh"), reuse=tmp_path / "one.sqlite", log=log, **given
        )
        assert two.best == one.best
        assert [one.mean_cost for one in two.ranking] == [one.mean_cost for one in one.ranking]
    assert not CALLED


def test_the_scenario_remembers_the_logs(old):
    scenario = read(again(old))
    assert scenario.reuse == ("old.sqlite",) or scenario.reuse == "old.sqlite"
    assert scenario.earlier_logs == (old,)
    assert Scenario.from_dict(scenario.to_dict(resolved=True)).earlier_logs == (old,)


def test_the_held_out_test_takes_from_them_too_and_goes_on(old):
    path = again(old, test_instances=["t1", "t2", "t3", "t4", "t5", "t6"])
    new = old.with_name("new.sqlite")
    run(path, log=new)
    first = racing.holdout(new, against="#6", options=interrupted_after(3))
    assert first is None
    found = racing.holdout(new, against="#6")
    assert found is not None
    assert len(found.costs) == 6
    with SQLiteLog.open(old.with_name("new.test.sqlite"), write=False) as book:
        assert book.finished is not None
