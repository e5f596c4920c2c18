"""How commands are run in tests: in this process, with what they say on either side."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from racing.answer.json import schema_of
from racing.cli import main
from racing.cli.schema import PRINTED
from racing.runner.run import run as run_race
from tests.runs_kit import write_scenario


@dataclass
class Said:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Its result as JSON."""
        return json.loads(self.out)


@cache
def _schema(command: str) -> jsonschema.Draft202012Validator:
    """The schema of what a command prints."""
    module, _, record = PRINTED[command].partition(":")
    return jsonschema.Draft202012Validator(schema_of(getattr(import_module(module), record)))


@pytest.fixture
def racing(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run a command; `SystemExit`, by which argparse leaves, counts too.

    Whatever it prints as JSON has the schema that `racing schema` prints.
    """

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        before = signal.getsignal(signal.SIGINT)
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        assert signal.getsignal(signal.SIGINT) is before, "a handler was left behind"
        captured = capsys.readouterr()
        if "--json" in arguments and captured.out and arguments[0] in PRINTED:
            _schema(str(arguments[0])).validate(json.loads(captured.out))
        return Said(code, captured.out, captured.err)

    return run


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """A small scenario with noise."""
    return write_scenario(tmp_path, noise=0.3)


@pytest.fixture
def log(tmp_path: Path, scenario: Path) -> Path:
    """The log of its race."""
    path = tmp_path / "log.sqlite"
    run_race(scenario, log=path)
    return path
