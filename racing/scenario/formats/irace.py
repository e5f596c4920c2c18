"""Translates a scenario of irace with all its files into plain data, with notes on each option."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from racing.base.errors import FormatError, ScenarioError
from racing.core.objective import Objective
from racing.scenario.files import Place, counted, read_format
from racing.scenario.formats.draft import Line, lines_of
from racing.scenario.formats.irace_options import OPTIONS, Assigned, Fate, Scheme, parse_scenario
from racing.scenario.formats.irace_parameters import Described, described
from racing.scenario.load import changed
from racing.scenario.tables import candidates_in
from racing.space import Parameter, Space
from racing.space.keys import BESIDE, ParameterKind

CMDLINE = "{configurationID} {instanceID} {seed} {instance} {bound} {targetRunnerArgs}"
_PLACEHOLDERS = {
    "configurationID": "candidate", "instanceID": "instance_id", "seed": "seed",
    "instance": "instance_arguments", "targetRunnerArgs": "parameters",
}  # fmt: skip
_RULES = {
    "f-test": {"name": "f-test"}, "friedman": {"name": "f-test"},
    "t-test": {"name": "t-test"},
    "t-test-holm": {"name": "t-test", "correction": "holm"},
    "t-test-bonferroni": {"name": "t-test", "correction": "bonferroni"},
}  # fmt: skip
_BLOCKS = {"first_test": 5, "each_test": 1, "new_instances": 1}
"""The keys that `blockSize` multiplies, with their defaults."""


@dataclass(frozen=True)
class OptionNote:
    """The translation of one option.

    Attributes
    ----------
    option, place
        Which one, and where it is set.
    fate
        Honoured, translated, or without a meaning here.
    why
        The resulting key, or the reason why it is left out.

    Examples
    --------
    >>> from racing.scenario.formats import OptionNote
    >>> from racing.scenario.files import Place
    >>> place = Place("scenario.txt", 2)
    >>> print(OptionNote("maxExperiments", place, "honoured", "budget.evaluations"))
    scenario.txt:2:1: maxExperiments: honoured: budget.evaluations
    """

    option: str
    place: Place
    fate: Fate
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.option}: {self.fate}: {self.why}"


@dataclass(frozen=True)
class Translated:
    """A translated scenario of irace.

    Attributes
    ----------
    scenario
        Plain data in the layout of a scenario file, with paths relative to the scenario's folder.
    space
        The same space as an object.
    parameter_file
        Its path.
    notes
        The translation of each option in the file, in order.
    remarks
        Possible mistakes in the parameter file, each with its place.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario.formats import read_scenario
    >>> _ = Path("parameters.txt").write_text('x "--x " r (0, 1)')
    >>> _ = Path("instances.txt").write_text("one")
    >>> runner = Path("target-runner")
    >>> _ = runner.write_text("#!/bin/sh")
    >>> runner.chmod(0o755)
    >>> _ = Path("scenario.txt").write_text('''
    ... trainInstancesFile = "instances.txt"
    ... maxExperiments = 300
    ... ''')
    >>> found = read_scenario("scenario.txt")
    >>> found.parameter_file.name, list(found.space), found.scenario["instances"]["list"]
    ('parameters.txt', ['x'], ['one'])
    """

    scenario: Mapping[str, Any]
    space: Space
    parameter_file: Path
    notes: tuple[OptionNote, ...]
    remarks: tuple[str, ...] = ()


_BY_MEANS = (
    "is not set: objective is `mean`, by which a continuous search does better; "
    '`testType = "F-test"` asks for `rank`'
)


def read_scenario(path: str | os.PathLike[str], *, search: Scheme = "continuous") -> Translated:
    """Read a scenario file of irace (3.5 or 4.x), with the files that it names.

    Parameters
    ----------
    search
        The search: `continuous`, or `irace` for iterated racing as in irace.

    Raises
    ------
    FormatError
        With all parts that cannot be read or translated, each with file, line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.scenario.formats import read_scenario
    >>> _ = Path("parameters.txt").write_text('x "--x " r (0, 1)')
    >>> _ = Path("instances.txt").write_text("one")
    >>> runner = Path("target-runner")
    >>> _ = runner.write_text("#!/bin/sh")
    >>> runner.chmod(0o755)
    >>> _ = Path("scenario.txt").write_text('''
    ... trainInstancesFile = "instances.txt"
    ... maxExperiments = 300
    ... ''')
    >>> found = read_scenario("scenario.txt")
    >>> found.scenario["budget"]
    {'evaluations': 300}
    >>> [note.option for note in found.notes]
    ['trainInstancesFile', 'maxExperiments', 'testType']
    """
    path = Path(path)
    options = parse_scenario(read_format(path), str(path))
    notes = [
        OptionNote(name, each.place, *OPTIONS[name].under(search)) for name, each in options.items()
    ]
    if search == "continuous" and "testType" not in options:
        notes.append(OptionNote("testType", Place(str(path)), "translated", _BY_MEANS))
    translation = _Translation(options, path, search)
    found = translation.described()
    scenario = translation.scenario(found.space)
    return Translated(scenario, found.space, translation.parameters, tuple(notes), found.notes)


class _Translation:
    """What takes more than the value of one option, which `irace_options.csv` gives a key."""

    def __init__(self, options: Mapping[str, Assigned], path: Path, search: Scheme) -> None:
        self._options, self._path, self._base = options, path, path.parent
        self._iterated = search == "irace"
        self.parameters = self._base / self._text("parameterFile", "parameters.txt")

    def scenario(self, space: Space) -> dict[str, Any]:
        """The scenario in plain data."""
        data = {
            "name": self._base.resolve().name,
            "seed": None,
            "objective": self._objective,
            "target": self._target(),
            "on_failure": {},
            "space": {name: _plain(each) for name, each in space.items()},
            "forbidden": BESIDE["forbidden"].write(space.forbidden),
            "candidates": self._candidates(space),
            "search": {"scheme": "irace"} if self._iterated else True,
            "instances": self._instances("train", "there are no instances; set "
                                         "trainInstancesFile or trainInstancesDir"),
            "test_instances": self._instances("test"),
            "budget": {},
            "rule": self._rule() if self._iterated else {},
            "execution": {"jobs": 1},
            "folder": str(self._base.resolve()),
        }  # fmt: skip
        data = changed(data, self._values())
        if not data["budget"]:
            raise self._error("maxExperiments", "set maxExperiments or maxTime")
        if self._iterated:
            data["search"] |= self._blocks_and_bounds(data["search"])
        return {key: part for key, part in data.items() if part not in (None, {}, [])}

    def _values(self) -> dict[str, object]:
        """Key → value, of options that are one value."""
        found: dict[str, object] = {}
        for name, option in OPTIONS.items():
            value = self._value(name)
            unset = value in (None, "") or (option.kind == "count" and value <= 0)
            meant = self._iterated or option.fate != "no meaning"
            if option.key and meant and not unset:
                found[option.key] = bool(value) if option.kind in ("flag", "any") else value
        return found

    # --- values ---------------------------------------------------------------------------------

    def _value(self, name: str) -> Any:
        return self._options[name].value if name in self._options else None

    def _text(self, name: str, default: str = "") -> str:
        return self._value(name) or default

    def _error(self, name: str, reason: str) -> FormatError:
        place = self._options[name].place if name in self._options else Place(str(self._path))
        return place.error(reason)

    # --- keys -----------------------------------------------------------------------------------

    def described(self) -> Described:
        """The space, with notes on it."""
        try:
            text = read_format(self.parameters)
        except FormatError as error:
            raise self._error("parameterFile", str(error)) from None
        forbidden = list[Line]()
        if name := self._text("forbiddenFile"):
            file = self._base / name
            forbidden += lines_of(read_format(file), str(file))
        digits = int(self._value("digits") or 0)
        return described(text, str(self.parameters), forbidden=forbidden, digits=digits)

    def _target(self) -> dict[str, Any]:
        target: dict[str, Any] = {"command": self._command(), "output": "irace"}
        if folder := self._text("execDir"):
            target["cwd"] = folder
        limits = [self._value("targetRunnerTimeout"), self._value("boundMax")]
        if known := [limit for limit in limits if limit]:
            target["timeout"] = min(known)
        if evaluator := self._text("targetEvaluator"):
            target["evaluator"] = self._program(evaluator)
        return target

    def _command(self) -> list[str]:
        launcher, cmdline = self._text("targetRunnerLauncher"), self._text("targetCmdline", CMDLINE)
        words = [launcher, *shlex.split(self._text("targetRunnerLauncherArgs"))] if launcher else []
        words += [] if "{targetRunner}" in cmdline else [self._runner]
        for word in shlex.split(cmdline):
            if word != "{bound}":
                words.append(re.sub(r"\{(\w+)\}", self._placeholder, word))
            elif bound := self._value("boundMax"):  # that of each run with capping
                capped = self._iterated and self._capped
                words.append("{bound}" if capped else str(bound))
        return words

    @property
    def _runner(self) -> str:
        return self._program(self._text("targetRunner", "./target-runner"))

    def _placeholder(self, found: re.Match[str]) -> str:
        if found[1] == "targetRunner":
            return self._runner
        if found[1] not in _PLACEHOLDERS:
            known = ", ".join(f"{{{name}}}" for name in (*_PLACEHOLDERS, "bound"))
            raise self._error("targetCmdline", f"unknown {found[0]}; known: {known}")
        return f"{{{_PLACEHOLDERS[found[1]]}}}"

    def _program(self, name: str) -> str:
        """The full path of a program in the scenario's folder, as it is started elsewhere."""
        path = self._base / name
        return str(path.resolve()) if os.sep in name or path.is_file() else name

    def _candidates(self, space: Space) -> dict[str, Any]:
        if not (name := self._text("configurationsFile")):
            return {}
        file = self._base / name
        try:
            listed = candidates_in(file, str(file), space, blanks=True)
        except ScenarioError as error:
            raise FormatError(error.errors) from None
        entries: list[dict[str, Any]] = [{"values": row.values} for row in listed]
        if len(entries) == 1 and space.without_default():
            entries[0] = {"name": "default", **entries[0]}
        return {"list": entries}

    def _blocks_and_bounds(self, search: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self._capped:
            found["bound"] = self._value("boundMax")
            found["capping"] = self._text("cappingType", "median")
        if (block := int(self._value("blockSize") or 1)) > 1:
            found |= {key: search.get(key, default) * block for key, default in _BLOCKS.items()}
        return found

    @property
    def _capped(self) -> bool:
        """Whether irace caps running times: by default with elitism, maxTime and boundMax."""
        elitist, capping = self._value("elitist"), self._value("capping")
        possible = bool(self._value("boundMax")) and (elitist is None or bool(elitist))
        wanted = bool(self._value("maxTime")) if capping is None else bool(capping)
        return possible and wanted

    def _instances(self, what: str, needed: str = "") -> dict[str, Any]:
        folder = self._text(f"{what}InstancesDir")
        found = instances_of(folder, self._text(f"{what}InstancesFile"), self._base)
        if not found and needed:
            raise self._error("trainInstancesFile", needed)
        if what == "test":
            return {"list": found, "order": "listed"} if found else {}
        sampled = self._value("sampleInstances")
        return {
            "list": found,
            "order": "listed" if sampled is not None and not sampled else "shuffled",
            "repeat": not self._value("deterministic"),
        }

    @property
    def _objective(self) -> Objective:
        """`rank` for irace's rank tests; a continuous search needs an explicit test for it."""
        if not self._iterated and "testType" not in self._options:
            return "mean"
        return "mean" if self._rule()["name"] == "t-test" else "rank"

    def _rule(self) -> dict[str, Any]:
        name = self._text("testType", "t-test" if self._capped else "f-test").lower()
        if name not in _RULES:
            known = "F-test, t-test, t-test-holm, t-test-bonferroni"
            raise self._error("testType", f"unknown test {name!r}; known: {known}")
        confidence = self._value("confidence")
        level = {} if confidence is None else {"alpha": round(1 - confidence, 12)}
        return {**_RULES[name], **level}


def _plain(parameter: Parameter) -> dict[str, Any]:
    """A parameter as in a file, without options that are off."""
    data = ParameterKind().write(parameter)
    return {key: value for key, value in data.items() if value is not False or key == "default"}


def instances_of(folder: str, file: str, base: Path) -> list[str]:
    """The training or test instances, as the target runner gets them.

    Parameters
    ----------
    folder, file
        `trainInstancesDir` and `trainInstancesFile`, or those for tests; '' if not set. Lines of
        the file are instances in the folder, each with optional arguments. Without a file, all
        files of the folder and the folders below are the instances.
    base
        The scenario's folder; relative paths, also returned ones, are relative to it. An instance
        with arguments gets a full path, for a target started elsewhere.

    Raises
    ------
    FormatError
        If a file or folder cannot be read, or has no instances.
    """
    root, found = base / folder, list[str]()
    if file:
        lines = read_format(base / file, "lines").splitlines()
        names = [line.strip() for line in lines if not line.lstrip().startswith("#")]
        found = [_found(Path(folder) / name, base) if folder else name for name in names if name]
    elif folder:
        try:
            if not root.is_dir():
                raise ScenarioError("there is no such folder of instances")
            paths = [path for path in counted(root.rglob("*")) if os.path.isfile(path)]
        except (OSError, ScenarioError) as error:  # one of them may be gone meanwhile
            raise FormatError((f"{root}: {error}",)) from None
        found = sorted(str(Path(folder) / path.relative_to(root)) for path in paths)
    if not found and (file or folder):
        raise FormatError((f"{base / file if file else root}: there are no instances",))
    return found


def _found(path: Path, base: Path) -> str:
    return str(path if os.path.isfile(base / path) else base.resolve() / path)
