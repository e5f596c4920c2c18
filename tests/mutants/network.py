"""Errors in what waits on a network: rates, back-off, cancelling, and what is paid."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "evaluate/test_task.py": {
        "a service is asked again before it said": "return due * (1 «+ → -» JITTER * chance)",
        "waits never grow": "FIRST * «2.0 → 1.0» ** min(number - 1, 30)",
        "patience has no end": "if «self._waited + wait > self._patience → False»:",
        "calls that were turned away cost nothing":
            "for name, amount in «call.spent → ({} if call.retry else call.spent)».items():",
    },
    "evaluate/engines/test_slurm.py": {
        "jobs of Slurm take Ctrl-C away": "«signal.signal(signal.SIGINT, before) → pass»",
    },
    "evaluate/engines/test_asyncio.py": {
        "a token is free too early": "self._free = «begins → now» + self._gap",
        "time without calls is saved up": "begins = max(«now, self._free → self._free, now - 1»)",
        "calls that are repeated do not wait for their turn":
            "await turn() « → ; turn = partial(rest, 0.0) »",
        "what is dropped runs on": "«self._task.cancel() → pass»",
        "a target that ignores its timeout is in time":
            "evaluate/event_loop.py: «raise TimeIsUp → return 0.0»",
        "only the last attempt is paid for":
            "spent=«total(one.spent for one in (*self.failed, attempt)) → attempt.spent»,",
    },
    "race/test_prices.py": {
        "a row is priced by the mean of all candidates":
            "«paid[one] / runs[one] if one in runs else → » mean",
        "a row begins that is not expected to fit":
            "if rest == 0 «or self.expected(candidates, unit) > rest → »:",
        "a row that costs more than is left counts": "if «paid.value > self._left[unit] → False»:",
        "rows are handed out before a price is known":
            "«if self.outcomes == 0: return False → known = True»",
        "a row is priced as if reused evaluations were free":
            "outcome.«price → spent».get(unit, 0.0)",
    },
    "search/test_account.py": {
        "a search spends no money":
            "limit is not None and «getattr(after, name) > limit → name not in budget.paid and "
            "getattr(after, name) > limit»:",
    },
    "runner/test_loop.py": {
        "what is paid for is speculated on": "self.paid = self.paid «or bool(outcome.price) → »",
    },
    "log/test_contract.py": {
        "what was paid is not in the log":
            "draft.spent = {} «if spent is None else _amounts(spent) → »",
    },
    "runner/test_reuse.py": {
        "a file of the target may have changed":
            "if not «any(_agree(state, one, instance.name) for one in known) → True»:",
        "another instance that changed counts too":
            "if is_given(name) and «of_instance(name) in (None, instance) → True»",
        "a function may have changed": "return _files(then) == _files(now) «and → or True or» all(",
        "an outcome of another seed is taken":
            "return _values(values), instance.name, «instance.seed → 0»",
        "failures are taken": "elif «outcome.failed → False»:",
        "a file that was written since is the same instance":
            "return «os.stat(path).st_mtime > found.reused.started → False»",
        "what was learned up to a bound holds beyond it":
            "if bound is None or found.bound is None «or bound > found.bound → »:",
    },
    "laws/test_reuse.py": {
        "what is taken is paid for again":
            "bound=bound, reused=found.reused, « → spent=found.price, »",
    },
    "race/test_limits.py": {
        "reused evaluations make others look quick":
            "share = runs / max(spent.«made → evaluations», 1)",
    },
    "runner/test_known_seeds.py": {
        "seeds hang on the step where logs are reused":
            "integer(seed, Purpose.PROBLEM_SEED, «name, → » lap)",
        "the seeds of earlier logs are not taken":
            "dict.fromkeys(«met.get(problem, ())[:laps] → ()»)",
    },
    "rules/test_dependence.py": {
        "groups teach as if all instances were independent":
            "if «seen is None or self.outlook.correlation == 0 → True»:",
        "a mean moves by all of its variance":
            "np.maximum(«(variance[n - 1] - after) → variance[n - 1]» / seen, _STILL)",
    },
    "core/test_instances.py": {
        "groups are not interleaved":
            "self._orders[lap, seed] = «self._interleaved(shuffled, rng) → shuffled»",
        "small groups come first": "«(met[group] + chance) / sizes[group] → met[group] + chance»",
    },
    "answer/test_gain.py": {
        "each instance of a group counts in the test":
            "rows = «group_means(costs, groups) if groups else → » costs",
    },
    "stats/test_sign.py": {
        "a failure in a group is not a loss": "worse = failures «>= failures[::-1] → < 0»",
    },
    "analysis/compare/test_samples.py": {
        "an error counts as a wrong answer":
            "score= «math.nan if reason == _ERROR else → » _number(scores[chosen], place, "
            "chosen),",
        "epochs are other items": 'repetition=«row["epoch"] → ""»,',
        "models are called after the last folder":
            "at = min(«sum(1 for _ in alike) → 999», *(len(own) - 1 for own in parts))",
    },
})
