"""Claims: gives the guests of a host the seats that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from agents.seats.controller import HUMAN_KINDS
from arcade.language import _
from arcade.together import messages
from arcade.together.hosting.guests import Guest
from arcade.together.hosting.host_view import HostView
from arcade.together.hosting.names import told_apart
from arcade.together.messages import Player

DIFFERS = (
    "expected the game to come out as at the host, got other digests in its first ticks; "
    "install the same versions of the packages, or play on machines alike"
)


class Claims:
    """`on_claim` is called with the claims of all guests, which repeat them until the match begins."""

    def __init__(self, session: HostView, probe: list[int], clock: Callable[[], float]) -> None:
        """`probe`: the host's own digests, which a guest's must equal."""
        self._session, self._probe, self._clock = session, probe, clock

    def on_choose(self, guest: Guest, choice: messages.Choose) -> None:
        """Note the seats that a guest is going to claim, but those that another one has chosen before it."""
        session = self._session
        if session.begun or guest.is_seated:
            return
        free = session.free
        taken = {word for word, player in session.guests.chosen(free).items() if player.peer != guest.number}
        possible = {word: player for word, player in choice.seats.items() if word in free and word not in taken}
        before, guest.chosen = guest.chosen, self._players(guest.number, possible)
        if guest.chosen != before or len(guest.chosen) < len(choice.seats):
            session.tell_lobby()

    def on_claim(self, guest: Guest, claim: messages.Claim) -> None:
        session = self._session
        must_compute = session.terms.mode.is_secret or not session.terms.mode.has_views
        if must_compute and claim.probe != self._probe:
            session.refuse(guest.sender, "differs", DIFFERS)
            session.say(_("{machine} was refused: it computes another result").format(machine=guest.title))
            session.guests.remove(guest)
            session.tell_lobby()
            return
        if guest.is_seated and session.begun and claim.seats and not guest.seats:
            session.late_seats.wish(guest, self._players(guest.number, claim.seats))
        if not guest.is_seated:
            if not self._seat(guest, claim.seats):
                return
            session.tell_lobby()
            if not session.begun:
                session.say(self._arrival(guest))
        if session.begun:
            lineup = dict(session.play.lineup)
            session.send(guest, messages.Begin(lineup=lineup, next=session.next_of(guest), peer=guest.number))
            session.late_seats.send(guest)
            if session.end is not None:
                session.send(guest, session.end)

    def _seat(self, guest: Guest, seats: Mapping[str, Player]) -> bool:
        """Give a guest the seats that it claims; False where it was refused."""
        session = self._session
        if session.begun and seats:
            return self._seat_in_match(guest, seats)
        if wrong := [word for word in seats if word not in session.free]:
            free = ", ".join(session.free) or "none"
            session.refuse(guest.sender, "taken", f"expected seats that are free ({free}), got: {wrong[0]}")
            return False
        session.lineup |= self._players(guest.number, seats)
        guest.seats = tuple(agent for agent in session.play.spec.agents if str(agent) in seats)
        guest.is_seated, guest.chosen = True, {}
        return True

    def _seat_in_match(self, guest: Guest, seats: Mapping[str, Player]) -> bool:
        """Let a machine have AI seats, or a new process the place of the one before it, which is gone."""
        session = self._session
        if session.late_seats.wish(guest, self._players(guest.number, seats)):
            guest.is_seated = guest.is_ready = True
            return True
        for old in session.guests.replaceable(guest.key, self._clock(), but=guest):
            own = {str(agent): session.lineup[str(agent)] for agent in old.seats}
            if _as_claimed(own) == _as_claimed(seats):
                session.guests.take_over(guest, old)
                session.tell(messages.Back(peer=guest.number), _("{machine} is back").format(machine=guest.title))
                return True
        text = "expected the seats and players of a machine with this key that is absent, got others"
        session.refuse(guest.sender, "taken", f"{text}; use the same --seat words as before")
        return False

    def _players(self, machine: int, seats: Mapping[str, Player]) -> dict[str, Player]:
        """A guest's players; people get another name where other machines have one of theirs."""
        session = self._session
        chosen = session.guests.chosen(session.free)
        return told_apart(seats, machine, (*session.lineup.values(), *chosen.values()))

    def _arrival(self, guest: Guest) -> str:
        """``Bo plays Left, Right (random)``"""
        words = _("{machine} plays {seats}") if guest.seats else _("{machine} watches")
        return words.format(machine=guest.title, seats=", ".join(self._seat_words(guest)))

    def _seat_words(self, guest: Guest) -> Iterator[str]:
        for agent in guest.seats:
            play, player = self._session.play, self._session.lineup[str(agent)]
            title = play.spec.seat_title(agent)
            yield title if player.name == guest.title else f"{title} ({play.name_of(player)})"


def _as_claimed(players: Mapping[str, Player]) -> dict[str, tuple[str, str]]:
    """Kind and name by seat; of people the kind alone, since the host may have given them another name."""
    return {word: (one.kind, "" if one.kind in HUMAN_KINDS else one.name) for word, one in players.items()}
