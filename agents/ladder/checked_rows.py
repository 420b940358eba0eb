"""Checks of the ladder's rows: one that is spoilt is named and skipped, and does not hide the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

JSON_COLUMNS = ("lineup", "teams", "placements", "returns", "settings")
LATEST = 253_402_300_799.0 - 86_400
"""A day before the end of the year 9999, beyond which times have no date in some time zone."""

LARGEST = 1e100
"""Of a number of a match: the ratings square and add them up."""

MAX_TICKS = 2**53

_Values = tuple[
    dict[str, str], list[list[str | int]], dict[str, int | float], dict[str, int | float | None], dict[str, Any]
]
_decoder = msgspec.json.Decoder(_Values)


class RowError(ValueError):
    """What is wrong with a row."""


def decode_row(row: dict[str, Any]) -> dict[str, Any]:
    """Replace the JSON of a row, as SQLite has it, by its values; raises RowError for a row that is spoilt."""
    for name, kind in (
        ("game", str),
        ("seed", str),
        ("source", str),
        ("ended", str),
        ("ticks", int),
        ("key", str),
        ("actions", str),
    ):
        if type(row[name]) is not kind:
            raise RowError(f"expected {name} as {kind.__name__}, got: {_short(row[name])}")
    if type(row["time"]) not in (int, float) or not 0 <= row["time"] <= LATEST:
        raise RowError(f"expected a time in seconds since 1970, got: {_short(row['time'])}")
    if not 0 <= row["ticks"] <= MAX_TICKS:
        raise RowError(f"expected a number of ticks, got: {_short(row['ticks'])}")
    texts = [row[name] for name in JSON_COLUMNS]
    for name, text in zip(JSON_COLUMNS, texts, strict=True):
        if type(text) is not str:
            raise RowError(f"expected {name} as text, got: {_short(text)}")
    try:
        values = _decoder.decode(f"[{','.join(texts)}]")
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RowError(_where(str(error))) from error
    row |= zip(JSON_COLUMNS, values, strict=True)
    _check_seats(row)
    _check_settings(row["settings"])
    return row


def _check_seats(row: Mapping[str, Any]) -> None:
    lineup = row["lineup"]
    if not lineup:
        raise RowError("expected players in the lineup, got none")
    absent = [agent for team in row["teams"] for agent in team if str(agent) not in lineup]
    if absent:
        raise RowError(f"expected every agent of the teams in the lineup, got none for {_short(absent[0])}")
    numbers = (*row["placements"].values(), *(value for value in row["returns"].values() if value is not None))
    if not all(map(_is_sensible, numbers)):
        raise RowError("expected placements and returns as numbers, got one that is not finite, or huge")


def _is_sensible(number: float) -> bool:
    return abs(number) <= LARGEST if isinstance(number, float) else abs(number) < 2**63


def _check_settings(settings: Mapping[str, Any]) -> None:
    """What the ladder itself reads of them."""
    for name in ("seats", "game_kwargs", "tournament", "rules"):
        if not isinstance(settings.get(name, {}), Mapping):
            raise RowError(f"expected settings with {name} as an object, got: {_short(settings[name])}")
    if not all(isinstance(report, Mapping) for report in settings.get("seats", {}).values()):
        raise RowError("expected settings with an object for each of the seats")
    kinds = [report.get("kind", "") for report in settings.get("seats", {}).values()]
    if not all(isinstance(kind, str) for kind in kinds):
        raise RowError("expected the kind of each seat as text")
    own = settings.get("tournament", {})
    numbers = [own.get("number", 0), own.get("round", 0), *_listed(own.get("entrants", []))]
    if not all(type(number) is int for number in numbers) or not isinstance(own.get("forfeit", {}), Mapping):
        raise RowError("expected numbers of match, round and entrants in settings.tournament")
    seconds = settings.get("seconds", 0)
    if type(seconds) not in (int, float) or not _is_sensible(seconds):
        raise RowError(f"expected settings with seconds as a number, got: {_short(seconds)}")


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [None]


def _where(problem: str) -> str:
    """msgspec's message with the column's name: it counts them, as in ``$[0]``."""
    for number, name in enumerate(JSON_COLUMNS):
        problem = problem.replace(f"`$[{number}]", f"`{name}")
    return problem if problem[:2].isupper() else problem[:1].lower() + problem[1:]  # as in "JSON is malformed"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def as_notice(skipped: Mapping[int, str]) -> str:
    """The rows that were skipped, as one sentence for people; "" for none."""
    if not skipped:
        return ""
    first = min(skipped)
    more = f", and {len(skipped) - 1} more" if len(skipped) > 1 else ""
    return f"match {first} on the ladder cannot be read and is skipped{more}: {skipped[first]}"


def all_finite(state: Sequence[Any]) -> bool:
    """Whether these are numbers to calculate with."""
    return all(type(value) in (int, float) and _is_sensible(value) for value in state)
