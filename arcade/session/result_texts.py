"""The result of a match, and its changes of ratings, as text for the results screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.seats.limits import Limits
from arcade.games.spec import GameSpec
from arcade.language import N_, _, ngettext
from arcade.match.play.result import ChangeReason, MatchResult
from arcade.match.stage.rules import StageRules
from arcade.session.limit_texts import limits_words
from arcade.session.seating import sentence

if TYPE_CHECKING:
    from agents.ladder.ladder import Ladder

LISTED = 3
"""Changes of a seat that are listed at most."""

_CHANGED: Mapping[ChangeReason, str] = {
    "policy": N_("{label} came at tick {tick}"),
    "join": N_("{label} joined at tick {tick}"),
    "leave": N_("left to {label} at tick {tick}"),
    "takeover": N_("{label} took over at tick {tick}"),
    "give back": N_("given back to {label} at tick {tick}"),
}


_SUMMARY = N_("{game}  ·  {length} in {seconds} s  ·  seed {seed}")
_ENDED: Mapping[str, str] = {
    "max_ticks": N_("{game}  ·  {length} in {seconds} s, out of time  ·  seed {seed}"),
    "resigned": N_("{game}  ·  {length} in {seconds} s, by resignation  ·  seed {seed}"),
    "quit": N_("{game}  ·  {length} in {seconds} s, ended early  ·  seed {seed}"),
    "failed": N_("{game}  ·  {length} in {seconds} s, failed  ·  seed {seed}"),
}


def final_label(result: MatchResult, agent: str) -> str:
    """The label of the last player in the seat, and of the first where it changed."""
    changes = [change.label for change in result.changes if change.agent == agent]
    first = result.lineup.get(agent, "")
    if changes and changes[-1] != first:
        return _("{player} (after {first})").format(player=changes[-1], first=first)
    return first


def summary(spec: GameSpec, result: MatchResult) -> str:
    """Game, length and seed: one line."""
    many = ngettext("{count} move", "{count} moves", result.ticks)
    many = many if spec.turn_based else ngettext("{count} tick", "{count} ticks", result.ticks)
    return _(_ENDED.get(result.ended, _SUMMARY)).format(
        game=_(spec.title), length=many.format(count=f"{result.ticks:,}"), seconds=round(result.seconds),
        seed=result.seed,
    )  # fmt: skip


_ORDINALS = (N_("{number}th"), N_("{number}st"), N_("{number}nd"), N_("{number}rd"))


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    text = _ORDINALS[0 if 10 <= place % 100 <= 20 or place % 10 > 3 else place % 10]
    return _(text).format(number=place)


def seat_text(result: MatchResult, agent: str, *, fits: Callable[[str], bool] = lambda text: True) -> str:
    """The latency of a person, the limits of an AI player, late actions and takeovers; "" without any.

    As many takeovers are listed as `fits` allows; the others are counted.
    """
    report = result.seats.get(agent, {})
    parts = [_latency(report), _limits(report), *_delays(result, agent)]
    found = [change for change in result.changes if change.agent == agent and change.why != "policy"]
    changes = [_(_CHANGED[change.why]).format(label=change.label, tick=change.tick) for change in found]
    text = ""
    for count in range(min(LISTED, len(changes)), -1, -1):
        text = "  ·  ".join(part for part in (*parts, *changes[:count], _rest(count, len(changes))) if part)
        if fits(text):
            break
    return text


def _rest(listed: int, changes: int) -> str:
    """The number of changes that are not listed."""
    if listed == changes:
        return ""
    if listed:
        return ngettext("and {count} more", "and {count} more", changes - listed).format(count=changes - listed)
    return ngettext("changed hands once", "changed hands {count} times", changes).format(count=changes)


def notes(result: MatchResult) -> str:
    """Unusual settings, and why the match is not rated; "" without any."""
    settings = result.settings
    parts = [StageRules(**settings.get("rules", {})).text]
    if settings.get("speeds") or settings.get("speed", 1) != 1:
        parts.append(_("played at another speed"))
    if result.rewinds:
        count = len(result.rewinds)
        parts.append(ngettext("taken back once", "taken back {count} times", count).format(count=count))
    if settings.get("rewound_to_another_state"):
        parts.append(_("this game does not repeat itself exactly"))
    if not result.rated:
        parts.append(_("not rated"))
    return sentence(", ".join(filter(None, parts)))


def _latency(report: Mapping[str, Any]) -> str:
    delay = report.get("input_ms")
    if not delay:
        return ""
    return _("presses played after {median} ms, 99 % within {most}").format(
        median=round(delay["p50"]), most=round(delay["p99"])
    )


def _limits(report: Mapping[str, Any]) -> str:
    """``hard: 150 ms, 8 actions/s``"""
    limits = limits_words(Limits(**report["limits"])) if report.get("limits") else ""
    level = str(report.get("level", ""))
    return f"{level}: {limits}" if level and limits else level or limits


def _delays(result: MatchResult, agent: str) -> Iterator[str]:
    report, late = result.seats.get(agent, {}), result.late.get(agent, 0)
    if "rtt_ms_p50" in report:
        yield _("{ms} ms away").format(ms=round(report["rtt_ms_p50"]))
    if late:
        yield _("late at {late} of {count} ticks").format(late=late, count=result.ticks)


Roles = Mapping[str, str]
"""Agent to role, as `GameFacts` has them."""


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """The text for each agent, "" for a match that is not rated, and a warning where the result was not saved."""

    texts: dict[str, str] = field(default_factory=dict)
    warning: str = ""


def keep_result(result: MatchResult, path: Path) -> RatingChanges:
    """Add `result` to the ladder at `path` and return the changes.  Reads and writes the disk."""
    from agents.ladder.ladder import Ladder, LadderError
    from arcade.games import facts_of

    facts = facts_of(result.game)
    roles = facts.roles if facts is not None else {}
    try:
        with Ladder(path) as ladder:
            changes = _scores if len(result.teams) == 1 else _ratings
            return RatingChanges(changes(result, ladder, roles))
    except LadderError as error:
        return RatingChanges(warning=str(error))


def _ratings(result: MatchResult, ladder: Ladder, roles: Roles) -> dict[str, str]:
    """Each player's rating after the match, and its change."""
    from agents.ladder.ratings.rows import player_name
    from agents.ladder.ratings.views.rating_text import change_text

    before = {rating.name: replace(rating) for rating in ladder.ratings(result.game, roles=roles)}
    if result.rated:
        ladder.add(result.as_json())
    after = {rating.name: rating for rating in ladder.ratings(result.game, roles=roles)}
    names = {agent: player_name(label, roles.get(agent, "")) for agent, label in result.lineup.items()}
    return {agent: change_text(before.get(name), after.get(name)) for agent, name in names.items()}


def _scores(result: MatchResult, ladder: Ladder, roles: Roles) -> dict[str, str]:
    """In a cooperative game, each player's mean score over the matches like this one, which is among them."""
    from agents.ladder.ratings.pairs import scores
    from agents.ladder.ratings.rows import counts, scored_as

    number = ladder.add(result.as_json()) if result.rated else 0
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
