"""The Controller contract of one live seat, the Turn that it sees, and SeatChoice, parsed from a seat word.

A match drives seats of every kind in the same way::

    controller.reset(seat, seed=7)
    controller.observe(turn)              # starts it thinking; never blocks
    action = controller.act()             # its answer to the newest turn, or None while it has none
    controller.close()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from agents.errors import ErrorCode, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AgentID = str | int
"""PettingZoo's name of a player; a seat is the place of one agent id."""

Action = Any
"""An element of the seat's action space: int for Discrete, ndarray for Box, MultiDiscrete, MultiBinary."""

if TYPE_CHECKING:
    ActionMask = NDArray[np.int8]
else:  # numpy takes longer to import than the title screen to draw
    ActionMask = Any
"""int8, (number of actions,), 1 where the action is legal."""


HUMAN_KINDS = ("keyboard", "gamepad")
"""Kinds of seats that people play."""
KEYBOARD_HALVES = ("wasd", "arrows", "ijkl")
LEVELS = ("easy", "normal", "hard", "expert")
"""Difficulty levels, the weakest first; see `agents.seats.limits`."""
EVEN = "even"
"""The level with the closest predicted win probability; see `agents.seats.even`."""
SEAT_OPTIONS = ("reaction_ms", "actions_per_second", "noise")
"""Human limits that an AI seat can be given behind its word."""


MOVES = "moves"
"""The observations of a player that searches, in board games alone: the actions so far, int64 (n,), behind the
`packed_start` of a match that does not begin with the game's own position."""


def packed_start(text: str) -> list[int]:
    """Return a start position as numbers below 0, which no action is.

    >>> packed_start("8/8"), split_start([-56, -47, -56, 3, 4])
    ([-56, -47, -56], ('8/8', [3, 4]))
    """
    return [-ord(letter) for letter in text]


def split_start(moves: Sequence[int]) -> tuple[str, list[int]]:
    """Return the start position, "" for the game's own, and the actions."""
    return "".join(chr(-move) for move in moves if move < 0), [move for move in moves if move >= 0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSpec:
    """The seat that a controller is reset for."""

    game: str  # catalogue id, as in "house/volley"
    agent: AgentID
    observation_space: Any  # gymnasium space; with a mask inside the observation, the part beside the mask
    action_space: Any  # gymnasium space
    fps: float = 60.0  # ticks a second at normal speed
    other_spaces: Mapping[str, Any] = field(default_factory=dict)  # of observations of other types, see `space_for`
    frame_skip: int = 1  # ticks from one turn to the next, by a rule of the match
    sticks: bool = False  # a rule of the match repeats actions by chance

    def space_for(self, obs_type: str) -> Any:
        """The observation space of a policy of that `obs_type`; None where the game does not show such observations."""
        return self.other_spaces.get(obs_type, None if obs_type else self.observation_space)


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The thinking time of two sides of a board game, in seconds."""

    own: float  # left
    other: float
    increment: float  # for each move


@dataclass(slots=True)
class Turn:
    """One decision that is due, with the information that the seat has."""

    agent: AgentID
    tick: int  # 0 at reset, counted up by one a Tick
    observation: Any  # the env's own, without the mask
    action_mask: ActionMask | None = None  # None: every action is legal
    reward: float = 0.0  # sum of the seat's rewards since its last turn
    clock: TurnClock | None = None  # of a match whose sides have clocks
    others: Mapping[str, Any] = field(default_factory=dict)  # of its controller's `other_types`, by type


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """The action probabilities and the value of one decision, as far as its policy gives them.

    A Discrete space is one part.  A MultiDiscrete one has a part an entry, one behind the other in `shares`; a
    MultiBinary one has parts of length 1, each the chance that the entry is on.  A Box has none.
    """

    shares: Sequence[float] = ()  # probability of each action, in the order of the space
    parts: tuple[int, ...] = ()  # lengths that add up to that of `shares`
    value: float | None = None  # the return that it expects from here on
    visits: int = 0  # positions that a search looked at; `shares` are then its visits
    line: tuple[int, ...] = ()  # the moves that a search expects, its own first


class Controller(ABC):
    """Decides for one seat, one episode after another.

    Calls come in this order: ``reset`` before each episode, then ``observe`` and ``act`` in turns, ``finish``
    when the seat's episode is over, and ``close`` at the end (twice does no harm).  None of them may block.
    ``act`` may be asked again for the same turn while it returns None, and once it has answered may repeat
    itself.
    """

    label: str = "controller"
    """A short name for people: in the lineup, the HUD and the results."""

    kind: str = "python"
    """The kind of its seat word, see `agents.seats.kinds`."""

    person: str = ""
    """The player's name, where that person agreed to have it in recordings; else ""."""

    rated: bool = True
    """False for play that must not count for its rating: the match then stays off the ladder."""

    patience: float = 0.0
    """Seconds within which it answers or fails; 0 for unknown."""

    obs_type: str = ""
    """The observations of its turns: MOVES, one of `GameSpec.obs_types`, "" for the env's own.  Those of another type
    are None in a turn that was under way when the controller took the seat, but for MOVES."""

    other_types: Set[str] = frozenset()
    """Further types that its turns have in `others`, where it may come to decide from them; known from `reset` on."""

    @property
    def is_human(self) -> bool:
        """Whether a person decides."""
        return self.kind in HUMAN_KINDS

    @property
    def silent(self) -> bool:
        """Whether it decides elsewhere, and has not answered for long."""
        return False

    def why_absent(self) -> str:
        """Why a match that ends now is lost for the seat, which decides elsewhere: nothing answers there; else ""."""
        return ""

    def reset(self, seat: SeatSpec, *, seed: int) -> None:  # noqa: B027
        """An episode begins on `seat`; all randomness of this episode follows from `seed`."""

    @abstractmethod
    def observe(self, turn: Turn) -> None:
        """A decision is due; start working on it."""

    @abstractmethod
    def act(self) -> Action | None:
        """The answer to the newest turn, or None while there is none."""

    def stale(self) -> Action | None:
        """When `act` is late: the newest answer to an earlier turn that has not been played, or None."""
        return None

    def finish(self, reward: float, *, terminated: bool) -> None:  # noqa: B027
        """The seat's episode is over; `reward` came since its last turn; truncated where not `terminated`."""

    def report(self) -> dict[str, Any]:
        """Plain data on this seat for the match's result, such as device, delays and limits; {} by default."""
        return {}

    def insight(self) -> Insight | None:
        """The insight into its newest answer, None for none; called once a frame at most."""
        return None

    def outlook(self) -> float | None:
        """The return that it expected at its newest answer; None without an estimate."""
        insight = self.insight()
        return None if insight is None else insight.value

    def close(self) -> None:  # noqa: B027
        """Free all resources."""


FailureCause = Literal["", "no server", "no access", "no policy", "refused", "silent", "absent", "wrong", "cut"]
"""What a policy server did: none answered, keys do not match, it has no such policy or none for the game, it refused
the seat for another reason, it was silent, or at the end of the match, its answers were wrong, it sent too much; "" for
any other cause."""


class ControllerError(UserError):
    """A controller that cannot decide: its function raised, its answer is illegal, its seat does not fit."""

    def __init__(self, *args: object, code: ErrorCode = "invalid", cause: FailureCause = "") -> None:
        super().__init__(*args, code=code)
        self.cause = cause


class SeatError(UserError, ValueError):
    """A seat word that names no controller; the message lists the valid forms."""


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A parsed seat word: the kind of controller and, behind the first colon, which one."""

    kind: str
    argument: str = ""
    options: tuple[tuple[str, str], ...] = ()  # behind a question mark, as in snapshot:latest?reaction_ms=200&noise=0.1

    def __str__(self) -> str:
        word = f"{self.kind}:{self.argument}" if self.argument else self.kind
        return word + ("?" + "&".join(f"{name}={value}" for name, value in self.options) if self.options else "")

    @property
    def is_human(self) -> bool:
        """Whether a person decides."""
        return self.kind in HUMAN_KINDS

    @property
    def is_even(self) -> bool:
        """Whether it is still to be resolved to a concrete opponent."""
        return self.kind == "level" and self.argument == EVEN

    @property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """The options that are human limits."""
        return tuple(option for option in self.options if option[0] in SEAT_OPTIONS)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options that make it another player: those of an engine."""
        return tuple(option for option in self.options if option[0] not in SEAT_OPTIONS)
