"""SeatChanges: changes the controllers of a running match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.language import N_, _
from arcade.match.play.lineup import fair_choice, make_controller
from arcade.match.play.match import Match
from arcade.match.play.result import ChangeReason
from arcade.session.match.launch import settled
from arcade.session.match.snapshot_texts import fault_text
from arcade.session.people import Person
from arcade.session.services import Services


class Audience:
    """Shows messages and plays sounds; this base class ignores them, for a match without a window."""

    def say(self, text: str, *, about: str = "") -> None:
        """Show a line, in place of an earlier one `about` the same."""

    def sound(self, name: str) -> None:
        """Play a sound, such as "join" or "accept"."""

    def key(self, kind: str, action: str) -> str:
        """Return the key or button of a menu action on a "keyboard" or "gamepad", or ""."""
        return ""


class SeatChanges:
    """Keeps `lineup`, the present choice of each seat, up to date.

    A person takes a seat at once.  A policy is loaded in the worker, while its predecessor plays.  A seat that a
    person took over goes back to its policy, which observed meanwhile; any other to the best policy.
    """

    def __init__(self, services: Services, match: Match, lineup: dict[AgentID, SeatChoice], audience: Audience) -> None:
        self._services, self._match, self._audience = services, match, audience
        self._factories = services.devices.factories(match.spec)
        self.lineup = lineup
        self.owners: Mapping[AgentID, SeatChoice] = dict(lineup)  # the choice that a seat belongs to
        self.left: dict[str, AgentID] = {}  # device word → the seat that it left last, newest last
        self._policies: dict[AgentID, str] = {}  # label of the policy before a person took the seat
        self._people = services.people.seated(lineup)  # device → its player, also after leaving
        self._changes: Counter[AgentID] = Counter()  # of each seat; a policy loaded for an older change is dropped
        self._waiting: dict[AgentID, SeatChoice] = {}  # choices of the reserves

    def hand_over(self, agent: AgentID) -> None:
        """Give a person's seat to the policy that it was taken from, or to the best one."""
        choice, owner = self.lineup[agent], self.owners[agent]
        word = str(choice) if choice.is_human else ""
        self.left.pop(word, None)
        self.left[word] = agent
        if self._give_back(agent):
            return
        if owner.is_human:
            self._seat_policy(agent, None, "leave")
        else:
            self._seat_policy(agent, self._same_again(agent, owner), "give back", seated_as=owner)

    def seat(self, agent: AgentID, choice: SeatChoice) -> None:
        """Give the seat to `choice`, a person or a policy."""
        if choice.is_human:
            self.put(agent, choice, "takeover")
        else:
            self.owners = {**self.owners, agent: choice}
            self._seat_policy(agent, choice, "leave" if self.lineup[agent].is_human else "policy")

    def put(self, agent: AgentID, choice: SeatChoice, why: ChangeReason) -> None:
        """Seat a person now, unless the device does not fit."""
        try:
            controller = self._factories[choice.kind](choice, self._match.stage.seat(agent))
        except UserError as error:
            self._refuse(error)
            return
        controller.kind = choice.kind
        self._person(choice).sign(controller)
        self._changes[agent] += 1
        from_policy = why == "takeover" and not self.lineup[agent].is_human
        if self._replace(agent, choice, controller, why, keep=from_policy):
            self._audience.sound("join")

    def name(self, device: SeatChoice, name: str) -> None:
        """Give `device` to the person of that name, "" for the default player; people in the seats keep them."""
        people = self._services.people
        people.give(device, name)
        self._people.update(people.seated(self.lineup))
        for agent, choice in self.lineup.items():
            if choice.is_human and self._match.mapping[agent].label != self._people[choice].name:
                self._people[choice].sign(self._match.mapping[agent])
                self._match.rename(agent)

    def sit(self, choice: SeatChoice, why: ChangeReason) -> AgentID | None:
        """Seat a person in the former seat, else in the first one of a policy; None without a free seat."""
        free = self.free(why)
        own = [agent for agent in free if agent == self.left.get(str(choice)) or self.owners[agent] == choice]
        if not free or self._match.over:
            return None
        agent = (own or free)[0]
        self.put(agent, choice, why)
        return agent

    def free(self, why: ChangeReason) -> list[AgentID]:
        """Return the seats free for a person; those of a recording can be taken over but not joined."""
        taken = ("keyboard", "gamepad", "replay") if why == "join" else ("keyboard", "gamepad")
        return [agent for agent in self._match.stage.agents if self.lineup[agent].kind not in taken]

    def _same_again(self, agent: AgentID, owner: SeatChoice) -> SeatChoice:
        """Return the choice to give back to; of a pool, the member that had the seat."""
        name = self._policies.get(agent, "").partition(" (")[0]  # limits follow in brackets
        if owner.kind == "pool" and name in self._services.library.names(self._match.spec.id):
            return SeatChoice("snapshot", name, owner.options)
        return owner

    def _seat_policy(
        self, agent: AgentID, choice: SeatChoice | None, why: ChangeReason, *, seated_as: SeatChoice | None = None
    ) -> None:
        """Load a policy for the seat (None: a fair one); the lineup then has `seated_as`."""
        self._changes[agent] += 1
        change, services, spec = self._changes[agent], self._services, self._match.spec
        seat, people = self._match.stage.seat(agent), services.people.names(self.lineup)
        lineup = dict(self.lineup)

        def load() -> tuple[SeatChoice, Controller]:
            store = services.library.store()
            lineup[agent] = choice or fair_choice(spec, agent, store)
            settled_choice = settled(lineup, people, spec, store)[agent]
            return settled_choice, make_controller(settled_choice, seat, spec=spec, store=store)

        def finish(made: tuple[SeatChoice, Controller]) -> None:
            if self._changes[agent] != change or self._match.over:
                made[1].close()
            else:
                self._replace(agent, seated_as or made[0], made[1], why)

        services.worker.submit(load, done=finish, failed=self._refuse, errors=UserError)

    def _give_back(self, agent: AgentID) -> bool:
        """Give the seat back to its reserve; False where it has none."""
        if agent not in self._match.reserves:
            return False
        choice = self._waiting[agent]
        if self._match.over:  # the person keeps the seat in the result, the policy gets it in the next match
            self._note(agent, choice)
            return True
        self._changes[agent] += 1
        person = self._match.give_back(agent)
        person.close()
        self._report(agent, choice, self._match.mapping[agent].label, person.label, "give back")
        return True

    def _replace(
        self, agent: AgentID, choice: SeatChoice, controller: Controller, why: ChangeReason, *, keep: bool = False
    ) -> bool:
        """Seat `controller`; False where it does not fit.  `keep`: the predecessor becomes the reserve."""
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
            self._policies[agent] = old.label
        self._report(agent, choice, controller.label, old.label, why)
        return True

    def _report(self, agent: AgentID, choice: SeatChoice, new: str, old: str, why: ChangeReason) -> None:
        left, names = self.lineup[agent], self._services.library.player_names(self._match.spec)
        new, old = names.of_label(new, choice.kind), names.of_label(old, left.kind)
        self._note(agent, choice)
        self._audience.sound("accept")
        words = _message(self._match.spec.seat_title(agent), new, old, why)
        self._audience.say("; ".join(filter(None, (words, self._way_back(left, why)))))
        if why == "join" and self._services.people.holder(choice) is None:
            text = _("To name {player}, pause and choose Players of this match")
            self._audience.say(text.format(player=new), about="name")

    def _note(self, agent: AgentID, choice: SeatChoice) -> None:
        self.lineup[agent] = choice
        self._services.setup.lineups[self._match.spec.id] = dict(self.lineup)

    def _way_back(self, left: SeatChoice, why: ChangeReason) -> str:
        """Return the key that takes the seat again, for a person who left."""
        key = self._audience.key("gamepad" if left.kind == "gamepad" else "keyboard", "switch")
        if why not in ("leave", "give back") or not left.is_human or not key:
            return ""
        return _("{key} takes a seat again, hold it to correct").format(key=key)

    def _refuse(self, error: BaseException) -> None:
        self._audience.say(_("The seat is unchanged: {error}").format(error=fault_text(error)))

    def _person(self, device: SeatChoice) -> Person:
        """Return the last player with the device, else its holder, unless the name is in use."""
        others = [agent for agent, choice in self.lineup.items() if choice.is_human and choice != device]
        taken = {self._match.mapping[agent].label for agent in others}
        person = self._people.get(device)
        if person is None or person.name in taken:
            person = self._services.people.player(device, taken=taken)
        self._people[device] = person
        return person


_TAKES = N_("{new} takes {seat}")
_CHANGED: Mapping[ChangeReason, str] = {
    "join": N_("{new} joins: {seat}, in place of {old}"),
    "takeover": N_("{new} takes {seat} over from {old}"),
    "give back": N_("{old} gives {seat} back to {new}"),
    "leave": N_("{old} leaves {seat} to {new}"),
}


def _message(seat: str, new: str, old: str, why: ChangeReason) -> str:
    return _(_CHANGED.get(why, _TAKES)).format(seat=seat, new=new, old=old)
