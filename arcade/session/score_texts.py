"""The score of a match as text: the line above a replay, the headline of the results, and each seat's part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.seats.controller import AgentID, SeatChoice
from arcade.games.scores import Points
from arcade.games.spec import GameSpec
from arcade.language import N_, _, local_number
from arcade.match.play.result import MatchResult
from arcade.session.result_texts import final_label, ordinal

Verdict = tuple[str, str, str]
"""A sentence without a score, with two scores, and with the score of one side alone."""

YOU_WON: Verdict = (N_("You won"), N_("You won {own}–{other}"), N_("You won: {words}"))
YOU_LOST: Verdict = (N_("You lost"), N_("You lost {own}–{other}"), N_("You lost: {words}"))
YOU_DREW: Verdict = (N_("You drew"), N_("You drew {own}–{other}"), N_("You drew: {words}"))
WON: Verdict = (N_("{name} won"), N_("{name} won {own}–{other}"), N_("{name} won: {words}"))
DREW: Verdict = (N_("A draw"), N_("A draw, {own}–{other}"), N_("A draw: {words}"))
PLACED = N_("You came {place} of {count}")
TOGETHER = N_("Together: {words}")
LEFT = N_("Match ended early")
AGREED = N_("A draw by agreement")
GAVE_UP: Mapping[str, tuple[str, str, str]] = {
    "resigned": (
        N_("You resigned"), N_("{winner} won: {loser} resigned"),
        N_("{loser} resigned; the others share first place"),
    ),
    "out_of_time": (
        N_("You ran out of time"), N_("{winner} won: {loser} ran out of time"),
        N_("{loser} ran out of time; the others share first place"),
    ),
    "forfeit": (
        N_("You forfeited"), N_("{winner} won: {loser} forfeited"),
        N_("{loser} forfeited; the others share first place"),
    ),
}  # fmt: skip
"""Ending with a loser, for that one, for others, and for others where there are several teams of them."""


def score_line(spec: GameSpec, score: Points) -> str:
    """Return the score as "5 : 2", in the order of the sides of the picture, or "3 catches"; "" without one."""
    teams = sorted(range(len(score)), key=spec.side_of) if len(score) == 2 else range(len(score))
    known = [value for team in teams if (value := score[team]) is not None]
    if len(known) == 1:
        return spec.score.words(known[0])
    return " : ".join(map(spec.score.number, known))


def score_words(spec: GameSpec, score: Points) -> str:
    """Return the score with its unit: "5 : 2 points", "3 catches"; "" without one."""
    line = score_line(spec, score)
    is_single = sum(value is not None for value in score) == 1
    return line if is_single or not line else _(spec.score.many).format(line)


def points_of(spec: GameSpec, result: MatchResult) -> Points:
    """Return each team's score, or its mean return where the game declares no score; () for games without any."""
    returns = {agent: result.returns[str(agent)] for agent in spec.agents}
    return spec.score.of_teams(tuple(result.score), returns, spec.teams)


def seat_score(spec: GameSpec, result: MatchResult, agent: AgentID) -> str:
    """Return the score of the seat's team; "" for none."""
    score = points_of(spec, result)
    return spec.score.number(score[spec.team_of(agent)]) if score else ""


def return_text(result: MatchResult, agent: str) -> str:
    """Return the seat's return, for those who want to know: "total reward −4"."""
    value = result.returns[agent]
    return _("total reward {}").format(local_number(f"{value:g}" if abs(value) >= 100 else f"{value:.3g}"))


def headline(spec: GameSpec, result: MatchResult, lineup: Mapping[AgentID, SeatChoice]) -> str:
    """Return the outcome in one line, addressed to the people in the lineup where they are all on one side."""
    if result.ended == "quit":
        return _(LEFT)
    if len(spec.teams) == 1:
        return _together(spec, result)
    if result.ended == "agreed":
        return _(AGREED)
    if result.ended in GAVE_UP and result.loser:
        return _given_up(spec, result, lineup)
    places = [result.placements[str(team[0])] for team in spec.teams]
    winners = [team for team, place in enumerate(places) if place == 1]
    sides = {spec.team_of(agent) for agent, choice in lineup.items() if choice.is_human}
    if len(sides) == 1:
        return _to_you(spec, result, places, sides.pop())
    if len(winners) > 1:
        return _with_score(DREW, spec, result, winners[0])
    return _with_score(WON, spec, result, winners[0], name=_name(spec, result, winners[0]))


def _given_up(spec: GameSpec, result: MatchResult, lineup: Mapping[AgentID, SeatChoice]) -> str:
    to_them, to_others, to_many = GAVE_UP[result.ended]
    loser = next(team for team, seats in enumerate(spec.teams) if result.loser in map(str, seats))
    people = [agent for agent, choice in lineup.items() if choice.is_human]
    if {spec.team_of(agent) for agent in people} == {loser} and result.loser in map(str, people):
        return _(to_them)
    name = _name(spec, result, loser)
    if len(spec.teams) > 2:
        return _(to_many).format(loser=name)
    winner = next(team for team, seats in enumerate(spec.teams) if result.placements[str(seats[0])] == 1)
    return _(to_others).format(winner=_name(spec, result, winner), loser=name)


def _name(spec: GameSpec, result: MatchResult, team: int) -> str:
    """Return the players of the team, or its seats where another team has the same players."""
    players = [tuple(dict.fromkeys(final_label(result, str(agent)) for agent in one)) for one in spec.teams]
    is_shared = players.count(players[team]) > 1
    return " & ".join(map(spec.seat_title, spec.teams[team]) if is_shared else players[team])


def _together(spec: GameSpec, result: MatchResult) -> str:
    words = score_line(spec, points_of(spec, result))
    return _(TOGETHER).format(words=words) if spec.seats > 1 else words[:1].upper() + words[1:]


def _to_you(spec: GameSpec, result: MatchResult, places: Sequence[int], team: int) -> str:
    if places[team] == 1:
        return _with_score(YOU_WON if places.count(1) == 1 else YOU_DREW, spec, result, team)
    if len(spec.teams) > 2:
        return _(PLACED).format(place=ordinal(places[team]), count=len(spec.teams))
    return _with_score(YOU_LOST, spec, result, team)


def _with_score(verdict: Verdict, spec: GameSpec, result: MatchResult, team: int, *, name: str = "") -> str:
    """Return the sentence with the score, the team's own first, where the score says what the verdict says."""
    plain, both, single = verdict
    known = [value for value in result.score if value is not None]
    if len(known) == 1:
        return _(single).format(name=name, words=spec.score.words(known[0]))
    if len(known) == len(spec.teams) == 2 and spec.score.decides:
        own, other = (spec.score.number(known[at]) for at in (team, 1 - team))
        return _(both).format(name=name, own=own, other=other)
    return _(plain).format(name=name)
