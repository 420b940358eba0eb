"""What a replay says for its card."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from arcade.demos.card import TakeCard
from arcade.games import GameSpec, games
from arcade.match.replay import Replay


def card_of(replay: Replay) -> TakeCard:
    """The card of a replay that was read, without words of people; raises ValueError where its content cannot be."""
    result, head = replay.result or {}, replay.head
    spec = _known_game(head["game"])
    path, teams = replay.path, result.get("teams") or (spec.teams if spec else ())
    return TakeCard(
        id=path.stem,
        game=head["game"],
        created=_created(head.get("created"), path.stat().st_mtime),
        seed=replay.seed,
        ticks=len(replay.actions),
        seconds=result.get("seconds", 0.0),
        ended=result.get("ended", ""),
        lineup=_plain_words(result.get("lineup") or head.get("lineup", {})),
        returns=result.get("returns", {}),
        placements=result.get("placements", {}),
        teams=tuple(tuple(str(agent) for agent in team) for team in teams),
        exact=bool(spec),
        bytes=path.stat().st_size,
        damage=replay.damage,
        parent=str(head.get("settings", {}).get("parent", "")),
    )


def _known_game(game: str) -> GameSpec | None:
    """The game of the catalogue; a file's word never has anything imported."""
    return next((spec for spec in games() if spec.id == game), None)


def _created(text: Any, changed: float) -> datetime:
    """When it was recorded, where the file does not say when the file was changed."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (TypeError, ValueError):
        return datetime.fromtimestamp(changed, UTC)


def _plain_words(words: dict[Any, Any]) -> dict[str, str]:
    return {str(agent): plain(str(label)) for agent, label in words.items()}


def plain(text: str) -> str:
    """A text from a file as it may be shown in a terminal: on one line, without control characters, not endless."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:200])
