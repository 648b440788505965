"""From values to places along an axis, and where its numbers stand."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` lie between `start` and `end`, evenly or by their logarithm."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Where the value lies; beyond the ends it lies at them."""
        value = min(max(value, self.low), self.high)
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values on the scale."""
        from matplotlib.ticker import LogLocator, MaxNLocator

        if self.high <= self.low:
            return [self.low]
        if self.log:
            decades = math.log10(self.high / self.low)
            subs = (1.0, 2.0, 5.0) if decades < about / 2 else (1.0,)
            places = LogLocator(base=10, subs=subs, numticks=about + 2).tick_values(self.low, self.high)
            inside = [float(value) for value in places if self._holds(value)]
            if len(inside) >= 2:
                return inside
        places = MaxNLocator(about, steps=[1, 2, 2.5, 5, 10]).tick_values(self.low, self.high)
        return [float(value) for value in places if self._holds(value)]

    def _holds(self, value: float) -> bool:
        room = 1e-9 * (self.high - self.low)
        return self.low - room <= value <= self.high + room


def plain(value: float) -> str:
    """A number of an axis: `3,500`, `0.25`, `1e+07` from ten million on."""
    if value == 0:
        return "0"
    if abs(value) >= 1e7 or abs(value) < 1e-4:
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 and value == round(value) else f"{value:.6g}"


def percent(value: float) -> str:
    """A share on an axis: `25 %`."""
    return f"{value * 100:.4g} %"


def spans_much(low: float, high: float) -> bool:
    """Whether a logarithmic axis shows values between these better."""
    return low > 0 and high > 20 * low
