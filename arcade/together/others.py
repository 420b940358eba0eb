"""Others: the other machines of a match as a guest hears of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from agents.wire.addresses import AddressError
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.together.hosting.reasons import reason_text
from arcade.together.messages import Absent, Back, End, Lobby, Phrase, Place, by_number, printable
from arcade.together.phrases import phrase_text
from arcade.together.ways.codes import parse_relay
from arcade.together.ways.connector import Connector


class Others:
    """Their names and places, who is absent, and what they say."""

    def __init__(
        self, say: Callable[[str], None], lets_speak: Callable[[int], bool], connector: Connector | None
    ) -> None:
        """`lets_speak`: whether a machine, by its number, may say something now."""
        self._say, self._lets_speak, self._connector = say, lets_speak, connector
        self.own = 0  # the number of this machine
        self.names: Mapping[str, str] = {}  # of all machines, by number
        self.waiting: Sequence[int] = ()  # the machines that are ready
        self.places: Mapping[int, Place] = {}  # of the machines that can become the host
        self._absent: set[int] = set()

    def name_of(self, number: int) -> str:
        """The name of a machine for people."""
        return printable(self.names.get(str(number), _("machine {number}").format(number=number)))

    @property
    def absent(self) -> list[str]:
        """The names of the machines that the host waits for."""
        return [self.name_of(number) for number in sorted(self._absent)]

    def on_lobby(self, message: Lobby) -> None:
        """Note the machines and their places; where a relay leads to them, use it from now on."""
        self.names, self.waiting = by_number(message.names), message.ready
        self.places = {int(number): place for number, place in by_number(message.places).items()}
        if message.relay and self._connector is not None:
            with suppress(AddressError):
                self._connector.use(parse_relay(message.relay))

    def explain(self, end: End, grace: float, spec: GameSpec | None = None) -> End:
        """Return the end with its reason in the language here, where it is one that is known here.

        `grace`: the seconds within which an absent machine may come back; `spec`: has the titles of the seats.
        """
        why = reason_text(end.cause, self.name_of(end.machine), grace, spec=spec, seat=end.seat, detail=end.detail)
        return replace(end, why=why) if why else end

    def on_absent(self, message: Absent) -> None:
        if message.peer not in (self.own, *self._absent) and self._lets_speak(message.peer):
            self._absent.add(message.peer)
            words = _("{machine} is absent; the match waits for {seconds:.0f} s")
            self._say(words.format(machine=self.name_of(message.peer), seconds=message.seconds))

    def on_back(self, message: Back) -> None:
        if message.peer in self._absent:
            self._absent.discard(message.peer)
            self._say(_("{machine} is back").format(machine=self.name_of(message.peer)))

    def on_phrase(self, message: Phrase) -> None:
        text = phrase_text(self.name_of(message.peer), message.number)
        if text and self._lets_speak(message.peer):
            self._say(text)
