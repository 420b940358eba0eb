"""TournamentPlan: the settings saved in a tournament's folder, and the rounds that follow from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from agents.files import flush, folder, read_json, replace_file
from agents.files.names import is_safe
from agents.ladder.ratings.rows import MOST_TICKS
from arcade.match.play.opening import Opening
from arcade.tournaments.formats import FORMATS
from arcade.tournaments.formats.format import Format, PairingSettings
from arcade.tournaments.pairings import Entrant, Outcome, Pairing, TournamentError, pairings_of

PLAN_FILE, RESULT_FILE = "plan.json", "result.json"
NEWEST = "newest"
MAX_MOVE_SECONDS = 25.0
"""A match continues without an answer after 30 seconds."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True, kw_only=True)
class TournamentPlan(PairingSettings):
    """Raises TournamentError for settings that contradict each other."""

    id: str
    format: str = next(iter(FORMATS))
    max_ticks: int = MOST_TICKS  # of a match
    move_seconds: float = 10.0  # for one answer of an entrant that plays one match at a time
    match_seconds: float = 600.0  # for all of such a match
    openings: tuple[Opening, ...] = ()  # of a board game, one after another, the same for all meetings

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id) or not is_safe(self.id):
            raise TournamentError(f"expected an id of letters, digits and . _ -, got: {self.id!r}")
        if self.format not in FORMATS:
            raise TournamentError(f"expected a format of {', '.join(FORMATS)}, got: {self.format!r}")
        if self.rounds and not FORMATS[self.format].has_rounds:
            names = " or ".join(name for name, form in FORMATS.items() if form.has_rounds)
            raise TournamentError(f"expected rounds with {names}, got {self.rounds} with {self.format}")
        for name, least, most in (
            ("games", 1, 1e6), ("rounds", 0, 1e6), ("bound", 1, 1000), ("seed", 0, 2**31 - 1), ("max_ticks", 1, 1e9),
            ("max_games", 2, 1e6), ("move_seconds", 0.01, MAX_MOVE_SECONDS), ("match_seconds", 0.01, 1e6),
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise TournamentError(f"expected {least:g} <= {name} <= {most:g}, got: {getattr(self, name)}")
        _ = self.test  # raises for hypotheses that contradict each other

    @property
    def form(self) -> Format:
        """The format itself."""
        return FORMATS[self.format]

    def key(self, number: object) -> str:
        """The key of the result of one match on the ladder."""
        return f"tournament/{self.id}/{number}"


def tournament_folder(id: str) -> Path:
    """The folder of a tournament's plan and result."""
    return folder("tournaments") / id


def write_plan(plan: TournamentPlan) -> Path:
    """Raises TournamentError where there is one of this id."""
    path = tournament_folder(plan.id)
    if (path / PLAN_FILE).exists():
        raise TournamentError(f"expected a new id, got {plan.id!r}, which exists; resume it with: --resume {plan.id}")
    path.mkdir(parents=True, exist_ok=True)
    flush(path.parent)
    replace_file(path / PLAN_FILE, json.dumps(asdict(plan), indent=1))
    return path


def read_plan(word: str) -> TournamentPlan:
    """The plan of the tournament `word`, or of the newest one without a result.  Raises TournamentError."""
    plans = {path.parent.name: path for path in folder("tournaments").glob(f"*/{PLAN_FILE}")}
    if word == NEWEST:
        open_ones = [name for name, path in plans.items() if not (path.parent / RESULT_FILE).exists()]
        if not open_ones:
            text = "expected a tournament that is not over, got none; begin one with: --entrant"
            raise TournamentError(text, code="not_found")
        word = max(open_ones, key=lambda name: plans[name].stat().st_mtime_ns)
    if word not in plans:
        text = f"expected one of the tournaments {', '.join(sorted(plans)) or '(none yet)'}, got: {word!r}"
        raise TournamentError(text, code="not_found")
    try:
        return _plan_from(read_json(plans[word]))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise TournamentError(f"expected a plan in {plans[word]}, got: {error}; begin another tournament") from error


def _plan_from(data: Any) -> TournamentPlan:
    if not isinstance(data, dict):
        raise ValueError(f"a {type(data).__name__}")
    unknown = data.keys() - {field.name for field in fields(TournamentPlan)}
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}, which this version does not know")
    entrants = tuple(Entrant(**{**entrant, "sides": tuple(entrant["sides"])}) for entrant in data["entrants"])
    openings = tuple(
        Opening(tuple(map(int, opening["actions"])), str(opening.get("start", "")))
        for opening in data.get("openings", ())
    )
    return TournamentPlan(**{**data, "entrants": entrants, "openings": openings})


def rounds_of(
    plan: TournamentPlan, outcomes: Mapping[int, Outcome], *, sides: int, cooperative: bool
) -> Iterator[list[Pairing]]:
    """Yield the pairings of each round, once all matches of the last are in `outcomes`, by number.

    Raises TournamentError where the entrants cannot meet.
    """
    if cooperative and not plan.form.cooperative:
        names = " or ".join(name for name, form in FORMATS.items() if form.cooperative)
        raise TournamentError(f"expected {names} in {plan.game}, a cooperative game, got: {plan.format}")
    if len(plan.entrants) < (1 if cooperative else sides):
        names = ", ".join(entrant.word for entrant in plan.entrants) or "none"
        raise TournamentError(f"expected at least {sides} entrants in {plan.game}, one a team, got: {names}")
    return _rounds(plan, outcomes, sides, cooperative)


def _rounds(
    plan: TournamentPlan, outcomes: Mapping[int, Outcome], sides: int, cooperative: bool
) -> Iterator[list[Pairing]]:
    first = 0
    for round in range(plan.rounds or plan.form.usual_rounds(plan)):
        played = [outcomes[number] for number in range(first)]
        groups = plan.form.groups(plan, played, round=round, sides=sides, cooperative=cooperative)
        if not groups:
            return
        pairings = pairings_of(
            groups, plan.entrants, games=plan.games, seed=plan.seed, round=round, first=first,
            openings=len(plan.openings),
        )  # fmt: skip
        first += len(pairings)
        yield pairings
