"""Errors in work, and where it comes from: speculation, processes, Dask, scenarios of irace."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "race/test_speculation.py": {
        "the last in the field is as likely to be needed as the first":
            "threshold = min(«max(place, enough) → enough» + 0.5",
        "one evaluation too many is speculated on": "math.floor(share * of) « → + 1 »",
    },
    "evaluate/test_command.py": {
        "any exit status is a success": "if ended.code «in command.success → >= 0»:",
        "data that a target writes is watched for changes":
            "script = first «if interpreted or os.access(first, os.X_OK) else None → »",
    },
    "evaluate/test_process.py": {
        "a number whose beginning was cut off is an answer": '«("…" if self.cut else "") → ""»',
        "a program whose time was up ended by itself": "timed_out = «True → False»",
        "children that left the group of a killed program live on":
            "«family.kill(self._families.pop(group, {})) → self._families.pop(group, {})»",
    },
    "evaluate/test_family.py": {
        "a process that got the number of another is killed":
            "if fields «and fields[19] == start → »:",
    },
    "evaluate/test_command.py, evaluate/test_bad_targets.py": {
        "what a target writes to stderr can steer the terminal":
            'c if «c.isprintable() or c in "\\n\\t" → True» else',
    },
    "evaluate/test_bound.py": {
        "a run that was stopped at its bound counts as finished":
            "return «replace(attempt, status=Status.CENSORED) → attempt»",
    },
    "evaluate/engines/test_cluster.py": {
        "a member of a cluster has one place, however many threads":
            "for number in range(«room → 1»)",
    },
    "evaluate/engines/test_agent.py": {
        "a dropped attempt that comes late to a cluster's worker is run":
            "if «self._killed >= number → False»:",
    },
    "scenario/formats/test_irace.py": {
        "irace's confidence is taken for a level": "«round(1 - confidence, 12) → confidence»",
        "instances of a deterministic target repeat":
            '"repeat": «not self._value("deterministic") → True»',
        "of two limits on a run the larger holds": 'target["timeout"] = «min → max»(known)',
        "runs are capped without elitism":
            'bool(self._value("boundMax")) «and (elitist is None or bool(elitist)) → »',
        "unordered numbers are ordered values of irace":
            'if «kind == "ordinal" and numbers != sorted(numbers) → False»:',
    },
    "scenario/formats/test_irace.py, scenario/formats/test_configurations.py": {
        "NA in a configurations file is a value": '("", «"NA", "<NA>" → ») if blanks',
    },
    "scenario/formats/test_irace_parameters.py": {
        "one switch twice is noted only where both can never be active":
            "len(group) > 1 and « → not »len(both := at_once(",
        "a fixed parameter with another value is taken to fit":
            '«name not in fixed or (same(fixed[name], value) is (sign == "==")) is wanted → True»',
        "what an inactive parent decides is true":
            "if set(names(node)) & set(off): return «False → True»",
        "a word of R is written as a name without quotes":
            "if plain «and r_name(name) not in RESERVED → »",
    },
    "space/test_names.py": {
        "odd names stand in expressions without quotes":
            'name «if is_bare(name.replace("-", "_")) else f"`{name}`" → »',
        "a number is a name": "«(?!\\d[\\d.]*([eE][+-]?\\d+)?$) → »",
    },
    "base/test_errors.py": {
        "all errors of a large file are reported":
            "found «if len(found) <= most else found[: most - 1] → »",
    },
    "scenario/test_scenario_reading.py": {
        "a device is read to its end":
            "if «not stat.S_ISREG(mode) and not stat.S_ISDIR(mode) → False»:",
    },
    "scenario/test_bad_scenarios.py, space/test_bad_spaces.py": {
        "a domain of numbers that are too large is accepted":
            "«empty = empty | self.too_large(low, high) → pass»",
    },
    "scenario/formats/test_irace_yaml.py": {
        "a list of some files is written as a pattern":
            "if «[problem.name for problem in problems] == listed → True»:",
    },
    "evaluate/test_answers.py::test_a_number_is_as_long_as_a_float_may_be_written": {
        "a word of any length is searched for a number": "if «len(word) <= LONGEST_WORD → True»:",
    },
    "evaluate/test_answers.py": {
        "numbers beside the cost are ignored silently": "if «len(words) < 2 → True» or not all(",
    },
    "evaluate/test_ended.py": {
        "what took longer than it may is solved if it ended by itself":
            "if command.timeout is not None and ended.«seconds >= command.timeout → timed_out»:",
    },
    "core/test_experiment.py": {
        "an infinite answer is a success": "if not «-MOST_COST <= → » cost <= MOST_COST:",
        "a number too large to be computed with is a cost":
            "if not -«MOST_COST <= cost <= MOST_COST → math.inf < cost < math.inf»:",
    },
    "log/test_kept.py": {
        "a log is held to verdicts by costs that are failures now":
            "if «not self.outdated → True»: check.check_verdict",
    },
    "evaluate/test_alarm.py": {
        "an alarm of the function's own is a timeout": "if armed and left > «EARLY → 1e9»:",
        "an alarm rings once": "signal.setitimer(signal.ITIMER_REAL, seconds «, AGAIN → »)",
        "an alarm ends the one around it": "evaluate/alarm.py: if «left → False»:",
        "a handler of alarms stays behind": "«signal.signal(signal.SIGALRM, handler) → pass»",
    },
    "evaluate/test_mixes.py::test_a_child_that_returns_ends": {
        "a child that a function has forked answers too": "if «os.getpid() != process → False»:",
    },
    "evaluate/test_surroundings.py": {
        "a thread that is left behind goes unnoticed": "if «not self._threads <= threads → False»:",
        "a child that is left behind goes unnoticed":
            "if «not self._children <= children → False»:",
        "what was changed stays changed": "«facet.write(before) → pass»",
        "the shared random numbers go on": "«random.seed(seed) → pass» if",
        "what stays in a process is told again":
            "threads, self._threads = «self._threads → set[threading.Thread]()», "
            "set(threading.enumerate())",
    },
    "evaluate/test_mixes.py": {
        "a worker that was spoiled gets another experiment":
            "return Report(answer «, alive=not spoilt → »)",
    },
    "evaluate/test_mixes.py::test_the_death_of_a_worker_is_no_timeout_whatever_it_has_forked": {
        "a child hides the death of its worker":
            "wait(«[self._pidfd, *others] → [*others] or [self._pidfd]», seconds)",
    },
    "evaluate/engines/test_overdue.py": {
        "a process that is stopped is waited for":
            "return self._taken >= self._seconds «and self._give_up() → »",
        "a pause of the controller is time of its workers": "«min(seconds, 2 * TICK) → seconds»",
        "an attempt begins with the time of the last one": "«self._taken = 0.0 → » super().begin()",
        "what was counted before a stop still counts":
            "«0.0 → self._taken» if stopped else self._taken",
    },
    "evaluate/test_stops.py": {
        "time in which this process was stopped counts":
            "if «not (decides and watch.stopped) → True»:",
        "a target that holds the interpreter's lock counts as stopped":
            "return passed > STOP «and processor - used < IDLE * passed → »",
        "a watch remembers a stop before it began": "«self._stopped = False → » _CLOCK.add(self)",
        "a stop is forgotten at the next tick": "self._stopped «|= → =» stopped",
        "a stop that no tick has noted yet goes unnoticed":
            "return self._stopped «or _CLOCK.stands() → »",
        "the time before the first watch counts as a stop": "«self._last = _now() → » threading",
        "the clock ticks on for nobody": "self._ticks = «bool(self._watches) → True»",
        "a late tick is told as one in time": "watch.tick(«self._last[0] - before → TICK»,",
        "a forked child waits for a lock that nobody will release":
            "«os.register_at_fork(after_in_child=self._reset) → pass»",
        "costs that are times are taken as they are after a stop":
            "clocked = self.timeout is not None «or self._costs_time → »",
        "a metric that is a time is taken as it is after a stop":
            "return «measured or → » getattr(",
        "a timeout counts although the process was stopped":
            "over or «call.status is Status.TIMEOUT or → » self._costs_time",
    },
    "evaluate/test_workers.py": {
        "an outcome is lost if the engine breaks after it":
            "if broken is not None «and not finished → »:",
        "a dropped experiment comes back":
            "if «self._tasks.get(task.experiment.key) is task and not task.answered → True»:",
        "a pool that shrank keeps its workers": "if report.alive «and wanted → »:",
    },
    "evaluate/test_shortage.py": {
        "what could not be started is charged with that":
            "if «short is not None and (shared or not short.failure) → False»:",
        "as many run at a time where resources are short":
            "return workers < self.«_supply.room(self._size) → _size»",
        "a program that is replaced while it fails has failed":
            "if «fine or self._stamps() == before → True»:",
    },
    "evaluate/test_shortage.py::TestFunctions": {
        "files that others hold are a failure":
            "if (short := report.short) is not None and short.failure «and not self._busy → »:",
    },
    "evaluate/test_shortage.py::TestPools": {
        "what cannot be started is tried for ever":
            "if «not others and now - self._since >= PATIENCE → False»:",
    },
    "evaluate/engines/test_processes.py": {
        "a worker that woke up too late is to blame": "if «stopped and self._hung_in → False»:",
    },
    "evaluate/engines/test_leftovers.py": {
        "what all evaluations leave retires every worker": "«self._times > HABIT → False»",
        "a habit outlives an evaluation without it":
            "if found «== self._last else 1 → else self._times»",
    },
    "evaluate/test_watchdog.py": {
        "a program that has just started outlives its controller":
            "evaluate/groups.py: «watchdog.enter(0) → pass»",
        "another watchdog does not know the groups of the one before":
            'b"" «.join(b"+%d\\n" % group for group in self._groups) → »',
    },
})
