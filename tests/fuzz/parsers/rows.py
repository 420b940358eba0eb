"""Rows of the ladder, and everything that is calculated from one.

An input has a column a line: numbers as they are, bytes behind ``0x``, all else as text.
"""

from __future__ import annotations

import json
import math
from typing import Any

from agents.ladder.checked_rows import JSON_COLUMNS, RowError, decode_row
from agents.ladder.ratings.batch import fit
from agents.ladder.ratings.online import OnlineRatings
from agents.ladder.ratings.pairs import cross_play, scores, win_matrix
from agents.ladder.ratings.rows import condition, facts_from, player_kinds, rated
from agents.ladder.ratings.views.built_in import when
from tests.fuzz.parser import Parser

COLUMNS = ("game", "time", "seed", "source", "ended", "ticks", "key", *JSON_COLUMNS, "actions")


def read(data: bytes) -> None:
    """Check a row, and rate it as the ladder would."""
    parts = data.split(b"\n")
    values = (_value(parts[place]) if place < len(parts) else "" for place in range(len(COLUMNS)))
    row = decode_row(dict(zip(COLUMNS, values, strict=True)))
    json.dumps(row, allow_nan=False)
    when(row["time"])
    _rate({**row, "id": 1})


def _rate(row: dict[str, Any]) -> None:
    facts = facts_from(row)
    for roles in ({}, {agent: f"role of {agent}" for team in facts.teams for agent in team}):
        match = rated(row, roles)
        scores([row], roles)
        if match is not None:
            found = OnlineRatings().add(match)
            assert all(math.isfinite(number) for one in found for number in (one.mu, one.sigma, one.elo))
            win_matrix([match])
            if len(row["lineup"]) < 8:  # else it takes a while
                fit([match], first_seat=not roles)
    condition(row)
    player_kinds(row)
    cross_play([row])


def _value(part: bytes) -> Any:
    if part.startswith(b"0x"):
        return part[2:]
    for kind in (int, float):
        try:
            return kind(part) if len(part) < 40 else part.decode("utf-8", "replace")
        except ValueError:
            continue
    return part.decode("utf-8", "replace")


def _row(match: dict[str, Any], **settings: Any) -> bytes:
    columns = {"seed": "seed 1", "source": "arcade", "key": "key 1", "actions": "digest 1"}
    row = match | columns | {"settings": {"seats": match["seats"], "seconds": 60.0, **settings}}
    texts = (json.dumps(row[name]) if name in JSON_COLUMNS else str(row[name]) for name in COLUMNS)
    return "\n".join(texts).encode()


def make_seeds() -> dict[str, bytes]:
    """Matches of two, of a team and of three, and one of a tournament."""
    from tests.support.ladder_rows import duel, together

    three = {
        "lineup": {"a": "Ada", "b": "Bob", "c": "Cid"}, "teams": [["a"], ["b"], ["c"]],
        "placements": {"a": 1, "b": 2, "c": 2}, "returns": {"a": 1.5, "b": -1, "c": None},
    }  # fmt: skip
    own = {"number": 3, "round": 1, "entrants": [0, 1], "forfeit": {"left_0": "late"}}
    return {
        "duel": _row(duel("Ada", "Bob")),
        "team": _row(together("Ada", "Bob", score=12.5)),
        "three": _row(duel("Ada", "Bob", **three)),
        "tournament": _row(duel("ppo-7", "uci", kinds=("snapshot", "uci"), ended="forfeit"), tournament=own),
        "changed": _row(duel("Ada", "Bob", winner=None), game_kwargs={"max_cycles": 600}, speed=2, rated=False),
    }


PARSER = Parser(
    "rows",
    read,
    (RowError,),
    make_seeds,
    (
        b"\n", b"{}", b"[]", b"[[]]", b"null", b"NaN", b"Infinity", b"1e308", b"-1e308", b"1e999", b"9" * 30,
        b"0x\xff", b'""',
        b'"left_0":', b'"Ada"', b'"seats":{', b'"kind":', b'"game_kwargs":', b'"tournament":{', b'"entrants":[',
        b"true", b"false", b'"rated":', b'"speed":', b"[" * 300, b"\\ud800", b"\\u0000", b"forfeit", b"max_ticks",
        b"finished", b'"rules":', b'"error":', b'"changes":', b'"a":0', b'"forfeit":',
    ),
)  # fmt: skip
