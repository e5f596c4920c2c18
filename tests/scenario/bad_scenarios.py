"""Scenarios that cannot be used; docs/bad-input.md has what is said about each."""

from __future__ import annotations

from dataclasses import dataclass, field

BASE = {
    "target": "{python: solve.py:solve}",
    "space": "{a: {real: [0, 1], default: 0.5}, n: {integer: [1, 9], default: 3}}",
    "candidates": "{sample: 4}",
    "instances": "{list: [u, v, w, x, y]}",
    "budget": "100",
}


@dataclass(frozen=True)
class Case:
    """What is wrong (as the docs show it), the text of `race.yaml`, and other files."""

    shown: str
    text: str | bytes
    files: dict[str, str] = field(default_factory=dict)


def scenario(**changes: str | None) -> str:
    """A sound scenario but for some keys; None leaves a key out."""
    keys = {**BASE, **changes}
    return "".join(f"{key}: {text}\n" for key, text in keys.items() if text is not None)


def bad(key: str, text: str, **files: str) -> Case:
    """A scenario in which one key is bad; `files` are CSV files by their stems."""
    named = {f"{stem}.csv": content for stem, content in files.items()}
    return Case(f"`{key}: {text}`", scenario(**{key: text}), named)


def several(key: str, text: str, **changes: str | None) -> Case:
    """A scenario of the metrics time and success in which one key is bad, beside others."""
    metrics = {"metrics": "{time: minimize, success: maximize}", "objective": "{minimize: time}"}
    shown = ", ".join(f"`{name}: {value}`" for name, value in changes.items() if value)
    keys = {**metrics, **changes, key: text}
    return Case(f"`{key}: {text}`{' with ' * bool(shown)}{shown}, with metrics", scenario(**keys))


CASES = [
    # the file
    Case("an empty file", ""),
    Case("only comments", "# later\n"),
    Case("a list instead of keys", "- a\n- b\n"),
    Case("a lone word", "fast\n"),
    Case("a binary file", b"target\n\x00\x01\x02"),
    Case("a file in Latin-1", "name: caf\xe9\n".encode("latin-1")),
    Case("a control character", "name: a\x07b\n"),
    Case("a scalar of 10 MB", "name: " + "x" * 10_000_000),
    Case("a text of 500 000 characters", scenario(seed="x" * 500_000)),
    Case("100 000 nested lists", "name: " + "[" * 100_000),
    Case("a tab as indentation", "target:\n\tpython: a.py:f\n"),
    Case("a no-break space as indentation", "race:\n  risk: 0.1\n\u00a0\u00a0first_test: 4\n"),
    Case("keys that are not indented alike", scenario() + "race:\n  first_test: 4\n   risk: 0.1\n"),
    Case("no blank after a colon", scenario() + "seed:1\n"),
    Case("a command without quotes", scenario(target="{command: solve {instance}}")),
    Case("a file in UTF-16", scenario().encode("utf-16")),
    Case("an open bracket", "name: [a, b\nseed: 1\n"),
    Case("an open quote", 'name: "clasp\n'),
    Case("two documents", scenario() + "---\nname: second\n"),
    Case("a key given twice", scenario() + "budget: 200\n"),
    Case("an anchor and an alias", scenario(name="&clasp clasp", log="*clasp")),
    Case("a merge key", scenario(race="{<<: {each_test: 2}}")),
    Case("a tag", scenario(seed="!!python/object/apply:os.system [id]")),
    Case("a list as a key", scenario() + "[a, b]: 1\n"),
    # YAML's traps
    bad("seed", "no"),
    bad("name", "on"),
    bad("seed", "012"),
    bad("seed", "0o12"),
    bad("seed", "0b11"),
    bad("budget", "1:30"),
    bad("budget", "1_000"),
    bad("seed", ""),
    # keys and types
    bad("sead", "1"),
    bad("jobs", "4"),
    bad("on_failure", "{polcy: stop}"),
    bad("target", "{python: solve.py:solve, on_failure: {retries: 1}}"),
    bad("target", "{pyton: solve.py:solve}"),
    Case("no target", scenario(target=None)),
    bad("seed", '"7"'),
    bad("seed", "1.5"),
    bad("seed", "-1"),
    bad("seed", ".nan"),
    bad("seed", "9223372036854775808"),
    bad("name", "42"),
    bad("direction", "minimise"),
    bad("direction", "min"),
    bad("objective", "median"),
    bad("log", "[a, b]"),
    bad("log", "~/run.sqlite"),
    bad("name", "a/b"),
    # quantities
    bad("budget", "0"),
    bad("budget", "2k"),
    bad("budget", "1 hour"),
    bad("budget", "1,000"),
    bad("budget", '"500"'),
    bad("budget", "{wall_time: 30 min}"),
    bad("budget", "{wall_time: 0s}"),
    bad("budget", "{evaluations: 2.5}"),
    bad("budget", "{usd: 0}"),
    bad("budget", "{usd: $5}"),
    bad("budget", "{eur: 5}"),
    bad("budget", "{tokens: 2M}"),
    bad("budget", "3"),
    bad("target", "{command: 'solve {instance} {parameters}', memory: 512}"),
    bad("target", "{command: 'solve {instance} {parameters}', memory: 2gb}"),
    bad("target", "{command: 'solve {instance} {parameters}', timeout: -5s}"),
    # the target
    bad("target", "solve.py:solve"),
    bad("target", "{command: solve, python: solve.py:solve}"),
    bad("target", "{command: 'solve {instanec} {parameters}'}"),
    bad("target", "{command: 'solve {instance}'}"),
    bad("target", "{command: 'solve \"{instance}'}"),
    bad("target", "{python: solve}"),
    bad("target", "{command: 'solve {parameters}', output: 'cost: ['}"),
    bad("target", "{command: 'solve {parameters}', output: 'cpu: (?P<seconds>.+)'}"),
    # the space
    bad("space", "{a: {reel: [0, 1]}}"),
    bad("space", "{a: {real: [0, 1], integer: [0, 1]}}"),
    bad("space", "{a: {real: [1, 0]}}"),
    bad("space", "{a: {real: [0, 1, 2]}}"),
    bad("space", "{a: {real: [0, 1], log: true}}"),
    bad("space", "{a: {integer: [0.5, 2]}}"),
    bad("space", "{a: {real: [0, .inf]}}"),
    bad("space", "{a: {real: [-1.7e+308, 1.7e+308]}}"),
    bad("space", "{a: {boolean: true}}"),
    bad("space", "{n: {integer: [1, 9]}, a: {real: [0, 1 / (n - n)]}}"),
    Case("a tag of 900 000 characters", scenario(seed="!" + "x" * 900_000 + " 1")),
    Case(
        "30 000 forbidden clauses",
        scenario()
        + "forbidden:\n"
        + "".join(f"- n > {i % 9} and a > 0.{i}\n" for i in range(30_000)),
    ),
    bad("space", "{a: {real: [0, 1], default: 2}}"),
    bad("space", "{a: {categorical: [x, y, x]}}"),
    bad("space", "{a: {categorical: [yes, no]}}"),
    bad("space", "{a: {categorical: []}}"),
    bad("space", "{a b: {real: [0, 1]}}"),
    bad("space", "{}"),
    # candidates
    bad("candidates", "{}"),
    Case("`sample` without a space", scenario(space=None)),
    Case("`default` without a space", scenario(space=None, candidates="{default: true}")),
    Case(
        "`default` where a parameter has none",
        scenario(space="{a: {real: [0, 1]}}", candidates="{default: true}"),
    ),
    Case(
        "100 samples of a space with 9 members",
        scenario(space="{n: {integer: [1, 9]}}", candidates="{sample: 100}"),
    ),
    bad("candidates", "{list: [{a: 0.1}, {a: 7, m: 2}]}"),
    bad("candidates", "{list: [{a: 0.1}, {a: 0.1}]}"),
    bad("candidates", "{list: [{name: b, a: 0.1}]}"),
    bad("candidates", "{list: [0.1, 0.2]}"),
    bad("candidates", "{list: []}"),
    bad("candidates", "{grid: {a: [0.1, 2]}}"),
    bad("candidates", "{grid: {b: [1]}}"),
    bad("candidates", "{grid: {a: 0.5}}"),
    bad("candidates", "{grid: {a: [0.5, 1, 0.5]}}"),
    bad("candidates", "{known: true}"),
    bad("candidates", "[{a: 7}]"),
    bad("candidates", "{csv: none.csv}"),
    bad("candidates", "{csv: bad.csv}", bad="a,n\n0.1,99\n0.2,x\n"),
    bad("candidates", "{csv: wide.csv}", wide="a,n\n0.1,2,3\n"),
    bad("candidates", "{csv: head.csv}", head="a,b,a\n0.1,2,3\n"),
    bad("candidates", "{csv: empty.csv}", empty="a,n\n"),
    bad("candidates", "{csv: semicolons.csv}", semicolons="a;n\n0.1;3\n"),
    bad("candidates", "{csv: quote.csv}", quote='a,n\n"0.1,2\n'),
    bad("candidates", "{list: [{name: b, values: {a: 0.1}}, {name: b, values: {a: 0.2}}]}"),
    bad("candidates", "{csv: again.csv}", again="a,n\n0.1,3\n0.2,3\n0.1,\n"),
    bad("candidates", "{grid: {n: [1, 9, 3.5]}, samples: 3}"),
    # instances
    bad("instances", "{list: [a, b], glob: '*.cnf'}"),
    bad("instances", "{order: listed}"),
    bad("instances", "{glob: 'data/*.cnf'}"),
    bad("instances", "data/*.cnf"),
    bad("instances", "~/data/*.cnf"),
    bad("instances", "{file: '${HOME}/names.txt'}"),
    Case(
        "instances below a folder that does not exist",
        scenario(instances="data/*.cnf", folder="/no/such/folder"),
    ),
    Case(
        "an instance on two lines of a file, which begins with a mark and ends lines as on Windows",
        scenario(instances="{file: names.txt}"),
        {"names.txt": "\ufeffa.cnf\r\n\r\n  \r\nb.cnf 1 2\r\na.cnf\r\n"},
    ),
    bad("instances", "[]"),
    bad("instances", "[u, v, 1.5]"),
    bad("instances", "[{name: u, sed: 3}, v]"),
    bad("instances", "5"),
    bad("test_instances", "[a, u]"),
    bad("test_instances", "{glob: 'test/*.cnf'}"),
    bad("instances", "{file: none.txt}"),
    Case(
        "`instances: {file: bad.txt}`",
        scenario(instances="{file: bad.txt}"),
        {"bad.txt": "a 1 2\nb one\n"},
    ),
    bad("instances", "{list: [a, b, c, d, a]}"),
    bad("instances", "{list: [{nam: a}]}"),
    bad("instances", "{list: [{name: a, seeds: [0]}]}"),
    bad("instances", "{list: [{name: a, seeds: [5, 5]}]}"),
    bad("instances", "{list: [true, 1.5]}"),
    bad("instances", "{list: [{name: a, group: wine}, b, c, d]}"),
    bad("instances", "{list: [a, b, c, d], correlation: 0.2}"),
    bad("instances", "{list: [{name: a, group: wine}], correlation: 1}"),
    bad("instances", "{list: [{name: a, family: k}, b, c, d]}"),
    bad("instances", "{list: [a, b, c, d], family: '(a'}"),
    bad("instances", "{list: [a, b, c, d], family: '[abc]'}"),
    bad("instances", "{list: [a, b, c, d], family: 'kinds.csv:kind'}"),
    Case(
        "`instances: {list: [a, b], family: 'kinds.csv:kin'}`",
        scenario(instances="{list: [a, b], family: 'kinds.csv:kin'}"),
        {"kinds.csv": "instance,kind\na,k\nb,p\n"},
    ),
    Case(
        "a table of families that lacks an instance",
        scenario(instances="{list: [a, b], family: 'kinds.csv:kind'}"),
        {"kinds.csv": "instance,kind\na,k\n"},
    ),
    Case("`repeat` without a budget", scenario(instances="{list: [a], repeat: true}", budget=None)),
    # race, rule, execution
    bad("search", '"true"'),
    bad("search", "iracee"),
    bad("race", "{first_test: 6}"),
    bad("race", "{min_survivors: 5}"),
    bad("race", "{min_survivors: 4}"),
    bad("race", "{each_test: 0}"),
    bad("race", "{each_test: 0%}"),
    bad("race", "5"),
    bad("rule", "singn"),
    bad("rule", "{alpha: 0.05}"),
    bad("rule", "{name: sign, alpha: 5}"),
    bad("rule", "{name: sign, gama: 5}"),
    *(
        Case(
            f"`{rule}` in a race that ends by the clock alone",
            scenario(instances="{list: [a], repeat: true}", budget="1h", rule=rule),
        )
        for rule in ("successive-halving", "successive-rejects")
    ),
    bad("execution", "{jobs: 0}"),
    bad("execution", "{jobs: -2}"),
    bad("execution", "{jobs: all}"),
    bad("execution", "{jobs: 2, engine: in-process}"),
    bad("execution", "{address: 'tcp://10.0.0.1:8786'}"),
    bad("execution", "{speculate: 1.5}"),
    bad("execution", "{hedge: 1.5}"),
    Case(
        "`execution: {hedge: 0.9}` where the cost is a time",
        scenario(target="{command: 'solve {parameters}', cost: time}", execution="{hedge: 0.9}"),
    ),
    several("execution", "{hedge: 0.9}", metrics="{time: {measure: wall_time}, success: maximize}"),
    Case(
        "`timeout` of a Python function with the engine `threading`",
        scenario(target="{python: 'solve.py:solve', timeout: 1s}", execution="{engine: threading}"),
    ),
    bad("execution", "{engine: celery}"),
    Case(
        "`execution: {engine: asyncio}` with a command",
        scenario(target="{command: 'solve {parameters}'}", execution="{engine: asyncio}"),
    ),
    Case(
        "`execution: {rate: 50/s}` with a command",
        scenario(target="{command: 'solve {parameters}'}", execution="{rate: 50/s}"),
    ),
    Case(
        "a rate that the engine does not keep",
        scenario(target="{python: 'solve.py:solve'}", execution="{engine: loky, rate: 50/s}"),
    ),
    bad("execution", "{rate: 0}"),
    bad("execution", "{rate: fast}"),
    bad("execution", "{rate: 50 per second}"),
    bad("on_failure", "{patience: -1s}"),
    bad("on_failure", "wrost"),
    bad("on_failure", "{penalty: .inf}"),
    bad("on_failure", "{penalty: 1e200}"),
    bad("on_failure", "{penalty: {time: 60}}"),
    bad("on_failure", "{penalty: 60, policy: stop}"),
    # several metrics
    bad("metrics", "{}"),
    bad("metrics", "[quality, time]"),
    bad("metrics", "{quality: smallest}"),
    bad("metrics", "{quality: {rope: -1}}"),
    bad("metrics", "{quality: {goal: minimize}}"),
    bad("metrics", "{time: {measure: cpu}}"),
    bad("metrics", "{time: {measure: wall_time, direction: maximize}}"),
    bad("metrics", "{memory: {measure: memory}}"),
    bad("metrics", "{'two words': minimize}"),
    bad("metrics", "{seconds: minimize}"),
    bad("objective", "{minimize: time}"),
    several("metrics", "{time: minimize, success: maximize}", objective=None),
    several("objective", "{minimize: tim}"),
    several("objective", "{minimize: 'time +'}"),
    several("objective", "{minimize: 'time > 1'}"),
    several("objective", "{minimize: success}"),
    several("objective", "{minimise: time}"),
    several("objective", "{minimize: time, maximize: success}"),
    several("objective", "{minimize: time, subject_to: ['success == 1']}"),
    several("objective", "{minimize: time, subject_to: ['success >= time']}"),
    several("objective", "{minimize: time, subject_to: ['solved >= 0.9']}"),
    several("objective", "{minimize: time, subject_to: 'success >= 0.9', scores: rank}"),
    several("objective", "{minimize: time, subject_to: ['success >= 0.9'], scores: rank}"),
    several("objective", "{order: [time]}"),
    several("objective", "{order: [time, time]}"),
    several("objective", "{order: [time, speed]}"),
    several("objective", "{order: [{success: -0.1}, time]}"),
    several("direction", "maximize"),
    several("objective", "{order: [success, time]}", rule="sign"),
    several("objective", "{order: [success, time]}", rule="{name: auto, frugal: true}"),
    several("objective", "{order: [success, time]}", budget=None),
    several("objective", "{order: [success, time]}", candidates=None, search="irace"),
    several("objective", "{order: [success, time]}", candidates=None, search="true", rule="t-test"),
    several("objective", "{order: [success, time]}", candidates=None, search="{portfolio: 2}"),
    several("objective", "{front: [time]}"),
    several("objective", "{front: [time, speed]}"),
    several("objective", "{front: [success, time]}", rule="wilcoxon"),
    several("objective", "{front: [success, time]}", rule="{name: auto, frugal: true}"),
    several("objective", "{front: [success, time]}", candidates=None, search="irace"),
    several("objective", "{front: [success, time]}", candidates=None, search="true", rule="auto"),
    several("objective", "{front: [success, time]}", candidates=None, search="{portfolio: 2}"),
    several("objective", "{front: [success, time]}", candidates=None, search="{capping: 2}"),
    several("search", "{capping: 2}", candidates=None, target="{command: 'solve {parameters}'}"),
    several("target", "{command: 'solve {parameters}', cost: cpu_time}"),
    several("target", "{command: 'solve {parameters}', output: irace}"),
    several("target", "{command: 'solve {parameters}', output: 'quality: (.+)'}"),
    several("execution", "{engine: threading}", metrics="{time: {measure: cpu_time}}"),
]
