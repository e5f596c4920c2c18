"""Are the tests able to fail? Small errors in the code, each of which some test must catch.

python -m tests.mutants                 all of them (`make mutants`)
python -m tests.mutants f-test lock     those whose entries have one of these words
python -m tests.mutants --trust         without running the tests on sound code first
"""

from __future__ import annotations

from tests.mutants import (
    comparing_runs,
    configuring,
    doors,
    explaining,
    fields,
    history,
    iterated,
    metrics,
    network,
    portfolios,
    race,
    reports,
    rules,
    stats,
    stats_unpaired,
    targets,
    work,
)
from tests.mutants.mutation import Mutation

MUTATIONS: tuple[Mutation, ...] = (
    *stats.TABLE,
    *stats_unpaired.TABLE,
    *comparing_runs.TABLE,
    *fields.TABLE,
    *rules.TABLE,
    *race.TABLE,
    *history.TABLE,
    *targets.TABLE,
    *configuring.TABLE,
    *iterated.TABLE,
    *metrics.TABLE,
    *network.TABLE,
    *portfolios.TABLE,
    *explaining.TABLE,
    *doors.TABLE,
    *reports.TABLE,
    *work.TABLE,
)
