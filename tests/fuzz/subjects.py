"""What reads texts, and what it may do with any of them: give a result, or a clear error."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import subprocess
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
import yaml
from hypothesis.strategies import SearchStrategy

from racing.analysis.compare import compare
from racing.analysis.compare.paired import TESTS
from racing.base.errors import (
    MOST_ERRORS,
    FormatError,
    InputError,
    RacingError,
    SamplingError,
    ScenarioError,
    TargetError,
)
from racing.base.records import Errors
from racing.cli.watch import look
from racing.evaluate import shortage
from racing.evaluate.answers import NUMBER as _NUMBER
from racing.evaluate.command import Command, judge
from racing.evaluate.pool import open_pool
from racing.evaluate.process import Ended
from racing.log import SQLiteLog, opening, rows, schema
from racing.log.export import export
from racing.race import Race
from racing.report import gather
from racing.rules import RULES
from racing.scenario import Scenario
from racing.scenario.formats import from_config_space
from racing.scenario.formats.irace_options import parse_scenario
from racing.scenario.formats.irace_parameters import parse_parameters, write_parameters
from racing.scenario.formats.pcs import parse_pcs
from racing.scenario.load import reads
from racing.search import IteratedRacing, PortfolioSearch, Search, SearchBase
from racing.space import Categorical, Integer, Ordinal, Real, Space
from racing.space.keys import Parts, SpaceKind
from tests.evaluate.test_pool import collect, experiments, shell
from tests.fuzz import texts
from tests.log.keep import KEPT

MOST_SAID = 3000
"""Characters that an error may take, with the end of what a target wrote to stderr."""
_PLACE = re.compile(r"^[^:\n]*:\d+:\d+: .")
_PARAMETERS = {
    "a": Integer(1, 9),
    "b": Real(0, 5),
    "kind": Categorical(["x", "y", "z"]),
    "size": Ordinal(["low", "mid", "high"]),
    "c": Real(0.1, 2, when="kind == x"),
}
_SCENARIO = {
    "target": {"python": "a.py:f"}, "candidates": {"sample": 1}, "instances": ["u", "v"],
    "budget": 9,
}  # fmt: skip


class Unclear(AssertionError):
    """An error that does not say what is wrong, and where."""


@dataclass(frozen=True)
class Subject:
    """What reads texts.

    Attributes
    ----------
    read
        Reads one; it may raise `InputError` alone, with a clear message.
    words, sound
        What texts are made of.
    modules
        Where it reads: files relative to `racing/`, for the coverage.
    make
        Texts of another make than those of words and sound ones.
    large
        Whether its texts have up to a megabyte; each may take two seconds and 300 MB.
    """

    read: Callable[[str], None]
    words: Sequence[str]
    sound: Sequence[str]
    modules: tuple[str, ...]
    make: SearchStrategy[str] | None = None
    large: bool = False

    @property
    def texts(self) -> SearchStrategy[str]:
        """What it is to read."""
        made = texts.large if self.large else texts.texts
        return made(self.words, self.sound) if self.make is None else self.make


def read_names(text: str) -> None:
    """A name in each line: of ConfigSpace's parameters in JSON, of a .pcs file, and of YAML."""
    import json

    from ConfigSpace import ConfigurationSpace

    names = list(dict.fromkeys(text.split("\n")))[:4]
    each = {"type": "uniform_float", "lower": 0.0, "upper": 1.0, "default_value": 0.5}
    made = {"format_version": 0.4, "name": None, "conditions": [], "forbiddens": []}
    parts = [{**each, "name": name, "log": False, "meta": None} for name in names]
    if len(names) > 1:
        made["conditions"] = [
            {"type": "GT", "parent": names[0], "child": names[1], "value": 0.5}
        ]  # fmt: skip
    try:
        theirs = ConfigurationSpace.from_serialized_dict(
            json.loads(json.dumps({**made, "hyperparameters": parts}))
        )
    except Exception:  # ConfigSpace refuses the names
        return
    try:
        space = from_config_space(theirs)
    except InputError as error:
        if "cannot name a parameter" not in str(error):
            raise Unclear(str(error)) from error
        return
    assert set(space) == set(names)
    lines = [f"{name} [0, 1] [0.5]" for name in space]
    if len(names) > 1:
        lines.append(f"{names[1]} | {names[0]} > 0.5")
    pcs = parse_pcs("\n".join(lines))
    data = {"space": SpaceKind().write(pcs), **_SCENARIO}
    for again in (pcs, Scenario.from_dict(data).space):
        assert again is not None
        assert again.structure == space.structure


def read_yaml(text: str) -> None:
    """A scenario in YAML."""
    try:
        reads(text, "file")
    except ScenarioError as error:
        for place, each in enumerate(error.errors):
            clear = each.startswith(("file:", "… and ")) and len(each) < 3000
            if not clear or place >= MOST_ERRORS:
                raise Unclear(each) from error


def read_expression(text: str) -> None:
    """As a condition, a bound or a clause, by the length of the text; then used."""
    makes: tuple[Callable[[], Space], ...] = (
        lambda: Space({**_PARAMETERS, "d": Integer(1, 3, when=text)}),
        lambda: Space({**_PARAMETERS, "d": Integer(1, text)}),
        lambda: Space(_PARAMETERS, forbidden=[text]),
    )
    try:
        space = makes[len(text) % 3]()
    except InputError as error:
        _clear(str(error))
        return
    units = space.encoding.draw(np.random.default_rng(0), 20)
    space.encoding.allowed(units)
    space.encoding.decode(units)


def read_parameters(text: str) -> None:
    """A parameter file of irace; what is read can be used, written, and read back."""
    space = _of_format(parse_parameters, text)
    if not isinstance(space, Space):
        return
    try:
        space.sample(np.random.default_rng(0), 5)
        again = write_parameters(space)
    except (SamplingError, FormatError) as error:
        _clear(str(error))
        return
    assert list(parse_parameters(again)) == list(space)


def read_scenario(text: str) -> None:
    """A scenario file of irace."""
    _of_format(parse_scenario, text)


def read_pcs(text: str) -> None:
    """A parameter file of AClib."""
    _of_format(parse_pcs, text)


def read_answer(text: str) -> None:
    """What a target prints, read in each way; then what is made of it."""
    for output in ("number", "json", "irace"):
        ended = Ended(
            code=len(text) % 2, stdout=text, stderr=text, seconds=1.0, cpu=1.0, peak=0,
            timed_out=False,
        )  # fmt: skip
        attempt = judge(ended, Command("solve", output=output, memory=2**30))
        if attempt.score is None:
            _clear(attempt.message)
            if len(attempt.message) > MOST_SAID:
                raise Unclear(f"a message of {len(attempt.message)} characters")


def read_chain(text: str) -> None:
    """A parameter file; then configurations, as searches draw them."""
    space = _of_format(parse_parameters, text)
    if isinstance(space, Space):
        rng = np.random.default_rng(0)
        for draw in (space.initial, space.sample):
            with suppress(SamplingError):
                draw(rng, 20)


def read_log(text: str) -> None:
    """A sound log, changed by SQL, by swapped pages and bytes; its checksums made right or left."""
    logs = sorted(KEPT.glob("*.sqlite"))
    with TemporaryDirectory() as folder:
        path = Path(shutil.copy(logs[len(text) % len(logs)], Path(folder, "log.sqlite")))
        _change(path, text)
        try:
            with SQLiteLog.open(path, write=False) as log:
                gather(log)
                export(log, Path(folder, "tables"))
            look(path)
        except RacingError as error:
            _clear(str(error))


def _change(path: Path, text: str) -> None:
    lines = text.split("\n")
    db = opening.connect(path, "rw")
    db.set_progress_handler(lambda: 1, 2_000_000)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10**7)
    for line in lines:
        with suppress(sqlite3.Error, sqlite3.Warning, ValueError):
            db.execute(line.rstrip(";")).fetchall()
    outcome = ("outcome", rows.OUTCOME.rpartition(",")[0])
    for table, columns in (*schema.SEALED.items(), outcome) if len(text) % 3 else ():
        with suppress(sqlite3.Error):
            db.execute(f"UPDATE {table} SET checksum = seal({columns})")
    db.close()
    data, size = bytearray(path.read_bytes()), 4096
    for word, one, other in re.findall(r"(PAGE|BYTE) (\d{1,6}) (\d{1,6})", text):
        a, b = size * int(one), size * int(other)
        if word == "PAGE" and max(a, b) < len(data):
            data[a : a + size], data[b : b + size] = data[b : b + size], data[a : a + size]
        elif word == "BYTE" and int(one) < len(data):
            data[int(one)] = int(other) % 256
    path.write_bytes(data)


def read_costs(text: str) -> None:
    """Costs told to races, to searches and in a table, whatever their size: without a warning."""
    costs = [float(word) for word in text.split() if _NUMBER.fullmatch(word)] or [1.0]
    objective = ("mean", "rank")[len(text) % 2]
    space = Space({"x": Real(0, 1, default=0.5), "k": Categorical(["u", "v"], default="u")})
    rule = list(RULES)[len(text) % len(RULES)]
    told = {"objective": objective, "budget": 90}
    makes: tuple[Callable[[], Race | SearchBase], ...] = (
        lambda: Race([{"x": k} for k in range(5)], range(20), rule=rule, **told),
        lambda: Search(space, range(12), **told),
        lambda: IteratedRacing(space, range(12), **told),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in makes:
            try:
                decider = make()
            except InputError as error:  # a rule that needs more, such as groups
                _clear(str(error))
                continue
            for n, experiment in enumerate(decider):
                decider.tell(experiment, costs[(n * n + experiment.candidate.id) % len(costs)])
        rows = [[costs[(i * i + j) % len(costs)] for j in range(3)] for i in range(12)]
        try:
            str(compare(np.array(rows), test=list(TESTS)[len(text) % len(TESTS)]))
        except InputError as error:
            _clear(str(error))


def read_alone(text: str) -> None:
    """A space of few configurations, often one: a search of any kind is refused or ends."""
    lines = text.split("\n")
    domains = [line for line in lines if line.startswith("{")][:2]
    clauses = [line for line in lines if line.strip() and not line.startswith("{")][:3]
    try:
        parameters = {name: yaml.safe_load(line) for name, line in zip("ab", domains, strict=False)}
    except (yaml.YAMLError, ValueError, TypeError):
        return
    for kind in (Search, IteratedRacing, partial(PortfolioSearch, portfolio=2)):
        try:
            errors = Errors()
            space = SpaceKind().read(Parts(parameters, {"forbidden": clauses}), "space", errors)
            if errors.found:
                return
            search = kind(space, range(9), budget=200)
            for experiment in search:
                search.tell(experiment, float(experiment.instance.seed % 7))
        except InputError as error:
            _clear(str(error))


def read_shortage(text: str) -> None:
    """What the system answers to each start of a program: no shortage is an outcome."""
    words, real = iter(text.split()), subprocess.Popen
    engine, jobs = (("in-process", 1), ("threading", 3))[len(text) % 2]

    def start(*arguments: Any, **options: Any) -> Any:
        number = getattr(errno, next(words, "OK"), None)
        if number is not None:
            raise OSError(number, os.strerror(number))
        return real(*arguments, **options)

    target = shell('echo "$1"')
    with (
        patch.multiple(shortage, PATIENCE=0.05, FIRST=0.001, LONGEST=0.002),
        patch.object(shortage._LOGGER, "warning"),
        open_pool(target, engine=engine, jobs=jobs) as pool,
        patch.object(subprocess, "Popen", start),
    ):
        for one in experiments(6):
            pool.submit(one)
        try:
            found = collect(pool)
        except TargetError as error:
            if "no evaluation could be started" not in str(error):
                raise Unclear(str(error)) from error
            return
    if any(one.failed or one.attempts > 1 or one.cost != key for key, one in found.items()):
        raise Unclear(str(found))


def _of_format(parse: Callable[[str, str], object], text: str) -> object:
    """What a file says; None if it is refused, with a place for every error."""
    try:
        return parse(text, "file")
    except FormatError as error:
        for place, each in enumerate(error.errors):
            clear = _PLACE.match(each) or each.startswith("… and ")
            if not clear or place >= MOST_ERRORS:
                raise Unclear(each) from error
        return None


def _clear(message: str) -> None:
    if len(message) < 8 or "Traceback" in message:
        raise Unclear(message)


_EXPRESSIONS = tuple(
    f"space/expressions/{name}.py" for name in ("parse", "tokens", "resolve", "ranges", "evaluate")
)
_R = ("scenario/formats/clauses.py", "scenario/formats/draft.py")
SUBJECTS = {
    "expressions": Subject(
        read_expression, texts.EXPRESSION_WORDS, texts.EXPRESSIONS, _EXPRESSIONS
    ),
    "parameters": Subject(
        read_parameters, texts.PARAMETER_WORDS, texts.PARAMETERS,
        ("scenario/formats/irace_parameters.py", *_R),
    ),
    "scenarios": Subject(
        read_scenario, texts.SCENARIO_WORDS, texts.SCENARIOS,
        ("scenario/formats/irace_options.py", *_R),
    ),
    "pcs": Subject(read_pcs, texts.PCS_WORDS, texts.PCS, ("scenario/formats/pcs.py", *_R)),
    "yaml": Subject(
        read_yaml, texts.YAML_WORDS, texts.YAML, ("scenario/document.py", "space/keys.py")
    ),
    "names": Subject(read_names, texts.NAME_WORDS, texts.NAMES, ("space/names.py",)),
    "chains": Subject(
        read_chain, texts.PARAMETER_WORDS, texts.PARAMETERS,
        ("space/sampling.py", "space/checks.py", "space/counting.py"), texts.chains(),
    ),
    "logs": Subject(
        read_log, texts.LOG_WORDS, texts.LOGS,
        tuple(f"log/{name}.py" for name in ("opening", "schema", "rows", "reading")),
    ),
    "costs": Subject(
        read_costs, texts.COST_WORDS, texts.COSTS, ("search/scores.py", "core/experiment.py")
    ),
    "one configuration": Subject(
        read_alone, texts.ALONE_WORDS, texts.ALONE, ("space/counting.py", "search/arguments.py")
    ),
    "resources": Subject(
        read_shortage, texts.SHORTAGE_WORDS, texts.SHORTAGES, ("evaluate/shortage.py",)
    ),
    "answers": Subject(
        read_answer, texts.ANSWER_WORDS, texts.ANSWERS,
        ("evaluate/answers.py", "evaluate/command.py", "evaluate/attempt.py"),
    ),
}  # fmt: skip
SUBJECTS |= {
    f"large {name}": replace(SUBJECTS[name], large=True)
    for name in ("parameters", "scenarios", "pcs", "yaml")
}
