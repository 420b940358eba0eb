"""The scripted player of the Atari games: each game's play, by its id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.seats.controller import SeatSpec
from arcade.games.catalogue import find_game
from arcade.games.players.atari import basketball, joust, maze
from arcade.games.players.atari.basketball import BasketballPlay
from arcade.games.players.atari.boards.checkers import CheckersPlay
from arcade.games.players.atari.boards.othello import OthelloPlay
from arcade.games.players.atari.boxing import BoxingPlay
from arcade.games.players.atari.double_dunk import DoubleDunkPlay
from arcade.games.players.atari.entombed import EntombedPlay
from arcade.games.players.atari.flag_capture import FlagCapturePlay
from arcade.games.players.atari.foosball import FoosballPlay
from arcade.games.players.atari.ice_hockey import IceHockeyPlay
from arcade.games.players.atari.joust import JoustPlay
from arcade.games.players.atari.mario_bros import MarioBrosPlay
from arcade.games.players.atari.maze import MazePlay
from arcade.games.players.atari.paddles import pong, quadrapong
from arcade.games.players.atari.play import RAM, SCENE, MakePlay, decide_by
from arcade.games.players.atari.shooting import PlanePlay, SpaceWarPlay
from arcade.games.players.atari.skill import SKILLS, Skill
from arcade.games.players.atari.space_invaders import SpaceInvadersPlay
from arcade.games.players.atari.surround import SurroundPlay
from arcade.games.players.atari.tanks import TankPlay
from arcade.games.players.atari.tennis import TennisPlay
from arcade.games.players.atari.volleyball import volleyball
from arcade.games.players.atari.warlords import WarlordsPlay
from arcade.games.players.atari.wizard_of_wor import WizardOfWorPlay

PLAYS: Mapping[str, MakePlay] = {
    "atari/basketball_pong_v3": BasketballPlay,
    "atari/boxing_v2": BoxingPlay,
    "atari/combat_plane_v2": PlanePlay,
    "atari/combat_tank_v2": TankPlay,
    "atari/double_dunk_v3": DoubleDunkPlay,
    "atari/entombed_competitive_v3": EntombedPlay,
    "atari/entombed_cooperative_v3": EntombedPlay,
    "atari/flag_capture_v2": FlagCapturePlay,
    "atari/foozpong_v3": FoosballPlay,
    "atari/ice_hockey_v2": IceHockeyPlay,
    "atari/joust_v3": JoustPlay,
    "atari/mario_bros_v3": MarioBrosPlay,
    "atari/maze_craze_v3": MazePlay,
    "atari/othello_v3": OthelloPlay,
    "atari/pong_v3": pong,
    "atari/quadrapong_v4": quadrapong,
    "atari/space_invaders_v2": SpaceInvadersPlay,
    "atari/space_war_v2": SpaceWarPlay,
    "atari/surround_v2": SurroundPlay,
    "atari/tennis_v3": TennisPlay,
    "atari/video_checkers_v4": CheckersPlay,
    "atari/volleyball_pong_v3": volleyball,
    "atari/warlords_v3": WarlordsPlay,
    "atari/wizard_of_wor_v3": WizardOfWorPlay,
}
"""By game; `arcade.games.atari` lists the same games."""

OWN_SKILLS: Mapping[str, Mapping[str, Skill]] = {
    "atari/basketball_pong_v3": basketball.SKILLS, "atari/joust_v3": joust.SKILLS, "atari/maze_craze_v3": maze.SKILLS,
}  # fmt: skip
"""What the levels are in games where the usual limits do not tell them apart."""


_LOOKS_MS = 400  # that a player looks at a new game at most before it touches the keys


class AtariPlayer:
    """Plays one seat in one episode, called with the console's memory, uint8 (128,).

    The console begins each episode alike: what differs from one to the next is how long both sides first look at it.
    """

    obs_type = RAM

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        spec, skills = find_game(seat.game), OWN_SKILLS.get(seat.game, SKILLS)
        play = PLAYS[seat.game](spec.agents.index(seat.agent), rng, skills[level])
        names = spec.names_of(seat.agent)
        self._decide, self._nothing = decide_by(play, names, seat.fps), names.index("nothing")
        self._looks = int(rng.spawn(1)[0].integers(round(_LOOKS_MS * seat.fps / 1000) + 1))  # ticks

    def __call__(self, observation: Any, action_mask: Any) -> int:
        if self._looks:
            self._looks -= 1
            return self._nothing
        return int(self._decide(observation, action_mask))


class SceneAtariPlayer(AtariPlayer):
    """The same for a play that reads the picture too, called with memory and picture."""

    obs_type = SCENE
