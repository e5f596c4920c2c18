"""A sound scenario is read for what it says, from YAML and from Python alike."""

from __future__ import annotations

import cProfile
import glob
import json
import os
import pstats
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import FrozenInstanceError
from pathlib import Path

import jsonschema
import pytest
import yaml

import racing
from racing.base.errors import InputError, ScenarioError
from racing.base.records import FieldErrors
from racing.core.budget import Budget
from racing.core.failures import OnFailure
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.rules import Sign
from racing.scenario import (
    CandidateSource,
    Entry,
    Execution,
    InstanceSource,
    Problem,
    RaceSettings,
    Scenario,
    files,
    json_schema,
    read,
    reads,
)
from racing.scenario.document import compose
from racing.scenario.files import matching
from racing.space import Categorical, Integer, Real, Space
from tests.scenario import bad_spaces
from tests.scenario.bad_scenarios import CASES, Case, scenario
from tests.scenario.doc_tables import said

FULL = """\
name: clasp
seed: 42
direction: maximize
objective: mean
target:
  command: [python, -m, clingo, "{instance}", "{parameters}"]
  output: json
  timeout: 1m30s
  memory: 1.5 GiB
  cwd: work
on_failure: {policy: stop, retries: 2}
space:
  alpha: {real: [0.01, 5], log: true, default: 1, switch: "--alpha="}
  ants: {integer: [5, 1e2], default: 25}
  rule: {categorical: [as, mmas, acs], default: mmas}
  fast: {categorical: [true, false, 3], default: false}
candidates:
  default: true
  list:
    - {alpha: 1e-2, ants: 10.0}
    - name: tuned
      values: {alpha: 2, rule: as, fast: 3}
  csv: candidates.csv
  grid: {alpha: [0.5, 1], rule: [as, mmas]}
  sample: 5
instances:
  list: [a.cnf, "no such file", {name: c, seeds: [1, 2]}]
  order: listed
  repeat: true
budget: {evaluations: 2e3, wall_time: 30m, target_time: 1h30m, instances: 100}
race: {first_test: 3, each_test: 2, min_survivors: 2}
rule: {name: sign, alpha: 1e-2}
execution: {jobs: 2, engine: threading}
log: runs/x.sqlite
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.cnf").touch()
    (tmp_path / "candidates.csv").write_text(
        "name, rule ,fast,alpha\nfromcsv,acs,true,0.1\n,,,0.2\n\n,as,3,3e-1\n"
    )
    return tmp_path


@pytest.fixture
def full(folder: Path) -> Scenario:
    (folder / "race.yaml").write_text(FULL)
    return read(folder / "race.yaml")


def same_in_python(folder: Path) -> Scenario:
    return Scenario(
        name="clasp",
        seed=42,
        direction="maximize",
        objective="mean",
        target=Command(
            command=("python", "-m", "clingo", "{instance}", "{parameters}"),
            output="json",
            timeout=90.0,
            memory=3 * 2**29,
            cwd="work",
        ),
        on_failure=OnFailure(policy="stop", retries=2),
        space=Space(
            {
                "alpha": Real(0.01, 5, log=True, default=1.0, switch="--alpha="),
                "ants": Integer(5, 100, default=25),
                "rule": Categorical(["as", "mmas", "acs"], default="mmas"),
                "fast": Categorical([True, False, 3], default=False),
            }
        ),
        candidates=CandidateSource(
            default=True,
            list=(
                {"alpha": 0.01, "ants": 10},
                Entry({"alpha": 2, "rule": "as", "fast": 3}, name="tuned"),
            ),
            csv="candidates.csv",
            grid={"alpha": (0.5, 1), "rule": ("as", "mmas")},
            sample=5,
        ),
        instances=InstanceSource(
            list=("a.cnf", "no such file", Problem("c", seeds=(1, 2))), order="listed", repeat=True
        ),
        budget=Budget(evaluations=2000, wall_time=1800.0, target_time=5400.0, instances=100),
        race=RaceSettings(first_test=3, each_test=2, min_survivors=2),
        rule=Sign(alpha=0.01),
        execution=Execution(jobs=2, engine="threading"),
        log="runs/x.sqlite",
        folder=str(folder),
    )


def test_yaml_and_python_say_the_same(full: Scenario, folder: Path) -> None:
    assert full == same_in_python(folder)


def test_plain_data_in_the_same_layout_gives_it_back(full: Scenario) -> None:
    data = json.loads(json.dumps(full.to_dict()))
    assert Scenario.from_dict(data) == full
    assert Scenario.from_dict(data).to_dict() == full.to_dict()
    assert set(data) == set(yaml.safe_load(FULL)) | {"folder"}


def test_plain_data_is_a_scenario_file_too(full: Scenario, folder: Path) -> None:
    other = folder / "deeper" / "again.yaml"
    assert reads(json.dumps(full.to_dict()), str(other)) == full
    assert reads(yaml.safe_dump(full.to_dict()), str(other)) == full


def test_the_pool_in_order_with_defaults_filled_in(full: Scenario) -> None:
    pool = full.plan.candidates
    assert [one.id for one in pool] == list(range(1, len(pool) + 1))
    assert [one.name for one in pool[:5]] == ["default", "", "tuned", "fromcsv", ""]
    assert pool[0].values == {"alpha": 1.0, "ants": 25, "rule": "mmas", "fast": False}
    assert pool[1].values == {"alpha": 0.01, "ants": 10, "rule": "mmas", "fast": False}
    assert pool[2].values == {"alpha": 2.0, "ants": 25, "rule": "as", "fast": 3}
    assert pool[3].values == {"alpha": 0.1, "ants": 25, "rule": "acs", "fast": True}
    assert pool[5].values == {"alpha": 0.3, "ants": 25, "rule": "as", "fast": 3}
    # of the grid's four, (1, mmas) is the default and comes first there
    assert [one.values["alpha"] for one in pool[6:9]] == [0.5, 0.5, 1.0]
    assert len(pool) == 6 + 3 + 5
    assert [type(value) for value in pool[1].values.values()] == [float, int, str, bool]
    assert list(pool[2].values) == ["alpha", "ants", "rule", "fast"]
    assert full.plan.candidates == pool


def test_samples_depend_on_the_seed_alone(folder: Path) -> None:
    def samples(seed: int, **changes: str | None) -> list[object]:
        text = scenario(seed=str(seed), candidates="{sample: 3}", **changes)
        pool = reads(text, str(folder / "race.yaml")).plan.candidates
        return [one.values for one in pool]

    assert samples(1) == samples(1, budget="200", race="{first_test: 2}")
    assert samples(1) != samples(2)


def test_the_stream_of_instances(full: Scenario, folder: Path) -> None:
    stream = full.plan.instances
    assert [stream.at(step, 42).name for step in range(5)] == [
        "a.cnf", "no such file", "c", "c", "a.cnf",
    ]  # fmt: skip
    assert stream.at(0, 42).problem == str(folder / "a.cnf")
    assert stream.at(1, 42).problem == "no such file"
    assert [stream.at(step, 42).seed for step in (2, 3)] == [1, 2]


def test_resolved_needs_no_other_file(full: Scenario, folder: Path) -> None:
    resolved = full.resolved()
    (folder / "candidates.csv").unlink()
    again = Scenario.from_dict(json.loads(json.dumps(resolved.to_dict())))
    with pytest.raises(InputError, match=r"candidates.csv: no such file"):
        Scenario.from_dict(full.to_dict())
    assert again == resolved
    assert again.plan.candidates == resolved.plan.candidates
    ours, theirs = full.plan.instances, again.plan.instances
    assert [ours.at(step, 1) for step in range(9)] == [theirs.at(step, 1) for step in range(9)]


def test_paths_are_seen_from_the_folder_of_the_file(full: Scenario, folder: Path) -> None:
    assert full.folder == str(folder)
    assert full.plan.log == folder / "runs/x.sqlite"
    assert full.plan.target.cwd == str(folder / "work")
    moved = reads(scenario(folder=".."), str(folder / "configs" / "race.yaml"))
    assert Path(moved.folder) == folder
    assert moved.plan.log == folder / "runs/race.sqlite"


PATTERNS = [
    *("*.cnf", "**/*.cnf", "**", "**/**/c.cnf", "sub/../*.cnf", "./sub/*", "*/*", "[ab].cnf"),
    *("sub/**", "**/deep/*.cnf", ".*/*", "**/.h*", "no/*", "../*/a.cnf", "sub/**/[!c].cnf", "a/*"),
]
FILES = "a.cnf", "b.cnf", "sub/c.cnf", "sub/deep/d.cnf", ".h/e.cnf", "sub/.hidden", "[x]/f"


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("absolute", [False, True])
def test_patterns_match_what_glob_matches(tmp_path: Path, pattern: str, absolute: bool) -> None:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "sub/up").symlink_to(tmp_path / "sub/deep")
    if absolute:
        pattern = os.path.join(glob.escape(str(tmp_path)), pattern)
    expected = glob.glob(pattern.replace("./s", "s"), root_dir=tmp_path, recursive=True)
    found = matching(pattern, tmp_path)
    assert found == sorted({name.rstrip("/") for name in expected} & set(found))
    assert {n for n in expected if (tmp_path / n).is_file()} <= set(found)


@pytest.mark.parametrize("pattern", ["**/*", "**/nothing", "*/*/*/nothing", "**", "**/**/**/x"])
def test_a_pattern_does_not_walk_the_whole_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    for number in range(60):
        (tmp_path / f"{number}/a/b").mkdir(parents=True)
    assert len(matching("**/b", tmp_path)) == 60
    monkeypatch.setattr(files, "MOST_FILES", 50)
    with pytest.raises(FieldErrors) as caught:
        InstanceSource(glob=pattern).problems(tmp_path)
    assert "cannot be used: more than 50 files and folders" in caught.value.errors[0].message


def test_globs_and_files_of_instances(folder: Path) -> None:
    for name in ("b.cnf", "sub/c.cnf", "d.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    (folder / "list.txt").write_text('# comment\n\na.cnf\n"two words" 7 8\n  b.cnf 9\n')

    def names(**source: str) -> list[str]:
        stream = InstanceSource(**source, order="listed").resolve(folder)
        assert stream.limit is not None
        return [f"{stream.at(i, 1).name}" for i in range(stream.limit)]

    assert names(glob="*.cnf") == ["a.cnf", "b.cnf"]
    assert names(glob="**/*.cnf") == ["a.cnf", "b.cnf", "sub/c.cnf"]
    assert names(file="list.txt") == ["a.cnf", "two words", "b.cnf", "two words"]
    lines = InstanceSource(file="list.txt").resolve(folder)
    assert list(lines.seeds) == [(), (7, 8), (9,)]
    assert lines.problems[2] == str(folder / "b.cnf")


def test_short_budgets_and_rules(folder: Path) -> None:
    def one(**changes: str) -> Scenario:
        return reads(scenario(**changes), str(folder / "race.yaml"))

    assert one(budget="2000").budget == Budget(evaluations=2000)
    assert one(budget="2e3").budget == Budget(evaluations=2000)
    assert one(budget="30m").budget == Budget(wall_time=1800.0)
    assert one(rule="sign").rule == Sign()
    assert one(target="{python: a.py:f, timeout: 5}").target == Function(python="a.py:f", timeout=5)


def test_without_a_space_values_stand_for_themselves(folder: Path) -> None:
    (folder / "c.csv").write_text("x,y\n1,a\n0.5,no\n")
    text = scenario(space=None, candidates="{list: [{x: 1}, {x: true}, {x: 1.5}], csv: c.csv}")
    pool = reads(text, str(folder / "race.yaml")).plan.candidates
    assert [dict(one.values) for one in pool] == [
        {"x": 1}, {"x": True}, {"x": 1.5}, {"x": 1, "y": "a"}, {"x": 0.5, "y": "no"},
    ]  # fmt: skip


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(folder: Path) -> None:
    path = folder / "race.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + scenario().replace("\n", "\r\n").encode())
    assert read(path).name == "race"


@pytest.mark.parametrize("name", ["missing.yaml", ".", "a.cnf/race.yaml", "nul\0"])
def test_a_file_that_is_not_there(folder: Path, name: str) -> None:
    with pytest.raises(ScenarioError, match=r"no such file|is a folder|cannot be read"):
        read(folder / name)


def test_an_endless_file_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero")
    with pytest.raises(ScenarioError, match="is a device or a pipe"):
        read("/dev/zero")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "race.yaml")
    with pytest.raises(ScenarioError, match="is a device or a pipe"):
        read(tmp_path / "race.yaml")


def test_unknown_keys_without_end_are_counted() -> None:
    with pytest.raises(ScenarioError) as caught:
        reads("".join(f"key{i}: 1\n" for i in range(60_000)), "race.yaml")
    assert len(caught.value.errors) == 50
    assert caught.value.errors[-1] == "… and 59954 more errors"


def test_a_large_file_is_read_as_a_small_one() -> None:
    """libyaml reads large files: the same data, and the same places."""
    small = "space:\n  a: {real: [0, 'x +']}\n# caf\u00e9\nname: 'a''b'\n"
    large = small + "# padding\n" * 10_000
    one, other = compose(small, "race.yaml"), compose(large, "race.yaml")
    assert (one.data, one.places) == (other.data, other.places)


LONG = {
    "instances": ("instances:\n", "- i{}\n"),
    "one key": ("", "a:\n"),
    "keys of many names": ("", "a{}:\n"),
    "configurations": ("candidates:\n", "- {{x: {}}}\n"),
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_file_takes_work_in_proportion_to_its_lines(what: str) -> None:
    begin, line = LONG[what]
    few, many = (
        calls_of(lambda n=n: reads(begin + "".join(map(line.format, range(n))), "race.yaml"))
        for n in (1_000, 8_000)
    )
    assert many < 8.5 * few


def test_the_reading_ends_where_every_line_is_an_error() -> None:
    calls = calls_of(lambda: reads("a:\n" * 300_000, "race.yaml"))
    assert calls < 150_000
    with pytest.raises(ScenarioError) as caught:
        reads("a:\n" * 300_000, "race.yaml")
    assert caught.value.errors[0] == "race.yaml:2: a: given twice (the first time on line 1)"


def test_a_hundred_thousand_instances_are_read_and_far_more_are_refused() -> None:
    names = [f"- {i}\n" for i in range(150_000)]
    assert len(compose("instances:\n" + "".join(names[:100_000])).data["instances"]) == 100_000
    words = "race.yaml:120000: more than 120,000 values; keep instances or candidates in a file"
    with pytest.raises(ScenarioError, match=words):
        reads("instances:\n" + "".join(names), "race.yaml")


def calls_of(work: Callable[[], object]) -> int:
    """How many functions a reading calls, whether or not it ends in an error."""
    profile = cProfile.Profile()
    with suppress(ScenarioError):
        profile.runcall(work)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def test_it_cannot_be_changed(full: Scenario) -> None:
    with pytest.raises(FrozenInstanceError):
        full.seed = 3  # type: ignore[misc]


def test_the_schema_holds_what_the_reader_accepts(full: Scenario, folder: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    validator = jsonschema.Draft202012Validator(json_schema())
    validator.validate(full.to_dict())
    validator.validate(full.resolved().to_dict())
    for text in (FULL, scenario(), scenario(budget="30m", rule="sign"), scenario(budget="2e3")):
        validator.validate(plain(text))


def test_the_schema_refuses_unknown_keys_and_wrong_types() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    shown = [case.shown for case in CASES if case.shown.startswith("`")]
    bad = [case for case in CASES if case.shown in shown and isinstance(case.text, str)]
    refused = {case.shown for case in bad if not validator.is_valid(plain(case.text))}
    for expected in (
        "`sead: 1`", "`seed: 1.5`", "`seed: -1`", '`seed: "7"`', "`name: 42`", "`budget: 2k`",
        "`budget: 0`", "`direction: minimise`", "`rule: singn`", "`execution: {jobs: 0}`",
        "`space: {a: {reel: [0, 1]}}`", "`space: {a: {real: [0, 1, 2]}}`",
        "`candidates: {list: []}`",
        "`rule: {name: sign, alpha: 5}`", "`target: {command: solve, python: solve.py:solve}`",
        "`instances: {list: [true, 1.5]}`", "`on_failure: {polcy: stop}`", "`race: 5`",
        "`space: {}`",
    ):  # fmt: skip
        assert expected in refused


def plain(text: str) -> object:
    """The data of a YAML text, as the reader takes it."""
    return compose(text).data


SOUND = {
    "target": Function(python=lambda values, instance, seed: 0.0),
    "candidates": CandidateSource(list=({"a": 1}, {"a": 2})),
    "instances": InstanceSource(list=tuple("abcde")),
}


def test_python_takes_what_a_file_says() -> None:
    def solve(values: object, instance: object, seed: int) -> float:
        return 0.0

    said = Scenario(
        target=solve,  # type: ignore[arg-type]
        candidates=[{"a": 1}, {"name": "b", "values": {"a": 2}}],  # type: ignore[arg-type]
        instances=["u", {"name": "v", "seeds": [3]}],  # type: ignore[arg-type]
        space={"a": {"integer": [1, 9]}},  # type: ignore[arg-type]
        budget="1h",  # type: ignore[arg-type]
        race={"first_test": 2},  # type: ignore[arg-type]
        rule="sign",  # type: ignore[arg-type]
        execution={"jobs": 2},  # type: ignore[arg-type]
    )
    built = Scenario(
        target=Function(python=solve),
        candidates=CandidateSource(list=({"a": 1}, Entry({"a": 2}, "b"))),
        instances=InstanceSource(list=("u", Problem("v", seeds=(3,)))),
        space=Space({"a": Integer(1, 9)}),
        budget=Budget(wall_time=3600),
        race=RaceSettings(first_test=2),
        rule=Sign(),
        execution=Execution(jobs=2),
    )
    assert said == built
    assert Scenario(**{**SOUND, "rule": {"name": "sign", "alpha": 0.1}}).rule == Sign(alpha=0.1)  # type: ignore[arg-type]
    assert Scenario(**{**SOUND, "budget": 100}).budget == Budget(evaluations=100)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "case", [*CASES, *bad_spaces.CASES], ids=lambda case: re.sub(r"\W+", " ", case.shown).strip()
)
def test_python_is_told_what_a_file_is_told_in_the_same_words(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    document = compose(case.text) if isinstance(case.text, str) else compose("[")
    if document.errors or not isinstance(document.data, dict) or len(case.text) > 10**6:
        return  # nothing that Python could give
    for name, content in case.files.items():
        (tmp_path / name).write_bytes(content.encode())
    own = {"target", "instances"} <= document.data.keys() <= set(Scenario.__dataclass_fields__)
    with pytest.raises(InputError) as in_python:
        Scenario(**document.data) if own else Scenario.from_dict(document.data)
    assert sorted(map(bare, str(in_python.value).splitlines())) == sorted(map(bare, said(case)))


def bare(error: str) -> str:
    """An error without its place in a file or a text, and with the long form of a list."""
    text = re.sub(r"^race\.yaml(:\d+)*: | \(column \d+( of it)?\)$", "", error)
    return re.sub(r"^(candidates|instances|test_instances)\[", r"\1.list[", text)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Execution(jobs=True), "jobs must be a whole number, 1 or more, or -1"),
        (lambda: CandidateSource(), "no candidates; give any of default, known, list,"),
        (lambda: CandidateSource(sample=10**6), "sample: 1000000 candidates; at most 100000"),
        (lambda: InstanceSource(), "give exactly one of list, glob, file; it has none"),
        (lambda: Problem("", ()), 'name must be text, not empty, or a whole number; got ""'),
        (lambda: Entry({"a": float("nan")}), "values.a must be text, a finite number, true or"),
        (lambda: Scenario(**SOUND, seed=True), "seed must be a whole number from 0 to 2^63 - 1"),
    ],
)
def test_parts_check_themselves(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        build()
    assert message in str(caught.value)


def test_python_may_race_on_any_objects() -> None:
    problems = [object(), {"n": 3}, "text"]
    source = InstanceSource(list=problems, order="listed")  # type: ignore[arg-type]
    sound = {**SOUND, "instances": source, "race": RaceSettings(first_test=2)}
    stream = Scenario(**sound).resolved().plan.instances  # type: ignore[arg-type]
    assert [stream.at(step, 1).problem for step in range(3)] == problems


def test_what_only_python_can_hold_is_told_but_never_read_as_something_else() -> None:
    class Mine:
        def __call__(self, results: object, outlook: object, rng: object) -> object: ...

    source = InstanceSource(list=tuple(Problem(name, problem={}) for name in "abcde"))
    mine = Scenario(**{**SOUND, "instances": source}, rule=Mine())  # type: ignore[arg-type]
    data = json.loads(json.dumps(mine.resolved().to_dict()))
    assert data["rule"]["name"].endswith("Mine")
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_dict(data)
    told = "\n".join(caught.value.errors)
    assert "instances.list[0].problem: only Python code can give it" in told
    assert "rule.name: unknown rule" in told


def test_the_import_is_light() -> None:
    code = (
        "import sys, racing.scenario\n"
        "heavy = {'joblib', 'scipy.stats', 'rich', 'yaml', 'pandas', 'matplotlib', 'sklearn'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_instances_have_groups_in_a_file_as_in_python():
    """Folds of a data set: what the race's rules hear of them."""
    text = scenario(
        instances="{list: [{name: a, group: wine}, {name: b, group: wine}, {name: c, group: iris}],"
        " order: listed, correlation: 0.2}"
    )
    stream = reads(text, "race.yaml").plan.instances
    assert stream.groups == ("wine", "wine", "iris")
    assert stream.correlation == 0.2
    assert [stream.group_at(step, 1) for step in range(3)] == [0, 0, 1]


def test_an_instance_given_often_is_one_error() -> None:
    with pytest.raises(InputError) as told:
        InstanceSource(list=["ring", "grid"] * 60 + ["star"])
    assert str(told.value).splitlines() == [
        f'list[{at}]: the instance "{name}" is given 60 times; to run it more than once, give it '
        "several seeds, or set repeat: true"
        for at, name in ((2, "ring"), (3, "grid"))
    ]


def test_of_many_errors_the_first_are_told() -> None:
    with pytest.raises(InputError) as told:
        InstanceSource(list=[f"i{k % 200}" for k in range(400)])
    lines = str(told.value).splitlines()
    assert len(lines) == 50
    assert lines[-1] == "… and 151 more errors"


@pytest.mark.parametrize("pad", [0, 10_000])
def test_characters_that_json_escapes_in_halves_are_whole(pad: int) -> None:
    data = {
        "name": "run\U0001f600", "target": {"python": "a.py:f"}, "budget": 40,
        "candidates": [{"x\U0001d504": "a\\u\\\U0010ffff"}, {"x\U0001d504": "b"}],
        "instances": [*"uvwxy", "\U0001f600", *(f"z{k}" for k in range(pad))],
    }  # fmt: skip
    assert reads(json.dumps(data), "file") == reads(json.dumps(data, ensure_ascii=False), "file")
    assert reads(json.dumps(data), "file").name == "run\U0001f600"


@pytest.mark.parametrize("half", ["\\ud83d", "\\ude00", "\\ude00\\ud83d"])
@pytest.mark.parametrize("place", ["name", "key"])
def test_half_a_character_is_refused(half: str, place: str) -> None:
    text = f'"name{half}": x' if place == "key" else f'name: "x{half}"'
    with pytest.raises(ScenarioError, match=r"file:1.*is one half of a character"):
        reads(text, "file")


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("name", "n" * 300, "at most 240 bytes"), ("log", "n" * 300, "at most 240 bytes"),
        ("name", "n" * 10_001, "at most 10000 characters"),
        ("instances", ["a" * 10_001, "b", "c", "d"], r"10001 characters"),
        ("candidates", {"list": [{"name": "n" * 10_001, "values": {"x": 1}}]}, "10001 characters"),
    ],
)  # fmt: skip
def test_names_that_no_file_or_table_can_hold_are_refused_in_few_words(key, value, why) -> None:
    data = yaml.safe_load(scenario())
    with pytest.raises(ScenarioError, match=why) as caught:
        reads(json.dumps(data | {key: value}), "file")
    assert len(str(caught.value)) < 1000


def test_long_instances_of_python_have_short_names() -> None:
    (one,) = InstanceSource(list=["a" * 20_000]).list
    assert (len(one.name), len(one.problem)) == (80, 20_000)


def test_whole_numbers_name_instances(tmp_path: Path) -> None:
    text = scenario(instances="[1, 2, {name: 3, seeds: [5]}, a]")
    read = reads(text, str(tmp_path / "race.yaml"))
    assert [one.name for one in read.plan.problems] == ["1", "2", "3", "a"]
    same = racing.Scenario(
        **SOUND | {"instances": {"list": [1, 2, {"name": 3, "seeds": [5]}, "a"]}}
    )
    assert [one.name for one in same.plan.problems] == ["1", "2", "3", "a"]


@pytest.mark.parametrize(
    ("called", "kind"), [("float", "real"), ("int", "integer"), ("choice", "categorical")]
)
def test_kinds_by_the_names_of_other_programs(tmp_path: Path, called: str, kind: str) -> None:
    text = scenario(space=f"{{alpha: {{{called}: [0, 5]}}}}")
    with pytest.raises(InputError, match=f"did you mean '{kind}'"):
        reads(text, str(tmp_path / "race.yaml"))
