"""The order of a step, what a policy sees and may do, and that equal runs are equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from planner.grid import simulation
from planner.grid.distribution import Constant
from planner.grid.metrics import Metrics
from planner.grid.policy import Forgetful, Knowledge, Moment, Outcome, Placement, Setting, Traffic
from planner.grid.simulation import PolicyFault, run
from planner.grid.system import Arrivals, CapacityChange, Crash, Drawn, GridSystem, counted_schedulers
from planner.grid.workload import Workload, draw
from solvers import catalog
from solvers.grid.policies.least_load import LeastLoad
from tests.grid.scripted import Scripted, TheirLLS, Vandal, to
from tests.grid.systems import drawn, eventful, traced
from tests.grid.watching import Watched, watch

POLICIES = [*(entry.name for entry in catalog.policies()), "dmms:knowledge=global"]
each_policy = pytest.mark.parametrize("policy", POLICIES)


def watched(system: GridSystem, policy: object, seed: int = 1) -> tuple[Metrics, Watched]:
    if isinstance(policy, str):
        entry, options = catalog.configure_policy(policy)
        policy = entry.make_policy(options)
    return watch(draw(system, seed), policy)  # type: ignore[arg-type]


def test_alor_is_recorded_after_submission_and_before_service() -> None:
    system = traced([2, 4], [(1, 6), (1, 8)], 4)
    metrics, _ = watched(system, Scripted(to(0, 1)))
    # Before the jobs nothing; with them 6/2 and 8/4; then 4/2 and 4/4, then 2/2 and 0.
    assert metrics.series.tolist() == [0, 2.5, 1.5, 0.5]


def test_load_divides_by_the_initial_capacity_whatever_it_is_now() -> None:
    events = [CapacityChange(0, 0, 8.0), CapacityChange(1, 0, 0.0)]
    metrics, _ = watched(traced([2], [(0, 12)], 3, events=events), Scripted(to(0)))
    assert metrics.series.tolist() == [6, 2, 2]


def test_events_happen_before_the_arrivals_of_their_step() -> None:
    events = [CapacityChange(2, 0, 5.0), Crash(2, 1)]
    jobs = [(1, 1, 1), (2, 1, 1), (2, 3, 0)]
    _, seen = watched(traced([1, 1], jobs, 4, schedulers=3, events=events), Scripted(to(0)))
    assert seen.moments[1].scheduler.tolist() == [1]
    assert seen.moments[2].scheduler.tolist() == [2, 0]  # scheduler 1 is gone, 2 has its jobs
    assert seen.moments[2].living.tolist() == [True, False, True]
    assert seen.moments[2].capacity is not None
    assert seen.moments[2].capacity.tolist() == [5, 1]


def test_events_of_one_step_happen_in_the_order_given() -> None:
    events = [CapacityChange(0, 0, 5.0), CapacityChange(0, 0, 3.0)]
    metrics, _ = watched(traced([1], [(0, 6)], 3, events=events), Scripted(to(0)))
    assert metrics.series.tolist() == [6, 3, 0]
    assert [event.what for event in metrics.events] == [
        "capacity of r1 becomes 5",
        "capacity of r1 becomes 3",
    ]


def test_the_work_a_policy_sees_is_what_the_step_before_left() -> None:
    _, seen = watched(traced([2], [(0, 6), (1, 3)], 3), Scripted(to(0)))
    assert [moment.work.tolist() for moment in seen.moments.values() if moment.work is not None] == [[0], [4]]


def test_the_order_of_a_placement_is_that_of_the_queues() -> None:
    system = traced([1], [(0, 3), (0, 1), (0, 2)], 7)
    metrics, seen = watched(
        system, Scripted(lambda moment: replace(to(0)(moment), order=np.array([1, 2, 0])))
    )
    ends = {step: outcome.length.tolist() for step, outcome in seen.outcomes.items() if outcome.length.size}
    assert ends == {0: [1], 2: [2], 5: [3]}
    assert metrics.makespan == 6


def test_a_crashed_learner_is_followed_by_the_next_living_cyclically() -> None:
    events = [Crash(1, 0), Crash(2, 3), Crash(3, None), Crash(4, 1), Crash(5, 1), Crash(6, None)]
    metrics, seen = watched(traced([1], [], 8, schedulers=4, events=events), "clds")
    # 0 learns; gone, 1 does. 3 goes to 1. The learner 1 goes to 2. 1 had gone before. 2 is the last.
    assert seen.takeovers == [(0, 1, True), (3, 1, False), (1, 2, True)]
    assert [event.what for event in metrics.events] == [
        "the learner s1 crashes, s2 takes over",
        "s4 crashes, s2 takes over",
        "the learner s2 crashes, s3 takes over",
        "s2 had crashed before",
        "s2 had crashed before",
        "the learner s3 crashes, no scheduler is left",
    ]
    assert metrics.messages * 8 == 2 * (4 + 3 + 2 + 1 + 1 + 1)


def test_a_crash_when_nobody_is_left_is_told_and_nothing_else() -> None:
    metrics, _ = watched(traced([1], [(3, 1)], 4, events=[Crash(1, None), Crash(2, None), Crash(2, 0)]), "rs")
    assert [event.what for event in metrics.events][1:] == [
        "the learner had crashed before",
        "s1 had crashed before",
    ]
    assert (metrics.jobs.rejected, metrics.jobs.finished, metrics.makespan) == (1, 0, None)


def test_jobs_at_resources_are_served_when_all_schedulers_are_gone() -> None:
    metrics, _ = watched(traced([1], [(0, 3), (1, 1)], 5, events=[Crash(1, 0)]), Scripted(to(0)))
    assert metrics.series.tolist() == [3, 2, 1, 0, 0]
    assert (metrics.jobs.finished, metrics.jobs.rejected) == (1, 1)


def test_outcomes_go_to_who_has_the_records_now() -> None:
    jobs = [(0, 4, 1), (0, 1, 0)]
    system = traced([1, 1], jobs, 5, schedulers=3, events=[Crash(2, 1)])
    _, seen = watched(system, Scripted(to(0, 1), Knowledge.OUTCOMES))
    told = {step: outcome.scheduler.tolist() for step, outcome in seen.outcomes.items()}
    assert told == {0: [0], 1: [], 2: [], 3: [2], 4: []}


def test_a_system_without_jobs() -> None:
    metrics, _ = watched(traced([1, 2], [], 3), "lls")
    assert metrics.series.tolist() == [0, 0, 0]
    assert (metrics.response, metrics.regret, metrics.makespan) == (None, None, None)
    assert (metrics.fairness, metrics.utilisation) == (1, 0)


def test_arrivals_without_an_end_have_no_makespan_even_where_all_is_finished() -> None:
    metrics, _ = watched(drawn(load=0.1, length=Constant(1), capacity=Constant(10), steps=40), "lls")
    assert 0 < metrics.jobs.arrived == metrics.jobs.finished
    assert metrics.makespan is None
    assert metrics.response is not None


def test_a_resource_down_from_the_start_offers_nothing() -> None:
    metrics, _ = watched(traced([1], [(0, 1)], 3, events=[CapacityChange(0, 0, 0.0)]), "lls")
    assert metrics.utilisation == 0
    assert (metrics.jobs.queued, metrics.jobs.running) == (1, 0)


@each_policy
def test_all_policies_of_a_seed_see_the_same_jobs(policy: str) -> None:
    system = eventful(5)
    _, base = watched(system, "rs", seed=5)
    _, other = watched(system, policy, seed=5)
    assert base.moments.keys() == other.moments.keys() != set()
    for step, moment in base.moments.items():
        for name in ("scheduler", "length", "luck", "living"):
            assert np.array_equal(getattr(moment, name), getattr(other.moments[step], name)), name


@each_policy
def test_a_seed_makes_the_same_run_twice_in_one_process(policy: str) -> None:
    system = drawn(steps=80, events=[Crash(30, None), CapacityChange(40, 2, 0.0), CapacityChange(55, 2, 4.0)])
    one, two = watched(system, policy, 3)[0], watched(system, policy, 3)[0]
    assert one.series.tolist() == two.series.tolist()
    assert (one.response, one.fairness, one.messages) == (two.response, two.fairness, two.messages)
    assert one.series.tolist() != watched(system, policy, 4)[0].series.tolist()


@pytest.mark.parametrize("sees", Knowledge)
def test_a_policy_sees_what_its_knowledge_permits_and_no_more(sees: Knowledge) -> None:
    _, seen = watched(drawn(steps=20), Scripted(to(0, 1, 2), sees))
    (setting,) = seen.settings
    assert (setting.capacity is not None) is (sees in (Knowledge.CAPACITIES, Knowledge.QUEUES))
    assert bool(seen.outcomes) is (sees is not Knowledge.NOTHING)
    for moment in seen.moments.values():
        assert (moment.work is not None) is (sees is Knowledge.QUEUES)
        assert (moment.capacity is not None) is (sees is Knowledge.QUEUES)
    assert (setting.schedulers, setting.resources, setting.seed) == (4, 6, 1)


def test_knowledge_may_be_a_plain_word_and_must_be_one_of_ours() -> None:
    _, seen = watched(drawn(steps=20), Scripted(to(0), "queues"))  # type: ignore[arg-type]
    assert all(moment.work is not None for moment in seen.moments.values())
    _, seen = watched(drawn(steps=20), Scripted(to(0), "nothing"))  # type: ignore[arg-type]
    assert not seen.outcomes
    with pytest.raises(PolicyFault, match="nothing, outcomes, capacities, queues, not 'all'"):
        watched(drawn(steps=20), Scripted(to(0), "all"))  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", [*POLICIES, None])
def test_a_policy_cannot_change_the_simulation_through_its_arrays(policy: str | None) -> None:
    system = eventful(3)
    if policy is None:
        inner: object = Scripted(lambda moment: replace(to(0)(moment), order=np.arange(moment.length.size)))
    else:
        entry, options = catalog.configure_policy(policy)
        inner = entry.make_policy(options)
    polite, vandal = watched(system, inner, 3)[0], watched(system, Vandal(inner), 3)[0]
    assert polite.series.tolist() == vandal.series.tolist()
    assert polite.response == vandal.response
    assert polite.jobs == vandal.jobs


def given(**changes: object) -> Callable[[Moment], Placement]:
    return lambda moment: replace(to(0)(moment), **changes)  # type: ignore[arg-type]


TWO = traced([1, 1], [(0, 1), (0, 2)], 2)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (given(resource=np.array([0])), r"resource must be 2 whole numbers, not int64 of shape \(1,\)"),
        (given(resource=np.zeros((2, 1), dtype=int)), r"resource must be .* of shape \(2, 1\)"),
        (given(resource=np.array([0.0, 1.0])), "resource must be 2 whole numbers, not float64"),
        (given(resource=np.array([True, False])), "resource must be 2 whole numbers, not bool"),
        (given(resource=["r1", "r2"]), "resource must be 2 whole numbers"),
        (given(resource=None), "resource must be 2 whole numbers"),
        (given(resource=np.array([0, 2])), "chose resource 2, and there are 0 to 1"),
        (given(resource=np.array([0, -1])), "chose resource -1, and there are 0 to 1"),
        (given(resource=np.array([0, 2**64 - 1], dtype=np.uint64)), "chose resource -1"),
        (given(order=np.array([0, 0])), "order does not name every job of the step once"),
        (given(order=np.array([1, 2])), "order does not name every job of the step once"),
        (given(order=np.array([0])), "order must be 2 whole numbers"),
        (given(order=np.array([0.0, 1.0])), "order must be 2 whole numbers, not float64"),
    ],
)
def test_what_cannot_be_carried_out_is_the_policys_fault(
    rule: Callable[[Moment], Placement], text: str
) -> None:
    with pytest.raises(PolicyFault, match=text):
        watch_plainly(rule)


def watch_plainly(rule: Callable[[Moment], Placement]) -> Metrics:
    return simulation.run(draw(TWO, 1), Scripted(rule))


def test_lists_and_small_integers_are_as_good_as_int64() -> None:
    one = watch_plainly(given(resource=[0, 1]))
    two = watch_plainly(given(resource=np.array([0, 1], dtype=np.uint8)))
    assert one.series.tolist() == two.series.tolist() == [1.5, 0.5]


def test_lls_in_plain_python_makes_the_same_run() -> None:
    system = drawn(steps=200, load=0.9)
    assert watched(system, TheirLLS())[0].series.tolist() == watched(system, LeastLoad())[0].series.tolist()


def test_regret_is_the_flow_over_the_least_in_the_same_state() -> None:
    asked = []

    def best(work: np.ndarray, capacity: np.ndarray, length: np.ndarray) -> float:
        asked.append((work.tolist(), capacity.tolist(), length.tolist()))
        return 2.0

    world = draw(traced([2, 1], [(0, 4), (1, 1), (1, 3)], 3), 1)
    metrics = simulation.run(world, Scripted(to(0, 1)), reference=best)
    # Step 0: 4/2 = 2, the least: 0. Step 1: (2 + 1)/2 + 3/1 = 4.5 over 2: 1.25.
    assert metrics.regret is not None
    assert (metrics.regret.mean, metrics.regret.p95) == (0.625, pytest.approx(0.95 * 1.25))
    assert asked == [([0, 0], [2, 1], [4]), ([2, 0], [2, 1], [1, 3])]


def test_progress_is_told_now_and_then() -> None:
    heard: list[int] = []
    simulation.run(draw(traced([1], [], 250), 1), Scripted(to(0)), on_step=heard.append)
    assert heard == [100, 200]


class _Extended(Forgetful):
    """Extends the session that learns nothing by a `learn`."""

    def __init__(self) -> None:
        self.taught = 0

    def place(self, moment: Moment) -> Placement:
        return Placement(np.zeros(moment.length.size, dtype=np.int64))

    def learn(self, outcome: Outcome) -> None:  # noqa: ARG002 - the protocol's
        self.taught += 1


@dataclass(frozen=True)
class _Talking:
    count: object
    session: _Extended
    sees: Knowledge = Knowledge.OUTCOMES

    def open(self, setting: Setting) -> _Extended:  # noqa: ARG002 - the protocol's
        return self.session

    def messages(self, traffic: Traffic) -> Any:  # noqa: ARG002 - the protocol's
        return self.count


def test_a_session_that_extends_the_forgetful_one_is_taught() -> None:
    session = _Extended()
    run(_small(), _Talking(1, session))
    assert session.taught == 20


@pytest.mark.parametrize("count", [float("nan"), -1, 1.5, None, True])
def test_messages_are_counted_in_whole_numbers(count: object) -> None:
    with pytest.raises(PolicyFault, match="number of messages"):
        run(_small(), _Talking(count, _Extended()))


def _small() -> Workload:
    system = GridSystem("m", counted_schedulers(1), 20, Drawn(2, Constant(1.0)), Arrivals(0.5, Constant(1.0)))
    return draw(system, 1)
