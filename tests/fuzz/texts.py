"""Texts to be read: words of a language, sound files with damage, and anything at all."""

from __future__ import annotations

import string
from collections.abc import Sequence

from hypothesis import strategies as st

EXPRESSION_WORDS = [
    "a", "b", "c", "kind", "size", "'x'", "x", "y", "low", "1", "2.5", "1e3", "-1", "==", "!=", "<",
    "<=", ">", ">=", "in", "not in", "not", "and", "or", "(", ")", "[", "]", ",", "+", "-", "*",
    "/", "//", "%", "**", "min", "max", "abs", "sqrt", "log", "active", "true", "false", "'", " ",
    "1e400",
]  # fmt: skip
EXPRESSIONS = [
    "a > 1 and kind == x", "not (a + b * 2 <= 3) or kind in [x, y]", "min(a, b, 3) ** 2 // 2 > c",
    "active(c) and 1 < a < 4", "size == low or size > low", "sqrt(abs(a - b)) >= log(c) % 2",
    "kind not in ['x', z] and true", "-a < b", "a / b == 0.5",
]  # fmt: skip
PARAMETER_WORDS = [
    "a", "b", "kind", '"--a "', "''", "c", "o", "i", "r", "i,log", "r,log", "(", ")", ",", "1", "2",
    "0.5", "x", '"x y"', "|", "&", "||", "==", "!=", "%in%", "c(", "!", "-", "^", "%%", "%/%",
    "is.na(", "floor(", "[forbidden]", "[global]", "digits", "=", "\n", "#", "TRUE", "NA", '"2*a"',
    "1e400", "Inf",
]  # fmt: skip
PARAMETERS = [
    'kind "--kind " c (x, "y", z)\na "-a " r (0.01, 5.00)\nb "" i,log (1, 100) | kind == "x"\n'
    'c "--c=" o (low, mid, high) | kind %in% c("x", "y") & a > 1\n'
    '[forbidden]\n(kind == "z") & (b >= 3)\nis.na(c) & a < 2\n[global]\ndigits = 4\n',
    'a "" i (1, 9)\nb "" i (1, "2 * a + 1")\nd "" r ("min(a, 3)", 20) | !(b %in% c(1, 2))\n',
    'a "" i (1, 9) | b > 1\nb "" i (1, "a + 9")\nc "" r (0, 1) | a > 20\n[forbidden]\nb > 0\n',
]
SCENARIO_WORDS = [
    "seed", "maxExperiments", "maxTime", "execDir", "firstTest", "elitist", "targetRunner", "=",
    "<-", "1", "2.5", '"x"', "'", '"', "#", "(", ")", "{", "}", "[", "c(", ",", "\n", ";", "TRUE",
    "FALSE", "NULL", "NA", "-", "function", "\\", " ", ".mine", "1L", "1e400", "Inf",
]  # fmt: skip
SCENARIOS = [
    "## a scenario\nmaxExperiments = 1000 # many\nseed <- 12L; elitist = TRUE\n"
    'targetRunner = "./target-runner"\n.mine = list(1, "two")\nexecDir = c()\n',
    'testType = "F-test"\nconfidence = 0.95\nboundMax = -1\nsampleInstances = NA\n',
]
PCS_WORDS = [
    "a", "b", "c", "{", "}", "[", "]", "x", "y", ",", "0", "1", "0.5", "1e-3", "i", "l", "il", "|",
    "in", "=", "==", "!=", "<", ">", "&&", "||", "categorical", "ordinal", "integer", "real", "log",
    "Conditionals:", "Forbidden:", "\n", "#", " ", "1e400", "inf", "nan",
]  # fmt: skip
PCS = [
    "a {x, y, z} [x]\nb [1, 100] [10]il\nc [0.1, 2] [0.5]\nb | a in {x, y}\n{a = z, c = 0.5}\n",
    "a categorical {x, y} [x]\nb integer [1, 9] [3] log\nc ordinal {s, m, l} [m]\n"
    "b | a == x && c != s\n{b > 3 && a == y}\n",
    "a {x, y} [x]\nb {x, y} [x]\na | b in {x}\nb | a in {x}\nc [1, 5] [2]i\n{c > 0}\n",
]
ANSWER_WORDS = [
    "1", "-2.5", "1e3", "inf", "NaN", "1,234.5", "12:30", "cost", "=", ":", "cost=", "{", "}", "[",
    '"cost"', '"seconds"', ",", "(", ")", ".", "-", "e", "x", "\n", "\r", "\0", "…",
    "\N{MINUS SIGN}", "MemoryError", "null", "true", " ",
]  # fmt: skip
ANSWERS = ["12.5\n", "cost=3\n", '{"cost": 1, "seconds": 2}\n', "3.5 17.2", "log\nbest cost (17)\n"]


NAME_WORDS = [
    "a",
    "B",
    "_",
    "@",
    "1",
    "3",
    ":",
    ".",
    "-",
    "e",
    "e5",
    "ß",
    "and",
    "if",
    "T",
    "NA",
    "\n",
]
NAMES = ["balancing:strategy\n@1:F:q", "3resolve\nsp-var-dec", "a.b\n_x\n@"]
YAML_WORDS = [
    "target: {python: a.py:f}\n", "space:", "forbidden:", "known:", "candidates:", "instances:",
    "budget: 9\n", "\n", "\n  ", "- ", ": ", ", ", "{", "}", "[", "]", "a", "b", "x", "real",
    "integer", "categorical", "when", "1", "0.5", "'x'", '"', "a > 1", "==", "and", "!t", "&n ",
    "*n", "#", "|", "? ",
]  # fmt: skip
YAML = [
    "target: {python: a.py:f}\nspace:\n  a: {real: [0, 1]}\n"
    "  k: {categorical: [x, y], when: a > 0.5}\n"
    "forbidden:\n- a > 0.5 and k == x\ncandidates: {sample: 3}\ninstances: [u, v]\nbudget: 20\n",
]
LINKS = [
    'p§ "--p§ " c (a, b) | p¶ == "a"\n', 'p§ "" i (1, 9) | p¶ > 1\n', 'p§ "" r (0, 1) | p¶ < 0.9\n',
    'p§ "" i (1, "p¶ + 1")\n', 'p§ "" o (a, b) | p¶ %in% c("a", "b")\n',
    'p§ "" c (a, b) | !is.na(p¶)\n', 'p§ "-p " c (a) | p¶ == "a"\n',
    'p§ "" i (1, 9) | p¶ * 2 > p0\n',
]  # fmt: skip
"""A line of a chain: § is its number, ¶ the number of the one before."""
FIRST = ['p0 "" c (a, b)\n', 'p0 "" i (1, 9)\n', 'p0 "" c (a)\n', 'p0 "" c (a) | FALSE\n']
LOG_WORDS = [
    "UPDATE", "DELETE FROM", "INSERT INTO", "DROP TABLE", "SET", "WHERE rowid = 1", "VALUES", "run",
    "candidate", "instance", "outcome", "verdict", "elimination", "session", "extension", "=", ",",
    "scenario", "configuration", "cost", "winner", "stopped", "name", "step", "number", "NULL",
    "-7", "1e999", "9e307", "'odd'", "x'00ff'", "'[]'", "'{\"a\": 1}'", "''", "(", ")", ";\n",
    "PAGE 3 7", "PAGE 6 8", "BYTE 5000 255", "SELECT", "AS",
]  # fmt: skip
LOGS = [
    "UPDATE outcome SET cost = 1e308 WHERE number > 3;\nUPDATE run SET winner = 99",
    "DROP TABLE outcome;\nCREATE VIEW outcome AS WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL "
    "SELECT k + 1 FROM n) SELECT k AS number, k AS candidate FROM n",
    "CREATE TRIGGER t AFTER INSERT ON outcome BEGIN DELETE FROM outcome; END;\nPAGE 6 9",
    "UPDATE run SET scenario = replace(scenario, '\"budget\"', '\"x\"'), seed = -1;\nPAGE 4 5",
    "UPDATE candidate SET configuration = '{\"x\": 1e400}', name = x'1b5d' WHERE id = 2;\n"
    "UPDATE instance SET name = '', seed = 5 WHERE step = 2;\nDELETE FROM verdict WHERE number = 1",
    "UPDATE session SET pid = -1, started = 'x', ended = NULL, elapsed = -5;\n"
    "UPDATE extension SET after = 10, budget = '{\"evaluations\": -3}';\nBYTE 4097 0",
    "UPDATE run SET scenario = json_set(scenario, '$.instances.family', '^(a+)+$', '$.seed', 1e9)",
    "UPDATE run SET scenario = json_set(scenario, '$.race.first_test', 1e15, '$.budget', NULL)",
]
COST_WORDS = [
    "0", "-0.0", "1", "-1", "3", "0.1", "1e75", "-1e75", "1.1e75", "1e-75", "1e76", "1e150",
    "1e160", "-1e200", "1e308", "-1e308", "1.7976931348623157e308", "5e-324", "1e-300", "2e-160",
    "inf", "-inf", "nan", " ",
]  # fmt: skip
COSTS = [
    "1 2 3 4 5", "1e75 -1e75 1 0", "1e308 1 2 0.5", "5e-324 1e-300 1e-160 2e-160",
    "nan inf -inf 1", "5e-324 1e-300 1e-160 2e-160 2e-160", "1e70 1.1e70 1.2e70", "0 0 0 0",
]  # fmt: skip
SHORTAGE_WORDS = [
    "EMFILE", "ENFILE", "EAGAIN", "ENOMEM", "ETXTBSY", "OK", "OK", "OK", "OK", " ", " ", "\n",
]  # fmt: skip
SHORTAGES = ["EMFILE OK ENOMEM OK OK ETXTBSY", "OK EAGAIN EAGAIN OK ENFILE OK OK EMFILE"]
ALONE_WORDS = [
    "{categorical: [x]}", "{categorical: [x, y]}", "{integer: [1, 2]}", "{integer: [4, 9]}",
    "{real: [0, 1]}", "{boolean: true}", "a", "b", "==", "!=", "<", "or", "and", "x", "4", "5",
    "\n",
]  # fmt: skip
ALONE = [
    "{categorical: [x]}\n{categorical: [y]}\n", "{categorical: [x, y]}\n{integer: [4, 5]}\n"
    "a == x or b == 4", "{integer: [4, 9]}\n{categorical: [x, y]}\na != 4\nb == y",
    "{integer: [4, 9]}\n{integer: [4, 9]}\na + b < 18",
]  # fmt: skip
LARGE = 1_000_000


def texts(words: Sequence[str], sound: Sequence[str]) -> st.SearchStrategy[str]:
    """Texts of a language's words, sound texts with damage, and any characters."""
    of_words = st.lists(st.sampled_from(words), max_size=40)
    return st.one_of(
        of_words.map(" ".join),
        of_words.map("".join),
        damaged(words, sound),
        damaged(words, sound),
        st.text(string.printable, max_size=60),
        st.text(max_size=30),
        repeated(words),
    )


@st.composite
def damaged(draw: st.DrawFn, words: Sequence[str], sound: Sequence[str]) -> str:
    """A sound text in which some places were cut out, doubled or written over."""
    text = draw(st.sampled_from(sound))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(start + draw(st.integers(0, 12)), len(text))
        middle = draw(
            st.one_of(
                st.sampled_from(words), st.just(""), st.just(text[start:end] * 2), st.characters()
            )
        )
        text = text[:start] + middle + text[end:]
    return text


@st.composite
def repeated(draw: st.DrawFn, words: Sequence[str]) -> str:
    """A few words many times over, which makes trees deep and lists long."""
    few = " ".join(draw(st.lists(st.sampled_from(words), min_size=1, max_size=3)))
    before, after = (" ".join(draw(st.lists(st.sampled_from(words), max_size=3))) for _ in "ab")
    return f"{before} {(few + ' ') * draw(st.integers(1, 400))}{after}"


@st.composite
def large(draw: st.DrawFn, words: Sequence[str], sound: Sequence[str]) -> str:
    """Up to a megabyte: a few words, or a part of a sound text, with a number, over and over."""
    size = draw(st.sampled_from([LARGE // 20, LARGE // 4, LARGE]))
    base = draw(st.sampled_from(sound))
    start = draw(st.integers(0, len(base)))
    part = base[start : start + draw(st.integers(1, 60))]
    few = draw(st.lists(st.sampled_from([*words, "§"]), min_size=1, max_size=6))
    piece = draw(st.sampled_from([part, part.replace(draw(st.sampled_from(words)), "§")]))
    piece = draw(st.sampled_from([piece, "".join(few), " ".join(few), f"{' '.join(few)}\n"]))
    before, after = draw(st.sampled_from([(base[:start], base[start:]), (base, ""), ("", base)]))
    pieces, length, number = [before], len(before), 0
    while piece and length < size - len(after):
        pieces.append(piece.replace("§", str(number)))
        length, number = length + len(pieces[-1]), number + 1
    return "".join([*pieces, after])[:size]


@st.composite
def chains(draw: st.DrawFn) -> str:
    """A parameter file in which each parameter depends on the one before, or the next one."""
    few = draw(st.lists(st.sampled_from(LINKS), min_size=1, max_size=2))
    length, forward = draw(st.sampled_from([30, 300, 1500])), draw(st.booleans())
    links = [
        few[k % len(few)].replace("§", str(k)).replace("¶", str(k - 1 if forward else k + 1))
        for k in range(1, length)
    ]
    first = draw(st.sampled_from(FIRST))
    ends = [first] if forward else [first, first.replace("p0", f"p{length}")]
    after = draw(st.sampled_from(["", "[global]\ndigits = 2\n[forbidden]\np1 == p2\n"]))
    return "".join([*ends, *links, after])
