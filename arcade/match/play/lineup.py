"""Makes controllers and batch policies from seat words; swaps sides for half of the matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agents.policies.adapters import ControllerBatch
from agents.policies.batch import BatchPolicy
from agents.seats.controller import MOVES, AgentID, Controller, SeatChoice, SeatError, SeatSpec
from agents.seats.kinds import DeviceFactory, SeatContext, find_kind, parse_lineup
from agents.seats.limits import LimitedController, Limits, level_of
from agents.snapshots.store import SnapshotError, SnapshotStore
from arcade.games.spec import IMAGINED, KNOWN, GameSpec
from arcade.match.play.seats import PolicyMapping
from arcade.match.stage.stage import Stage

Devices = Mapping[str, DeviceFactory]
NO_DEVICES: Devices = {}
SEARCHER = "arcade.match.search:Searcher"
"""Thinks ahead, in a process of its own."""
BARE_SEARCHERS = {
    "": "", MOVES: SEARCHER, IMAGINED: "arcade.match.openspiel_search:GuessingSearcher",
    KNOWN: "arcade.match.card_search:CardSearcher",
}  # fmt: skip
"""Those without a snapshot, by the observations that they begin from."""


def make_mapping(
    stage: Stage, lineup: Mapping[AgentID, SeatChoice], *, store: SnapshotStore, devices: Devices = NO_DEVICES
) -> PolicyMapping:
    """A controller for each seat of a stage that is ready.

    Raises SeatError, SnapshotError or ControllerError, with what would have been right; nothing stays open then.
    """
    mapping: PolicyMapping = {}
    try:
        for agent, choice in lineup.items():
            mapping[agent] = make_controller(choice, stage.seat(agent), spec=stage.spec, store=store, devices=devices)
    except Exception:
        close_mapping(mapping)
        raise
    return mapping


def close_mapping(mapping: PolicyMapping) -> None:
    """Free every controller."""
    for controller in mapping.values():
        controller.close()


def make_controller(
    choice: SeatChoice, seat: SeatSpec, *, spec: GameSpec, store: SnapshotStore, devices: Devices = NO_DEVICES
) -> Controller:
    """The controller that a seat word means on this seat, held to its limits."""
    choice = at_level(choice, spec)
    choice_limits(choice, spec)  # refused before anything is opened
    controller = find_kind(choice.kind).make(choice, seat, _context(spec, store, devices))
    controller.kind = choice.kind
    return limit(controller, choice, spec)


def make_policy(choice: SeatChoice, places: Sequence[SeatSpec], *, spec: GameSpec, store: SnapshotStore) -> BatchPolicy:
    """The batch policy that a seat word means on the places of a match; raises UserError where there is none."""
    choice = at_level(choice, spec)
    if choice_limits(choice, spec).any:
        return ControllerBatch(
            lambda seat: make_controller(choice, seat, spec=spec, store=store), places, label=str(choice),
            obs_type=_obs_type(choice, spec, store),
        )  # fmt: skip
    return find_kind(choice.kind).make_policy(choice, places, _context(spec, store))


def _obs_type(choice: SeatChoice, spec: GameSpec, store: SnapshotStore) -> str:
    """The observations that its controllers decide from."""
    if choice.kind == "snapshot":
        return store.get(choice.argument, game=spec.id).card.obs_type
    return spec.scripted_obs_type if choice.kind == "scripted" else ""


def _context(spec: GameSpec, store: SnapshotStore, devices: Devices = NO_DEVICES) -> SeatContext:
    return SeatContext(
        store=store, turn_based=spec.turn_based, scripted=spec.scripted or "", has_levels=spec.has_levels,
        devices=devices, searcher=SEARCHER if spec.can_search else "",
        bare_searcher=_bare_searcher(spec), searched=spec.search_obs_type,
    )  # fmt: skip


def _bare_searcher(spec: GameSpec) -> str:
    """The class of ``search:mcts``, "" where the game cannot be searched."""
    return "arcade.match.openspiel_search:TreeSearcher" if spec.openspiel else BARE_SEARCHERS[spec.search_obs_type]


def limit(controller: Controller, choice: SeatChoice, spec: GameSpec) -> Controller:
    """`controller` held to what the seat word says, itself where that is nothing."""
    limits = choice_limits(choice, spec)
    if choice.kind == "level" and not choice.options:
        return LimitedController(controller, limits, level=choice.argument, turn_based=spec.turn_based)
    if limits.any:
        level = level_of(limits, turn_based=spec.turn_based)
        return LimitedController(controller, limits, level=level, turn_based=spec.turn_based)
    return controller


def at_level(choice: SeatChoice, spec: GameSpec) -> SeatChoice:
    """The choice, with ``level:NAME`` replaced by the scripted player where that one has the levels of the game."""
    if choice.kind != "level" or choice.is_even or not spec.has_levels:
        return choice
    return SeatChoice("scripted", options=(("level", choice.argument), *choice.options))


def choice_limits(choice: SeatChoice, spec: GameSpec) -> Limits:
    """The limits of a seat word; raises SeatError for wrong ones, and for those that mean nothing in the game."""
    choice = at_level(choice, spec)
    limits = find_kind(choice.kind).limits(choice, turn_based=spec.turn_based).changed(choice.limits)
    if spec.turn_based and not limits.for_turns:
        raise SeatError(f"expected noise alone in {spec.id}, which waits for each move, got: {choice}")
    return limits


def ai_choice(spec: GameSpec, agent: AgentID, store: SnapshotStore) -> SeatChoice:
    """The AI player of a seat that no person takes: the best snapshot that fits, else scripted, else random."""
    if name := store.find_whole("best", game=spec.id, agent=agent):
        return SeatChoice("snapshot", name)
    if spec.has_levels:
        return SeatChoice("level", "easy")
    return SeatChoice("scripted" if spec.scripted else "random")


def fair_choice(spec: GameSpec, agent: AgentID, store: SnapshotStore) -> SeatChoice:
    """The AI player of a seat beside people: as `ai_choice`, but a snapshot at the normal level."""
    choice = ai_choice(spec, agent, store)
    return SeatChoice("level", "normal") if choice.kind == "snapshot" else choice


def ai_lineup(spec: GameSpec, words: Sequence[str], store: SnapshotStore) -> dict[AgentID, SeatChoice]:
    """Read ``AGENT=CONTROLLER`` words and give the other seats to `ai_choice`; raises SeatError for a wrong word."""
    lineup = parse_lineup(words, spec.agents, default=SeatChoice("idle"))
    for choice in lineup.values():
        choice_limits(choice, spec)  # wrong limits are reported before anything opens
    named = {word.partition("=")[0] for word in words}
    if "*" in named:
        return lineup
    return {agent: choice if str(agent) in named else ai_choice(spec, agent, store) for agent, choice in lineup.items()}


Lineup = Mapping[AgentID, SeatChoice]


def next_seats(spec: GameSpec) -> dict[AgentID, AgentID]:
    """Each seat to the one of the same number in the next team, or to the next one where all are one team.

    Empty where the teams are not of one size, or there is but one seat.
    """
    if len({len(team) for team in spec.teams}) != 1 or spec.seats == 1:
        return {}
    by = len(spec.teams[0]) if len(spec.teams) > 1 else 1
    seats = [agent for team in spec.teams for agent in team]
    return dict(zip(seats, [*seats[by:], *seats[:by]], strict=True))


def swapped_lineup(spec: GameSpec, lineup: Lineup) -> dict[AgentID, SeatChoice] | None:
    """Move every player to the seat of `next_seats`; None where there are none."""
    return {seat: lineup[agent] for agent, seat in next_seats(spec).items()} or None


def why_not_swap(stage: Stage, lineup: Lineup, *, store: SnapshotStore) -> str:
    """Why this lineup cannot change sides, in words that follow "because"; "" where it can."""
    teams = stage.spec.teams
    if len(teams) != 2 or len(teams[0]) != len(teams[1]):
        sizes = " against ".join(str(len(team)) for team in teams[:8])
        return f"the game has no two teams of one size, but {sizes}"
    opposite = next_seats(stage.spec)
    for agent, other in opposite.items():
        if stage.spaces[agent] != stage.spaces[other]:
            return f"{agent} and {other} see or do different things"
    if all(lineup[agent] == lineup[other] for agent, other in opposite.items()):
        return "both sides have the same players, and would play the same match again"
    reasons = (_why_only_here(lineup[agent], stage, other, store) for agent, other in opposite.items())
    return next(filter(None, reasons), "")


def _why_only_here(choice: SeatChoice, stage: Stage, other: AgentID, store: SnapshotStore) -> str:
    """Why this player cannot take the seat `other`; "" where it can."""
    if choice.kind == "replay":
        return f"{choice} repeats the moves of its own seat"
    if choice.kind == "snapshot":
        try:
            store.get(choice.argument, game=stage.spec.id).check(stage.seat(other))
        except SnapshotError as error:
            return f"{choice} cannot play {other}: {error}"
    if choice.kind == "pool" and not any(card.plays(other) for card in store.list(stage.spec.id)):
        return f"no snapshot of the pool plays {other}"
    return ""
