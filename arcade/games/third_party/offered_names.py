"""Reads the action names that an env offers; no place is standard, so the usual attributes are tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import EnumMeta
from typing import Any

_PLACES = ("get_action_meanings", "action_meanings", "action_names", "ACTION_NAMES", "ACTIONS", "actions", "Actions")
"""Attributes and methods of an env; Gymnasium's Atari games have the first, MiniGrid has an enum ``actions``."""

_LONGEST = 40  # characters of a name


def offered_names(env: Any, agent: Any, count: int) -> tuple[str, ...]:
    """Return the names of the agent's `count` Discrete actions, by index; () where the env has none."""
    for value in _offers(env):
        try:
            found = _names_in(value, agent, count)
        except (TypeError, KeyError):  # for example lists as keys: no names of single actions
            continue
        if found:
            return found
    return ()


def _offers(env: Any) -> Iterator[Any]:
    for where in (env, getattr(env, "unwrapped", env)):
        metadata = getattr(where, "metadata", None)
        if isinstance(metadata, Mapping):
            yield from (metadata.get(place) for place in _PLACES)
        for place in _PLACES:
            value = None
            with suppress(Exception):  # a third-party property may raise anything
                value = getattr(where, place, None)
            yield value


def _names_in(value: Any, agent: Any, count: int) -> tuple[str, ...]:
    if isinstance(value, EnumMeta):
        members: Mapping[str, Any] = value.__members__
        value = {member.value: name.lower() for name, member in members.items()}
    elif callable(value):
        value = _called(value, agent)
    if isinstance(value, Mapping) and agent in value and not isinstance(value[agent], str):
        value = value[agent]
    if isinstance(value, Mapping):
        if set(value.values()) == set(range(count)):  # name → index
            value = {index: name for name, index in value.items()}
        value = [value[index] for index in range(count)] if set(range(count)) <= set(value) else []
    if not isinstance(value, (list, tuple)) or len(value) != count:
        return ()
    return tuple(value) if all(isinstance(name, str) and 0 < len(name) <= _LONGEST for name in value) else ()


def _called(function: Any, agent: Any) -> Any:
    for arguments in ((), (agent,)):
        try:
            return function(*arguments)
        except Exception:  # noqa: BLE001  (a third-party method may raise anything; then it offers no names)
            continue
    return None
