"""Turns a command line with placeholders into arguments, without a shell.

The template is split into arguments once; placeholders are filled in afterwards, inside their
argument. So no value can end an argument, start another, or run anything.
"""

from __future__ import annotations

import difflib
import shlex
import string
import sys
from collections.abc import Callable, Collection, Iterable, Mapping

from racing.base.errors import InputError
from racing.core.experiment import Experiment

BUILT_IN = (
    "instance", "instance_id", "instance_arguments", "seed", "candidate", "bound", "parameters",
    "python",
)  # fmt: skip
OF_EXPERIMENTS = BUILT_IN[:6]  # reserved names, not allowed for parameters in the command
SEVERAL = ("parameters", "instance_arguments")  # become any number of arguments
SHELL = {"|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1", "2>/dev/null", ">/dev/null"}
HOW_TO_ESCAPE = "write {{ and }} for plain braces"


class FlagSwitch(str):
    """The switch of a flag: its arguments are present only if it is true."""


Piece = tuple[str, str | None]  # text, then the next placeholder, if any
Argument = tuple[Piece, ...]


def parse(command: str | tuple[str, ...]) -> tuple[Argument, ...]:
    """The arguments of a command line, each as its pieces of text and placeholders.

    Raises
    ------
    InputError
        If it is empty, a quote is left open, braces are no placeholder, or it needs a shell.
    """
    words = _split(command) if isinstance(command, str) else list(command)
    if not words or not words[0].strip():
        raise InputError("command must be a program and its arguments; got nothing")
    return tuple(_pieces(word) for word in words)


def placeholders(arguments: Iterable[Argument]) -> set[str]:
    """The names of all placeholders."""
    return {name for argument in arguments for _, name in argument if name is not None}


def check(arguments: Iterable[Argument], parameters: Collection[str]) -> None:
    """Check that a command with these arguments can run candidates with these parameters.

    Raises
    ------
    InputError
        If a placeholder is unknown, or a parameter never reaches the program.
    """
    used = placeholders(arguments)
    known = [*BUILT_IN, *parameters]
    for name in sorted(used - set(known)):
        close = difflib.get_close_matches(name, known, n=1)
        if ":" in name and not close:
            raise no_name(f"{{{name}}}")
        hint = f"did you mean {{{close[0]}}}? " if close else ""
        raise InputError(
            f"command has the unknown placeholder {{{name}}}; {hint}"
            f"allowed: {', '.join(f'{{{one}}}' for one in known)}"
        )
    for name in used & {*OF_EXPERIMENTS} & set(parameters):
        raise InputError(
            f"{{{name}}} is the {name}, and also the name of a parameter: rename the parameter"
        )
    lost = [name for name in parameters if name not in used]
    if lost and not used & {"parameters", "candidate"}:
        raise InputError(
            f"the command has no placeholder for {', '.join(lost)}; add {{parameters}} or "
            f"{{{lost[0]}}}"
        )


def plain(argument: Argument) -> str:
    """An argument without placeholders, as text; '' for one with placeholders."""
    return "" if placeholders([argument]) else "".join(text for text, _ in argument)


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
        The result of `parse`.
    experiment
        Gives candidate, instance and seed.
    switches
        Parameter name → the text before its value in `{parameters}`; `--name=` by default. A switch
        with a space at its end gives two arguments; a `FlagSwitch` has no value. A parameter with a
        switch may be inactive: its text is left out.
    bound
        The value of `{bound}`; None if the run has no bound: its text is left out.

    Raises
    ------
    InputError
        If the candidate has no value for a placeholder that cannot be left out.
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
    """The arguments of irace's target evaluator, for a single live candidate."""
    candidate = str(experiment.candidate.id)
    seed, number = str(experiment.instance.seed), str(experiment.instance.number)
    instance = _instance_arguments(experiment)
    return [program, candidate, number, seed, *instance, "1", candidate]


def as_text(value: object) -> str:
    """A value as text: shortest exact digits, `true` and `false` for booleans."""
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
        if name is not None and (not name.strip() or set(spec or "") & {*"{}"} or conversion):
            raise no_name(word)
    pieces = tuple((text, f"{name}:{spec}" if spec else name) for text, name, spec, _ in parsed)
    for name in SEVERAL:
        if any(name == own for _, own in pieces) and pieces != (("", name),):
            raise InputError(
                f"command argument {word!r}: {{{name}}} becomes several arguments, "
                "so it must stand alone as one"
            )
    return pieces


def no_name(word: str) -> InputError:
    """The error of an argument with braces around something other than a name."""
    return InputError(
        f"command argument {word!r}: braces hold one name, as in {{seed}}; {HOW_TO_ESCAPE}"
    )


def _switched(switch: str, value: object) -> list[str]:
    words = shlex.split(switch)
    if isinstance(switch, FlagSwitch):
        return words if value else []
    text = as_text(value)
    if not words or switch[-1].isspace():
        return [*words, text]
    return [*words[:-1], words[-1] + text]


def _flag(argument: Argument, switches: Mapping[str, str]) -> FlagSwitch | None:
    """The flag's switch, if the argument is only the flag."""
    name = argument[0][1] if len(argument) == 1 and not argument[0][0] else None
    switch = switches.get(name or "")
    return switch if isinstance(switch, FlagSwitch) else None


def _is_option(argument: Argument) -> bool:
    """Whether this is an option, such as `--alpha`, with its value in the next argument."""
    return len(argument) == 1 and argument[0][1] is None and argument[0][0].startswith("-")


def _can_go(argument: Argument) -> bool:
    """Whether this is `{alpha}` or `--alpha={alpha}`, which is left out if alpha is inactive."""
    text = argument[0][0]
    return len(argument) == 1 and (not text or text.startswith("-"))


def _needed(name: str) -> InputError:
    if name == "bound":
        return InputError(
            "the command needs a value for {bound}, and this run has none; set a timeout, which "
            "is then used, or put {bound} into a separate argument, which is left out"
        )
    return InputError(
        f"the command needs a value for {{{name}}}, and the candidate has none; "
        "{parameters} leaves out missing values"
    )


def _value(name: str | None, experiment: Experiment, bound: float | None) -> str:
    if name is None:
        return ""
    if name == "bound":
        return as_text(bound)
    if name in _BUILT_IN:
        return str(_BUILT_IN[name](experiment))
    if name not in experiment.candidate.values:
        raise _needed(name)
    return as_text(experiment.candidate.values[name])


def _problem(experiment: Experiment) -> str:
    problem = experiment.instance.problem
    return str(experiment.instance.name if problem is None else problem)


def _instance_arguments(experiment: Experiment) -> list[str]:
    """The instance with its arguments, split as in a shell."""
    try:
        return shlex.split(_problem(experiment))
    except ValueError as error:
        raise InputError(
            f"the instance {_problem(experiment)!r} cannot be split: {str(error).lower()}"
        ) from error


_BUILT_IN: Mapping[str, Callable[[Experiment], object]] = {
    "instance": _problem,
    "instance_id": lambda one: one.instance.number,
    "seed": lambda one: one.instance.seed,
    "candidate": lambda one: one.candidate.id,
    "python": lambda _: sys.executable,
}
