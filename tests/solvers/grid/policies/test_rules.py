"""Each policy against its slow twin, job by job, on random systems with outages and crashes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from planner.grid.policy import Moment, Outcome, Placement, Session, Setting
from planner.grid.simulation import run
from planner.grid.workload import draw
from solvers import catalog
from tests.grid.systems import drawn, eventful
from tests.grid.watching import Watched
from tests.solvers.grid.policies import slow

TWINS: dict[str, Callable[[Setting], slow.Rule]] = {
    "rs": slow.SlowRandom,
    "lls": slow.SlowLLS,
    "mct": slow.SlowMCT,
    "dmms": slow.SlowMinMin,
    "dmms:knowledge=global": slow.SlowMinMinGlobal,
    "clds": slow.SlowCLDS,
    "clds:update=additive;alpha=0.3": lambda s: slow.SlowCLDS(s, alpha=0.3, additive=True),
    "clds:start=service;penalty=0": lambda s: slow.SlowCLDS(s, from_service=True, penalty=0),
    "clds:selection=proportional": lambda s: slow.SlowCLDS(s, proportional=True),
    "clds:selection=proportional;update=additive;start=service;alpha=1;penalty=5": lambda s: slow.SlowCLDS(
        s, alpha=1, additive=True, from_service=True, proportional=True, penalty=5
    ),
    "osl": slow.SlowOSL,
    "osl:alpha=0.5;share=0.2": lambda s: slow.SlowOSL(s, alpha=0.5, share=0.2),
    "osl:share=0": lambda s: slow.SlowOSL(s, share=0),
}


class Twin(Watched):
    """Has the slow rule place the same jobs, and holds the policy to it."""

    def __init__(self, policy: object, twin: Callable[[Setting], slow.Rule]) -> None:
        super().__init__(policy)  # type: ignore[arg-type]
        self.twin, self.compared = twin, 0

    def open(self, setting: Setting) -> Session:
        return _Twin(self, self.policy.open(setting), self.twin(setting))


class _Twin:
    def __init__(self, owner: Twin, session: Session, rule: slow.Rule) -> None:
        self._owner, self._session, self._rule = owner, session, rule

    def place(self, moment: Moment) -> Placement:
        chosen, order = self._rule.place(moment)
        placement = self._session.place(moment)
        assert placement.resource.tolist() == chosen, f"step {moment.step}"
        arrival = list(range(len(chosen)))
        assert (arrival if placement.order is None else placement.order.tolist()) == order
        self._owner.compared += len(chosen)
        return placement

    def learn(self, outcome: Outcome) -> None:
        self._rule.learn(outcome)
        self._session.learn(outcome)

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:
        self._rule.take_over(crashed, successor)
        return self._session.take_over(crashed, successor, learner)


def compared(policy: str, twin: Callable[[Setting], slow.Rule], seeds: range) -> int:
    jobs = 0
    for seed in seeds:
        entry, options = catalog.configure_policy(policy)
        watched = Twin(entry.make_policy(options), twin)
        run(draw(eventful(seed), seed), watched)
        jobs += watched.compared
    return jobs


@pytest.mark.parametrize("policy", TWINS)
def test_every_job_goes_where_the_rule_says(policy: str) -> None:
    assert compared(policy, TWINS[policy], range(20)) > 300


@pytest.mark.slow
@pytest.mark.parametrize("policy", TWINS)
def test_every_job_goes_where_the_rule_says_on_many_systems(policy: str) -> None:
    assert compared(policy, TWINS[policy], range(20, 320)) > 5000


def test_every_policy_but_dealt_and_the_reference_has_a_twin() -> None:
    names = {entry.name for entry in catalog.policies()}
    assert names - {name.partition(":")[0] for name in TWINS} == {"dealt", "reference"}


def test_random_selection_is_uniform() -> None:
    watched = Watched(catalog.configure_policy("rs")[0].make_policy({}))
    run(draw(drawn(steps=6000), 1), watched)
    chosen = np.concatenate([placement.resource for placement in watched.placements.values()])
    counts = np.bincount(chosen, minlength=6)
    expected = chosen.size / 6
    # Chi-square with 5 degrees of freedom: above 20.5 once in a thousand seeds.
    assert ((counts - expected) ** 2 / expected).sum() < 20.5
