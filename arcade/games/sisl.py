"""PettingZoo's SISL family: https://pettingzoo.farama.org/environments/sisl/"""

from __future__ import annotations

from arcade.games.controls import ControlRow, SeatControls, stick
from arcade.games.naming import NOOP
from arcade.games.scores import Entry, Score
from arcade.games.spec import GameSpec, pettingzoo_game

_WALKERS = tuple(f"walker_{i}" for i in range(3))
_READ = "arcade.games.scores.readings"
_PURSUERS = tuple(f"pursuer_{i}" for i in range(8))

# A leg follows its stick: right swings it forward, down stretches the knee.  The first pair of joints is the light leg.
_LEGS = SeatControls(
    rows=tuple(
        ControlRow(words=f"{leg} leg {move}", controls=controls, action=action, group=f"{leg} leg")
        for leg, move, controls, action in (
            ("Light", "forward", ("right", "x+"), "0+"), ("Light", "back", ("left", "x-"), "0-"),
            ("Light", "stretched", ("down", "y+"), "1+"), ("Light", "bent", ("up", "y-"), "1-"),
            ("Dark", "forward", ("y", "rx+"), "2+"), ("Dark", "back", ("x", "rx-"), "2-"),
            ("Dark", "stretched", ("a", "ry+"), "3+"), ("Dark", "bent", ("b", "ry-"), "3-"),
        )
    ),
    style="sticks",
)  # fmt: skip


def sisl_games() -> tuple[GameSpec, ...]:
    """Return the two SISL games, both cooperative."""
    return (
        pettingzoo_game(
            "sisl/multiwalker_v9", "Multiwalker",
            "Walk on two legs and carry a package with the others without dropping it.",
            _WALKERS, ("Left walker", "Middle walker", "Right walker"),
            figures="arcade.games.figures.sisl:locate_walkers",
            seat_colours=dict.fromkeys(_WALKERS, (127, 51, 229)), teams=(_WALKERS,), fps=50,
            requires=("pettingzoo", "pygame", "Box2D"), controls={"*": _LEGS},
            score=Score(source=Entry(f"{_READ}:package_way"), one="{} metre", many="{} metres", digits=1),
            scripted="arcade.games.players.multiwalker:Player", has_levels=True),
        pettingzoo_game(
            "sisl/pursuit_v5", "Pursuit",
            "Surround the fleeing blue dots from all sides, together with the other hunters.",
            _PURSUERS, tuple(f"Hunter {number}" for number in range(1, 9)),
            ("red dot; F1 marks it",) * len(_PURSUERS),
            figures="arcade.games.figures.sisl:locate_pursuers",
            seat_colours=dict.fromkeys(_PURSUERS, (255, 0, 0)), teams=(_PURSUERS,), fps=5,
            requires=("pettingzoo", "pygame", "scipy"),
            # The order of DiscreteAgent.motion_range, named as its own manual policy names it.
            action_names=("left", "right", "down", "up", NOOP), controls={"*": stick("Move")},
            score=Score(source=Entry(f"{_READ}:evaders_caught"), one="{} evader caught", many="{} evaders caught"),
            scripted="arcade.games.players.pursuit:Player", has_levels=True),
    )  # fmt: skip
