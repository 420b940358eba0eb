"""ResultKeeper adds the results of matches to the ladder; RatingChanges is what they changed, as text."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from arcade.language import _, local_number
from arcade.session.player.file_texts import ladder_text

if TYPE_CHECKING:  # the title is on screen before these are imported
    from agents.ladder.ladder import Ladder
    from arcade.match.play.result import MatchResult

Roles = Mapping[str, str]
"""Agent to role, as `GameFacts` has them."""


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """The text for each agent, "" for a match that is not rated, and a warning where the result was not saved."""

    texts: dict[str, str] = field(default_factory=dict)
    warning: str = ""


class ResultKeeper:
    """Adds results to the ladder.  One that cannot be written, as to a full disk, waits for the next or the end."""

    def __init__(self) -> None:
        self._waiting: dict[str, MatchResult] = {}  # by the key in the ladder, under which each counts once
        self._writing = threading.Lock()

    def hold(self, result: MatchResult, *, key: str = "") -> str:
        """Note a result for the ladder that `keep` or, before the program ends, `finish` adds; returns its key.

        `key`: by which the ladder counts the match once; "" for a new one.
        """
        key = key or uuid.uuid4().hex
        if result.kept:
            self._waiting[key] = result
        return key

    def keep(self, result: MatchResult, path: Path, *, key: str = "") -> RatingChanges:
        """Add `result` to the ladder at `path` and return the changes.  Reads and writes the disk.

        `key`: as returned by `hold`; "" where the result was not held before.
        """
        from agents.ladder.ladder import Ladder, LadderError
        from arcade.games import facts_of

        facts, key = facts_of(result.game), self.hold(result, key=key)
        roles = facts.roles if facts is not None else {}
        with self._writing:
            try:
                with Ladder(path) as ladder:
                    self._write_others(ladder, key)
                    changes = _scores if len(result.teams) == 1 else _ratings
                    texts = changes(result, ladder, roles, key)
                    self._waiting.pop(key, None)
                    return RatingChanges(texts)
            except LadderError as error:
                return RatingChanges(warning=ladder_text(error, path))

    def finish(self, path: Path) -> None:
        """Try again to add what is waiting, before the program ends."""
        from agents.ladder.ladder import Ladder, LadderError

        with self._writing, suppress(LadderError):  # `keep` has warned of it
            if self._waiting:
                with Ladder(path) as ladder:
                    self._write_others(ladder, "")

    def _write_others(self, ladder: Ladder, key: str) -> None:
        for other, result in list(self._waiting.items()):
            if other != key:
                ladder.add(result.as_json(), key=other)
                del self._waiting[other]


def _ratings(result: MatchResult, ladder: Ladder, roles: Roles, key: str) -> dict[str, str]:
    """Each player's rating after the match, and its change."""
    from agents.ladder.ratings.rows import player_name
    from agents.ladder.ratings.views.rating_text import PROVISIONAL, change_text

    before = {rating.name: replace(rating) for rating in ladder.ratings(result.game, roles=roles)}
    if result.kept:
        ladder.add(result.as_json(), key=key)
    after = {rating.name: rating for rating in ladder.ratings(result.game, roles=roles)}
    names = {agent: player_name(label, roles.get(agent, "")) for agent, label in result.lineup.items()}
    texts = {agent: change_text(before.get(name), after.get(name)) for agent, name in names.items()}
    return {agent: local_number(text.replace(PROVISIONAL, _(PROVISIONAL))) for agent, text in texts.items()}


def _scores(result: MatchResult, ladder: Ladder, roles: Roles, key: str) -> dict[str, str]:
    """In a cooperative game, each player's mean score over the matches like this one, which is among them."""
    from agents.ladder.ratings.pairs import scores
    from agents.ladder.ratings.rows import counts, scored_as

    number = ladder.add(result.as_json(), key=key) if result.kept else 0
    rows = ladder.results(result.game)
    own = next((row for row in reversed(rows) if row["id"] == number and counts(row)), None)
    if own is None:
        return {}
    is_alone = len(set(result.lineup.values())) == 1
    means = {(one.label, one.role): one.alone if is_alone else one.mixed for one in scores(rows, roles)}
    found = {agent: means.get((label, scored_as(own, roles.get(agent, "")))) for agent, label in result.lineup.items()}
    return {
        agent: _("mean {mean:.3g} of {count}").format(mean=mean.mean, count=mean.count)
        for agent, mean in found.items()
        if mean
    }
