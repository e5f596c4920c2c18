"""The command `racing schema`.

The fixture `racing` of this folder holds all JSON that a command prints to its schema.
"""

from __future__ import annotations

from importlib import import_module

import jsonschema
import pytest

from racing.cli import COMMANDS
from racing.cli.schema import PRINTED


def test_schema_prints_json(racing):
    assert "$schema" in racing("schema").data


@pytest.mark.parametrize("command", PRINTED)
def test_a_schema_of_a_command_is_one_and_refuses_what_it_does_not_print(racing, command):
    schema = racing("schema", command).data
    jsonschema.Draft202012Validator.check_schema(schema)
    for one in schema.get("anyOf", [schema]):  # a comparison prints what its design has
        record = schema["$defs"][one["$ref"].rpartition("/")[2]]
        assert record["required"] == list(record["properties"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({}, schema)


def test_every_command_with_json_has_a_schema():
    modules = {name: import_module(f"racing.cli.{name}") for name in COMMANDS}
    options = {name: [one for of in module.ARGUMENTS for one in of.names]
               for name, module in modules.items()}  # fmt: skip
    assert {name for name, known in options.items() if "--json" in known} == {*PRINTED}


def test_the_command_must_print_json(racing):
    said = racing("schema", "web")
    assert said.code == 2
    assert "portfolio" in said.err
