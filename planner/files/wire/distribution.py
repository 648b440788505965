"""How a file says a distribution: an object with the one key that names it, as `{"uniform": [1, 10]}`.

What is read are doubles, because a simulation counts in them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from planner.files.numbers import LARGEST
from planner.files.wire.base import Noted, any_quantity, fault, quantity, shown
from planner.grid.distribution import (
    Choices,
    Constant,
    Distribution,
    Exponential,
    Lognormal,
    Normal,
    Uniform,
)

WIDEST_MU = 100
WIDEST_SIGMA = 10
"""With these bounds no draw of a lognormal distribution leaves the range of doubles."""

NAMES = ("uniform", "normal", "lognormal", "exponential", "constant", "choices")

Check = Callable[[object], float]


def positive(value: object) -> float:
    """The value as a double greater than 0."""
    return float(quantity(positive=True)(value))


def at_least_0(value: object) -> float:
    """The value as a double that is at least 0."""
    return float(quantity(positive=False)(value))


def _mu(value: object) -> float:
    number = float(any_quantity(value))
    if abs(number) > WIDEST_MU:
        raise fault(f"must be from {-WIDEST_MU} to {WIDEST_MU}, not {number:g}")
    return number


def _sigma(value: object) -> float:
    number = positive(value)
    if number > WIDEST_SIGMA:
        raise fault(f"must be at most {WIDEST_SIGMA}, not {number:g}")
    return number


def _pair(value: object, words: str, first: Check, second: Check) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        what = f"a list of {len(value)}" if isinstance(value, list) else shown(value)
        raise fault(f"must be {words}, not {what}")
    one, two = _each(value, lambda index, entry: (first, second)[index](entry))
    return one, two


def _each(entries: list[object], check: Callable[[int, object], Any]) -> list[Any]:
    """The entries, checked; raises an error that has the faults of all wrong ones, by index."""
    wrong: dict[int, str] = {}
    found = []
    for index, entry in enumerate(entries):
        try:
            found.append(check(index, entry))
        except PydanticCustomError as error:
            wrong[index] = error.message()
    if wrong:
        raise PydanticCustomError("entries", "has wrong entries", {"wrong": wrong})
    return found


def _uniform(value: object) -> Uniform:
    low, high = _pair(value, "[low, high]", at_least_0, positive)
    if low > high:
        raise fault(f"must be [low, high], and {low:g} is above {high:g}")
    return Uniform(low, high)


def _normal(value: object) -> Normal:
    return Normal(*_pair(value, "[mean, standard deviation]", positive, positive))


def _lognormal(value: object) -> Lognormal:
    return Lognormal(*_pair(value, "[mu, sigma]", _mu, _sigma))


def _choices(value: object) -> Choices:
    if not isinstance(value, list):
        raise fault(f"must be a list of values, or of [value, weight], not {shown(value)}")
    if not value:
        raise fault("must not be empty")
    pairs = _each(value, lambda _, entry: _choice(entry))
    return Choices(tuple(value for value, _ in pairs), tuple(weight for _, weight in pairs))


def _choice(entry: object) -> tuple[float, float]:
    if not isinstance(entry, list):
        return positive(entry), 1.0
    if len(entry) != 2:
        raise fault(f"must be a value or [value, weight], not a list of {len(entry)}")
    return positive(entry[0]), positive(entry[1])


_POSITIVE = {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST}
_AT_LEAST_0 = {"type": "number", "minimum": 0, "maximum": LARGEST}
_MU = {"type": "number", "minimum": -WIDEST_MU, "maximum": WIDEST_MU}
_SIGMA = {"type": "number", "exclusiveMinimum": 0, "maximum": WIDEST_SIGMA}


def _pair_schema(first: dict[str, Any], second: dict[str, Any]) -> WithJsonSchema:
    return WithJsonSchema({"type": "array", "prefixItems": [first, second], "minItems": 2, "maxItems": 2})


_CHOICE = {
    "anyOf": [
        _POSITIVE,
        {"type": "array", "prefixItems": [_POSITIVE, _POSITIVE], "minItems": 2, "maxItems": 2},
    ]
}


class DistributionWire(Noted):
    """A distribution of numbers greater than 0; exactly one of its kinds."""

    # Checked on the raw tree (planner.files.crossref_system), where a broken neighbour does not hide it.
    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [name]} for name in NAMES]})

    uniform: Annotated[Uniform | None, PlainValidator(_uniform), _pair_schema(_AT_LEAST_0, _POSITIVE)] = (
        Field(default=None, description="[low, high]: evenly between the two.")
    )
    normal: Annotated[Normal | None, PlainValidator(_normal), _pair_schema(_POSITIVE, _POSITIVE)] = Field(
        default=None,
        description="[mean, standard deviation] of a normal distribution; values up to 0 are drawn again.",
    )
    lognormal: Annotated[Lognormal | None, PlainValidator(_lognormal), _pair_schema(_MU, _SIGMA)] = Field(
        default=None, description="[mean, standard deviation] of the natural logarithm."
    )
    exponential: Annotated[
        Exponential | None,
        PlainValidator(lambda value: Exponential(positive(value))),
        WithJsonSchema(_POSITIVE),
    ] = Field(default=None, description="Mean of an exponential distribution.")
    constant: Annotated[
        Constant | None, PlainValidator(lambda value: Constant(positive(value))), WithJsonSchema(_POSITIVE)
    ] = Field(default=None, description="Always this.")
    choices: Annotated[
        Choices | None,
        PlainValidator(_choices),
        WithJsonSchema({"type": "array", "items": _CHOICE, "minItems": 1}),
    ] = Field(default=None, description="One of these values; [value, weight] where not all are as likely.")

    def domain(self) -> Distribution:
        """The distribution as the domain has it."""
        given = [getattr(self, name) for name in NAMES]
        found: Distribution = next(one for one in given if one is not None)
        return found
