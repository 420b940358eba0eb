"""SGF: recorded go matches as text for go programs (FF[4], https://www.red-bean.com/sgf/)."""

from __future__ import annotations

from string import ascii_letters
from typing import Any, ClassVar

from agents.engines.komi import komi_of
from agents.errors import UserError
from arcade.match.playback.replay import Replay
from arcade.recordings.card import RecordingCard
from arcade.recordings.export.matches import MatchWriter, result_of

SIZE = 19
"""The default of PettingZoo's go."""

_REASONS = {"resigned": "R", "out_of_time": "T", "forfeit": "F"}


class SgfWriter(MatchWriter):
    """A collection of game trees, a line each."""

    games: ClassVar = ("classic/go_v5", "classic/go_9x9_v5")
    suffix: ClassVar = ".sgf"

    @staticmethod
    def text(replay: Replay, card: RecordingCard) -> str:
        agents, kwargs = replay.spec().agents, replay.head["kwargs"]
        size = int(kwargs.get("board_size", SIZE))
        black, white = (_escaped(replay.lineup.get(str(agent), "?")) for agent in agents)
        moves = [
            f";{'BW'[agents.index(agent)]}[{point_of(action, size)}]"
            for actions in replay.actions
            for agent, action in actions.items()
        ]
        head = (
            f"GM[1]FF[4]CA[UTF-8]AP[PettingZoo Arcade]SZ[{size}]KM[{float(kwargs.get('komi', komi_of(size))):g}]"
            f"PB[{black}]PW[{white}]DT[{card.created:%Y-%m-%d}]RE[{_result(replay, agents)}]"
        )
        return f"(;{head}{''.join(moves)})\n"


def point_of(action: Any, size: int) -> str:
    """Return the point of an action of PettingZoo's go, column and row from the upper left; "" for a pass."""
    if not isinstance(action, int) or not 0 <= action <= size * size:
        raise UserError(f"expected a point of a board of {size} by {size}, got the action {action!r:.40}")
    row, column = divmod(action, size)
    return "" if row == size else ascii_letters[column] + ascii_letters[row]


def _result(replay: Replay, agents: Any) -> str:
    points = result_of(replay, agents)
    if points is None:
        return "Void"
    if points[0] == points[1]:
        return "0"
    reason = _REASONS.get((replay.result or {})["ended"], "")
    return f"{'B' if points[0] > points[1] else 'W'}+{reason}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
