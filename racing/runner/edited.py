"""Tells a resumed run from the scenario file that began it, which may have been edited since."""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from operator import ne
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.base.errors import RacingError, show
from racing.base.records import Record
from racing.base.words import amount, count, duration
from racing.core.budget import PAID, Budget

if TYPE_CHECKING:
    from racing.log import Header, SQLiteLog
    from racing.scenario import Scenario

_MOST = 8  # differences that are named
_OPTIONS = ("execution.jobs", "execution.engine")


def edits(log: SQLiteLog, *, extended: bool) -> Iterator[str]:
    """What differs between a log and its scenario file, and what would carry it out.

    `extended` if the run is given another budget, so that the file's is no news.
    """
    from racing.scenario import read

    file = _file(log.header)
    if file is None:
        return
    try:
        given = read(file)
    except RacingError as error:
        yield f"{file} was changed after this run began, and cannot be read now: {error}"
        return
    found = dict(_differences(*_both(log, given)))
    found = {key: pair for key, pair in found.items() if not (extended and _of(key, "budget"))}
    if not found:
        return
    yield f"{file} was changed after this run began; the run goes on as its log has it:"
    for key, (kept, now) in [*found.items()][:_MOST]:
        yield f"  {key}: {_words(kept, now, file)}"
    if len(found) > _MOST:
        yield f"  and {len(found) - _MOST} more"
    yield from _carried_out(log, file, given, list(found))


def extension(log: SQLiteLog, more: Budget) -> str:
    """What a run may use in all, if it gets so much more."""
    from racing.runner.warm_start import extension_of

    total = asdict(extension_of(log, more).budget)
    words = [
        f"{_limit(name, total[name] - extra)} so far, {_limit(name, extra)} more: "
        f"{_limit(name, total[name])} in all"
        for name, extra in asdict(more).items()
        if extra is not None
    ]
    return f"--budget: {'; '.join(words)}"


def _file(header: Header) -> Path | None:
    """The scenario file of a run, if it was changed after the run began."""
    folder = Path(str(header.scenario.get("folder", "")))
    for place in (folder, *sorted(one for one in folder.glob("*") if one.is_dir())):
        for ending in (".yaml", ".yml"):
            file = place / f"{header.name}{ending}"
            if file.is_file():
                edited = file.stat().st_mtime > datetime.fromisoformat(header.created).timestamp()
                return Path(os.path.relpath(file)) if edited else None
    return None


def _both(log: SQLiteLog, given: Scenario) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The scenario of the log and that of the file as plain data of one form."""
    from racing.log import replay
    from racing.runner.build import as_begun
    from racing.runner.preflight import as_now, filled

    kept = log.header.scenario
    given = as_begun(given, kept)
    now = json.loads(json.dumps(given.to_dict(resolved=True)))
    budget = Record(Budget).write(replay(log).budget)  # with all extensions
    return {**filled(as_now(kept), now, given), "budget": budget}, now


def _differences(
    kept: Mapping[str, Any], now: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Key → value in the log and in the file, where they differ."""
    for key in dict.fromkeys((*kept, *now)):
        before, after, inner = kept.get(key), now.get(key), f"{path}{key}"
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _differences(before, after, f"{inner}.")
        elif before != after and inner not in ("log", "folder"):
            yield inner, (before, after)


def _words(kept: object, now: object, file: Path) -> str:
    if isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        return f"{sum(map(ne, kept, now))} of {len(kept)} entries differ"
    return f"{_shown(kept)} in the log, {_shown(now)} in {file}"


def _shown(value: object) -> str:
    if isinstance(value, list | Mapping):
        return "1 entry" if len(value) == 1 else f"{len(value)} entries"
    return "none" if value is None else show(value)


def _of(key: str, part: str) -> bool:
    return key == part or key.startswith(f"{part}.")


def _carried_out(log: SQLiteLog, file: Path, given: Scenario, keys: list[str]) -> Iterator[str]:
    """The commands that do what the file says now."""
    run = shlex.quote(str(log.path))
    if any(_of(key, "budget") for key in keys):
        yield _budget(log, given.budget, run)
    options = [
        f"--{key[10:]} {getattr(given.execution, key[10:])}" for key in keys if key in _OPTIONS
    ]
    if options:
        yield f"  `racing resume {run} {' '.join(options)}` runs it as the file says"
    if any(_of(key, "test_instances") for key in keys):
        yield f"  `racing test {run} INSTANCE …` tests on other instances"
    alone = ("budget", "test_instances", *_OPTIONS)
    if any(not any(_of(key, part) for part in alone) for key in keys):
        other = shlex.quote(str(log.path.with_stem(f"{log.path.stem}-2")))
        reuse = os.path.relpath(log.path, given.folder)
        yield (
            f"  `racing run {shlex.quote(str(file))} --log {other} --set reuse="
            f"{shlex.quote(reuse)}` begins a run by the file, and takes what still holds from this"
        )


def _budget(log: SQLiteLog, wanted: Budget, run: str) -> str:
    """The command that gives a run the budget of its file."""
    from racing.log import replay
    from racing.runner.warm_start import extension_of

    decider = replay(log)
    over = log.finished is not None
    used = asdict(decider.spent) | {"wall_time": log.elapsed} if over else asdict(decider.budget)
    more = {
        name: limit - (used[name] or 0)
        for name, limit in asdict(wanted).items()
        if limit is not None
    }
    if not more or min(more.values()) <= 0:
        return "  the budget of a run can only grow: limits that it has used stay"
    try:
        if over:
            extension_of(log, Budget(**more))
    except RacingError as error:
        return f"  {error}"
    pairs = [f"{name}={_amount(name, extra)}" for name, extra in more.items()]
    text = f"+{more['evaluations']}" if [*more] == ["evaluations"] else ",".join(pairs)
    when = "" if over else ", once the run is over,"
    return f"  `racing resume {run} --budget {text}`{when} gives it the budget of the file"


def _amount(name: str, extra: float) -> str:
    if name in ("wall_time", "target_time"):
        return f"{math.ceil(extra)}s"
    return f"{extra:g}" if name == "usd" else str(math.ceil(extra))


def _limit(name: str, limit: float) -> str:
    if name in PAID:
        return amount(name, limit)
    if name in ("wall_time", "target_time"):
        return f"{duration(limit)} of {'wall-clock' if name == 'wall_time' else 'target'} time"
    return count(round(limit), name.removesuffix("s"))
