"""What the header and the result of a replay must hold: a file that came from elsewhere may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_HEAD: Mapping[str, type | tuple[type, ...]] = {
    "game": str, "seed": int, "kwargs": dict, "agents": list, "lineup": dict, "settings": dict, "versions": dict,
    "created": str,
}  # fmt: skip
_RESULT: Mapping[str, type | tuple[type, ...]] = {
    "game": str, "seed": int, "ticks": int, "seconds": (int, float), "ended": str, "lineup": dict, "returns": dict,
    "teams": list, "placements": dict, "late": dict, "changes": list, "settings": dict, "seats": dict,
    "rewinds": list, "error": str, "rated": bool,
}  # fmt: skip


def checked_head(head: dict[str, Any]) -> dict[str, Any]:
    """The header itself; raises ValueError where it names no game or seed, or holds what is no header's."""
    _check(head, _HEAD)
    if "game" not in head or "seed" not in head or not 0 <= head["seed"] < 2**32:
        raise ValueError(f"expected a header with a game and a seed of 0 … 2**32 - 1, got: {head!r:.80}")
    return head


def checked_result(result: dict[str, Any]) -> dict[str, Any]:
    """The result itself; raises ValueError where it holds what is no result's."""
    _check(result, _RESULT)
    return result


def _check(told: dict[str, Any], kinds: Mapping[str, type | tuple[type, ...]]) -> None:
    for name, value in told.items():
        if not isinstance(name, str):
            raise ValueError(f"expected names of fields, got: {name!r:.40}")
        if not isinstance(value, kinds.get(name, object)):
            raise ValueError(f"expected {name} as {kinds[name]}, got: {value!r:.40}")
