"""RecordingCard: the summary of a recorded match and people's notes on it; totals of cards by person and game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.ladder.ratings.rows import DECIDED
from agents.seats.controller import HUMAN_KINDS
from arcade.match.play.result import Ending

FORMAT = 1
"""Version of a card; a reader refuses a higher one."""

MAX_CARD_BYTES = 256 * 2**10
MAX_POINTS = 500
MAX_TEXT = 200
"""Most characters of a label or any other text of a file."""

MAX_DECIDERS = 50
MAX_TAGS = 20
RESERVED = ("latest",)
NOTES = ("name", "tags", "rating", "kept", "span", "parent")
"""The fields that people fill in; the others come from the replay."""

Outcome = Literal["", "win", "loss", "draw"]

_FORBIDDEN = frozenset('/\\:*?"<>|,')


def check_name(name: str) -> str:
    """Return a valid name of a recording, also usable as a file name; raises ValueError."""
    return _check(name, 60, "a name")


def check_tag(tag: str) -> str:
    """Return a valid tag; raises ValueError."""
    if not tag or " " in tag:
        raise ValueError(f"expected a tag of one word, got: {tag!r}")
    return _check(tag, 30, "a tag")


def _check(word: str, most: int, what: str) -> str:
    plain = word.isprintable() and not _FORBIDDEN & set(word) and word == word.strip()
    if len(word) > most or not plain or word[:1] in (".", "-") or word in RESERVED:
        raise ValueError(
            f"expected {what} of at most {most} letters, digits and signs, none of {''.join(sorted(_FORBIDDEN))}, "
            f"not beginning with . or -, and not {', '.join(RESERVED)}, got: {word!r}"
        )
    return word


def check_time(when: datetime) -> datetime:
    """Return a time that every time zone can represent; raises ValueError."""
    if not 1900 <= when.year <= 9000:
        raise ValueError(f"expected a time of the years 1900 to 9000, got: {when.year}")
    return when


def _check_text(text: str) -> str:
    if not text.isprintable():
        raise ValueError(f"expected one line without control characters, got: {text!r}")
    return text


Text = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_check_text)]
Tags = Annotated[
    tuple[str, ...], Field(max_length=MAX_TAGS), AfterValidator(lambda tags: tuple(sorted(set(map(check_tag, tags)))))
]
Decider = tuple[Text, Text, Text, bool]
"""A player of a seat: label, kind, the person's name or "", whether a person took over from AI."""

Count = Annotated[int, Field(ge=0)]


class RecordingCard(BaseModel):
    """``ID.json`` beside ``ID.replay``.

    Where a seat changed hands, `lineup`, `kinds` and `people` name the player with the most ticks.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    format: Annotated[int, Field(ge=1, le=FORMAT)] = FORMAT
    id: Annotated[Text, Field(min_length=1)]  # stem of its files
    game: Annotated[Text, Field(min_length=1)]  # catalogue id
    created: Annotated[AwareDatetime, AfterValidator(check_time)] = Field(default_factory=lambda: datetime.now(UTC))
    seed: Count
    ticks: Count  # steps that can be read, the reset not counted
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0  # at the game's rate; turn-based: wall clock
    ended: Literal["", Ending] = ""  # "" where the recording was cut off
    lineup: dict[Text, Text] = {}  # agent → label
    people: dict[Text, Text] = {}  # agent → the person's name, "" for none; without AI
    kinds: dict[Text, Text] = {}  # agent → kind of seat
    deciders: dict[Text, Annotated[tuple[Decider, ...], Field(max_length=MAX_DECIDERS)]] = {}  # agent → all of them
    returns: dict[Text, float] = {}  # agent → undiscounted sum of its rewards
    placements: dict[Text, int] = {}  # agent → 1 is best; empty where the recording was cut off
    teams: tuple[tuple[Text, ...], ...] = ()
    points: Annotated[tuple[int, ...], Field(max_length=MAX_POINTS)] = ()  # ticks with rewards; of many, the largest
    takeovers: tuple[tuple[Text, int, int], ...] = ()  # agent, first tick, the tick behind the last
    exact: bool = False  # a simulation reproduces it
    bytes: Count  # of the replay
    damage: Text = ""  # why reading stopped early, ""
    name: Annotated[str, AfterValidator(check_name)] = ""
    tags: Tags = ()
    rating: Annotated[int, Field(ge=0, le=5)] = 0  # stars; 0: none given
    kept: bool = False  # never deleted to make room
    span: tuple[Count, Count | None] = (0, None)  # ticks that count: first, end (None: the last)
    parent: Text = ""  # id of the recording that it branched from

    @model_validator(mode="after")
    def _check_span(self) -> RecordingCard:
        start, end = self.span
        if start >= max(1, self.ticks) or (end is not None and not start < end <= self.ticks):
            raise ValueError(f"expected a span of 0 <= from < to <= {self.ticks} ticks, got: {start} to {end}")
        return self

    @property
    def title(self) -> str:
        """The name, or else the id."""
        return self.name or self.id

    @property
    def ticks_that_count(self) -> tuple[int, int]:
        """First and last tick of the span."""
        start, end = self.span
        return start, self.ticks if end is None else end

    def outcome(self, agent: str) -> Outcome:
        """The outcome for a seat; "" for an unfinished match or a single team."""
        if self.ended not in DECIDED or len(self.teams) < 2 or agent not in self.placements:
            return ""
        best = [team for team in self.teams if any(self.placements.get(seat) == 1 for seat in team)]
        if self.placements[agent] != 1:
            return "loss"
        return "win" if len(best) == 1 else "draw"

    def with_notes(self, **notes: Any) -> RecordingCard:
        """Return a copy with changed notes; raises ValueError for invalid ones."""
        if unknown := sorted(set(notes) - set(NOTES)):
            raise ValueError(f"expected fields of {', '.join(NOTES)}, got: {', '.join(unknown)}")
        return make_card({**self.model_dump(), **notes})

    @property
    def is_noted(self) -> bool:
        """Whether people filled in anything."""
        return any(getattr(self, name) != type(self).model_fields[name].default for name in NOTES)

    @property
    def notes(self) -> dict[str, Any]:
        """The fields that people filled in."""
        return {field: getattr(self, field) for field in NOTES}


class FutureCardError(ValueError):
    """A card of a newer arcade, which stays unchanged."""


def read_card(text: bytes) -> RecordingCard:
    """Parse a card's JSON; raises ValueError in one line, FutureCardError for a card of a newer arcade."""
    try:
        return RecordingCard.model_validate_json(text)
    except ValidationError as error:
        if (version := _version(text)) > FORMAT:
            message = f"expected a card of format {FORMAT}, got: {version}; a newer arcade reads it"
            raise FutureCardError(message) from error
        raise ValueError(_first_problem(error)) from error


def make_card(fields: Mapping[str, Any]) -> RecordingCard:
    """Make a card; raises ValueError in one line."""
    try:
        return RecordingCard.model_validate(fields)
    except ValidationError as error:
        raise ValueError(_first_problem(error)) from error


def _version(text: bytes) -> int:
    try:
        version = json.loads(text)["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return version if isinstance(version, int) else 0


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    where, problem = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
    return f"{where}: {problem}" if where else problem


@dataclass(kw_only=True)
class Total:
    """The recordings of one person in one game."""

    person: str | None  # the name; "" for all people without one, None for recordings of AI alone
    game: str
    recordings: int = 0
    seconds: float = 0.0  # of whole recordings
    ticks: int = 0  # of them, without trimmed ones
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, card: RecordingCard) -> None:
        """Add a recording in which that person played."""
        start, end = card.ticks_that_count
        outcomes = {card.outcome(agent) for agent, name in card.people.items() if name == self.person}
        alone = outcomes.pop() if len(outcomes) == 1 else ""  # a person on both sides neither wins nor loses
        self.recordings += 1
        self.seconds += card.seconds
        self.ticks += end - start
        self.wins += alone == "win"
        self.draws += alone == "draw"
        self.losses += alone == "loss"


def totals(cards: Iterable[RecordingCard]) -> list[Total]:
    """Totals by person and game, those with names first; a person in two seats of a recording counts once."""
    found: dict[tuple[str | None, str], Total] = {}
    for card in cards:
        for person in _people(card) or [None]:
            found.setdefault((person, card.game), Total(person=person, game=card.game)).add(card)
    return sorted(found.values(), key=lambda one: (not one.person, one.person is None, one.person or "", one.game))


def _people(card: RecordingCard) -> list[str | None]:
    """Every person who decided at some time, also those who took over from AI for a moment."""
    deciders = [one for seat in card.deciders.values() for one in seat]
    return list(dict.fromkeys(person for _, kind, person, _ in deciders if kind in HUMAN_KINDS))
