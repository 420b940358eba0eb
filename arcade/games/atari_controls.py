"""What the joystick and its button do in each Atari game.

From the manuals that PettingZoo's page of each game links to, and tried: a way that changes nothing has no row.
"""

from __future__ import annotations

from collections.abc import Mapping

from arcade.games.control_kinds import stick
from arcade.games.controls import SeatControls

_UPRIGHT, _FLAT = ("up", "down"), ("left", "right")
_JUMP = ("a", "b", "up")  # where up is free it jumps as well
_TURN = {"left": "Turn left", "right": "Turn right"}
_PADDLE_BUTTON = "Serve; held: a sharp bounce"
_MAKE_BREAK = "Break a wall, or make one"

CONTROLS: Mapping[str, SeatControls] = {
    "basketball_pong_v3": stick("Run", "Serve, jump", ways=_FLAT),
    "boxing_v2": stick("Walk", "Punch"),
    "combat_plane_v2": stick(
        "Fly", "Shoot", words={"up": "Dive", "down": "Climb", "left": "Fly slower", "right": "Fly faster"}
    ),
    "combat_tank_v2": stick("Drive", "Shoot", ways=("up", *_FLAT), words={"up": "Drive on", **_TURN}),
    "double_dunk_v3": stick("Run", "Pass, shoot, jump"),
    "entombed_competitive_v3": stick("Walk", _MAKE_BREAK),
    "entombed_cooperative_v3": stick("Walk", _MAKE_BREAK),
    "flag_capture_v2": stick("Walk", "Turn the square over"),
    "foozpong_v3": stick("Paddles", _PADDLE_BUTTON, ways=_UPRIGHT),
    "ice_hockey_v2": stick("Skate", "Shoot, pass, trip"),
    "joust_v3": stick("Fly", "Flap", ways=_FLAT, fire_keys=_JUMP),
    "mario_bros_v3": stick("Run", "Jump", ways=_FLAT, fire_keys=_JUMP),
    "maze_craze_v3": stick("Run"),
    "othello_v3": stick("Cursor", "Put a disc"),
    "pong_v3": stick("Paddle", _PADDLE_BUTTON, ways=_UPRIGHT),
    "quadrapong_v4": stick("Paddle", _PADDLE_BUTTON, ways=_FLAT),
    "space_invaders_v2": stick("Cannon", "Shoot", ways=_FLAT),
    "space_war_v2": stick("Fly", "Shoot", ways=("up", *_FLAT), words={"up": "Thrust", **_TURN}),
    "surround_v2": stick("Go"),
    "tennis_v3": stick("Run", "Serve; held: a lob"),
    "video_checkers_v4": stick("Cursor", "Take a piece, put it down"),
    "volleyball_pong_v3": stick("Run", "Serve, jump", ways=_FLAT),
    "warlords_v3": stick("Shield", "Catch the ball; let go to throw it", ways=_FLAT),
    "wizard_of_wor_v3": stick("Walk", "Shoot"),
}

UPRIGHT_PADDLE = stick("Paddle", _PADDLE_BUTTON, ways=_UPRIGHT)
"""Of a seat whose paddle stands upright while the others' lie flat."""
