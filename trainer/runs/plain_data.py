"""Any value in the types of JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any


def plain(value: Any, *, not_finite: Callable[[float], Any] = str) -> Any:
    """`value` in types of JSON: classes and functions by name, others as text; `not_finite` has what stands for inf.

    >>> plain({"bound": (1.5, math.inf), "by": plain})
    {'bound': [1.5, 'inf'], 'by': 'trainer.runs.plain_data.plain'}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(inner, not_finite=not_finite) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner, not_finite=not_finite) for inner in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else not_finite(value)
    name = getattr(value, "__qualname__", "")
    return f"{value.__module__}.{name}" if name else str(value)
