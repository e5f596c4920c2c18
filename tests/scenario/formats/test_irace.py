"""irace's scenarios with all their files: what each option becomes, and every refusal."""

import errno
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import FormatError, InputError
from racing.scenario import read
from racing.scenario.formats.irace import read_scenario
from racing.scenario.formats.irace_options import OPTIONS, parse_scenario
from racing.scenario.search_settings import scheme_of
from tests.scenario.formats.bad_irace import CASES, MINIMAL, PARAMETERS


@pytest.fixture
def folder(tmp_path):
    """A folder with parameters and instances, and a way to add files to it."""

    def make(scenario, **files):
        given_ = {"parameters.txt": PARAMETERS, "instances.txt": "one.tsp\ntwo.tsp --opt 3\n"}
        for name, text in {**given_, **{k.replace("__", "."): v for k, v in files.items()}}.items():
            (tmp_path / name).write_text(text)
        path = tmp_path / "scenario.txt"
        path.write_text(scenario)
        return path

    return make


def test_the_least_scenario(folder):
    path = folder(MINIMAL)
    found = read_scenario(path)
    data = found.scenario
    assert data["budget"] == {"evaluations": 200}
    assert data["search"] is True
    assert data["objective"] == "mean"
    assert not {"rule", "race", "candidates"} & set(data)
    assert data["instances"] == {
        "list": ["one.tsp", "two.tsp --opt 3"], "order": "shuffled", "repeat": True,
    }  # fmt: skip
    assert data["target"] == {
        "command": [str(path.parent / "target-runner"), "{candidate}", "{instance_id}", "{seed}",
                    "{instance_arguments}", "{parameters}"],
        "output": "irace",
    }  # fmt: skip
    options = ["trainInstancesFile", "maxExperiments", "testType"]
    assert [note.option for note in found.notes] == options


def test_what_cannot_be_looked_at_in_a_folder_of_instances_is_left_out(folder, monkeypatch):
    path = folder('trainInstancesDir = "here"\nmaxExperiments = 200\n')
    (path.parent / "here").mkdir()
    for name in ("a.tsp", "closed.tsp"):
        (path.parent / "here" / name).touch()
    real = os.stat

    def stat(file, *arguments, **options):
        if str(file).endswith("closed.tsp"):
            raise PermissionError(errno.EACCES, "Permission denied", str(file))
        return real(file, *arguments, **options)

    monkeypatch.setattr(os, "stat", stat)
    assert read_scenario(path).scenario["instances"]["list"] == ["here/a.tsp"]


@pytest.mark.parametrize(
    ("options", "search", "objective"),
    [
        ("", "continuous", "mean"),
        ("", "irace", "rank"),
        ('testType = "F-test"', "continuous", "rank"),
        ('testType = "F-test"', "irace", "rank"),
        ('testType = "t-test"', "continuous", "mean"),
        ('testType = "t-test"', "irace", "mean"),
    ],
)
def test_a_continuous_search_goes_by_means_unless_ranks_are_asked_for(
    folder, options, search, objective
):
    found = read_scenario(folder(MINIMAL + options), search=search)
    assert found.scenario["objective"] == objective
    said = [str(note) for note in found.notes if note.option == "testType"]
    assert bool(said) == (search == "continuous" or bool(options))
    assert any("is not set: objective is `mean`" in note for note in said) == (
        search == "continuous" and not options
    )


@pytest.mark.parametrize(("rows", "names"), [("0.5\n", ["default"]), ("0.5\n0.75\n", [None, None])])
def test_the_one_configuration_of_a_file_is_the_default(folder, rows, names):
    text = 'trainInstancesFile = "instances.txt"\nmaxExperiments = 200\n'
    path = folder(
        text + 'configurationsFile = "known.txt"\n',
        parameters__txt='x "" r (0, 1)\n', known__txt="x\n" + rows,
    )  # fmt: skip
    entries = read_scenario(path).scenario["candidates"]["list"]
    assert [entry.get("name") for entry in entries] == names


@pytest.mark.parametrize(
    ("options", "timeout"),
    [
        ("targetRunnerTimeout = 30", 30),
        ("boundMax = 60", 60),
        ("targetRunnerTimeout = 30; boundMax = 60", 30),
        ("targetRunnerTimeout = 90; boundMax = 60", 60),
        ("targetRunnerTimeout = 0; boundMax = 60", 60),
        ("", None),
    ],
)
def test_a_run_may_take_what_the_lower_of_its_limits_says(folder, options, timeout):
    data = read_scenario(folder(f"{MINIMAL}{options}\n")).scenario
    assert data["target"].get("timeout") == timeout


def test_a_scenario_with_much_in_it(folder):
    text = """
## comments are passed over
parameterFile <- "p.txt"; seed = 687542627L
execDir = "./arena"   # where it runs
trainInstancesDir = "data"
trainInstancesFile = "list.txt"
testInstancesFile = 'tests.txt'
testInstancesDir = ""
sampleInstances = FALSE
deterministic = 1
targetRunner = "./run me.py"
targetRunnerLauncher = "python"
targetRunnerLauncherArgs = "-u {targetRunner}"
targetRunnerRetries = 2
targetRunnerTimeout = 30
targetCmdline = "--id {configurationID} -i {instance} -s {seed} {targetRunnerArgs}"
maxTime = 3600
testType = "t-test-holm"; confidence = 0.9
firstTest = 4; eachTest = 2
parallel = 4
loadBalancing = NA
elitist = c()
quiet = TRUE
.mine = anything()
"""
    path = folder(text, p__txt=PARAMETERS, list__txt="# not this\na\nb 1 2\n", tests__txt="c\n")
    data = read_scenario(path, search="irace").scenario
    here = path.parent
    assert data["seed"] == 687542627
    assert data["target"]["cwd"] == "./arena"
    assert data["target"]["timeout"] == 30
    assert data["target"]["command"][:2] == ["python", "-u"]
    assert data["instances"] == {
        "list": [f"{here / 'data' / 'a'}", f"{here / 'data' / 'b 1 2'}"],
        "order": "listed", "repeat": False,
    }  # fmt: skip
    assert data["test_instances"]["list"] == ["c"]
    assert data["on_failure"] == {"retries": 2}
    assert data["budget"] == {"target_time": 3600}
    assert data["rule"] == {"name": "t-test", "correction": "holm", "alpha": 0.1}
    assert data["objective"] == "mean"
    assert data["search"] == {"scheme": "irace", "first_test": 4, "each_test": 2}
    assert data["execution"] == {"jobs": 4}
    continuous = read_scenario(path).scenario
    assert continuous["search"] is True
    assert continuous["objective"] == "mean"


ITERATED = """
nbIterations = 3; nbExperimentsPerIteration = 0; nbConfigurations = 12; minNbSurvival = 2
mu = 7; elitist = TRUE; elitistNewInstances = 0; elitistLimit = 0
softRestart = 0; softRestartThreshold = 0.001; postselection = FALSE; confidence = 0.99
"""


def test_options_of_irace_are_honoured_by_iterated_racing(folder):
    found = read_scenario(folder(MINIMAL + ITERATED), search="irace")
    assert found.scenario["search"] == {
        "scheme": "irace", "iterations": 3, "configurations": 12, "min_survivors": 2, "mu": 7,
        "elitist": True, "new_instances": 0, "elitist_limit": 0, "soft_restart": False,
        "restart_threshold": 0.001, "post_selection": False,
    }  # fmt: skip
    assert found.scenario["rule"] == {"name": "f-test", "alpha": 0.01}
    assert {note.fate for note in found.notes} == {"honoured"}
    told = read_scenario(folder(MINIMAL + ITERATED)).notes[:-1]
    assert [note.fate for note in told] == ["honoured"] * 2 + ["no meaning"] * (len(told) - 2)


def test_blocks_multiply_tests_and_new_instances(folder):
    data = read_scenario(folder(MINIMAL + "blockSize = 3; mu = 9"), search="irace").scenario
    assert data["search"] == {
        "scheme": "irace", "mu": 9, "first_test": 15, "each_test": 3, "new_instances": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "bound"),
    [
        ("maxTime = 900; boundMax = 60", 60),
        ("maxTime = 900; boundMax = 60; capping = 0", None),
        ("maxTime = 900; boundMax = 60; elitist = 0", None),
        ("maxExperiments = 900; boundMax = 60", None),
        ("maxExperiments = 900; boundMax = 60; capping = 1", 60),
    ],
)
def test_running_times_are_capped_when_irace_would_cap_them(folder, options, bound):
    path = folder(f'trainInstancesFile = "instances.txt"\n{options}\n')
    data = read_scenario(path, search="irace").scenario
    assert data["search"].get("bound") == bound
    assert data["rule"]["name"] == ("f-test" if bound is None else "t-test")
    assert data["target"]["timeout"] == 60
    assert ("{bound}" if bound else "60") in data["target"]["command"]
    assert read(path, search="irace").search.bound == bound


@pytest.mark.parametrize("search", ["continuous", "irace"])
def test_what_is_translated_is_a_scenario(folder, search):
    path = folder(MINIMAL + "mu = 6\nfirstTest = 5\n")
    scenario = read(path, search=search)
    assert scheme_of(scenario.search) == search
    assert scenario.objective == ("mean" if search == "continuous" else "rank")
    assert scenario.budget.evaluations == 200


def test_another_search_is_refused(folder):
    with pytest.raises(InputError, match='continuous or irace; got "random"'):
        read(folder(MINIMAL), search="random")


def test_every_option_that_is_set_is_told_with_its_fate_and_place(folder):
    notes = read_scenario(
        folder(MINIMAL + 'logFile = "x.Rdata"\nelitist = 0\nboundMax = 9\n')
    ).notes[:-1]  # the last is about testType, which is not set
    told = {note.option: (note.fate, note.place.line) for note in notes}
    assert told == {
        "trainInstancesFile": ("honoured", 1), "maxExperiments": ("honoured", 2),
        "logFile": ("no meaning", 3), "elitist": ("no meaning", 4), "boundMax": ("translated", 5),
    }  # fmt: skip
    assert all(str(note).count(":") >= 4 for note in notes)


def test_all_options_have_a_fate_and_a_reason():
    assert all(option.why for option in OPTIONS.values())


def test_known_configurations_enter_first(folder):
    text = MINIMAL + 'configurationsFile = "known.txt"\n'
    known = 'algorithm alpha rank\nmmas 1.5 3   # good\n"as" 2 NA\n'
    data = read_scenario(folder(text, known__txt=known)).scenario
    assert data["candidates"]["list"] == [
        {"values": {"algorithm": "mmas", "alpha": 1.5, "rank": 3}},
        {"values": {"algorithm": "as", "alpha": 2}},
    ]


def test_a_folder_without_a_list_gives_all_its_files(folder, tmp_path):
    (tmp_path / "data" / "deep").mkdir(parents=True)
    for name in ("b", "a", "deep/c"):
        (tmp_path / "data" / name).write_text("")
    data = read_scenario(folder('trainInstancesDir = "data"\nmaxExperiments = 9')).scenario
    assert [name.rpartition("data/")[2] for name in data["instances"]["list"]] == [
        "a",
        "b",
        "deep/c",
    ]


@pytest.mark.parametrize("written", ["data", "./data", "data/", ".//data/./"])
def test_a_folder_has_one_name_however_it_is_written(folder, tmp_path, written):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a").touch()
    text = f'trainInstancesDir = "{written}"\nmaxExperiments = 9'
    assert read_scenario(folder(text)).scenario["instances"]["list"] == ["data/a"]


def test_forbidden_clauses_in_a_file_of_their_own(folder):
    path = folder(MINIMAL + 'forbiddenFile = "f.txt"', f__txt='alpha > 4 & algorithm == "as"\n')
    assert read_scenario(path).scenario["forbidden"] == ["alpha > 4 and algorithm == 'as'"]


def test_digits_of_older_scenarios(folder):
    data = read_scenario(folder(MINIMAL + "digits = 2")).scenario
    assert data["space"]["alpha"]["digits"] == 2


def test_an_evaluator_and_a_bound(folder):
    data = read_scenario(folder(MINIMAL + 'targetEvaluator = "./evaluate"\nboundMax = 60')).scenario
    assert data["target"]["evaluator"].endswith("/evaluate")
    assert data["target"]["timeout"] == 60
    assert "60" in data["target"]["command"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: re.sub(r"\W+", " ", case.shown).strip())
def test_a_bad_scenario_is_refused_with_its_place(case):
    assert case.part in case.said()


def test_a_scenario_that_is_not_there(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_scenario(tmp_path / "none.txt")


WORDS = st.sampled_from(
    ["seed", "=", "<-", "1", '"x"', "'", '"', "#", "(", ")", "{", "}", "c(", ",", "\n", ";", "TRUE",
     "maxTime", "execDir", "-", "function", "\\", " "]
)  # fmt: skip


@given(st.lists(WORDS, max_size=30).map("".join))
def test_no_text_does_anything_but_give_options_or_an_error(text):
    try:
        options, errors = parse_scenario(text), ()
    except FormatError as error:
        options, errors = {}, error.errors
    assert all(name and each.value is not None for name, each in options.items())
    assert all(each.startswith("scenario.txt:") for each in errors)
