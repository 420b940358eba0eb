"""PettingZoo's Atari family: https://pettingzoo.farama.org/environments/atari/

The ROMs come with the ale-py package; its folder is looked up without importing it.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from arcade.games.actions import ALE, NOOP, ale_actions
from arcade.games.atari_controls import CONTROLS, UPRIGHT_PADDLE
from arcade.games.atari_seats import seat_notes
from arcade.games.spec import GameSpec, Outcome

_TWO = ("first_0", "second_0")
_FOUR = ("first_0", "second_0", "third_0", "fourth_0")
_ALONE = (("first_0",), ("second_0",))
_PAIRS = (("first_0", "third_0"), ("second_0", "fourth_0"))  # as PettingZoo's page of each game says
_TOGETHER = (_TWO,)
_FREE_FOR_ALL = tuple((agent,) for agent in _FOUR)

# Right turns a paddle's knob so that an upright paddle goes up, seen on the screen for every seat.
_UPRIGHT = (NOOP, "fire", "up", "down", "up fire", "down fire")
_PADDLE = ale_actions(0, 1, 3, 4, 11, 12)
_CURSOR = ale_actions(*range(10))

_ACTIONS: dict[str, tuple[str, ...]] = {
    "basketball_pong_v3": _PADDLE,
    "flag_capture_v2": _CURSOR,
    "foozpong_v3": _UPRIGHT,
    "othello_v3": _CURSOR,
    "pong_v3": _UPRIGHT,
    "quadrapong_v4": _PADDLE,
    "space_invaders_v2": _PADDLE,
    "surround_v2": ale_actions(0, 2, 3, 4, 5),
    "volleyball_pong_v3": _PADDLE,
    "warlords_v3": _PADDLE,
}
"""The minimal action set where it is not the whole joystick, as the emulator reports it."""

_WHOLE = ("video_checkers_v4", "wizard_of_wor_v3")
"""Games with the whole joystick because their minimal action set lacks doing nothing: idle hands would fire."""

_TEAMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "entombed_cooperative_v3": _TOGETHER,
    "foozpong_v3": _PAIRS,
    "quadrapong_v4": _PAIRS,
    "volleyball_pong_v3": _PAIRS,
    "warlords_v3": _FREE_FOR_ALL,
}
"""Where it is not one against one."""

_MIXED = ("joust_v3", "mario_bros_v3", "space_invaders_v2", "wizard_of_wor_v3")
"""Rivals who also gain by clearing the level together."""

_SUMMARIES: dict[str, tuple[str, str]] = {
    "basketball_pong_v3": ("Basketball Pong", "Throw the ball into the other hoop from your own half."),
    "boxing_v2": ("Boxing", "Box for two minutes: a point a jab, two for a close punch, a hundred to win at once."),
    "combat_plane_v2": ("Combat: Plane", "Outturn the other plane and shoot it down, again and again."),
    "combat_tank_v2": ("Combat: Tank", "Bounce your shells off the walls and into the other tank."),
    "double_dunk_v3": ("Double Dunk", "Two against two on one basket: pick a play, pass and shoot."),
    "entombed_competitive_v3": ("Entombed: Competitive", "Outlast the other in a maze that never stops scrolling."),
    "entombed_cooperative_v3": (
        "Entombed: Cooperative",
        "Get through the scrolling maze together, as deep as you can.",
    ),
    "flag_capture_v2": ("Flag Capture", "Turn over squares and read the hints: find the flag first."),
    "foozpong_v3": ("Foozpong", "Table football: pass through the rows of paddles into the other goal."),
    "ice_hockey_v2": ("Ice Hockey", "Two against two on ice: pass, shoot, and guard your goal."),
    "joust_v3": ("Joust", "Flap above your foes, and above each other, and strike from on high."),
    "mario_bros_v3": ("Mario Bros.", "Bump pests onto their backs, then kick them off before the other does."),
    "maze_craze_v3": ("Maze Craze", "Be first out of the maze, and keep clear of the robbers in it."),
    "othello_v3": ("Othello", "Trap the other's discs between yours and turn them over."),
    "pong_v3": ("Pong", "Get the ball past the other paddle."),
    "quadrapong_v4": ("Quadrapong", "Four paddles, four walls, two teams: keep the ball out of both of yours."),
    "space_invaders_v2": ("Space Invaders", "Two cannons against the invaders, each after the higher score."),
    "space_war_v2": ("Space War", "Steer a ship that keeps on drifting, and shoot the other."),
    "surround_v2": ("Surround", "Leave a wall behind you, and make the other run out of room first."),
    "tennis_v3": ("Tennis", "Get the ball past the other player."),
    "video_checkers_v4": ("Video Checkers", "Draughts with a cursor: jump over all the other's pieces."),
    "volleyball_pong_v3": ("Volleyball Pong", "Two against two: drop the ball onto the other side's floor."),
    "warlords_v3": ("Warlords", "Four castles, one ball: be the last one standing."),
    "wizard_of_wor_v3": ("Wizard of Wor", "Shoot the monsters of the dungeon, and beware of each other's bullets."),
}  # module: title, what a player does

_SIDE_PADDLES = {"quadrapong_v4": ("third_0", "fourth_0")}
"""The seats whose paddle stands upright while the others' lie flat."""


def atari_games() -> tuple[GameSpec, ...]:
    """The 24 multiplayer Atari games."""
    return tuple(_game(name, title, summary) for name, (title, summary) in _SUMMARIES.items())


def _game(name: str, title: str, summary: str) -> GameSpec:
    teams = _TEAMS.get(name, _ALONE)
    agents = _FOUR if sum(map(len, teams)) == 4 else _TWO
    return GameSpec(
        id=f"atari/{name}",
        title=title,
        entry=f"pettingzoo.atari.{name}:parallel_env",
        agents=agents,
        teams=teams,
        turn_based=False,
        fps=60,
        outcome=_outcome(name, teams),
        kwargs={"auto_rom_install_path": _rom_folder()} | ({"full_action_space": True} if name in _WHOLE else {}),
        summary=summary,
        requires=("pettingzoo", "pygame", "multi_agent_ale_py", "ale_py"),
        pip='"pettingzoo[atari]" ale-py',
        action_names=_ACTIONS.get(name, ALE),
        seat_action_names=dict.fromkeys(_SIDE_PADDLES.get(name, ()), _UPRIGHT),
        seat_notes=seat_notes(name, agents),
        controls={"*": CONTROLS[name], **dict.fromkeys(_SIDE_PADDLES.get(name, ()), UPRIGHT_PADDLE)},
    )


def _outcome(name: str, teams: tuple[tuple[str, ...], ...]) -> Outcome:
    if len(teams) == 1:
        return "cooperative"
    return "mixed" if name in _MIXED else "versus"


@cache
def _rom_folder() -> str:
    """Where ale-py keeps its ROMs; "" where it is not installed."""
    found = find_spec("ale_py")
    if found is None or found.origin is None:
        return ""
    return str(Path(found.origin).parent / "roms")
