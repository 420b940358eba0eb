"""Cursor: selects a legal action of a turn-based game, by direction keys or places on its board."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from agents.seats.controller import Action, ActionMask, AgentID, SeatSpec
from arcade.controls.boards import Board, ChessBoard, ColumnsBoard, PassBoard, Path, Place, RowBoard, SlotsBoard
from arcade.games.texts import translated
from arcade.language import _


@dataclass(frozen=True, slots=True)
class Option:
    """One legal action."""

    action: Action
    label: str
    path: Path  # the presses that play it


def _limit_poker() -> Board:
    """Fold, check or call, raise, of RLCard's actions call, raise, fold, check."""
    return SlotsBoard((2,), (0, 3), (1,), start=1)


_BOARDS: Mapping[str, Callable[[int, AgentID], Board]] = {
    "classic/chess_v6": lambda count, seat: ChessBoard(black=seat == "player_1"),
    "classic/connect_four_v3": lambda count, seat: ColumnsBoard(count, 6),
    "classic/go_9x9_v5": lambda count, seat: PassBoard(math.isqrt(count - 1)),
    "classic/go_v5": lambda count, seat: PassBoard(math.isqrt(count - 1)),
    "classic/hanabi_v5": lambda count, seat: Board(5, count // 5) if count % 5 == 0 else RowBoard(count),
    "classic/leduc_holdem_v4": lambda count, seat: _limit_poker(),
    "classic/texas_holdem_no_limit_v6": lambda count, seat: SlotsBoard(*((i,) for i in range(count)), start=1),
    "classic/texas_holdem_v4": lambda count, seat: _limit_poker(),
    "classic/tictactoe_v3": lambda count, seat: Board(3, 3, by_column=True),
}
_STEPS: Mapping[str, Place] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Cursor:
    """The legal actions of one turn, the cursor's place and the presses so far.

    A press on a lit place continues towards an action; others are refused.
    """

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        self._names = names
        self._count, self._first = 0, 0  # the number of actions, and the first of them
        self.board: Board = RowBoard(0)
        self.options: tuple[Option, ...] = ()
        self.at: Place = (0, 0)
        self.path: Path = ()  # the presses so far
        self.lit: frozenset[Place] = frozenset()  # places where the next press is legal
        self.turned = False  # the board is shown from its other side, and directions are mirrored

    def reset(self, seat: SeatSpec) -> None:
        """Start an episode of a seat with a Discrete space."""
        self._count, self._first = int(seat.action_space.n), int(getattr(seat.action_space, "start", 0))
        make = _BOARDS.get(seat.game)
        self.board = make(self._count, seat.agent) if make else RowBoard(self._count)
        self.options, self.at = (), self.board.start
        self._press_on(())

    def show(self, mask: ActionMask | None) -> None:
        """Offer the actions that `mask` allows, and keep the cursor near its last place."""
        legal = list(range(self._count)) if mask is None else [int(i) for i in np.flatnonzero(mask)]
        self.options = tuple(
            Option(self._first + index, self._label(index, path), path)
            for index, path in zip(legal, self.board.paths(legal), strict=True)
        )
        self._press_on(())
        self.at = self.board.settle(self.at, self.lit)

    @property
    def index(self) -> int | None:
        """The first of `options` after a press here; None where the press is refused."""
        ahead = (*self.path, self.board.spot(self.at))
        return next((i for i, option in enumerate(self.options) if option.path[: len(ahead)] == ahead), None)

    @property
    def asking(self) -> bool:
        """Whether only an answer beside the board is missing: a promotion."""
        return len(self.path) == self.board.presses

    def point(self, index: int) -> None:
        """Point at ``options[index]`` with all but its last press made; raises IndexError beyond them."""
        if not 0 <= index < len(self.options):
            raise IndexError(f"expected 0 <= index < {len(self.options)}, got: {index}")
        *before, self.at = self.options[index].path
        self._press_on(tuple(before))

    def move(self, control: str) -> None:
        """Go one step in a direction; other controls do nothing."""
        step = _STEPS.get(control)
        if step is None or not self.options:
            return
        if self.asking:
            answers = sorted(self.lit)
            self.at = answers[(answers.index(self.at) + step[0] + step[1]) % len(answers)]
        else:
            sign = -1 if self.turned else 1
            self.at = self.board.step(self.at, (sign * step[0], sign * step[1]), self.lit)

    def press(self, place: Place) -> Option | bool:
        """Press `place`; return the completed action, else whether the press was legal."""
        spot = self.board.spot(place)
        if spot not in self.lit:
            return self._press_dark(spot)
        self.at = place
        self._press_on((*self.path, spot))
        done = next((option for option in self.options if option.path == self.path), None)
        if done is None and self.asking:
            self.at = min(self.lit)
        return done or True

    def cancel(self) -> None:
        """Take the newest press back; without one, move to a place beside the board."""
        if self.asking:
            self.at = self.path[-1]
        elif not self.path:
            self.at = self.board.aside(self.at)
        self._press_on(self.path[:-1])

    def _press_dark(self, spot: Place) -> bool:
        """Press an unlit place: drop the held piece, or pick up another one."""
        if self.path and (self.asking or spot == self.path[-1]):
            self.cancel()
            return True
        if any(option.path[0] == spot for option in self.options):
            self.at = spot
            self._press_on((spot,))
            return True
        return False

    def _press_on(self, path: Path) -> None:
        self.path = path
        ahead = [option.path for option in self.options if option.path[: len(path)] == path]
        self.lit = frozenset(longer[len(path)] for longer in ahead if len(longer) > len(path))

    def _label(self, index: int, path: Path) -> str:
        if index < len(self._names):
            return translated(self._names[index])
        return self.board.label(path) or _("action {number}").format(number=index)
