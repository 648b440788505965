"""What people attach to the objects of their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Notes:
    """Free text and data that people attach to an object; carried along, never interpreted."""

    source: str | None = None
    description: str | None = None
    currency: str | None = None
    meta: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


NO_NOTES = Notes()
