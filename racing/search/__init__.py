"""One search, by ask and tell: no I/O, no clock, no pool. Read it in this order.

    phases, one after the other:                                   search.py, phase.py
      budget or space too small? one race instead                  single_race.py

      INITIAL                                                      initial.py
        configurations = known ones, the default, a Sobol sequence coding.py
        for 1, 2, (4, 8) instances:
            run all configurations, keep the better half
            stop if instances agree on which are good              block.py
        elites = the best m                                        elites.py

      RUNNING                                                      main_phase.py
        up to `window` challengers under way:                      challenger.py
            draw c near an elite, by the state after c − window    sampler.py
            (few evaluations on one or two problems: by a model)   model_sampler.py
            for 1, 2, 4, … of the elites' instances:
                run c, drop it if it is likely worse
                hold it while the budget may have no room for more
        decide on challengers in the order of their numbers:
            dropped: note its results at each test
            passed: the best m of the elites and c are the elites
            after every K decisions:
                the elites meet one new instance
                drop elites that are hardly better than the best   elites.py

      FINISH                                                       main_phase.py
        the best elites run on new instances with the rest

      CONFIRMATION                                                 confirmation.py
        the best elite and the default run on what was set aside   division.py
        gain = the mean difference there, with its interval        answer/gain.py
        winner = the default, unless that is likely worse

All phases are a `Phase`, and share candidates, outcomes and wanted experiments (`trials.py`), the
budget, charged in the order of decisions (`account.py`), and settings (`phase.py`, from
`settings.py`). `queries.py` has the read-only properties. `search_plan.py` runs a search on a
simulated target to predict what a budget achieves. `iterated/` is iterated racing as in irace, in
place of these phases. `portfolio.py` repeats them for the members of a team (`team.py`), unless
instances rank alike. `front.py` confirms a Pareto front.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
