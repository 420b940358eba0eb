"""Who decides for a seat: the Controller contract, the Turn it sees, and the words that name one.

A match drives each seat the same way, whoever sits there::

    controller.reset(seat, seed=7)
    controller.observe(turn)              # starts it thinking; never blocks
    action = controller.act()             # its answer to the newest turn, or None while it has none
    controller.close()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.errors import UserError
from agents.seats.insight import Insight

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSpec:
    """What a controller must know of its place before the first turn."""

    game: str  # catalogue id, as in "house/volley"
    agent: AgentID
    observation_space: Any  # gymnasium space; with a mask inside the observation, the part beside the mask
    action_space: Any  # gymnasium space
    fps: float = 60.0  # ticks a second at normal speed


@dataclass(slots=True)
class Turn:
    """One decision that is due: what the seat may know when it decides."""

    agent: AgentID
    tick: int  # 0 at reset, counted up by one a Tick
    observation: Any  # the env's own, without the mask
    action_mask: ActionMask | None = None  # None: every action is legal
    reward: float = 0.0  # sum of the seat's rewards since its last turn


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
    """The kind of its seat word, a key of SEAT_KINDS."""

    person: str = ""
    """The name of the person who decides, where that one agreed to have it in recordings; else ""."""

    rated: bool = True
    """False where its play says nothing of its strength today: the match then stays off the ladder."""

    patience: float = 0.0
    """Seconds within which it answers or fails by itself, for those who cannot wait for ever; 0: it does not say."""

    @property
    def is_human(self) -> bool:
        """Whether a person decides."""
        return self.kind in HUMAN_KINDS

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
        """How this seat was played, as plain data for the match's result: its device, delays, limits; {} by default."""
        return {}

    def mind(self) -> Insight | None:
        """What it thought when it last answered; None where it does not say.  Asked once a frame at most."""
        return None

    def close(self) -> None:  # noqa: B027
        """Free what the controller holds."""


class ControllerError(UserError):
    """A controller that cannot decide: its function raised, its answer is illegal, its seat does not fit."""


class SeatError(UserError, ValueError):
    """A seat word that names no controller; the message lists what would have been right."""


SEAT_KINDS: Mapping[str, str] = {
    "keyboard": "keyboard[:wasd|arrows|ijkl|N]",
    "gamepad": "gamepad[:N]",
    "random": "random",
    "idle": "idle",
    "scripted": "scripted",
    "snapshot": "snapshot:NAME|latest|best|PATH",
    "level": "level:easy|normal|hard|expert|even",
    "pool": "pool",
    "remote": "remote:ENDPOINT[/POLICY]",
    "python": "python:module:function",
    "uci": "uci:PROGRAM",
    "gtp": "gtp:PROGRAM",
    "replay": "replay:FILE",
}
KEYBOARD_HALVES = ("wasd", "arrows", "ijkl")
LEVELS = ("easy", "normal", "hard", "expert")
"""Named strengths of a machine's seat, the weakest first; see `agents.seats.levels`."""
EVEN = "even"
"""The level of about the strength of those who sit opposite; see `agents.seats.even`."""
SEAT_OPTIONS = ("reaction_ms", "actions_per_second", "noise")
"""Human limits that an AI seat can be given behind its word."""
ENGINE_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "uci": ("skill", "elo", "movetime_ms", "nodes", "depth"),
    "gtp": ("level", "komi"),
}
"""Settings of its own that an engine's seat can be given behind its word, an `EngineSettings`."""
_TAKES_OPTIONS = {"random", "scripted", "snapshot", "pool", "remote", "python", "level", "uci", "gtp"}
_BARE = {"random", "idle", "scripted", "pool"}
_NEEDS_ARGUMENT = {"snapshot", "remote", "python", "replay", "uci", "gtp"}


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
        return self.kind in HUMAN_KINDS

    @property
    def is_even(self) -> bool:
        """Whether it is somebody still to be found, of about the strength of those who sit opposite."""
        return self.kind == "level" and self.argument == EVEN

    @property
    def takes_limits(self) -> bool:
        """Whether human limits may stand behind it."""
        return self.kind in _TAKES_OPTIONS

    @property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """The options that hold it to something."""
        return tuple(option for option in self.options if option[0] in SEAT_OPTIONS)

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options that say who it is: those of an engine."""
        return tuple(option for option in self.options if option[0] not in SEAT_OPTIONS)


def parse_seat(word: str) -> SeatChoice:
    """Read a seat word such as ``snapshot:latest``; raises SeatError with the right forms."""
    choice, _, behind = word.strip().partition("?")
    kind, _, argument = choice.partition(":")
    if kind not in SEAT_KINDS:
        raise SeatError(f"expected a seat like {', '.join(SEAT_KINDS.values())}, got: {word!r}")
    form = SEAT_KINDS[kind]
    if kind in _BARE and argument:
        raise SeatError(f"expected {form} with nothing behind it, got: {word!r}")
    if kind in _NEEDS_ARGUMENT and not argument:
        raise SeatError(f"expected {form}, got: {word!r}")
    if kind == "keyboard" and argument not in ("", *KEYBOARD_HALVES) and not (argument.isdecimal() and int(argument)):
        raise SeatError(f"expected {form} with N = 1, 2, …, got: {word!r}")
    if kind == "gamepad" and argument and not argument.isdecimal():
        raise SeatError(f"expected {form} with N = 0, 1, …, got: {word!r}")
    if kind == "level" and argument not in (*LEVELS, EVEN):
        raise SeatError(f"expected {form}, got: {word!r}")
    if kind == "remote" and "://" not in argument:
        raise SeatError(f"expected {form} with an endpoint like tcp://127.0.0.1:5555, got: {word!r}")
    if kind == "python" and argument.count(":") != 1:
        raise SeatError(f"expected {form}, got: {word!r}")
    if behind and kind not in _TAKES_OPTIONS:
        raise SeatError(f"expected {form} with no options behind it, got: {word!r}")
    return SeatChoice(kind, argument, _parse_options(word, kind, behind))


def _parse_options(word: str, kind: str, behind: str) -> tuple[tuple[str, str], ...]:
    pairs = [part.partition("=") for part in behind.split("&")] if behind else []
    for name, equals, value in pairs:
        known = (*ENGINE_SETTINGS.get(kind, ()), *SEAT_OPTIONS)
        if name not in known or not equals or not value:
            forms = "&".join(f"{one}=NUMBER" for one in known)
            raise SeatError(f"expected options like ?{forms}, got: {word!r}")
    return tuple((name, value) for name, _, value in pairs)


def parse_lineup(words: Iterable[str], agents: Sequence[AgentID], *, default: SeatChoice) -> dict[AgentID, SeatChoice]:
    """Read ``AGENT=CONTROLLER`` words, ``*=`` for every seat not named; `default` fills what is left.

    Raises SeatError for an unknown agent (listing the game's agents), a missing ``=`` or a seat named twice.
    """
    named: dict[AgentID, SeatChoice] = {}
    rest = default
    by_text = {str(agent): agent for agent in agents}
    for word in words:
        agent, equals, seat = word.partition("=")
        if not equals:
            raise SeatError(f"expected AGENT=CONTROLLER with AGENT one of {', '.join(by_text)} or *, got: {word!r}")
        choice = parse_seat(seat)
        if agent == "*":
            rest = choice
        elif agent not in by_text:
            raise SeatError(f"expected an agent of {', '.join(by_text)} or *, got: {agent!r} in {word!r}")
        elif by_text[agent] in named:
            raise SeatError(f"expected each seat once, got a second word for {agent!r}: {word!r}")
        else:
            named[by_text[agent]] = choice
    return {agent: named.get(agent, rest) for agent in agents}
