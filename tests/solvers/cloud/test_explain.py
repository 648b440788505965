"""What would make an instance feasible, what other types give, what more of a limit buys: each number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.cloud.checker import check
from planner.cloud.explanation import Change, Limit
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.errors import CheckFailed, UsageError
from planner.explanation import explain
from planner.goal import Goal
from planner.result import Status, StoppedBy
from planner.solver import Effort, TimeLimit
from solvers.cloud.decision import Verdict
from solvers.cloud.explain import Explain
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.least import BUDGET, DEADLINE, MAX_VMS, Ask, Asked, Form, least
from solvers.cloud.reasons import enough_alone
from tests.brute_force import truth
from tests.instances import SHIPPED, bag, cloud, kind, random_instance

CHOSEN = range(400)


def shipped(name: str) -> CloudInstance:
    return planner.read(SHIPPED / "cloud" / f"{name}.json")


def found(changes: tuple[Change, ...]) -> dict[str, tuple[bool | None, Fraction | None, Fraction | None]]:
    """Limit to (suffices, least value that works, how much it was missed by); all must be final."""
    assert all(change.proven for change in changes)
    return {
        change.limit.value + (f" {change.type}" if change.type else ""): (
            change.suffices,
            change.works,
            change.missed_by,
        )
        for change in changes
        if not change.lifted
    }


@pytest.mark.parametrize("budget", [40, 45, 50, 55])
def test_the_papers_instances_need_60(budget: int) -> None:
    explanation = explain(shipped(f"thai2015/b{budget}"))
    assert explanation.status is Status.INFEASIBLE
    assert found(explanation.changes) == {"budget": (True, 60, 60 - budget)}
    (change,) = explanation.changes
    assert (change.makespan, change.cost, change.value_at_least) == (3500, 60, 3500)


def test_the_tiny_infeasible_instance() -> None:
    explanation = explain(shipped("tiny/infeasible"))
    assert found(explanation.changes) == {"budget": (True, 6, 1)}
    assert explanation.changes[0].makespan == 3600


def two_limits(**changes: object) -> CloudInstance:
    """Six tasks of 1000 s, 1 money an hour: k VMs need 1000·⌈6/k⌉ s."""
    values = {"budget": 2, "deadline": 2000, "max_vms": None, **changes}
    limit = values.pop("limit", None)
    return cloud([bag("A", (1, 6))], [kind("t", 1, 1000, limit=limit)], **values)  # type: ignore[arg-type]


def test_budget_and_deadline_each_alone() -> None:
    """By 2000 s three VMs are needed, so 3 money; with 2 money two VMs, or one of 6000 s, 3000 s at best."""
    assert found(explain(two_limits()).changes) == {"budget": (True, 3, 1), "deadline": (True, 3000, 1000)}


def test_a_total_that_binds() -> None:
    explanation = explain(two_limits(budget=9, max_vms=2))
    assert found(explanation.changes) == {
        "budget": (False, None, None),
        "deadline": (True, 3000, 1000),
        "max_vms": (True, 3, 1),
    }


def test_a_quota_that_binds() -> None:
    explanation = explain(two_limits(budget=9, limit=1, deadline=1000))
    assert found(explanation.changes) == {
        "budget": (False, None, None),
        "deadline": (True, 6000, 5000),
        "max_instances t": (True, 6, 5),
    }


def test_which_quota_of_several() -> None:
    """`a` runs A alone and `b` runs B alone: 2 tasks of 10 s each by 10 s need two of each."""
    instance = cloud(
        [bag("A", (1, 2)), bag("B", (1, 2))],
        [kind("a", 1, 10, None, limit=2), kind("b", 1, None, 10, limit=1)],
        deadline=10,
        budget=4,
    )
    assert found(explain(instance).changes) == {
        "budget": (False, None, None),
        "deadline": (True, 20, 10),
        "max_instances a": (False, None, None),
        "max_instances b": (True, 2, 1),
    }


def test_several_limits_that_only_give_way_together() -> None:
    """By 1000 s six VMs are needed, for 6 money; neither more money nor more VMs alone is enough."""
    explanation = explain(two_limits(deadline=1000, budget=2, max_vms=2))
    singles = found(explanation.changes)
    assert singles["budget"] == singles["max_vms"] == (False, None, None)
    assert singles["deadline"] == (True, 3000, 2000)
    assert not [change for change in explanation.changes if change.lifted]  # as one alone is enough


def test_joint_changes_where_no_single_one_is_enough() -> None:
    """No time below 1000 s ends a task, and six hours' money would be needed; 0 money pays nothing."""
    explanation = explain(two_limits(deadline=900, budget=0))
    assert found(explanation.changes) == {"budget": (False, None, None), "deadline": (False, None, None)}
    joint = {(c.lifted, c.limit): (c.works, c.missed_by) for c in explanation.changes if c.lifted}
    assert joint == {
        ((Limit.BUDGET,), Limit.DEADLINE): (1000, 100),
        ((Limit.DEADLINE,), Limit.BUDGET): (2, 2),
    }


def test_a_task_too_long_for_every_type() -> None:
    instance = cloud(
        [bag("A", (1, 2), (3, 1)), bag("B", (1, 1))],
        [kind("slow", 1, 20, 1), kind("fast", 9, 10, 1), kind("none", 9, 1, 1, limit=0)],
        startup=5,
        deadline=30,
    )
    (long,) = explain(instance).too_long
    assert (long.application, long.size, long.count, long.type, long.seconds) == ("A", 3, 1, "fast", 35)
    assert found(explain(instance).changes)["deadline"] == (True, 35, 5)


def test_an_application_no_type_runs() -> None:
    explanation = explain(cloud([bag("A", (1, 2)), bag("B", (1, 1))], [kind("t", 1, 1, None)], budget=1))
    assert [(one.application, one.types) for one in explanation.no_type] == [("B", ())]
    assert explanation.changes == ()


def test_an_application_whose_only_types_have_no_quota() -> None:
    types = [kind("t", 1, 1, None), kind("u", 1, 9, 5, limit=0), kind("v", 1, 9, 5, limit=0)]
    explanation = explain(cloud([bag("A", (1, 2)), bag("B", (1, 1))], types, budget=1))
    assert [(one.application, one.types) for one in explanation.no_type] == [("B", ("u", "v"))]
    assert found(explanation.changes) == {
        "budget": (False, None, None),
        "max_instances u": (True, 1, 1),
        "max_instances v": (True, 1, 1),
    }


def test_alternatives_and_steps_of_the_tiny_instance() -> None:
    """One it1 alone costs all 2 money and takes 80 s; 3 money pay three it2, or it1 and it2: 40 s."""
    explanation = explain(shipped("tiny/tiny"))
    (alternative,) = explanation.alternatives
    assert (alternative.type, alternative.value, alternative.at_least) == ("it1", 80, 80)
    (step,) = explanation.steps
    assert (step.limit, step.given, step.to, step.value) == (Limit.BUDGET, 2, 3, 40)
    assert step.proven


def test_an_alternative_that_the_budget_does_not_allow() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("t", 1, 10), kind("dear", 5, 9)], budget=3)
    (alternative,) = explain(instance).alternatives
    assert (alternative.fits, alternative.budget_at_least, alternative.budget) == (False, 5, 5)


def test_an_alternative_that_the_deadline_does_not_allow() -> None:
    instance = cloud([bag("A", (1, 2))], [kind("t", 1, 10), kind("late", 0, 99)], budget=9, deadline=50)
    assert [(one.type, one.fits) for one in explain(instance).alternatives] == [("late", False)]


def test_another_type_that_is_as_good() -> None:
    instance = cloud([bag("A", (1, 2))], [kind("t", 1, 10), kind("twin", 1, 10)], budget=1)
    (alternative,) = explain(instance).alternatives
    assert (alternative.fits, alternative.value) == (True, 20)


def test_what_one_more_vm_buys() -> None:
    """max-vms: with three VMs the budget of 5 pays big + small still, or three small: 40 s is not beaten."""
    steps = {step.limit: step for step in explain(shipped("tiny/max-vms")).steps}
    assert steps[Limit.MAX_VMS].buys is False
    assert (steps[Limit.BUDGET].to, steps[Limit.BUDGET].value) == (8, 30)  # two big ones, three tasks each
    more = replace(two_limits(deadline=None, budget=9), max_vms=2)
    (vms,) = (step for step in explain(more).steps if step.limit is Limit.MAX_VMS)
    assert (vms.buys, vms.to, vms.value) == (True, 3, 2000)


def test_the_goal_of_cost_asks_for_time() -> None:
    """Six tasks by 2000 s cost 3; from 3000 s on two VMs are enough."""
    explanation = explain(two_limits(budget=None), goal=Goal.COST)
    assert (explanation.status, explanation.cost) == (Status.OPTIMAL, 3)
    (step,) = explanation.steps
    assert (step.limit, step.given, step.to, step.value) == (Limit.DEADLINE, 2000, 3000, 2)


def test_where_the_money_goes() -> None:
    """One gpu VM trains 300 s of its paid hour, one cpu VM serves 200 s of its own."""
    gpu, cpu = explain(shipped("tiny/cannot-run")).usages
    assert (gpu.vms, gpu.cost, gpu.paid, gpu.working, gpu.idle) == (1, 5, 3600, 300, 3300)
    assert [(s.application, s.share, s.cost_per_unit) for s in gpu.shares] == [("train", 1, Fraction(5, 3))]
    assert [(s.application, s.units, s.cost_per_unit) for s in cpu.shares] == [("serve", 4, Fraction(1, 4))]


def test_start_up_is_paid_and_neither_work_nor_idle() -> None:
    (usage,) = explain(shipped("tiny/startup")).usages
    assert (usage.paid, usage.starting, usage.working, usage.idle) == (7200, 1800, 4000, 1400)


def test_a_given_plan_is_compared_with_the_optimum() -> None:
    instance = shipped("tiny/tiny")
    worse = CloudPlan("tiny", (PlannedVM("it1", (PlannedTasks("A1", Fraction(1), 10),)),))
    explanation = explain(instance, worse)
    assert (explanation.status, explanation.makespan, explanation.best) == (Status.FEASIBLE, 80, 50)
    assert explanation.usages[0].type == "it1"
    optimal = planner.solve(instance).plan
    assert explain(instance, optimal).status is Status.OPTIMAL


def test_a_given_plan_that_breaks_a_rule_is_refused() -> None:
    instance = shipped("tiny/tiny")
    plan = planner.solve(instance).plan
    with pytest.raises(CheckFailed, match="budget"):
        explain(replace(instance, budget=Fraction(1)), plan)


def test_a_wrong_number_of_alternatives() -> None:
    with pytest.raises(UsageError, match="alternatives"):
        explain(shipped("tiny/tiny"), alternatives=-1)
    assert explain(shipped("tiny/tiny"), alternatives=0).alternatives == ()


def test_an_explainer_that_lies_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each number comes with a plan, and the checker has the last word."""

    def wrong(self: Explain, instance: CloudInstance, goal: Goal, effort: Effort, keep) -> None:  # type: ignore[no-untyped-def] # noqa: ARG001
        plan = planner.solve(replace(instance, budget=None)).plan
        keep(Change(Limit.BUDGET, None, Fraction(5), True, Fraction(6), Fraction(6), plan))

    monkeypatch.setattr(Explain, "infeasible", wrong)
    with pytest.raises(CheckFailed, match="budget"):
        explain(shipped("tiny/infeasible"))


def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Change(Limit.BUDGET, None, Fraction(5), None, Fraction(6))

    def stopped(self: Explain, instance: CloudInstance, goal: Goal, effort: Effort, keep) -> None:  # type: ignore[no-untyped-def] # noqa: ARG001
        keep(first)
        raise KeyboardInterrupt

    monkeypatch.setattr(Explain, "infeasible", stopped)
    explanation = explain(shipped("tiny/infeasible"))
    assert (explanation.stopped_by, explanation.changes) == (StoppedBy.INTERRUPTED, (first,))
    assert "it must be at least 6" in str(explanation)
    assert "interrupted" in str(explanation)


def test_without_time_bounds_are_called_bounds() -> None:
    instance = shipped("thai2015/b55")
    out_of_time = Effort(TimeLimit(1e-9))
    kept: list[object] = []
    Explain().infeasible(instance, Goal.MAKESPAN, out_of_time, kept.append)
    (change,) = kept
    assert isinstance(change, Change)
    assert (change.suffices, change.proven, change.works) == (None, False, None)
    assert change.at_least is not None
    assert 55 < change.at_least <= 60


def with_limit(instance: CloudInstance, change: Change, value: Fraction) -> CloudInstance:
    match change.limit:
        case Limit.BUDGET:
            return replace(instance, budget=value)
        case Limit.DEADLINE:
            return replace(instance, deadline=value)
        case Limit.MAX_VMS:
            return replace(instance, max_vms=int(value))
        case Limit.MAX_INSTANCES:
            types = [
                replace(item, max_instances=int(value)) if item.name == change.type else item
                for item in instance.instance_types
            ]
            return replace(instance, instance_types=tuple(types))


def infeasible_instances() -> Iterator[int]:
    for seed in CHOSEN:
        instance = random_instance(seed, most_tasks=5)
        if truth(instance).optimum(instance.budget) is None:
            yield seed


def feasible(instance: CloudInstance) -> bool:
    return truth(instance).optimum(instance.budget) is not None


@pytest.mark.slow
def test_every_change_is_the_least_and_every_other_limit_is_hopeless() -> None:
    """Against brute force: at the named value there is a plan, one coin, tick or VM below there is none."""
    named = hopeless = 0
    for seed in infeasible_instances():
        instance = random_instance(seed, most_tasks=5)
        explanation = explain(instance)
        assert explanation.status is Status.INFEASIBLE
        ticks = Form.of(instance).up
        for change in explanation.changes:
            if change.lifted:
                continue
            assert change.proven, (seed, change)
            if change.suffices is False:
                hopeless += 1
                huge = Fraction(10**6)
                assert not feasible(with_limit(instance, change, huge)), (seed, change.limit)
                continue
            named += 1
            assert change.works is not None
            step = {
                Limit.BUDGET: ticks.money_per_coin,
                Limit.DEADLINE: ticks.seconds_per_tick,
            }.get(change.limit, Fraction(1))
            assert feasible(with_limit(instance, change, change.works)), (seed, change.limit)
            if change.works >= step and not (change.limit is Limit.MAX_VMS and change.works == 1):
                below = with_limit(instance, change, change.works - step)
                assert not feasible(below), (seed, change.limit)
            assert change.plan is not None
            assert check(with_limit(instance, change, change.works), change.plan).valid
            best = truth(with_limit(instance, change, change.works))
            limit = change.works if change.limit is Limit.BUDGET else instance.budget
            optimum = best.optimum(limit)
            assert optimum is not None
            assert change.makespan == optimum[0] == change.value_at_least
    assert named > 60
    assert hopeless > 20


@pytest.mark.slow
def test_alternatives_and_steps_against_brute_force() -> None:
    tried = bought = 0
    for seed in range(300):
        instance = random_instance(seed, most_tasks=5)
        best = truth(instance).optimum(instance.budget)
        if best is None:
            continue
        explanation = explain(instance)
        assert explanation.makespan == best[0]
        for one in explanation.alternatives:
            tried += 1
            assert one.proven, (seed, one)
            forced = least_with(instance, one.type)
            assert (None if forced is None else forced) == one.value, (seed, one.type)
        for step in explanation.steps:
            assert step.proven, (seed, step)
            if step.limit is Limit.BUDGET:
                front = [worth for worth in truth(replace(instance, budget=None)).front if worth[0] < best[0]]
                assert step.buys is bool(front)
                if front:
                    bought += 1
                    cost = min(worth[1] for worth in front)
                    assert step.to == cost
                    assert step.value == min(worth[0] for worth in front if worth[1] <= cost)
            else:
                more = with_limit(instance, Change(step.limit, step.type, step.given, None), step.given + 1)
                then = truth(more).optimum(instance.budget)
                assert then is not None
                assert step.buys is (then[0] < best[0]), (seed, step.limit)
                assert not step.buys or step.value == then[0]
    assert tried > 40
    assert bought > 20


def least_with(instance: CloudInstance, name: str) -> Fraction | None:
    """Least makespan of plans with a VM of that type, by brute force: each task in turn is bound to it."""
    index = next(t for t, item in enumerate(instance.instance_types) if item.name == name)
    best: Fraction | None = None
    for a, application in enumerate(instance.applications):
        if instance.instance_types[index].seconds_per_unit[a] is None:
            continue
        for g, group in enumerate(application.tasks):
            rest = tuple(
                replace(other, count=other.count - (h == g)) for h, other in enumerate(application.tasks)
            )
            applications = list(instance.applications)
            applications[a] = replace(application, tasks=tuple(other for other in rest if other.count))
            types = tuple(
                replace(
                    item,
                    seconds_per_unit=(
                        *item.seconds_per_unit,
                        item.seconds_per_unit[a] if t == index else None,
                    ),
                )
                for t, item in enumerate(instance.instance_types)
            )
            bound = replace(application, name="bound", tasks=(replace(group, count=1, ids=()),))
            made = replace(instance, applications=(*applications, bound), instance_types=types)
            optimum = truth(made).optimum(instance.budget)
            if optimum is not None and (best is None or optimum[0] < best):
                best = optimum[0]
    return best


def test_numbers_too_fine_to_be_whole_give_intervals_that_hold() -> None:
    """Times of 30 digits are rounded; what is then named works, and what is called impossible is."""
    fine = "1.00000000000000000000000000001"
    instance = cloud([bag("A", (1, 6))], [kind("t", 1, Fraction(fine) * 1000)], budget=2, deadline=2001)
    form = Form.of(instance)
    assert not form.exact
    for knob, low, high in ((BUDGET, 3, 3), (DEADLINE, 3000, 3001)):
        result = least(form, knob, Ask(Effort()))
        assert result.works is not None
        assert result.at_least is not None
        assert low <= knob.true(form.up, result.works) <= high
        assert knob.true(form.up, result.at_least) <= high
    explanation = explain(instance)
    assert {change.limit for change in explanation.changes if change.suffices} == {
        Limit.BUDGET,
        Limit.DEADLINE,
    }


@pytest.mark.parametrize(
    ("instance", "words"),
    [
        (two_limits(), "enough alone: a budget of 3 (1 more) or a deadline of 3000 s (1000 s more)"),
        (
            two_limits(budget=9, max_vms=2),
            "enough alone: a deadline of 3000 s (1000 s more) or max_vms = 3 (1 more)",
        ),
        (
            two_limits(budget=9, limit=2),
            "a deadline of 3000 s (1000 s more) or max_instances of 't' = 3 (1 more)",
        ),
        (two_limits(deadline=900, budget=0), "changing one limit alone is not enough"),
    ],
)
@pytest.mark.parametrize("solver", ["exact", "compact", "mi"])
def test_the_message_of_every_solver_names_what_is_enough_alone(
    instance: CloudInstance, words: str, solver: str
) -> None:
    result = planner.solve(instance, solver)
    assert result.status is Status.INFEASIBLE
    assert result.message is not None
    assert result.message.endswith(words)


def test_a_message_about_the_budget_alone_stays_as_it_is() -> None:
    result = planner.solve(shipped("thai2015/b55"), "mi")
    assert result.message == "the budget of 55 is too small: the least budget that works is 60 (5 more)"


def test_a_message_without_time_names_nothing_more() -> None:
    assert enough_alone(two_limits(), Effort()) is not None
    assert enough_alone(two_limits(), Effort(TimeLimit(1e-9))) is None


class Threshold(Ask):
    """Yes from `least_vms` on, with a plan that wastes some; below that no, or from `closed` on open."""

    def __init__(self, least_vms: int, wasted: int, closed: int | None = None) -> None:
        super().__init__(Effort())
        self.least_vms, self.wasted, self.closed = least_vms, wasted, closed

    def __call__(self, form: Form, work: float, cheapest: bool = False) -> Asked:  # noqa: ARG002
        most = form.up.max_vms
        if most is None or most >= self.least_vms:
            count = self.least_vms + self.wasted
            return Asked(Verdict.YES, [LoadedVM(0, (1,))] * (count if most is None else min(count, most)))
        return Asked(Verdict.NO if self.closed is None or most < self.closed else Verdict.OPEN)


@pytest.mark.parametrize("known", [True, False])
def test_the_search_passes_over_no_value(known: bool) -> None:
    form = Form.of(cloud([bag("A", (1, 40))], [kind("t", 1, 1)], max_vms=1))
    for beyond in range(1, 6):
        for least_vms in range(beyond + 1, 14):
            for wasted in (0, 1, 2, 3, 7, 20):
                start = [LoadedVM(0, (1,))] * (least_vms + wasted) if known else None
                result = least(form, MAX_VMS, Threshold(least_vms, wasted), beyond=beyond, start=start)
                assert (result.at_least, result.works) == (least_vms, least_vms)
                assert result.vms is not None
                assert len(result.vms) == least_vms


@pytest.mark.parametrize("closed", range(2, 9))
def test_what_stays_open_leaves_an_interval(closed: int) -> None:
    form = Form.of(cloud([bag("A", (1, 40))], [kind("t", 1, 1)], max_vms=1))
    result = least(form, MAX_VMS, Threshold(8, 5, closed), beyond=1)
    assert result.at_least is not None
    assert result.works is not None
    assert result.at_least <= closed
    assert result.works >= 8
    assert result.suffices is True


@pytest.mark.parametrize("solver", ["exact", "heuristic"])
def test_a_budget_that_binds_alone_is_told_once(solver: str) -> None:
    instance = cloud([bag("A", (1, 10))], [kind("t", 1, 10)], budget="0.5", max_vms=5)
    message = planner.solve(instance, solver).message or ""
    assert "the least budget that works is 1 (0.5 more)" in message
    assert "enough alone" not in message
