"""A command line with placeholders, turned into arguments without any shell.

The template is split into arguments once; placeholders are filled in afterwards, inside the
argument where they stand. So no value can end an argument, start another, or run anything.
"""

from __future__ import annotations

import shlex
import string
import sys
from collections.abc import Iterable, Mapping

from racing.errors import InputError
from racing.experiment import Experiment
from racing.space.parameter import Value

BUILT_IN = (
    "instance", "instance_id", "instance_arguments", "seed", "candidate", "bound", "parameters",
    "python",
)  # fmt: skip
OF_EXPERIMENTS = BUILT_IN[:6]  # no parameter that the command names may be called so
SEVERAL = ("parameters", "instance_arguments")  # become any number of arguments
SHELL = {"|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1", "2>/dev/null", ">/dev/null"}
HOW_TO_ESCAPE = "write {{ and }} for plain braces"


class FlagSwitch(str):
    """The switch of a flag: arguments that are there where it is true, and not otherwise."""


Piece = tuple[str, str | None]  # text, then the placeholder that follows it, if any
Argument = tuple[Piece, ...]


def parse(command: str | tuple[str, ...]) -> tuple[Argument, ...]:
    """The arguments of a command line, each as its pieces of text and placeholders.

    Raises
    ------
    InputError
        If there is nothing to run, a quote is left open, braces make no placeholder, or text is
        written for a shell.
    """
    words = _split(command) if isinstance(command, str) else list(command)
    if not words or not words[0].strip():
        raise InputError("command is empty; expected a program and its arguments")
    return tuple(_pieces(word) for word in words)


def placeholders(arguments: Iterable[Argument]) -> set[str]:
    """The names of all placeholders that occur."""
    return {name for argument in arguments for _, name in argument if name is not None}


def fill(
    arguments: Iterable[Argument],
    experiment: Experiment,
    switches: Mapping[str, str],
    *,
    bound: float | None = None,
) -> list[str]:
    """The argument vector of an experiment.

    Parameters
    ----------
    arguments
        What `parse` returned.
    experiment
        Whose candidate, instance and seed are filled in.
    switches
        Parameter name → what `{parameters}` writes before its value; `--name=` where it is absent.
        A switch that ends in a space makes two arguments; a `FlagSwitch` stands alone, or not at
        all. A parameter with a switch may be inactive: what is written for it is left out.
    bound
        What `{bound}` stands for; None if the run has no bound: what is written for it is left out.

    Raises
    ------
    InputError
        If the candidate has no value for a placeholder, and leaving it out makes no sense.
    """
    values = experiment.candidate.values
    absent = {name for name in switches if name not in values}
    absent |= {"bound"} if bound is None else set()
    filled: list[str] = []
    before: Argument = ()
    for argument in arguments:
        if argument == (("", "parameters"),):
            for name, value in values.items():
                filled += _switched(switches.get(name, f"--{name}="), value)
        elif argument == (("", "instance_arguments"),):
            filled += _instance_arguments(experiment)
        elif inactive := next((name for _, name in argument if name in absent), None):
            if _is_option(before) and argument == (("", inactive),):
                filled.pop()
            elif not _can_go(argument):
                raise _needed(inactive)
        elif flag := _flag(argument, switches):
            filled += _switched(flag, values[argument[0][1] or ""])
        else:
            filled.append(
                "".join(text + _value(name, experiment, bound) for text, name in argument)
            )
        before = argument
    return filled


def evaluator_arguments(program: str, experiment: Experiment) -> list[str]:
    """How irace calls a target evaluator, for a candidate that is the only one alive."""
    candidate = str(experiment.candidate.id)
    seed, number = str(experiment.instance.seed), str(experiment.instance.number)
    instance = _instance_arguments(experiment)
    return [program, candidate, number, seed, *instance, "1", candidate]


def as_text(value: object) -> str:
    """A value as a target reads it: shortest exact digits, `true` and `false` for booleans."""
    value = getattr(value, "item", lambda: value)()  # numpy's scalars
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"command {command!r} cannot be split: {str(error).lower()}") from error
    if meant := [word for word in words if word in SHELL]:
        raise InputError(
            f"command has {meant[0]!r}, but no shell reads it: put the line into a script of your "
            "own; or give the command as a list, if the program is to get it as an argument"
        )
    return words


def _pieces(word: str) -> Argument:
    try:
        parsed = list(string.Formatter().parse(word))
    except ValueError as error:
        raise InputError(f"command argument {word!r}: {error}; {HOW_TO_ESCAPE}") from error
    for _, name, spec, conversion in parsed:
        if name is not None and (not name.strip() or spec or conversion):
            raise InputError(
                f"command argument {word!r}: braces hold one name, as in {{seed}}; {HOW_TO_ESCAPE}"
            )
    pieces = tuple((text, name) for text, name, _, _ in parsed)
    for name in SEVERAL:
        if any(name == own for _, own in pieces) and pieces != (("", name),):
            raise InputError(
                f"command argument {word!r}: {{{name}}} becomes several arguments, "
                "so it must stand alone as one"
            )
    return pieces


def _switched(switch: str, value: object) -> list[str]:
    words = shlex.split(switch)
    if isinstance(switch, FlagSwitch):
        return words if value else []
    text = as_text(value)
    if not words or switch[-1].isspace():
        return [*words, text]
    return [*words[:-1], words[-1] + text]


def _flag(argument: Argument, switches: Mapping[str, str]) -> FlagSwitch | None:
    """The switch of the flag that is the whole argument, if one is."""
    name = argument[0][1] if len(argument) == 1 and not argument[0][0] else None
    switch = switches.get(name or "")
    return switch if isinstance(switch, FlagSwitch) else None


def _is_option(argument: Argument) -> bool:
    """Whether this is an option as text, such as `--alpha`, whose value is the next argument."""
    return len(argument) == 1 and argument[0][1] is None and argument[0][0].startswith("-")


def _can_go(argument: Argument) -> bool:
    """Whether this is `{alpha}` or `--alpha={alpha}`, which is left out where alpha is inactive."""
    text = argument[0][0]
    return len(argument) == 1 and (not text or text.startswith("-"))


def _needed(name: str) -> InputError:
    if name == "bound":
        return InputError(
            "the command needs a value for {bound}, and this run has none; set a timeout, which "
            "then takes its place, or give {bound} an argument of its own, which is left out"
        )
    return InputError(
        f"the command needs a value for {{{name}}}, and the candidate has none; "
        "{parameters} leaves out what a candidate does not have"
    )


def _value(name: str | None, experiment: Experiment, bound: float | None) -> str:
    match name:
        case None:
            return ""
        case "instance":
            return _problem(experiment)
        case "instance_id":
            return str(experiment.instance.number)
        case "seed":
            return str(experiment.instance.seed)
        case "candidate":
            return str(experiment.candidate.id)
        case "bound":
            return as_text(bound)
        case "python":
            return sys.executable
        case _:
            return _parameter(name, experiment.candidate.values)


def _problem(experiment: Experiment) -> str:
    problem = experiment.instance.problem
    return str(experiment.instance.name if problem is None else problem)


def _instance_arguments(experiment: Experiment) -> list[str]:
    """The instance with arguments of its own after it, split as a shell splits words."""
    try:
        return shlex.split(_problem(experiment))
    except ValueError as error:
        raise InputError(
            f"the instance {_problem(experiment)!r} cannot be split: {str(error).lower()}"
        ) from error


def _parameter(name: str, values: Mapping[str, Value]) -> str:
    if name not in values:
        raise _needed(name)
    return as_text(values[name])
