"""PettingZoo's Atari family: https://pettingzoo.farama.org/environments/atari/

The controls follow the manuals that PettingZoo links to, and were tried: a direction that changes nothing has no row.
The seat notes were seen by moving one seat at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.controls import SeatControls, stick
from arcade.games.figures.atari import colours
from arcade.games.naming import NOOP
from arcade.games.scores import NO_SCORE, Entry, Ram, Score, Wins
from arcade.games.spec import GameSpec, pettingzoo_game

ALE = (
    NOOP, "fire", "up", "right", "left", "down", "up right", "up left", "down right", "down left",
    "up fire", "right fire", "left fire", "down fire",
    "up right fire", "up left fire", "down right fire", "down left fire",
)  # fmt: skip
"""The joystick of the Arcade Learning Environment, in the order of its Action enum."""

TELEVISION = (4, 3)
"""Width and height of the picture on a television, which drew the console's pixels wider than high."""

_MIRRORED = (
    "basketball_pong_v3",
    "foozpong_v3",
    "pong_v3",
    "surround_v2",
    "volleyball_pong_v3",
    "wizard_of_wor_v3",
)
"""The first seat plays on the right of the picture."""

_LEVELLED = (
    "basketball_pong_v3",
    "boxing_v2",
    "combat_plane_v2",
    "combat_tank_v2",
    "double_dunk_v3",
    "entombed_competitive_v3",
    "entombed_cooperative_v3",
    "flag_capture_v2",
    "foozpong_v3",
    "ice_hockey_v2",
    "joust_v3",
    "mario_bros_v3",
    "maze_craze_v3",
    "othello_v3",
    "pong_v3",
    "quadrapong_v4",
    "space_invaders_v2",
    "space_war_v2",
    "surround_v2",
    "tennis_v3",
    "video_checkers_v4",
    "volleyball_pong_v3",
    "warlords_v3",
    "wizard_of_wor_v3",
)
"""Games with a scripted player, see `arcade.games.players.atari.games`."""

_SEEN = (
    "combat_plane_v2", "combat_tank_v2", "entombed_competitive_v3", "entombed_cooperative_v3", "maze_craze_v3",
    "wizard_of_wor_v3",
)  # fmt: skip
"""Those of which the player reads the picture too."""

_TWO = ("first_0", "second_0")
_FOUR = (*_TWO, "third_0", "fourth_0")
_PAIRS = (("first_0", "third_0"), ("second_0", "fourth_0"))  # as PettingZoo's page of each game says

# Minimal action sets, as the emulator reports them.
_PADDLE = tuple(ALE[code] for code in (0, 1, 3, 4, 11, 12))
_UPRIGHT_PADDLE = (NOOP, "fire", "up", "down", "up fire", "down fire")  # the same codes; right turns the paddle up
_CURSOR = ALE[:10]
_NO_BUTTON = tuple(ALE[code] for code in (0, 2, 3, 4, 5))

_UPRIGHT, _FLAT = ("up", "down"), ("left", "right")
_JUMP = ("a", "b", "up")  # where up is free it jumps as well
_TURN = {"left": "Turn left", "right": "Turn right"}
_PLANE = {"up": "Dive", "down": "Climb", "left": "Fly slower", "right": "Fly faster"}
_BOUNCE = "Serve; held: a sharp bounce"
_MAZE = stick("Walk", "Break a wall, or make one")
_SIDE_PADDLES = ("third_0", "fourth_0")  # of Quadrapong: upright, where the others are flat

_READ = "arcade.games.scores.readings"
_READERS = {
    "ram": "read_memory",
    "scene": "read_scene",
    "rgb_image": "read_picture",
    "grayscale_image": "read_grey_picture",
}


def _drawn(*teams: tuple[int, ...], **more: Any) -> Score:
    """Points that the picture shows, at these addresses of each team."""
    return Score(source=Ram(teams, **more), drawn=True)


_VIDEO_OLYMPICS = _drawn((0x8E,), (0x8D,), is_decimal=False)
_COMBAT = _drawn((0xA1,), (0xA2,))


def atari_games() -> tuple[GameSpec, ...]:
    """Return the 24 multiplayer Atari games."""
    return (
        _game("basketball_pong_v3", "Basketball Pong",
              "Throw the ball into the other hoop from your own half.",
              ("Right", "Left"),
              ("green", "yellow"), stick("Run", "Serve, jump", ways=_FLAT, begins=True), action_names=_PADDLE,
              score=_VIDEO_OLYMPICS),
        _game("boxing_v2", "Boxing",
              "Box for two minutes: a point a jab, two for a close punch, a hundred to win at once.",
              ("White", "Black"),
              (), stick("Walk", "Punch"), draws_clock=True,
              score=_drawn((0x92,), (0x93,), hundred=0xC0)),
        _game("combat_plane_v2", "Combat: Plane", "Outturn the other plane and shoot it down, again and again.",
              ("Yellow plane", "Green plane"),
              (), stick("Fly", "Shoot", words=_PLANE),
              score=_COMBAT),
        _game("combat_tank_v2", "Combat: Tank", "Bounce your shells off the walls and into the other tank.",
              ("Green tank", "Pink tank"),
              ("left", "right"),
              stick("Drive", "Shoot", ways=("up", *_FLAT), words={"up": "Drive on", **_TURN}),
              score=_COMBAT),
        _game("double_dunk_v3", "Double Dunk", "Two against two on one basket: pick a play, pass and shoot.",
              ("Green team", "White team"),
              (), stick("Run", "Pick a play, pass, shoot, jump"),
              score=_drawn((0xF6,), (0xF7,))),
        _game("entombed_competitive_v3", "Entombed: Competitive",
              "Outlast the other in a maze that never stops scrolling.", ("Purple", "Yellow"), (), _MAZE,
              score=Score(source=Entry(f"{_READ}:lives"), one="{} life", many="{} lives")),
        _game("entombed_cooperative_v3", "Entombed: Cooperative",
              "Get through the scrolling maze together, as deep as you can.",
              ("Purple", "Yellow"), (), _MAZE, teams=(_TWO,),
              score=Score(source=Wins(), one="{} section", many="{} sections")),
        _game("flag_capture_v2", "Flag Capture", "Turn over squares and read the hints: find the flag first.",
              ("Green", "Red"),
              ("starts top left", "starts bottom right"), stick("Walk", "Turn the square over"),
              action_names=_CURSOR,
              score=_drawn((0xEA,), (0xEB,))),
        _game("foozpong_v3", "Foozpong", "Table football: pass the ball through the paddles into the other goal.",
              ("Solid purple", "Solid yellow", "Striped purple", "Striped yellow"),
              (), stick("Paddles", _BOUNCE, ways=_UPRIGHT, begins=True), action_names=_UPRIGHT_PADDLE, teams=_PAIRS,
              score=_VIDEO_OLYMPICS),
        _game("ice_hockey_v2", "Ice Hockey", "Two against two on ice: pass, shoot, and guard your goal.",
              ("Blue team", "Yellow team"),
              ("upper goal", "lower goal"), stick("Skate", "Shoot, pass, trip"), draws_clock=True,
              score=_drawn((0x8A,), (0x8B,))),
        _game("joust_v3", "Joust", "Flap above your foes, and above each other, and strike from on high.",
              ("Yellow rider", "Pink rider"),
              (), stick("Fly", "Flap", ways=_FLAT, fire_keys=_JUMP), outcome="mixed",
              score=_drawn((0x87, 0x85, 0x83), (0x88, 0x86, 0x84))),
        _game("mario_bros_v3", "Mario Bros.", "Bump pests onto their backs, then kick them off before the other does.",
              ("Blue", "Green"),
              ("starts left", "starts right"), stick("Run", "Jump", ways=_FLAT, fire_keys=_JUMP),
              outcome="mixed",
              score=_drawn((0x8A, 0x89), (0x8C, 0x8B), times=100)),
        _game("maze_craze_v3", "Maze Craze", "Be first out of the maze, and keep clear of the robbers in it.",
              ("Red", "Blue"),
              (), stick("Run"),
              score=NO_SCORE,
              stalls=True),  # while it makes the maze
        _game("othello_v3", "Othello", "Trap the other's discs between yours and turn them over.",
              ("White", "Black"),
              (), stick("Cursor", "Put a disc"), action_names=_CURSOR,
              score=Score(source=Ram(((0xCE,), (0xD0,))), one="{} disc", many="{} discs", drawn=True)),
        _game("pong_v3", "Pong", "Get the ball past the other paddle; press Serve to begin each point after the first.",
              ("Right", "Left"), ("green", "orange"),
              stick("Paddle", _BOUNCE, ways=_UPRIGHT, begins=True), action_names=_UPRIGHT_PADDLE,
              score=_VIDEO_OLYMPICS),
        _game("quadrapong_v4", "Quadrapong",
              "Four paddles, two teams: keep the ball out of both of your walls.",
              ("Bottom", "Top", "Right", "Left"),
              ("purple", "yellow", "purple", "yellow"),
              stick("Paddle", _BOUNCE, ways=_FLAT, begins=True), action_names=_PADDLE, teams=_PAIRS,
              seat_action_names=dict.fromkeys(_SIDE_PADDLES, _UPRIGHT_PADDLE),
              seat_controls=dict.fromkeys(_SIDE_PADDLES, stick("Paddle", _BOUNCE, ways=_UPRIGHT, begins=True)),
              score=_VIDEO_OLYMPICS),
        _game("space_invaders_v2", "Space Invaders", "Two cannons against the invaders, each after the higher score.",
              ("Green cannon", "Yellow cannon"),
              (), stick("Cannon", "Shoot", ways=_FLAT), action_names=_PADDLE,
              outcome="mixed",
              score=_drawn((0xE8, 0xE6), (0xE9, 0xE7))),
        _game("space_war_v2", "Space War", "Steer a ship that keeps on drifting, and shoot the other.",
              ("Green ship", "Blue ship"),
              (), stick("Fly", "Shoot", ways=("up", *_FLAT), words={"up": "Thrust", **_TURN}),
              score=_drawn((0xA7,), (0xA8,))),
        _game("surround_v2", "Surround", "Leave a wall behind you, and make the other run out of room first.",
              ("Blue", "Green"),
              ("starts right", "starts left"), stick("Move"), action_names=_NO_BUTTON,
              score=_drawn((0xF7,), (0xF6,))),
        _game("tennis_v3", "Tennis", "Serve, then get the ball past the other player.", ("Pink", "Blue"),
              (), stick("Run", "Serve; held: a lob", begins=True),
              # The picture shows the points of a game, and the games only between two of them.
              score=Score(source=Ram(((0xC7,), (0xC8,)), is_decimal=False), one="{} game", many="{} games")),
        # The next game's minimal action set, like Wizard of Wor's, lacks doing nothing: a player at rest would fire.
        _game("video_checkers_v4", "Video Checkers", "Draughts with a cursor: jump over all the other's pieces.",
              ("Orange", "White"),
              ("below", "above"), stick("Cursor", "Take a piece, put it down"),
              full_action_space=True,
              score=Score(source=Entry(f"{_READ}:draughtsmen"), one="{} piece left", many="{} pieces left"),
              stalls=True),  # while it thinks
        _game("volleyball_pong_v3", "Volleyball Pong",
              "Two against two: drop the ball onto the other side's floor.",
              ("Lower right", "Lower left", "Upper right", "Upper left"),
              ("blue", "yellow", "blue", "yellow"),
              stick("Run", "Serve, jump", ways=_FLAT, begins=True), action_names=_PADDLE, teams=_PAIRS,
              score=_VIDEO_OLYMPICS),
        _game("warlords_v3", "Warlords", "Four castles, one ball: be the last one standing.",
              ("Top left", "Top right", "Bottom left", "Bottom right"),
              ("orange", "blue", "green", "purple"),
              stick("Shield", "Catch the ball; let go to throw it", ways=_FLAT), action_names=_PADDLE,
              score=NO_SCORE),
        _game("wizard_of_wor_v3", "Wizard of Wor",
              "Shoot the monsters of the dungeon, and beware of each other's bullets.",
              ("Yellow", "Blue"),
              ("starts right", "starts left"), stick("Walk", "Shoot"), outcome="mixed",
              full_action_space=True,
              score=_drawn((0x86, 0x88), (0x85, 0x87), times=100)),
    )  # fmt: skip


def _game(
    name: str, title: str, summary: str, titles: tuple[str, ...], notes: tuple[str, ...], controls: SeatControls, *,
    seat_controls: Mapping[AgentID, SeatControls] | None = None, full_action_space: bool = False, **more: Any,
) -> GameSpec:  # fmt: skip
    """Build a spec; `outcome` "mixed" marks rivals who also gain by clearing the level together."""
    seen, player = ("scene", "SceneAtariPlayer") if name in _SEEN else ("ram", "AtariPlayer")
    return pettingzoo_game(
        f"atari/{name}", title, summary, _FOUR[: len(titles)], titles, notes, fps=60,
        kwargs={"auto_rom_install_path": _rom_folder()} | ({"full_action_space": True} if full_action_space else {}),
        figures="arcade.games.figures.atari:locate",
        seat_colours=dict(zip(_FOUR, colours(name), strict=False)),
        mirrored=name in _MIRRORED,
        obs_types={word: f"arcade.games.players.atari.play:{reader}" for word, reader in _READERS.items()},
        obs_spaces="arcade.games.players.atari.play:spaces_of",
        obs_argument="obs_type",
        plain_obs_type="rgb_image",
        scripted=f"arcade.games.players.atari.games:{player}" if name in _LEVELLED else "",
        scripted_obs_type=seen if name in _LEVELLED else "",
        has_levels=name in _LEVELLED,
        requires=("pettingzoo", "pygame", "multi_agent_ale_py", "ale_py"),
        pip='"pettingzoo[atari]" ale-py',
        controls={"*": controls, **(seat_controls or {})},
        shape=TELEVISION,
        mend="arcade.games.house.atari_seeds:fix_seeds",
        **({"action_names": ALE} | more),
    )  # fmt: skip


@cache
def _rom_folder() -> str:
    """The folder of the ROMs in the ale-py package, found without importing it; "" where it is not installed."""
    found = find_spec("ale_py")
    return str(Path(found.origin).parent / "roms") if found is not None and found.origin else ""
