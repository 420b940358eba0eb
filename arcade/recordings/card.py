"""RecordingCard: what is known of a recorded match without reading it, and what people say of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

FORMAT = 1
"""Version of a card; a reader refuses a higher one."""

MAX_CARD_BYTES = 256 * 2**10
MAX_POINTS = 500
MAX_WORDS = 200
"""Characters of a label, or of anything else that stands in a file."""

MAX_DECIDERS = 50
MAX_TAGS = 20
RESERVED = ("latest",)
SAID = ("name", "tags", "rating", "kept", "span", "parent")
"""The fields that people fill in; the others are what the file says."""

Outcome = Literal["", "win", "loss", "draw"]

_FORBIDDEN = frozenset('/\\:*?"<>|,')


def check_name(name: str) -> str:
    """`name` itself if a recording may have it, "" for none; raises ValueError.

    It is a word on the card and names no file; it could be one's name all the same, for exports that use it.
    """
    return _check(name, 60, "a name")


def check_tag(tag: str) -> str:
    """`tag` itself if a recording may have it; raises ValueError."""
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


def _check_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({check_tag(tag) for tag in tags}))


def check_time(when: datetime) -> datetime:
    """`when` itself where it can be told in the time of any place; raises ValueError."""
    if not 1900 <= when.year <= 9000:
        raise ValueError(f"expected a time of the years 1900 to 9000, got: {when.year}")
    return when


def _check_words(words: str) -> str:
    if not words.isprintable():
        raise ValueError(f"expected one line without control characters, got: {words!r}")
    return words


Words = Annotated[str, Field(max_length=MAX_WORDS), AfterValidator(_check_words)]
Decider = tuple[Words, Words, Words, bool]
"""Who decided in a seat: label, kind, the person's name or "", whether sitting in for a machine."""

Count = Annotated[int, Field(ge=0)]


class RecordingCard(BaseModel):
    """``ID.json`` beside ``ID.replay``.

    Where a seat changed hands, `lineup`, `kinds` and `people` tell of who decided for the longest time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    format: Annotated[int, Field(ge=1, le=FORMAT)] = FORMAT
    id: Annotated[Words, Field(min_length=1)]  # how its files are called
    game: Annotated[Words, Field(min_length=1)]  # catalogue id
    created: Annotated[AwareDatetime, AfterValidator(check_time)] = Field(default_factory=lambda: datetime.now(UTC))
    seed: Count
    ticks: Count  # steps that can be read, the reset not counted
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = (
        0.0  # at the game's own rate; by turns, and where that is not known, wall clock
    )
    ended: Literal["", "finished", "max_ticks", "quit", "failed"] = ""  # "" where the recording was cut off
    lineup: dict[Words, Words] = {}  # agent → label
    people: dict[Words, Words] = {}  # agent → the person's name, "" of one who gave none; machines are not in it
    kinds: dict[Words, Words] = {}  # agent → kind of its seat word
    deciders: dict[Words, Annotated[tuple[Decider, ...], Field(max_length=MAX_DECIDERS)]] = {}  # agent → all of them
    returns: dict[Words, float] = {}  # agent → undiscounted sum of its rewards
    placements: dict[Words, int] = {}  # agent → 1 is best; empty where the recording was cut off
    teams: tuple[tuple[Words, ...], ...] = ()
    points: Annotated[tuple[int, ...], Field(max_length=MAX_POINTS)] = ()  # ticks with rewards: of many, the greatest
    takeovers: tuple[
        tuple[Words, int, int], ...
    ] = ()  # agent, its first tick, the first tick that was not its any more
    exact: bool = False  # the game comes out the same when it is simulated again
    bytes: Count  # of the replay
    damage: Words = ""  # why reading stopped before the end, "" where it did not
    name: Annotated[str, AfterValidator(check_name)] = ""
    tags: Annotated[tuple[str, ...], Field(max_length=MAX_TAGS), AfterValidator(_check_tags)] = ()
    rating: Annotated[int, Field(ge=0, le=5)] = 0  # stars; 0: none given
    kept: bool = False  # never makes room for newer ones
    span: tuple[Count, Count | None] = (0, None)  # ticks that count: from, up to (None: the last)
    parent: Words = ""  # id of the recording that it went on from

    @model_validator(mode="after")
    def _spans_something(self) -> RecordingCard:
        start, end = self.span
        if start >= max(1, self.ticks) or (end is not None and not start < end <= self.ticks):
            raise ValueError(f"expected a span of 0 <= from < to <= {self.ticks} ticks, got: {start} to {end}")
        return self

    @property
    def title(self) -> str:
        """Its name, its id where it has none."""
        return self.name or self.id

    @property
    def ticks_that_count(self) -> tuple[int, int]:
        """The span in numbers: its first tick, its last tick."""
        start, end = self.span
        return start, self.ticks if end is None else end

    def outcome(self, agent: str) -> Outcome:
        """How it went for a seat, whose agent id is given as text.

        "" where nobody could win: the match did not come to its end, or all are one team.
        """
        if self.ended not in ("finished", "max_ticks") or len(self.teams) < 2 or agent not in self.placements:
            return ""
        best = [team for team in self.teams if any(self.placements.get(seat) == 1 for seat in team)]
        if self.placements[agent] != 1:
            return "loss"
        return "win" if len(best) == 1 else "draw"

    def with_said(self, **said: Any) -> RecordingCard:
        """The same card with other words of people; raises ValueError for what cannot be."""
        strangers = sorted(set(said) - set(SAID))
        if strangers:
            raise ValueError(f"expected fields of {', '.join(SAID)}, got: {', '.join(strangers)}")
        return make_card({**self.model_dump(), **said})

    @property
    def said(self) -> dict[str, Any]:
        """What people filled in."""
        return {field: getattr(self, field) for field in SAID}


class FutureCardError(ValueError):
    """A card that a newer arcade wrote: to be left as it is."""


def read_card(text: bytes) -> RecordingCard:
    """A card from its JSON text; raises ValueError in one line, FutureCardError where a newer arcade wrote it."""
    try:
        return RecordingCard.model_validate_json(text)
    except ValidationError as error:
        version = _version(text)
        if version > FORMAT:
            raise FutureCardError(
                f"expected a card of format {FORMAT}, got: {version}; a newer arcade reads it"
            ) from error
        raise ValueError(_in_words(error)) from error


def make_card(fields: Mapping[str, Any]) -> RecordingCard:
    """A card of these fields; raises ValueError in one line."""
    try:
        return RecordingCard.model_validate(fields)
    except ValidationError as error:
        raise ValueError(_in_words(error)) from error


def _version(text: bytes) -> int:
    try:
        version = json.loads(text)["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return version if isinstance(version, int) else 0


def _in_words(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    where, words = ".".join(str(part) for part in first["loc"]), first["msg"].removeprefix("Value error, ")
    return f"{where}: {words}" if where else words
