"""What a match came to, in words for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from agents.seats.limits import Limits
from arcade.games.spec import GameSpec
from arcade.match.play.result import ChangeReason, MatchResult
from arcade.match.stage.rules import StageRules

TOLD = 3
"""Changes of a seat that there is room to tell of one by one."""

_CHANGED: Mapping[ChangeReason, str] = {
    "policy": "{label} came",
    "join": "{label} joined",
    "leave": "left to {label}",
    "takeover": "{label} took over",
    "give back": "given back to {label}",
}


def headline(spec: GameSpec, result: MatchResult, lineup: Mapping[AgentID, SeatChoice]) -> str:
    """One line that says how it went."""
    if result.ended == "quit":
        return "Match ended early"
    winners = [agent for agent in spec.agents if result.placements[str(agent)] == 1]
    if len(spec.teams) == 1:
        mean = sum(result.returns.values()) / max(1, len(result.returns))
        return f"Together: {mean:.3g}" if spec.seats > 1 else f"Score: {mean:.3g}"
    if len({spec.team_of(agent) for agent in winners}) > 1:
        return "A draw"
    labels = dict.fromkeys(final_label(result, str(agent)) for agent in winners)
    return f"{' and '.join(labels)} win{'' if len(labels) > 1 else 's'}"


def final_label(result: MatchResult, agent: str) -> str:
    """Who sat there at the end, and who before where the seat changed."""
    changes = [change.label for change in result.changes if change.agent == agent]
    first = result.lineup.get(agent, "")
    return f"{changes[-1]} (after {first})" if changes and changes[-1] != first else first


def summary(spec: GameSpec, result: MatchResult) -> str:
    """Game, length and seed: one line."""
    unit = "moves" if spec.turn_based else "ticks"
    ended = {"max_ticks": ", out of time", "quit": ", ended early", "failed": ", failed"}.get(result.ended, "")
    return f"{spec.title}  ·  {result.ticks:,} {unit} in {result.seconds:.0f} s{ended}  ·  seed {result.seed}"


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def seat_words(result: MatchResult, agent: str, *, fits: Callable[[str], bool] = lambda words: True) -> str:
    """How the seat was played: what a person felt, what a machine was allowed, who took it over; "" for nothing.

    Of changes as many are told one by one as there is room for by `fits`, and how many more there were.
    """
    report = result.seats.get(agent, {})
    parts = [_hands(report), _allowed(report), _far(report), _late(result, agent)]
    changes = [change for change in result.changes if change.agent == agent and change.why != "policy"]
    told = [f"{_CHANGED[change.why].format(label=change.label)} at tick {change.tick}" for change in changes]
    words = ""
    for count in range(min(TOLD, len(told)), -1, -1):
        words = "  ·  ".join(part for part in (*parts, *told[:count], _untold(count, len(told))) if part)
        if fits(words):
            break
    return words


def _untold(told: int, changes: int) -> str:
    """That there were more changes than are told one by one."""
    if told == changes:
        return ""
    if told:
        return f"and {changes - told} more"
    return "changed hands once" if changes == 1 else f"changed hands {changes} times"


def notes(result: MatchResult) -> str:
    """What was unusual about the whole match, and why it is not rated where that is so; "" for nothing."""
    settings, parts = result.settings, []
    parts.append(StageRules(**settings.get("rules", {})).text)
    if settings.get("speeds") or settings.get("speed", 1) != 1:
        parts.append("played at another speed")
    if result.rewinds:
        parts.append("taken back once" if len(result.rewinds) == 1 else f"taken back {len(result.rewinds)} times")
    if settings.get("rewound_to_another_state"):
        parts.append("this game does not repeat itself exactly")
    if not result.rated:
        parts.append("not rated")
    words = ", ".join(part for part in parts if part)
    return words[:1].upper() + words[1:]


def _hands(report: Mapping[str, Any]) -> str:
    """``presses answered in 9 ms (99 of 100 within 21)``"""
    delay = report.get("input_ms")
    return f"presses played after {delay['p50']:.0f} ms, 99 % within {delay['p99']:.0f}" if delay else ""


def _allowed(report: Mapping[str, Any]) -> str:
    """``hard: 150 ms reaction, 8 actions/s``"""
    limits = Limits(**report["limits"]).text if report.get("limits") else ""
    level = str(report.get("level", ""))
    return f"{level}: {limits}" if level and limits else level or limits


def _far(report: Mapping[str, Any]) -> str:
    return f"{report['rtt_ms_p50']:.0f} ms away" if "rtt_ms_p50" in report else ""


def _late(result: MatchResult, agent: str) -> str:
    late = result.late.get(agent, 0)
    return f"late at {late} of {result.ticks} ticks" if late else ""
