"""MatchSetup: the options of the next match: seats, rules, length of the series, seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from agents.home import home
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.match.recording.format import RecordingOptions
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.session.options import MatchOptions, WindowOptions
from arcade.session.people import People
from arcade.session.settings import Settings

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.games.spec import GameSpec
    from arcade.match.playback.branch import Branch
    from arcade.session.match.session import MatchSession


class MatchSetup:
    """Remembers the choices for each game."""

    def __init__(self, opening: WindowOptions, people: People, settings: Callable[[], Settings]) -> None:
        self._opening, self._people, self._settings = opening, people, settings
        self.lineups: dict[str, Mapping[AgentID, SeatChoice]] = {}  # game → the newest seats
        self.rules: dict[str, StageRules] = {}  # game → the rules that people chose
        self.playing: MatchSession | None = None  # the match on the screen
        self.best_of = 1  # length of the next series; the title resets it
        self._seed = opening.seed if opening.seed is not None else random.randrange(2**31)

    def rules_of(self, spec: GameSpec) -> StageRules:
        """Return the rules of the next match of `spec`."""
        return self.rules.get(spec.id, PLAIN if spec.turn_based else self._opening.rules)

    def options(
        self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], *, branch: Branch | None = None
    ) -> MatchOptions:
        """Return the options of a match that begins now, with the next seed."""
        opening, settings, seed = self._opening, self._settings(), self._seed
        self._seed = (seed + 1) % 2**32
        self.lineups[spec.id] = dict(lineup)
        is_new = any(choice.kind != "replay" for choice in lineup.values())
        return MatchOptions(
            seed=seed,
            speed=opening.speed,
            max_ticks=opening.max_ticks,
            rules=self.rules_of(spec),
            record=home() / "replays" if is_new and (opening.record or settings.record_matches) else None,
            recording=RecordingOptions(observations=settings.record_observations, seats=settings.record_seats),
            people=self._people.seated(lineup),
            branch=branch,
        )
