"""Runs a tournament, new or resumed, from plan to result."""

from __future__ import annotations

import itertools
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.closing import Closing
from agents.files import replace_file
from agents.ladder.ladder import Ladder, open_ladder
from agents.ladder.ratings.rows import Row
from agents.seats.controller import AgentID
from agents.seats.kinds import parse_seat
from agents.snapshots.store import SnapshotStore, open_store
from agents.trust import check_words, trust
from arcade.games import find_game, missing, open_game
from arcade.games.spec import GameSpec
from arcade.match.batch.plan import Executor, Fixture, MatchPlan, Played, TimeLimits
from arcade.match.play.opening_files import read_openings
from arcade.match.play.result import MatchResult
from arcade.tournaments.entrants import default_patterns, find_entrants
from arcade.tournaments.pairings import Outcome, Pairing, TournamentError, booked, lineup_of, outcome_of, sides_of
from arcade.tournaments.plan import RESULT_FILE, TournamentPlan, read_plan, rounds_of, tournament_folder, write_plan
from arcade.tournaments.standings import standings_of

HOW_TO_TRUST = "if you trust what they run, begin a new tournament with them as --entrant"


class TournamentProgress(Closing):
    """Follows a tournament, as a context manager; this one shows nothing."""

    def on_round(self, number: int, matches: int, played: int) -> None:
        """A round begins, of which some matches were played before."""

    def on_match(self) -> None:
        """One more match is on the ladder."""


class Tournament:
    """Plays the matches of a plan that the ladder does not have yet.

    Every match goes on the ladder as soon as it is played, under a key of its own: a kill loses the matches under way,
    which come out the same again, and none is counted twice.
    """

    def __init__(self, plan: TournamentPlan, spec: GameSpec, ladder: Ladder) -> None:
        self.plan, self.spec, self.ladder = plan, spec, ladder
        self.rows: dict[int, Row] = {}  # as the ladder has them, by the number of the match
        self.cooperative = len(spec.teams) < 2
        self._sides = len(sides_of(spec))
        self._played = 0  # matches by this process

    @property
    def in_order(self) -> list[Row]:
        """The rows so far, in the order of the matches."""
        return [self.rows[number] for number in sorted(self.rows)]

    def first_round(self) -> list[Fixture]:
        """The matches of the first round.  Raises TournamentError where the entrants cannot meet in this format."""
        pairings = next(rounds_of(self.plan, {}, sides=self._sides, cooperative=self.cooperative))
        return [fixture_of(pairing, self.spec) for pairing in pairings]

    def play(self, executor: Executor, progress: TournamentProgress) -> dict[str, Any]:
        """Play to the end; returns the result as plain data."""
        self.rows = booked(self.ladder.results(self.plan.game), self.plan.id)
        outcomes = {number: self._outcome(row) for number, row in self.rows.items()}
        self._played, began, rounds = 0, time.monotonic(), 0
        for pairings in rounds_of(self.plan, outcomes, sides=self._sides, cooperative=self.cooperative):
            missing = [pairing for pairing in pairings if pairing.number not in outcomes]
            progress.on_round(rounds, len(pairings), len(pairings) - len(missing))
            self._play_round(missing, outcomes, executor, progress)
            rounds += 1
        result = {**self._result(rounds), "seconds": time.monotonic() - began, "played_now": self._played}
        replace_file(tournament_folder(self.plan.id) / RESULT_FILE, json.dumps(result, indent=1))
        return result

    def _play_round(
        self, pairings: Sequence[Pairing], outcomes: dict[int, Outcome], executor: Executor,
        progress: TournamentProgress,
    ) -> None:  # fmt: skip
        by_number = {pairing.number: pairing for pairing in pairings}
        for played in executor.play([fixture_of(pairing, self.spec) for pairing in pairings]):
            number = played.fixture.number
            row = row_of(self.plan, self.spec, by_number[number], played)
            self.ladder.add(row, source="tournament", settings=row["settings"], key=self.plan.key(number))
            self.rows[number] = {"returns": {}, **row}
            outcomes[number] = self._outcome(self.rows[number])
            self._played += 1
            progress.on_match()

    def _outcome(self, row: Row) -> Outcome:
        return outcome_of(row, most_ticks=self.plan.max_ticks)

    def _result(self, rounds: int) -> dict[str, Any]:
        plan = self.plan
        standings, fitted = standings_of(plan, self.in_order, cooperative=self.cooperative)
        outcomes = [self._outcome(row) for row in self.in_order]
        roles = sorted(set(self.spec.roles.values()))
        first = fitted.first_seat if fitted and not roles else None
        wide = [
            one.label for one in standings
            if one.high is not None and one.low is not None and one.high - one.low > 2 * plan.bound
        ]  # fmt: skip
        return {
            "id": plan.id, "game": plan.game, "format": plan.format, "seed": plan.seed, "rounds": rounds,
            "roles": roles, "matches": len(outcomes), "table": [asdict(one) for one in standings],
            "first_seat": first._asdict() if first else None, "draw": fitted.draw if fitted else None,
            **plan.form.findings(plan, outcomes),
            **({"bound": plan.bound, "wider": wide} if plan.form.has_bound else {}),
            "forfeits": [
                {"number": one.number, "label": plan.entrants[one.forfeit].label, "why": one.why}
                for one in outcomes if one.forfeit >= 0
            ],
            "failed": [
                {"number": one.number, "why": one.why} for one in outcomes if one.why and one.forfeit < 0
            ],
        }  # fmt: skip


MakeExecutor = Callable[[MatchPlan, Sequence[Fixture]], Executor]
"""Makes what plays a plan, of which the fixtures are the first round."""

MakeProgress = Callable[[Tournament], TournamentProgress]


def begin(game: str, patterns: Sequence[str], *, id: str, settings: Mapping[str, Any]) -> TournamentPlan:
    """Write the plan of a new tournament; no patterns: all snapshots, the scripted player and random play."""
    spec, store = _installed(open_game(game)), open_store()
    entrants = find_entrants(patterns or default_patterns(spec, store), spec, store)
    trust(entrant.word for entrant in entrants)  # they were typed
    id = id or _free_id(f"{spec.stem}-{time.strftime('%Y%m%d-%H%M%S')}")
    own = {"seed": secrets.randbelow(2**31)} | dict(settings)
    if path := own.pop("openings", None):
        own["openings"] = read_openings(Path(path), spec)
    plan = TournamentPlan(id=id, game=spec.id, entrants=entrants, **own)
    with open_ladder() as ladder:
        Tournament(plan, spec, ladder).first_round()  # a plan without a first round is refused, and not kept
    write_plan(plan)
    return plan


def _free_id(id: str) -> str:
    """Return the id, with a number behind it where two tournaments begin in the same second."""
    ids = (id if number == 1 else f"{id}-{number}" for number in itertools.count(1))
    return next(one for one in ids if not tournament_folder(one).exists())


def resume(word: str, *, executor: MakeExecutor, progress: MakeProgress | None = None) -> dict[str, Any]:
    """Play the matches that the tournament `word`, or "newest", does not have yet, and return its result.

    Raises UntrustedError where its plan, which may come from anywhere, names code that was never typed here.
    """
    plan = read_plan(word)
    check_words((entrant.word for entrant in plan.entrants), how=HOW_TO_TRUST)
    spec = _installed(find_game(plan.game))
    matches = match_plan(plan, spec, open_store())
    with open_ladder() as ladder:
        tournament = Tournament(plan, spec, ladder)
        followed = progress(tournament) if progress else TournamentProgress()
        with executor(matches, tournament.first_round()) as own, followed:
            return tournament.play(own, followed)


def _installed(found: GameSpec) -> GameSpec:
    spec = found.for_matches()
    if needed := missing(spec):
        raise TournamentError(f"expected the packages of {spec.id}; install them with: {needed}")
    return spec


def match_plan(plan: TournamentPlan, spec: GameSpec, store: SnapshotStore) -> MatchPlan:
    """The plan of a tournament's matches for an executor.

    Raises SnapshotError where a snapshot is gone, TournamentError where it is another one than was entered.
    """
    players = tuple(parse_seat(entrant.word) for entrant in plan.entrants)
    names = [choice.argument for choice in players if choice.kind == "snapshot"]
    sent = {name: store.get(name, game=spec.id) for name in names}
    for entrant, choice in zip(plan.entrants, players, strict=True):
        if entrant.sha256 and sent[choice.argument].card.sha256 != entrant.sha256:
            raise TournamentError(
                f"expected the snapshot {choice.argument!r} that was entered, got another of that name; "
                "begin a new tournament"
            )
    limits = TimeLimits(move_seconds=plan.move_seconds, match_seconds=plan.match_seconds)
    return MatchPlan(
        spec=spec,
        players=players,
        sent=sent,
        max_ticks=plan.max_ticks,
        vectorise=True,
        limits=limits,
        openings=plan.openings,
    )


def fixture_of(pairing: Pairing, spec: GameSpec) -> Fixture:
    """The match of a pairing, by seat."""
    return Fixture(
        number=pairing.number,
        seed=pairing.seed,
        players=tuple(lineup_of(pairing, spec).values()),
        opening=pairing.opening,
    )


def row_of(plan: TournamentPlan, spec: GameSpec, pairing: Pairing, played: Played) -> dict[str, Any]:
    """The row on the ladder of a match that was played, was forfeited, or failed."""
    row = _row(plan, spec, pairing)
    if played.result is not None:
        return _match_row(row, played.result)
    if played.culprit is not None:
        return _forfeit_row(row, plan, spec, pairing, played.culprit, played)
    row["settings"] |= {"error": played.error, "rated": False}
    return {**row, "ended": "failed", "placements": {str(agent): 1 for agent in spec.agents}}


def _match_row(row: dict[str, Any], result: MatchResult) -> dict[str, Any]:
    """Values without a column on the ladder are among the settings."""
    data = result.as_json()
    columns = {name: data.pop(name) for name in ("ticks", "ended", "returns", "placements", "actions")}
    more = {name: value for name, value in data.items() if name not in row and (value or value is False)}
    return {**row, **columns, "settings": {**row["settings"], **more, **data["settings"]}}


def _forfeit_row(
    row: dict[str, Any], plan: TournamentPlan, spec: GameSpec, pairing: Pairing, agent: AgentID, played: Played
) -> dict[str, Any]:  # fmt: skip
    """The side of `agent` comes last, the others share the first place."""
    number = lineup_of(pairing, spec)[agent]
    row["settings"]["tournament"]["forfeit"] = {
        "entrant": number, "label": plan.entrants[number].label, "agent": str(agent), "why": played.error,
    }  # fmt: skip
    seats = next(side for side in sides_of(spec) if agent in side)
    placements = {str(other): len(spec.teams) if other in seats else 1 for other in spec.agents}
    return {**row, "ticks": played.ticks, "ended": "forfeit", "placements": placements}


def _row(plan: TournamentPlan, spec: GameSpec, pairing: Pairing) -> dict[str, Any]:
    entrants = {str(agent): plan.entrants[number] for agent, number in lineup_of(pairing, spec).items()}
    reports: dict[str, dict[str, str]] = {}  # as the controllers in the seats would report
    for agent, entrant in entrants.items():
        snapshot = {"snapshot": entrant.label, "sha256": entrant.sha256} if entrant.sha256 else {}
        reports[agent] = {"kind": parse_seat(entrant.word).kind, **snapshot}
    own = {"id": plan.id, "number": pairing.number, "round": pairing.round, "entrants": list(pairing.entrants)}
    return {
        "game": spec.id,
        "seed": pairing.seed,
        "lineup": {agent: entrant.label for agent, entrant in entrants.items()},
        "teams": [[str(agent) for agent in team] for team in spec.teams],
        "settings": {"tournament": own, "seats": reports},
    }
