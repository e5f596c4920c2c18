"""Configurations as CSV and JSON: round trips, inactive parameters, refusals."""

import json

import numpy as np
import pytest

from racing.base.errors import FormatError, InputError
from racing.scenario.formats.configurations import read_csv, read_json, write_csv, write_json
from racing.space import Boolean, Categorical, Integer, Real, Space

SPACE = Space(
    {
        "kind": Categorical(["ils", "1", 1.5, "a,b"], default="ils"),
        "n": Integer(1, 100, default=3),
        "x": Real(1e-6, 1, log=True, default=0.1, when="kind == ils"),
        "on": Boolean(default=True, when="n > 50"),
    }
)


@pytest.mark.parametrize(("write", "read"), [(write_csv, read_csv), (write_json, read_json)])
def test_round_trip(tmp_path, write, read):
    drawn = SPACE.sample(np.random.default_rng(1), 200)
    write(tmp_path / "them", SPACE, drawn)
    assert read(tmp_path / "them", SPACE) == drawn


def test_inactive_parameters_are_empty_cells(tmp_path):
    write_csv(tmp_path / "c.csv", SPACE, [{"kind": 1.5, "n": 1}])
    assert (tmp_path / "c.csv").read_text() == "kind,n,x,on\n1.5,1,,\n"
    write_json(tmp_path / "c.json", SPACE, [{"kind": 1.5, "n": 1}])
    assert json.loads((tmp_path / "c.json").read_text()) == [{"kind": 1.5, "n": 1}]


def test_defaults_fill_what_is_left_out(tmp_path):
    (tmp_path / "c.csv").write_text("name,n\ntuned,60\n")
    assert read_csv(tmp_path / "c.csv", SPACE) == [{"kind": "ils", "n": 60, "x": 0.1, "on": True}]


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (read_csv, "", "got an empty file"),
        (read_csv, "kind,m\nils,1\n", 'unknown parameter "m"'),
        (read_csv, "kind,n\nils,0\n", ":2: n"),
        (read_csv, "kind,n\nils,1,2\n", ":2: 3 cells under 2 headings"),
        (read_csv, "kind,n,x\n1.5,1,0.5\n", ":2: x"),
        (read_csv, "n\nmany\n", ":2: n"),
        (read_json, "{", "not JSON"),
        (read_json, "{}", "must be a list"),
        (read_json, "[3]", "configuration 1 must be an object; got 3"),
        (read_json, '[{"n": 0}]', "configuration 1: n"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path, read, text, said):
    (tmp_path / "file").write_text(text)
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "file", SPACE)
    assert said in str(caught.value)


def test_nothing_is_written_if_one_is_bad(tmp_path):
    with pytest.raises(InputError, match="configuration 2"):
        write_csv(tmp_path / "c.csv", SPACE, [SPACE.default(), {"n": 0}])
    assert not (tmp_path / "c.csv").exists()


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_csv(tmp_path / "none.csv", SPACE)
