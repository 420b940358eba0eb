"""Seating: the players that each seat offers, in groups, and the one chosen; EvenSeats: those of ``level:even``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.engines.engine import present_seats
from agents.seats.controller import EVEN, KEYBOARD_HALVES, LEVELS, AgentID, SeatChoice
from agents.seats.kinds import find_kind
from agents.seats.limits import Limits
from arcade.games.spec import GameSpec
from arcade.language import N_, _
from arcade.session.services import Services

if TYPE_CHECKING:
    from agents.seats.even import EvenMatch

POOL = SeatChoice("pool")
EASY, NORMAL, HARD, EXPERT = (SeatChoice("level", level) for level in LEVELS)
EVENLY = SeatChoice("level", EVEN)
LATEST = SeatChoice("snapshot", "latest")
BEST = SeatChoice("snapshot", "best")
SCRIPTED = SeatChoice("scripted")
RANDOM = SeatChoice("random")
IDLE = SeatChoice("idle")
KEYBOARD = SeatChoice("keyboard")


def describe(choice: SeatChoice) -> str:
    """Return the name of a choice, with its limits, for people."""
    text = find_kind(choice.kind).describe(choice)
    limits = Limits().changed(choice.limits).text
    return f"{text} ({limits or 'limits changed'})" if choice.limits else text


def sentence(text: str) -> str:
    """Return `text` with a capital at the start."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class SeatGroup:
    """Players of one kind among the options of a seat."""

    title: str
    choices: tuple[SeatChoice, ...]
    is_folded: bool = False  # a list shows its title alone until it is opened


def default_opponent(
    spec: GameSpec, *, snapshots: Sequence[str] = (), engines: Sequence[SeatChoice] = ()
) -> SeatChoice:
    """Return the player that a newcomer meets: the easy AI, else the weakest engine, else a bot."""
    if snapshots or spec.has_levels:
        return EASY
    if engines:
        return engines[0]
    return SCRIPTED if spec.scripted else RANDOM


def bots(spec: GameSpec) -> tuple[SeatChoice, ...]:
    """Return the players of a game that do not learn; where its scripted player has levels, the levels stand for it."""
    return (*((SCRIPTED,) if spec.scripted and not spec.has_levels else ()), RANDOM)


class Seating:
    """A choice for each seat of a game.

    `devices` are the choices of people now, `snapshots` the names of those that play the game, `engines` the installed
    programs that do.  While a trainer is `training` the game, the default follows its newest snapshot.
    A device has one seat at most; in a turn-based game people may share it, except for the keyboard as a whole.
    """

    takes_remote = True  # whether a player at an address may be asked for

    def __init__(
        self,
        spec: GameSpec,
        *,
        devices: Sequence[SeatChoice],
        snapshots: Sequence[str] = (),
        endpoints: Sequence[str] = (),
        engines: Sequence[SeatChoice] = (),
        lineup: Mapping[AgentID, SeatChoice] | None = None,
        training: bool = False,
    ) -> None:
        self.spec, self.training = spec, training
        self.devices = tuple(devices)
        self.snapshots = tuple(snapshots)
        self.endpoints = tuple(endpoints)
        self.engines = tuple(engines)
        self._choices = dict.fromkeys(spec.agents, self.default)
        for agent, choice in (lineup or {}).items():
            if not choice.is_human or choice in self.devices:  # a pad may have gone since
                self._choices[agent] = choice

    @property
    def default(self) -> SeatChoice:
        """The default choice: an opponent for beginners, or the snapshots of a training that runs."""
        if self.snapshots and self.training:
            return POOL
        return default_opponent(self.spec, snapshots=self.snapshots, engines=self.engines)

    @property
    def lineup(self) -> dict[AgentID, SeatChoice]:
        return dict(self._choices)

    @property
    def people(self) -> int:
        """The number of seats that people have."""
        return sum(choice.is_human for choice in self._choices.values())

    def groups(self, agent: AgentID) -> tuple[SeatGroup, ...]:
        """Return all choices for `agent`'s seat in groups, the present one among them; no group is empty."""
        taken = {choice for other, choice in self._choices.items() if other != agent}
        free = tuple(device for device in self.devices if self._is_shared(device) or device not in taken)
        present = self._choices[agent]
        groups = [
            SeatGroup(N_("People"), free),
            SeatGroup(N_("AI"), self._levels),
            SeatGroup(N_("Trained AI"), self._snapshots, is_folded=True),
            SeatGroup(N_("Engines"), self.engines),
            SeatGroup(N_("Bots"), bots(self.spec)),
            SeatGroup(N_("Others"), self._others),
        ]
        if not any(present in group.choices for group in groups):
            groups.insert(0, SeatGroup(N_("Now"), (present,)))
        return tuple(group for group in groups if group.choices)

    def options(self, agent: AgentID) -> tuple[SeatChoice, ...]:
        """Return all choices for `agent`'s seat, group by group."""
        return tuple(choice for group in self.groups(agent) for choice in group.choices)

    @property
    def _levels(self) -> tuple[SeatChoice, ...]:
        has_levels = bool(self.snapshots) or self.spec.has_levels
        even = (EVENLY,) if self.spec.seats > 1 and (has_levels or self.engines) else ()
        return ((EASY, NORMAL, HARD, EXPERT) if has_levels else ()) + even

    @property
    def _others(self) -> tuple[SeatChoice, ...]:
        return (*(SeatChoice("remote", endpoint) for endpoint in self.endpoints), IDLE)

    @property
    def _snapshots(self) -> tuple[SeatChoice, ...]:
        """The newest, the best and any, then each of them, newest first."""
        named = tuple(SeatChoice("snapshot", name) for name in self.snapshots)
        return (LATEST, BEST, POOL, *named) if named else ()

    def put(self, agent: AgentID, choice: SeatChoice) -> None:
        """Give `agent`'s seat to `choice`; in a real-time game a device leaves its former seat."""
        if choice.is_human and not self._is_shared(choice):
            self.leave(choice)
        self._choices[agent] = choice

    def _is_shared(self, device: SeatChoice) -> bool:
        return self.spec.turn_based and device != KEYBOARD

    def join(self, device: SeatChoice) -> AgentID | None:
        """Give `device` the first seat without a person, and return its seat; None where it has one or all are taken.

        Two people at one keyboard change seats where the keys would lie the wrong way round.
        """
        free = [agent for agent, choice in self._choices.items() if not choice.is_human]
        if device in self._choices.values() or not free:
            return None
        self._choices = by_sides(self.spec, {**self._choices, free[0]: device})
        return next(agent for agent, choice in self._choices.items() if choice == device)

    def leave(self, device: SeatChoice) -> None:
        """Give every seat of `device` to the default choice."""
        for agent, choice in self._choices.items():
            if choice == device:
                self._choices[agent] = self.default

    def set_devices(self, devices: Sequence[SeatChoice]) -> None:
        """Change the devices; the seats of one that is gone get the default choice."""
        gone = set(self.devices) - set(devices)
        self.devices = tuple(devices)
        for device in gone:
            self.leave(device)


def open_seating(services: Services, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice] | None = None) -> Seating:
    """Return the seating of a game with the devices, snapshots and engines of now; None: a default `lineup`."""
    status = services.trainer_status
    return Seating(
        spec,
        devices=services.devices.seats,
        snapshots=services.library.names(spec.id),
        endpoints=services.servers.addresses,
        engines=present_seats(spec.id),
        lineup=lineup,
        training=status is not None and status.game == spec.id,
    )


def last_lineup(services: Services, spec: GameSpec, person: SeatChoice) -> Mapping[AgentID, SeatChoice] | None:
    """Return the lineup that the game was last begun with, `person` in the seat of a single person; None for none."""
    return services.setup.lineups.get(spec.id) or services.shelf.last_lineup(
        spec, person, devices=services.devices.seats, snapshots=services.library.names(spec.id)
    )


def opponent_of(seating: Seating) -> SeatChoice:
    """Return whom a person meets: the default opponent, unless the lineup has others instead."""
    others = [choice for choice in seating.lineup.values() if not choice.is_human]
    return seating.default if seating.default in others or not others else others[0]


def quick_lineup(spec: GameSpec, person: SeatChoice, snapshots: Sequence[str]) -> dict[AgentID, SeatChoice]:
    """Return a lineup with `person` in the first seat, and AI for beginners in all others."""
    opponent = default_opponent(spec, snapshots=snapshots, engines=present_seats(spec.id))
    return dict.fromkeys(spec.agents, opponent) | {spec.agents[0]: person}


def friend_devices(person: SeatChoice, devices: Sequence[SeatChoice]) -> tuple[SeatChoice, SeatChoice]:
    """Return two devices for people side by side: `person`'s and a gamepad, else keyboard and gamepad, else halves.

    >>> [str(one) for one in friend_devices(KEYBOARD, [KEYBOARD])]
    ['keyboard:wasd', 'keyboard:arrows']
    """
    pads = [device for device in devices if device.kind == "gamepad" and device != person]
    if pads:
        return person, pads[0]
    if person.kind == "gamepad":
        return person, KEYBOARD
    return SeatChoice("keyboard", KEYBOARD_HALVES[0]), SeatChoice("keyboard", KEYBOARD_HALVES[1])


def friend_lineup(seating: Seating, person: SeatChoice) -> dict[AgentID, SeatChoice]:
    """Return the default lineup with two people in it: on opposite sides where there are sides."""
    spec = seating.spec
    first = spec.agents[0]
    others = [agent for agent in spec.agents if spec.team_of(agent) != spec.team_of(first)]
    own, friends = friend_devices(person, seating.devices)
    people = {first: own, (others or spec.agents[1:])[0]: friends}
    return by_sides(spec, dict.fromkeys(spec.agents, seating.default) | people)


_FROM_LEFT = ("wasd", "", "ijkl", "arrows")
"""Halves of the keyboard from left to right; "" is what the other person leaves of it."""


def by_sides(spec: GameSpec, lineup: Mapping[AgentID, SeatChoice]) -> dict[AgentID, SeatChoice]:
    """Return the lineup; two people at one keyboard, one on each side, have its left half on the left of the picture.

    >>> from arcade.games import find_game
    >>> wasd, arrows = SeatChoice("keyboard", "wasd"), SeatChoice("keyboard", "arrows")
    >>> by_sides(find_game("pong"), {"first_0": wasd, "second_0": arrows})["second_0"].argument  # on the left
    'wasd'
    """
    seats = [agent for agent, one in lineup.items() if one.kind == "keyboard" and one.argument in _FROM_LEFT]
    sides = {agent: spec.side_of(spec.team_of(agent)) for agent in seats}
    if len(spec.teams) != 2 or sorted(sides.values()) != [0, 1]:
        return dict(lineup)
    devices = sorted((lineup[agent] for agent in seats), key=lambda one: _FROM_LEFT.index(one.argument))
    return {**lineup, **dict(zip(sorted(seats, key=sides.__getitem__), devices, strict=True))}


class EvenSeats:
    """Finds the opponents in the worker, and again when the people in the seats change."""

    def __init__(self, services: Services, spec: GameSpec, *, done: Callable[[], None]) -> None:
        """`done` is called after a search."""
        self._services, self._spec, self._done = services, spec, done
        self._searched: object = None  # the seats to fill, and the people in the others, of the newest search
        self._found: Mapping[AgentID, EvenMatch] = {}

    def find(self, lineup: Mapping[AgentID, SeatChoice]) -> None:
        """Begin a search, unless the seats and people are the same as before."""
        services, lineup = self._services, dict(lineup)
        people = services.people.names(lineup)
        even = [agent for agent, choice in lineup.items() if choice.is_even]
        if (even, people) == self._searched:
            return
        self._searched, self._found = (even, people), {}
        searched = self._searched

        def search() -> dict[AgentID, EvenMatch]:
            from arcade.match.play.even_seats import even_matches  # ratings take long to import

            return even_matches(lineup, people, self._spec, services.library.store())

        def finish(found: dict[AgentID, EvenMatch]) -> None:
            if searched is self._searched:
                self._found = found
                self._done()

        if even:
            text = _("No opponent of about your strength found: {reason}")
            services.worker.submit(search, done=finish, failed=lambda error: services.say(text.format(reason=error)))

    def forget(self) -> None:
        """Search again at the next `find`, since matches were played."""
        self._searched = None

    def of(self, agent: AgentID) -> EvenMatch | None:
        """Return the opponent for the seat; None before one is found."""
        return self._found.get(agent)
