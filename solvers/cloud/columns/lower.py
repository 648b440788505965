"""The certified bound: the least T at which fractions of VMs, filled with whole items, keep the budget."""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.solver import Effort
from solvers.cloud import bound
from solvers.cloud.columns.certificate import least_money
from solvers.cloud.columns.generation import Generated, generate
from solvers.cloud.columns.market import Market
from solvers.cloud.ticks import Ticks

MOST_PROBES = 12
CLOSE = 5e-6  # of the makespan: nearer than that the bound need not be known


@dataclass
class LeastMakespan:
    """The search for the bound. No plan ends by `impossible`; at `enough` nothing of that kind is shown."""

    market: Market
    effort: Effort
    impossible: int = 0
    enough: int = 0
    generated: Generated | None = field(default=None)

    def __post_init__(self) -> None:
        self._estimate = bound.MoneyEstimate(self.market.ticks)

    def prove(self) -> int:
        """The bound, in ticks; `generated` are the columns at the last T that was tried."""
        ticks = self.market.ticks
        closed = bound.least_makespan(ticks)
        self.impossible, self.enough = closed - 1, closed
        self._report()
        budget, latest = ticks.budget, horizon(ticks)
        if budget is None or ticks.rounded:
            return closed
        below = above = 1.0  # money needed over money there is, at `impossible` and `enough`
        probe, bracketed, step = closed, False, CLOSE
        for number in range(MOST_PROBES):
            if self.effort.stopped_by or probe > latest:
                break
            generated = generate(self.market, probe, self.effort, self.generated, fillers=False)
            if generated is None:
                break
            self.generated = generated
            money = least_money(self.market, probe, generated.free.duals, self.effort)
            share = float(money) / budget if budget else float("inf")
            if money > budget:
                self.impossible, below = probe, share
                self._report()
            else:
                self.enough, above, bracketed = probe, share, True
            if not bracketed:
                step *= 4
                wanted = self.affordable(probe, int(money), latest)
                probe = self.enough = max(wanted, probe + max(1, round(step * probe)))
                continue
            width = self.enough - self.impossible
            if width <= max(1, CLOSE * self.enough):
                break
            # Where the line through both meets the budget, a little to one side in turn; at times the middle.
            cut = (below - 1) / (below - above) if below > above else 0.5
            cut = 0.5 if number % 3 == 2 else min(0.98, max(0.02, cut + (0.02 if number % 2 else -0.02)))
            probe = min(self.enough - 1, max(self.impossible + 1, self.impossible + int(width * cut)))
        return self.impossible + 1

    def affordable(self, makespan: int, cost: int, latest: int) -> int:
        """Where a plan's cost meets the budget if it falls with T as the money of the cheap bound does."""
        budget = self.market.ticks.budget
        if not budget or not cost:
            return makespan
        wanted = self._estimate.needed(makespan) * budget / cost
        if self._estimate.needed(latest) > wanted:
            return makespan
        low, high = makespan, latest
        while low < high:
            middle = (low + high) // 2
            if self._estimate.needed(middle) > wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def _report(self) -> None:
        if not self.market.ticks.rounded:
            self.effort.progress.bound(self.market.ticks.seconds(self.impossible + 1))


def least_cost(market: Market, generated: Generated | None, effort: Effort) -> int:
    """No plan that meets the deadline is cheaper, in coins; `generated` are the columns at the deadline."""
    cheap = bound.least_cost(market.ticks)
    if generated is None or market.ticks.deadline is None or market.ticks.rounded:
        return cheap
    money = least_money(market, generated.makespan, generated.free.duals, effort)
    return max(cheap, -(-money.numerator // money.denominator))


def horizon(ticks: Ticks) -> int:
    """The latest end worth a look: the deadline, or all work one after the other if that is earlier."""
    latest = bound.serial(ticks)
    return latest if ticks.deadline is None else min(latest, ticks.deadline)
