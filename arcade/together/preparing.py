"""What a machine makes for an online match once it knows the game: its part of the match, and its players."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.lineup import close_mapping
from arcade.match.play.result import Recorder
from arcade.match.play.seats import seat_seeds
from arcade.match.recording.format import PATIENT, RecordingOptions
from arcade.match.stage.stage import Stage
from arcade.together.local_play import LocalPlay
from arcade.together.messages import Player
from arcade.together.rollback_match import is_affordable
from arcade.together.terms import SessionError, Terms, check_game, probe, shared_kwargs
from arcade.together.views.view_play import ViewPlay

MOST_LETTERS = 80
"""Of a label on its way to the others."""


@dataclass(frozen=True)
class Prepared:
    """A machine's part of a match, and its probe."""

    play: LocalPlay
    digests: list[int]


def prepare(
    stage: Stage, terms: Terms, *, rolls_back: bool | None = None, record: RecordingOptions | None = PATIENT,
    watch: Sequence[Recorder] = (), countdown: float = 0.0, hosts: bool = False,
) -> Prepared:  # fmt: skip
    """Try a stage that is ready; takes about a second.  `rolls_back`: None where game and machine are quick enough.

    `hosts`: for the host, whose stage alone runs a game that travels by views.
    """
    stage.draws = False
    if rolls_back is None:
        rolls_back = not terms.mode.has_views and is_affordable(stage, terms.seed, terms.rate)
    digests = probe(stage, terms.trial_seed)
    if terms.mode.has_views and not hosts:
        return Prepared(ViewPlay(stage, terms, record=record, watch=watch), digests)
    play = LocalPlay(stage, terms, rolls_back=rolls_back, record=record, watch=watch, countdown=countdown)
    return Prepared(play, digests)


def make_players(
    stage: Stage, terms: Terms, lineup: Mapping[AgentID, SeatChoice],
    make: Callable[[AgentID, SeatChoice], Controller], *, hosts: bool = False,
) -> dict[AgentID, Controller]:  # fmt: skip
    """The controllers of this machine's seats, reset; nothing stays open where that fails.  `hosts`: see `prepare`.

    Raises SessionError for a player that needs what the host does not send.
    """
    own: dict[AgentID, Controller] = {}
    is_known = terms.mode.is_secret and not hosts  # by all machines, which could foresee what these players do
    seed = secrets.randbelow(2**31) if is_known else terms.seed
    seeds = dict(zip(stage.spec.agents, seat_seeds(seed, stage.spec.seats), strict=True))
    try:
        for agent, choice in lineup.items():
            own[agent] = make(agent, choice)
            if own[agent].obs_type and terms.mode.has_views and not hosts:
                raise SessionError(_needs(own[agent], stage.spec.seat_title(agent)))
            own[agent].reset(stage.seat(agent), seed=seeds[agent])
    except BaseException:
        close_mapping(own)
        raise
    return own


def _needs(player: Controller, seat: str) -> str:
    words = _("{player} cannot play {seat} here: it needs {type} observations, which the host does not send; "
              "choose another player")  # fmt: skip
    return words.format(player=player.label, seat=_(seat), type=player.obs_type)


def as_players(own: Mapping[AgentID, Controller]) -> dict[AgentID, Player]:
    """Controllers as the others know them."""
    return {agent: as_player(one.label, one.kind, rated=one.rated) for agent, one in own.items()}


def as_player(label: str, kind: str, *, rated: bool = True) -> Player:
    """A player as the others know them."""
    return Player(label=label[:MOST_LETTERS], kind=kind[:MOST_LETTERS], rated=rated)


def offered_game(terms: Terms) -> GameSpec:
    """The game of a host's offer, out of the catalogue: no code that a host names is imported.

    Raises UserError where it cannot be played here as the host has it.
    """
    found = find_game(terms.game)
    check_game(found)
    if found.secret and not terms.mode.is_secret:
        words = _("expected a game without secrets in this mode, got {game}: everybody would know all cards")
        raise SessionError(words.format(game=_(found.title)))
    for spec in (found.for_matches(), found.for_people()):
        if dict(terms.kwargs) == shared_kwargs(spec):
            return spec
    words = _("expected {game} with {own}, got {theirs} of the host")
    raise SessionError(words.format(game=_(found.title), own=shared_kwargs(spec), theirs=dict(terms.kwargs)))


def seats_named(spec: GameSpec, words: Iterable[str]) -> list[AgentID]:
    """The seats with these names, in the game's order."""
    wanted = set(words)
    return [agent for agent in spec.agents if str(agent) in wanted]
