"""Profile: the figures, rating curves and achievements of a player as text for a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from agents.ladder.ladder import Moment
from agents.ladder.ratings.online import Rating
from arcade.games.spec import GameSpec
from arcade.language import _, date_text, local_number, ngettext, percent
from arcade.session.player.achievements import Progress
from arcade.session.player.history import PlayerHistory, Totals

NONE = "–"


def figures(history: PlayerHistory) -> list[tuple[str, str]]:
    """Return the totals of all games: what they count, and the number."""
    totals = history.totals
    return [
        (_("Matches"), local_number(f"{totals.played:,}")),
        (_("Won"), local_number(f"{totals.wins:,}")),
        (_("Win rate"), NONE if totals.win_rate is None else percent(totals.win_rate)),
        (_("Wins in a row"), str(totals.streak)),
        (_("Longest streak"), str(totals.best_streak)),
        (_("Time played"), time_text(totals.seconds)),
    ]


def matches_left_out(history: PlayerHistory, unrated: int) -> str:
    """Return "3 more are not counted here: …", "" without any; `unrated`: those that never came to the ladder."""
    count = unrated + sum(not match.finished for match in history.matches)
    if not count:
        return ""
    return ngettext(
        "{count} more match is not counted here. The tutorial, hints, take-backs, another speed, seats that change "
        "hands and leaving early make a match not count.",
        "{count} more matches are not counted here. The tutorial, hints, take-backs, another speed, seats that change "
        "hands and leaving early make a match not count.", count,
    ).format(count=local_number(f"{count:,}"))  # fmt: skip


def time_text(seconds: float) -> str:
    """ "8 min", "2.5 h"."""
    if seconds < 3600:
        return _("{minutes} min").format(minutes=round(seconds / 60))
    return _("{hours} h").format(hours=local_number(f"{seconds / 3600:.1f}"))


def game_row(title: str, totals: Totals) -> tuple[str, ...]:
    """Return the cells of a game: title, matches, won, drawn, lost, longest streak, best score."""
    best = NONE if totals.best_score is None else local_number(f"{totals.best_score:.4g}")
    counts = (totals.played, totals.wins, totals.draws, totals.losses, totals.best_streak)
    return (title, *map(str, counts), best)


def rating_text(rating: Rating) -> str:
    """ "1650 ± 40", or "1650 ± 310, provisional"."""
    text = _("{points:.0f} ± {margin:.0f}, provisional") if rating.is_provisional else _("{points:.0f} ± {margin:.0f}")
    return text.format(points=rating.points, margin=rating.margin)


def rating_points(moments: Sequence[Moment]) -> list[tuple[float, float]]:
    """Return a rating after each match: its number, from 1, and the points."""
    return [(number, moment.rating.points) for number, moment in enumerate(moments, 1)]


def rated_games(ratings: Mapping[str, Mapping[str, Sequence[Moment]]], games: Sequence[GameSpec]) -> list[GameSpec]:
    """Return the games in which the player has a rating, that with the newest match first."""
    newest = {
        game: max((moments[-1].time for moments in courses.values() if moments), default=0.0)
        for game, courses in ratings.items()
    }
    known = [spec for spec in games if newest.get(spec.id)]
    return sorted(known, key=lambda spec: -newest[spec.id])


def achievement_text(progress: Progress) -> str:
    """ "Earned on 3 March 2026", "4 of 10", or "" before the first step."""
    if progress.match is not None:
        return _("Earned on {day}").format(day=date_text(datetime.fromtimestamp(progress.match.time)))
    if progress.goal < 2 or not progress.done:
        return ""
    return _("{done} of {goal}").format(done=progress.done, goal=progress.goal)


def earned_text(achievements: Sequence[Progress]) -> str:
    """ "5 of 16 achievements earned"."""
    earned, count = sum(one.is_earned for one in achievements), len(achievements)
    text = ngettext("{earned} of {count} achievement earned", "{earned} of {count} achievements earned", count)
    return text.format(earned=earned, count=count)
