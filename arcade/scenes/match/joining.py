"""Joining: people sit down, leave, take over, correct and give back while the match goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from agents.errors import UserError
from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID, Controller, SeatSpec
from agents.seats.words import parse_seat
from agents.snapshots.store import SnapshotStore
from arcade.engine.input.events import ControlInput, Device, SourceInput
from arcade.match.play.lineup import Devices, fair_choice, make_controller
from arcade.match.play.match import Match
from arcade.match.play.result import ChangeReason
from arcade.scenes.lobby import Lobby
from arcade.session.launch import settled
from arcade.session.people import Person
from arcade.session.seating import KEYBOARD

HOLD = 0.3
"""Seconds from which on a press of the button that takes a seat lasts until it is let go."""

MAIN_KEYS = ("return", "space")
"""What joins on a keyboard of its own."""


class Joining:
    """Changes who decides for a seat; `lineup` is who sits there now, and is changed along.

    A person sits down at once.  A machine is loaded in the worker, and whoever sat there plays on until it is ready.
    What a person took over from a machine goes back to that machine, which watched meanwhile; any other seat to the
    best machine that can.  Where the button is held, the seat goes back when it is let go: the machine is corrected.
    """

    def __init__(
        self,
        lobby: Lobby,
        match: Match,
        lineup: dict[AgentID, SeatChoice],
        *,
        devices: Devices,
        say: Callable[[str], None],
    ) -> None:
        self._lobby, self._match, self._devices, self._say = lobby, match, devices, say
        self.lineup = lineup
        self._owners: Mapping[AgentID, SeatChoice] = dict(lineup)  # whose seat it is, whoever sits there
        self._left: dict[str, AgentID] = {}  # device word → the seat that it left last
        self._machines: dict[AgentID, str] = {}  # who sat there before a person did
        self._people = lobby.company.seated(lineup, lobby.owner)  # device → who plays or played with it
        self._asked: dict[AgentID, int] = {}  # how often a machine was called to a seat: the newest call counts
        self._newest = str(KEYBOARD)  # the word of the keyboard, or half of one, that was pressed last
        self._waiting: dict[AgentID, SeatChoice] = {}  # what the controllers in reserve sat there as
        self._holding: dict[str, tuple[AgentID, float]] = {}  # device word → the seat that it took, and when

    # What people press

    def heard(self, event: ControlInput | SourceInput) -> None:
        """Somebody pressed something; the main key of a keyboard of its own joins, as no menu hears of it."""
        device = event.device
        if isinstance(event, SourceInput) and not (device.kind == "keyboard" and device.slot):
            return  # it comes as a control too, and with the half that it belongs to
        if self._held_by(device) and device.kind == "keyboard":
            self._newest = device.word
        elif isinstance(event, SourceInput) and event.source in MAIN_KEYS and self._is_apart:
            self._join(device)

    def invite(self, pad: Device) -> None:
        """Tell whoever holds a pad that plays nothing how to sit down, where a machine's seat is there for it."""
        if not self._held_by(pad) and self._free("join"):
            words = self._lobby.engine.bindings.tell("press {a} to join")
            self._say(f"{pad.name or 'Gamepad'} {int(pad.slot) + 1}: {words}")

    def press(self, device: Device) -> None:
        """The main button of `device`: one that plays no seat yet takes a machine's."""
        if not (device.kind == "keyboard" and self._is_apart):  # else any keyboard would speak for all
            self._join(device)

    def toggle(self, device: Device) -> None:
        """Give the seat of `device` to a machine, or take one over where it has none."""
        held, who = (self._held_by(device), device.word) if device.kind != "keyboard" else self._at_the_keyboard()
        if held:
            self.hand_over(held[0])
            return
        choice = parse_seat(who)
        if not self._sit(choice, "takeover"):
            self._say("People hold all seats")
            return
        agent = next(agent for agent, sits in self.lineup.items() if sits == choice)
        self._holding[device.word] = agent, self._lobby.engine.clock()

    def release(self, device: Device) -> None:
        """The button of `toggle` is let go: a seat that it took for so long goes back to its machine."""
        agent, since = self._holding.pop(device.word, (None, 0.0))
        if agent is not None and self._lobby.engine.clock() - since > HOLD and self.lineup[agent].is_human:
            self.hand_over(agent)

    def let_go(self) -> None:
        """Whatever is held is let go: something else is on the screen, or the match is over."""
        for agent, _ in self._holding.values():
            if self.lineup[agent].is_human:
                self.hand_over(agent)
        self._holding.clear()

    @property
    def correcting(self) -> dict[AgentID, str]:
        """The seats that are held now, and whose they are."""
        waiting, now = self._match.reserves, self._lobby.engine.clock()
        seats = [agent for agent, since in self._holding.values() if now - since > HOLD and agent in waiting]
        return {agent: waiting.label(agent) for agent in seats}

    # What may be done to one seat

    def hand_over(self, agent: AgentID) -> None:
        """A machine takes a person's seat: the one that it was taken from, or the best."""
        word = self._word(agent)
        self._left.pop(word, None)  # the newest last
        self._left[word] = agent
        owner = self._owners[agent]
        if self._give_back(agent):
            return
        if owner.is_human:
            self._call(agent, None, "leave")
        else:
            self._call(agent, self._same_again(agent, owner), "give back", sits_as=owner)

    def seat(self, agent: AgentID, choice: SeatChoice) -> None:
        """`choice` takes the seat."""
        if choice.is_human:
            self._put(agent, choice, "takeover")
        else:
            self._owners = {**self._owners, agent: choice}
            self._call(agent, choice, "leave" if self.lineup[agent].is_human else "policy")

    def take_over(self, agent: AgentID, device: Device) -> None:
        """`device` plays a seat from now on, whoever held it."""
        self._put(agent, parse_seat(device.word), "takeover")

    # Inside

    def _join(self, device: Device) -> None:
        if not self._held_by(device):
            self._sit(parse_seat(device.word), "join")

    def _at_the_keyboard(self) -> tuple[list[AgentID], str]:
        """The seats of the keyboard, of whoever pressed last first; and who takes one where there are none."""
        held = [agent for agent, choice in self.lineup.items() if choice.kind == "keyboard"]
        newest = self._held_by(Device("keyboard", self._newest.partition(":")[2]))
        left = [word for word in reversed(self._left) if parse_seat(word).kind == "keyboard"]
        return sorted(held, key=lambda agent: agent not in newest), [*left, str(KEYBOARD)][0]

    @property
    def _is_apart(self) -> bool:
        """Whether keyboards are told apart."""
        return self._lobby.engine.devices.apart

    def _sit(self, choice: SeatChoice, why: ChangeReason) -> bool:
        """Put a person into the seat that was theirs, else into the first of a machine; False where there is none."""
        free = self._free(why)
        theirs = [agent for agent in free if agent == self._left.get(str(choice)) or self._owners[agent] == choice]
        if not free or self._match.over:
            return False
        return self._put((theirs or free)[0], choice, why)

    def _free(self, why: ChangeReason) -> list[AgentID]:
        """The seats that a person may have: of a recording, which people watch, by an order alone and by no press."""
        taken = ("keyboard", "gamepad", "replay") if why == "join" else ("keyboard", "gamepad")
        return [agent for agent in self._match.stage.agents if self.lineup[agent].kind not in taken]

    def _put(self, agent: AgentID, choice: SeatChoice, why: ChangeReason) -> bool:
        """A person sits down now."""
        try:
            controller = self._devices[choice.kind](choice, self._match.stage.seat(agent))
        except UserError as error:
            self._refuse(error)
            return False
        self._who(choice).sign(controller)
        self._asked[agent] = self._asked.get(agent, 0) + 1
        from_machine = why == "takeover" and not self.lineup[agent].is_human
        seated = self._replace(agent, choice, controller, why, keep=from_machine)
        if seated:
            self._lobby.engine.sound.play("join")
        return seated

    def _same_again(self, agent: AgentID, owner: SeatChoice) -> SeatChoice:
        """Of a pool, the member that sat there before somebody took over."""
        name = self._machines.get(agent, "").partition(" (")[0]  # behind it stand its limits
        if owner.kind == "pool" and name in self._lobby.snapshots.get(self._match.spec.id, ()):
            return SeatChoice("snapshot", name, owner.options)
        return owner

    def _call(
        self, agent: AgentID, choice: SeatChoice | None, why: ChangeReason, *, sits_as: SeatChoice | None = None
    ) -> None:
        """Have a machine loaded for the seat; None: one that people can play with.  The lineup tells of `sits_as`."""
        self._asked[agent] = call = self._asked.get(agent, 0) + 1
        seat, lobby = self._match.stage.seat(agent), self._lobby

        def take(made: tuple[SeatChoice, Controller]) -> None:
            if self._asked[agent] != call or self._match.over:
                made[1].close()
            else:
                self._replace(agent, sits_as or made[0], made[1], why)

        lineup, people = dict(self.lineup), lobby.company.seated(self.lineup, lobby.owner)
        lobby.worker.submit(
            lambda: self._load(lobby.store(), seat, choice, lineup, people), done=take, failed=self._refuse
        )

    def _load(
        self, store: SnapshotStore, seat: SeatSpec, choice: SeatChoice | None,
        lineup: dict[AgentID, SeatChoice], people: Mapping[SeatChoice, Person],
    ) -> tuple[SeatChoice, Controller]:  # fmt: skip
        """In the worker."""
        spec = self._match.spec
        choice = choice or fair_choice(spec, seat.agent, store)
        choice = settled(lineup | {seat.agent: choice}, people, spec, store)[seat.agent]
        return choice, make_controller(choice, seat, spec=spec, store=store)

    def _give_back(self, agent: AgentID) -> bool:
        """The machine that a person sits in for has its seat again, as it is; False where none waits for it."""
        if agent not in self._match.reserves:
            return False
        choice = self._waiting[agent]
        if self._match.over:  # who played stands in the result; the next match begins with the machine
            self._sits(agent, choice)
            return True
        self._asked[agent] = self._asked.get(agent, 0) + 1
        person = self._match.give_back(agent)
        person.close()
        self._seated(agent, choice, self._match.mapping[agent].label, person.label, "give back")
        return True

    def _replace(
        self, agent: AgentID, choice: SeatChoice, controller: Controller, why: ChangeReason, *, keep: bool = False
    ) -> bool:
        """False where it does not fit: whoever sits there plays on.  `keep`: whoever leaves waits for the seat."""
        try:
            old = self._match.replace(agent, controller, why=why)
        except UserError as error:
            controller.close()
            self._refuse(error)
            return False
        if keep:
            self._match.reserves.keep(agent, old)
            self._waiting[agent] = self.lineup[agent]
        else:
            old.close()
        if not self.lineup[agent].is_human:
            self._machines[agent] = old.label
        self._seated(agent, choice, controller.label, old.label, why)
        return True

    def _seated(self, agent: AgentID, choice: SeatChoice, new: str, old: str, why: ChangeReason) -> None:
        """Everybody is told who sits there now."""
        left = self.lineup[agent]
        self._sits(agent, choice)
        self._lobby.engine.sound.play("accept")
        self._say(_words(agent, new, old, why) + self._way_back(left, why))

    def _sits(self, agent: AgentID, choice: SeatChoice) -> None:
        self.lineup[agent] = choice
        self._lobby.lineups[self._match.spec.id] = dict(self.lineup)

    def _way_back(self, left: SeatChoice, why: ChangeReason) -> str:
        """With which press a person who left sits down again."""
        if why not in ("leave", "give back") or not left.is_human:
            return ""
        menu = self._lobby.engine.bindings.menu("gamepad" if left.kind == "gamepad" else "keyboard")
        return f"; {menu.words('switch')[0]} takes a seat again, held it corrects"

    def _refuse(self, error: BaseException) -> None:
        if not isinstance(error, UserError):
            raise error
        self._say(f"The seat stays as it is: {error}")

    def _held_by(self, device: Device) -> list[AgentID]:
        """The seats that `device` plays, the one whose turn it is first."""
        hearing: Sequence[object] = self._lobby.engine.devices.hearing(device)
        held = [agent for agent, controller in self._match.mapping.items() if controller in hearing]
        return sorted(held, key=lambda agent: agent not in self._match.waiting_for)

    def _word(self, agent: AgentID) -> str:
        return str(self.lineup[agent]) if self.lineup[agent].is_human else ""

    def _who(self, device: SeatChoice) -> Person:
        """Whom the device was played by, else whoever holds it, as long as nobody else here goes by that name."""
        mapping, lobby = self._match.mapping, self._lobby
        others = [agent for agent, choice in self.lineup.items() if choice.is_human and choice != device]
        taken = {mapping[agent].label for agent in others}
        person = self._people.get(device)
        if person is None or person.name in taken:
            person = lobby.company.who(device, lobby.owner, taken=taken)
        self._people[device] = person
        return person


def _words(agent: AgentID, new: str, old: str, why: ChangeReason) -> str:
    told = {
        "join": f"{new} joins: {agent}, in place of {old}",
        "takeover": f"{new} takes {agent} over from {old}",
        "give back": f"{old} gives {agent} back to {new}",
        "leave": f"{old} leaves {agent} to {new}",
    }
    return told.get(why, f"{new} takes {agent}")
