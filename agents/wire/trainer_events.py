"""Events of a trainer: one model per event, for the trainer that publishes them and the clients that read them.

The peer of a socket is not trusted, so every size, number and character is bounded here.  Unknown fields are ignored,
and fields that an older trainer does not send have defaults.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Unpack, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from agents import plain_text
from agents.wire.messages import ProtocolError

LARGEST = 1e15  # of the absolute value of a number
LONGEST = 80  # characters of a name
MOST_MEMBERS, MOST_POLICIES, MOST_SEATS = 4096, 16, 256


def line(text: object, *, most: int = LONGEST) -> str:
    """The first `most` printable characters of `text`; "" for anything that is no text."""
    return plain_text.line(text, most=most)


def number(value: object) -> float | None:
    """A finite number of a size that can be drawn, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        return None
    return float(value)


def whole(value: object) -> int | None:
    """A whole number from 0 on, None for anything else."""
    found = number(value)
    return int(found) if found is not None and found >= 0 and found == math.floor(found) else None


Line = Annotated[str, Field(strict=True), AfterValidator(line)]
Name = Annotated[str, Field(strict=True), AfterValidator(line), Field(min_length=1)]
Count = Annotated[int, Field(strict=True, ge=0, le=int(LARGEST))]
Figure = Annotated[float, Field(strict=True, ge=-LARGEST, le=LARGEST)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Flag = Annotated[bool, Field(strict=True)]
Weighting = Literal["uniform", "variance", "hard", "nash", "alpha_rank"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)


class Matchmaking(BaseModel):
    """How opponents are drawn; None: unknown."""

    play_against_latest_model_ratio: Share | None = None
    newest_ratio: Share | None = None
    fixed_ratio: Share | None = None
    weighting: Weighting | None = None

    @property
    def ratios(self) -> tuple[tuple[str, float], ...]:
        """The known shares by name."""
        return tuple((name, value) for name, value in self if isinstance(value, float))


class TrainerEvent(BaseModel):
    """The fields of all events, which are published under their `topic`."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)
    NAME: ClassVar[str]

    def __init_subclass__(cls, *, topic: str, **config: Unpack[ConfigDict]) -> None:
        super().__init_subclass__(**config)
        cls.NAME = topic

    run: Line = ""
    game: Line = ""
    step: Count = 0
    """Env steps of the run."""

    def as_data(self) -> dict[str, Any]:
        """The fields that were given, as they are sent."""
        return self.model_dump(exclude_unset=True)


class TrainerStatus(TrainerEvent, topic="status"):
    """The trainer's state, published as it changes and sent as the answer to every request."""

    state: Line = ""
    """starting, running, paused or stopped."""
    asked: Line = ""
    """The state after the current iteration; only in answers to requests."""
    algorithm: Line = ""
    iteration: Count = 0
    snapshots: Count = 0
    """Made by this run."""
    seconds_left: Count | None = None
    """Until the run's time is over; None for a run without a limit."""
    policies: Annotated[tuple[Line, ...], Field(max_length=MOST_POLICIES)] = ()
    matchmaking: Matchmaking = Matchmaking()
    events: Line = ""
    """Endpoint of the socket that publishes."""

    def merged(self, newer: TrainerStatus) -> TrainerStatus:
        """A copy with the fields that `newer` gives."""
        return self.model_copy(update={name: getattr(newer, name) for name in newer.model_fields_set})


class Metrics(TrainerEvent, topic="metrics"):
    """The figures of an iteration: fields of any names."""

    model_config = ConfigDict(extra="allow")
    step: Count
    iteration: Count = 0
    win_rate: Share | None = None


class PoolMember(BaseModel):
    """One opponent of a policy's pool; None: not known."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    name: Name
    kind: Line = ""
    policy: Line = ""
    """The policy that it was frozen from."""
    games: Count = 0
    win_rate: Share | None = None
    """Of the learning policy against it, with its 95% interval from `low` to `high`."""
    low: Share | None = None
    high: Share | None = None
    rating: Figure | None = None
    """On the ladder, with deviation `sigma`."""
    sigma: Figure | None = None
    weight: Figure | None = None
    """Share of the policy's episodes against it."""
    frozen_at: Count | None = None
    """Env step."""
    dropped: Annotated[str, Field(strict=True)] = ""
    """The reason it was removed; "" for one that plays."""


class PoolTable(TrainerEvent, topic="pool"):
    """Policy to the newest members of its pool, oldest first."""

    policies: Annotated[
        dict[Name, Annotated[tuple[PoolMember, ...], Field(max_length=MOST_MEMBERS)]], Field(max_length=MOST_POLICIES)
    ]


class WinRates(TrainerEvent, topic="win_rates"):
    """Win rate against the pool since the last freeze, and against its newest members by name."""

    win_rate: Share | None = None
    rates: dict[Line, Share] = {}


class SnapshotFrozen(TrainerEvent, topic="snapshot_frozen"):
    """A snapshot is in the store."""

    name: Name
    policy: Line = ""
    began: float = 0.0
    """Start of the freezing, in seconds since 1970."""


class WatchPiece(TrainerEvent, topic="watch"):
    """Consecutive ticks of a training game, which can be replayed from them and its seed."""

    episode: Count
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**32)]
    first: Flag = False
    at: Count | None = None
    """Ticks of the episode before this piece."""
    ticks: list[dict[str, Any]]
    """Agent to its action, an item a tick."""
    over: Flag = False
    lineup: Annotated[dict[Line, Line], Field(max_length=MOST_SEATS)] = {}
    """Agent to the name of its player."""


EVENTS: Mapping[str, type[TrainerEvent]] = {
    event.NAME: event for event in (TrainerStatus, Metrics, PoolTable, WinRates, SnapshotFrozen, WatchPiece)
}


def read_event(name: str, data: Mapping[str, Any]) -> TrainerEvent | None:
    """The event of that name, None for an unknown name; raises ProtocolError for invalid fields."""
    kind = EVENTS.get(name)
    try:
        return None if kind is None else kind.model_validate(data)
    except (ValidationError, RecursionError) as error:
        raise ProtocolError("malformed", f"expected an event {name}, got: {str(error)[:200]}") from error


def read_status(data: Mapping[str, Any]) -> TrainerStatus:
    """The answer to a request; raises ProtocolError for invalid fields."""
    status = read_event(TrainerStatus.NAME, data)
    assert isinstance(status, TrainerStatus)
    return status
