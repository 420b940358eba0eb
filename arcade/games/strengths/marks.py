"""What experts should reach against random moves, by the kind of game, and against known opponents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from arcade.games.strengths.shipped import Figure, Reference, Strength


@dataclass(frozen=True, slots=True)
class Mark:
    """A least figure."""

    of: Literal["value", "low", "unbeaten"]  # "low": the lower end of the interval should be above, "for sure"
    least: float

    @property
    def text(self) -> str:
        """What is asked, in words."""
        return _WORDS[self.of].format(self.least)

    def is_reached(self, figure: Figure) -> bool:
        """Whether a measured figure is good enough."""
        found = getattr(figure, self.of)
        return bool(found > self.least if self.of == "low" else found >= self.least)


_WORDS = {"value": "at least {:g}", "low": "above {:g} for sure", "unbeaten": "at least {:g} won or drawn"}


@dataclass(frozen=True, slots=True)
class Kind:
    """Games of which the same is asked."""

    name: str
    measure: str  # of the mark, as in `ExpertVsRandom.measure`
    mark: Mark
    games: tuple[str, ...]


KINDS = (
    Kind("1 v 1 without chance", "win rate", Mark("value", 0.95), (
        "atari/basketball_pong_v3", "atari/boxing_v2", "atari/combat_plane_v2", "atari/combat_tank_v2",
        "atari/double_dunk_v3", "atari/foozpong_v3", "atari/ice_hockey_v2", "atari/othello_v3", "atari/pong_v3",
        "atari/quadrapong_v4", "atari/space_war_v2", "atari/surround_v2", "atari/tennis_v3", "atari/video_checkers_v4",
        "atari/volleyball_pong_v3", "classic/chess_v6", "classic/connect_four_v3", "classic/go_9x9_v5", "classic/go_v5",
        "classic/tictactoe_v3", "house/volley", "house/volley_2v2",
    )),
    Kind("1 v 1 with chance", "win rate", Mark("low", 0.5), (
        "atari/entombed_competitive_v3", "atari/flag_capture_v2", "atari/joust_v3", "atari/mario_bros_v3",
        "atari/maze_craze_v3", "atari/space_invaders_v2", "atari/wizard_of_wor_v3",
    )),
    Kind("1 v 1 of unlike roles", "return gained", Mark("low", 0.0), (
        "mpe/simple_adversary_v3", "mpe/simple_crypto_v3", "mpe/simple_push_v3", "mpe/simple_tag_v3",
        "mpe/simple_world_comm_v3",
    )),
    Kind("cards", "win rate", Mark("value", 0.8), (
        "classic/leduc_holdem_v4", "classic/rps_v2", "classic/texas_holdem_no_limit_v6", "classic/texas_holdem_v4",
    )),
    Kind("free-for-all of four", "win rate", Mark("low", 0.25), ("atari/warlords_v3",)),
    Kind("cooperative", "normalised score", Mark("value", 0.5), (
        "atari/entombed_cooperative_v3", "butterfly/cooperative_pong_v6", "butterfly/knights_archers_zombies_v11",
        "butterfly/pistonball_v6", "classic/hanabi_v5", "mpe/collect_treasure_v1", "mpe/simple_formation_v1",
        "mpe/simple_line_v1", "mpe/simple_reference_v3", "mpe/simple_speaker_listener_v4", "mpe/simple_spread_v3",
        "mpe/simple_v3", "sisl/multiwalker_v9", "sisl/pursuit_v5",
    )),
)  # fmt: skip
"""In 1 v 1 games with chance, where the game itself draws what both play in, better than random moves for sure."""

KIND_OF: Mapping[str, Kind] = {game: kind for kind in KINDS for game in kind.games}
"""By game of the catalogue."""


_BEATS = Mark("low", 0.5)
REFERENCE_MARKS: Mapping[str, Mapping[str, Mark]] = {
    "atari/boxing_v2": {"follower of the other boxer": _BEATS},
    "atari/pong_v3": {"follower of the ball": _BEATS},
    "atari/quadrapong_v4": {"follower of the ball": _BEATS},
    "atari/tennis_v3": {"follower of the ball": _BEATS},
    "atari/warlords_v3": {"follower of the ball": Mark("low", 0.25)},
    "classic/chess_v6": {"Stockfish at skill 0 with 100 ms a move": Mark("value", 0.5)},
    "classic/connect_four_v3": {
        "alpha-beta search of six moves": Mark("value", 0.9),
        "alpha-beta search of eight moves that plays second": Mark("unbeaten", 1.0),
    },
    "classic/go_9x9_v5": {"GNU Go at level 1": Mark("value", 0.5)},
}
"""By game and known opponent, see `Reference.name`; nothing is asked against others."""


def is_reached(game: str, found: Strength) -> bool | None:
    """Whether the expert reaches the mark of the game's kind; None where the figure to judge it by is missing."""
    kind, figure = KIND_OF.get(game), found.expert_vs_random
    return kind.mark.is_reached(figure) if kind is not None and kind.measure == figure.measure else None


def as_data(game: str, found: Strength) -> dict[str, Any]:
    """Return the figures of a game as plain data, with its kind and whether its mark is reached."""
    kind = KIND_OF.get(game)
    mark = None if kind is None else asdict(kind.mark) | {"measure": kind.measure, "reached": is_reached(game, found)}
    return {
        "kind": "" if kind is None else kind.name,
        **asdict(found),
        "expert_vs_random": asdict(found.expert_vs_random) | {"mark": mark},
        "reference": [asdict(one) | {"mark": _reference_mark(game, one)} for one in found.reference],
    }


def _reference_mark(game: str, one: Reference) -> dict[str, Any] | None:
    mark = REFERENCE_MARKS.get(game, {}).get(one.name)
    return None if mark is None else asdict(mark) | {"reached": mark.is_reached(one)}
