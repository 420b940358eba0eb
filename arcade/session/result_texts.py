"""The result of a match as text for the results screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agents.seats.limits import Limits
from arcade.games.spec import GameSpec
from arcade.language import N_, _, ngettext
from arcade.match.play.result import ChangeReason, MatchResult
from arcade.match.stage.rules import StageRules
from arcade.session.limit_texts import limits_words
from arcade.session.match.moment_texts import length_text
from arcade.session.seating import sentence

LISTED = 3
"""Changes of a seat that are listed at most."""

_CHANGED: Mapping[ChangeReason, str] = {
    "policy": N_("{label} came at tick {tick}"),
    "join": N_("{label} joined at tick {tick}"),
    "leave": N_("left to {label} at tick {tick}"),
    "takeover": N_("{label} took over at tick {tick}"),
    "give back": N_("given back to {label} at tick {tick}"),
}


_SUMMARY = N_("{game}  ·  {length} in {seconds} s")
_ENDED: Mapping[str, str] = {
    "max_ticks": N_("{game}  ·  {length} in {seconds} s, out of time"),
    "resigned": N_("{game}  ·  {length} in {seconds} s, by resignation"),
    "out_of_time": N_("{game}  ·  {length} in {seconds} s, on time"),
    "agreed": N_("{game}  ·  {length} in {seconds} s, by agreement"),
    "quit": N_("{game}  ·  {length} in {seconds} s, ended early"),
    "forfeit": N_("{game}  ·  {length} in {seconds} s, by forfeit"),
    "failed": N_("{game}  ·  {length} in {seconds} s, failed"),
}


def final_label(result: MatchResult, agent: str) -> str:
    """The label of the last player in the seat, and of the first where it changed."""
    changes = [change.label for change in result.changes if change.agent == agent]
    first = result.lineup.get(agent, "")
    if changes and changes[-1] != first:
        return _("{player} (after {first})").format(player=changes[-1], first=first)
    return first


def summary(spec: GameSpec, result: MatchResult) -> str:
    """Game, length and seed, where it is known: one line."""
    text = _(_ENDED.get(result.ended, _SUMMARY)).format(
        game=_(spec.title), length=length_text(spec, result.ticks), seconds=round(result.seconds)
    )
    return text if result.seed is None else "  ·  ".join([text, _("seed {seed}").format(seed=result.seed)])


_ORDINALS = (N_("{number}th"), N_("{number}st"), N_("{number}nd"), N_("{number}rd"))


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    text = _ORDINALS[0 if 10 <= place % 100 <= 20 or place % 10 > 3 else place % 10]
    return _(text).format(number=place)


def verdict(result: MatchResult, agent: str) -> str:
    """Win, loss or draw of a seat in a match of two teams."""
    if len(set(result.placements.values())) == 1:
        return _(N_("Draw"))
    return _(N_("Win") if result.placements[agent] == 1 else N_("Loss"))


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
    if settings.get("hints"):
        count = len(settings["hints"])
        parts.append(ngettext("with a hint", "with {count} hints", count).format(count=count))
    if settings.get("parent"):
        parts.append(_("continued from a recording"))
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
    return _("presses played after {median} ms, 99% within {most}").format(
        median=round(delay["p50"]), most=round(delay["p99"])
    )


def _limits(report: Mapping[str, Any]) -> str:
    """``hard: 150 ms, 8 actions/s``"""
    limits = limits_words(Limits(**report["limits"])) if report.get("limits") else ""
    level = str(report.get("level", ""))
    return f"{level}: {limits}" if level and limits else level or limits


def _delays(result: MatchResult, agent: str) -> Iterator[str]:
    report, late = result.seats.get(agent, {}), result.late.get(agent, 0)
    if report.get("endpoint"):
        yield str(report["endpoint"])
    if "rtt_ms_p50" in report:
        yield _("{ms} ms away").format(ms=round(report["rtt_ms_p50"]))
    if late:
        yield _("late at {late} of {count} ticks").format(late=late, count=result.ticks)
