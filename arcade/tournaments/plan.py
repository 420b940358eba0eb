"""The plan of a tournament: all that decides which matches are to be played, kept in its folder from the start."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.files import replace_file
from agents.home import folder
from agents.seats.controller import AgentID
from agents.seats.words import parse_seat
from arcade.games.spec import GameSpec

ROUND_ROBIN, SWISS, INFORMATIVE = FORMATS = ("round-robin", "swiss", "informative")
PLAN_FILE, RESULT_FILE = "plan.json", "result.json"
NEWEST = "newest"
MAX_MOVE_SECONDS = 25.0
"""A match goes on without an answer after 30."""

_IN_LOCK_STEP = ("snapshot", "scripted", "random")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class TournamentError(UserError):
    """A tournament that cannot be: the message says what would have been right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Who is entered; fills all seats of a side."""

    word: str  # its seat word, a snapshot by its name
    label: str  # as the ladder calls it
    sides: tuple[int, ...]  # numbers of the sides that it can take
    sha256: str = ""  # of a snapshot's graph, "" for others

    @property
    def in_lock_step(self) -> bool:
        """Whether it decides for many matches at once."""
        choice = parse_seat(self.word)
        return choice.kind in _IN_LOCK_STEP and not choice.options


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One match to be played."""

    number: int  # 0, 1, … in the tournament
    round: int
    seed: int
    entrants: tuple[int, ...]  # by side


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Raises TournamentError for settings that contradict each other."""

    id: str
    game: str
    entrants: tuple[Entrant, ...]
    format: str = ROUND_ROBIN
    games: int = 10  # seeds of each meeting; each is played once in every seating
    rounds: int = 0  # swiss: how many; informative: at most; 0: the format's own
    bound: float = 50.0  # informative: half the width of every interval at the end, in points of Elo
    seed: int = 0
    max_ticks: int = 20_000  # of a match
    move_seconds: float = 10.0  # for one answer of an entrant that is asked one match at a time
    match_seconds: float = 600.0  # for all of such a match

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise TournamentError(f"expected an id of letters, digits and . _ -, got: {self.id!r}")
        if self.format not in FORMATS:
            raise TournamentError(f"expected a format of {', '.join(FORMATS)}, got: {self.format!r}")
        if self.rounds and self.format == ROUND_ROBIN:
            raise TournamentError(f"expected rounds with swiss or informative, got {self.rounds} with {ROUND_ROBIN}")
        for name, least, most in (
            ("games", 1, 1e6), ("rounds", 0, 1e6), ("bound", 1, 1000), ("seed", 0, 2**31 - 1), ("max_ticks", 1, 1e9),
            ("move_seconds", 0.01, MAX_MOVE_SECONDS), ("match_seconds", 0.01, 1e6),
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise TournamentError(f"expected {least:g} <= {name} <= {most:g}, got: {getattr(self, name)}")

    @property
    def prefix(self) -> str:
        """What the keys of its results on the ladder begin with."""
        return f"tournament/{self.id}/"

    def key(self, number: int) -> str:
        """Of the result of one match."""
        return f"{self.prefix}{number}"


def sides_of(spec: GameSpec) -> tuple[tuple[AgentID, ...], ...]:
    """The seats that one entrant fills: a team; where all are one team, every second seat."""
    if len(spec.teams) > 1:
        return spec.teams
    seats = spec.teams[0]
    return (seats[::2], seats[1::2]) if len(seats) > 1 else (seats,)


def tournament_folder(id: str) -> Path:
    """Where the plan of a tournament is kept."""
    return folder("tournaments") / id


def write_plan(plan: Plan) -> Path:
    """Raises TournamentError where there is one of this id."""
    path = tournament_folder(plan.id)
    if (path / PLAN_FILE).exists():
        raise TournamentError(f"expected a new id, got {plan.id!r}, which exists; go on with: --resume {plan.id}")
    path.mkdir(parents=True, exist_ok=True)
    replace_file(path / PLAN_FILE, json.dumps(asdict(plan), indent=1))
    return path


def read_plan(word: str) -> Plan:
    """The plan of the tournament `word`, or of the one that was begun last and has no result; raises
    TournamentError, listing those that there are."""
    plans = {path.parent.name: path for path in folder("tournaments").glob(f"*/{PLAN_FILE}")}
    if word == NEWEST:
        open_ones = [name for name, path in plans.items() if not (path.parent / RESULT_FILE).exists()]
        if not open_ones:
            raise TournamentError("expected a tournament that is not over, got none; begin one with: --entrant")
        word = max(open_ones, key=lambda name: plans[name].stat().st_mtime_ns)
    if word not in plans:
        raise TournamentError(f"expected one of {', '.join(sorted(plans)) or '(none yet)'}, got: {word!r}")
    try:
        return _plan_from(json.loads(plans[word].read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise TournamentError(f"expected a plan in {plans[word]}, got: {error}; begin another tournament") from error


def _plan_from(data: dict[str, Any]) -> Plan:
    unknown = data.keys() - {field.name for field in fields(Plan)}
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}, which this version does not know")
    return Plan(**{**data, "entrants": tuple(_entrant_from(entrant) for entrant in data["entrants"])})


def _entrant_from(data: dict[str, Any]) -> Entrant:
    return Entrant(**{**data, "sides": tuple(data["sides"])})
