"""OnlineSession: one match over the network, from the lobby to its result, without a window.

Screens and scripts use the same calls::

    session = OnlineHost(services, spec)          # or OnlineGuest(services, code)
    while session.outcome is None:
        services.update(now)                      # updates it too; never waits
        ...                                       # once it `is_open`: choose seats, then session.ready()
    session.close()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from agents.closing import Closing
from agents.errors import UserError
from agents.seats.controller import AgentID, Controller, SeatChoice
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.lineup import close_mapping, make_controller
from arcade.match.stage.hosted import HostedStage
from arcade.match.stage.stage import StageError
from arcade.session.match.countdown import SECONDS
from arcade.session.match.monitor import MatchMonitor
from arcade.session.match.outcome import MatchOutcome
from arcade.session.online.membership import Membership
from arcade.session.online.nearby import Announcer
from arcade.session.online.network_texts import NetworkLine, late_names, machine_names
from arcade.session.online.seating import OnlineSeating, played_elsewhere
from arcade.session.seating import sentence
from arcade.session.services import Services
from arcade.together.guest import GuestSession
from arcade.together.hosting.host import HostSession
from arcade.together.messages import Place, Player
from arcade.together.modes import INPUTS, Mode
from arcade.together.online_match import OnlineMatch
from arcade.together.preparing import Prepared, as_player, make_players, prepare
from arcade.together.roles import Session, chosen_of, next_role, signatures_of
from arcade.together.signatures import signed
from arcade.together.terms import Terms
from arcade.together.ways.codes import SessionCode

Say = Callable[[str], None]


class Begun(NamedTuple):
    """A match that has begun."""

    match: OnlineMatch
    watch: MatchMonitor


class OnlineSession(Closing, ABC):
    """Base of both sides; the Services update it.

    `seating` comes once the game is known, `match` once the match has begun.  `error` is why it failed; "" if it
    did not.
    """

    seating: OnlineSeating
    spec: GameSpec
    hosts = False  # whether this machine offers the match
    near: SessionCode | None = None  # for this network, of a match that this machine hosts from the start

    def __init__(self, services: Services, say: Say = lambda text: None) -> None:
        self.services, self.on_text = services, say
        self.error = ""
        self.outcome: MatchOutcome | None = None
        self.is_ready = False  # the seats were chosen
        self._session: Session | None = None
        self._prepared: Prepared | None = None
        self._stage: HostedStage | None = None
        self._watch = MatchMonitor()
        self._launched: Begun | None = None
        self._lineup: dict[AgentID, SeatChoice] = {}
        self._claimed: set[AgentID] = set()  # the seats of this machine, once it is ready
        self._handovers = 0  # seats that late joiners took so far
        self._reached: tuple[Place, ...] = ()  # where other machines are that may become the host
        self._announcer, self._network = Announcer(services.worker), NetworkLine()
        self._closed = False
        services.online = self

    def say(self, text: str) -> None:
        """Report what happens, to people here."""
        self.on_text(sentence(text))

    # What the screens show

    @property
    def is_open(self) -> bool:
        """Whether seats can be chosen."""
        return self._prepared is not None and not self.error

    @property
    def match(self) -> OnlineMatch | None:
        """The match; another object where it was played anew."""
        return self._prepared.play.shown if self._prepared is not None else None

    @property
    def launched(self) -> Begun | None:
        """The match and its monitor, once it has begun."""
        match = self.match
        if match is not None and (self._launched is None or self._launched.match is not match):
            self._launched = Begun(match, self._watch)
        return self._launched

    @property
    def lineup(self) -> Mapping[AgentID, SeatChoice]:
        """The choice of each seat, of other machines too, once the match has begun."""
        return self._lineup

    @property
    def players(self) -> Mapping[str, Player]:
        """Who has which seat, or has chosen it, by all machines."""
        return {**chosen_of(self._session), **self._session.lineup} if self._session is not None else {}

    def person_in(self, agent: AgentID) -> str:
        """The name of a person of this machine, as the others see it."""
        known, present = self.players.get(str(agent)), self.seating.own[agent]
        if known is not None and known.kind == present.kind:
            return known.name
        return self.services.people.seated(self.seating.own)[present].name

    def may_choose(self, agent: AgentID) -> bool:
        """Whether a player of this machine may have the seat."""
        return agent not in self.seating.others

    @property
    def machines(self) -> list[tuple[str, bool]]:
        """The names of the machines that have seats or watch, and whether they are ready."""
        return machine_names(self._session) if self._session is not None else []

    @property
    def late_machines(self) -> list[str]:
        """The names of the others that are not ready."""
        return late_names(self._session) if self._session is not None else []

    @property
    def mode(self) -> Mode:
        """How the match travels between the machines, once it is open."""
        return self._prepared.play.terms.mode if self._prepared is not None else INPUTS

    @property
    def network_text(self) -> str:
        """What the network does, for the foot of the match."""
        if self.match is None or self._prepared is None or self._session is None:
            return ""
        return self._network.text(self._session, self._prepared.play, self.match, hosts=self.hosts)

    # What happens

    def update(self, now: float) -> None:
        """Do what is due; called once a frame.  Raises the StageError of a game that failed."""
        if self._session is None or self.error or self._closed:
            return
        try:
            self._session.update()
            self._session = next_role(self._session)
        except StageError:
            raise
        except (UserError, OSError) as error:
            self._fail(error)
            return
        self._follow()
        self._announce()
        if self.is_ready and self._reached != (reached := tuple(self._session.places.values())):
            self._reached = reached
            self._remember()
        if self.match is not None:
            self._begin()
            if self.match.error is not None:
                raise self.match.error
            if self._session.is_over and self.outcome is None:
                self._end()

    def due_in(self, now: float) -> float:
        """Seconds until the match takes the newest input."""
        match = self.match
        return float("inf") if match is None or match.over else max(0.0, match.due_in(now))

    def phrase(self, number: int) -> None:
        """Say one of PHRASES to all machines."""
        if self._session is not None and not self.error:
            self._session.say_phrase(number)

    def ready(self) -> None:
        """Take the seats as they are chosen, and wait for the others."""
        prepared = self._prepared
        if prepared is None or self.is_ready:
            return
        self.is_ready = True
        services, lineup, terms, stage = self.services, self.seating.own, prepared.play.terms, prepared.play.stage
        self._claimed = set(lineup)
        people, devices = services.people.seated(lineup), services.devices.factories(self.spec)

        def make(agent: AgentID, choice: SeatChoice) -> Controller:
            made = make_controller(
                choice, stage.seat(agent), spec=self.spec, store=services.library.store(), devices=devices
            )
            if choice in people:
                people[choice].sign(made)
            return made

        services.worker.submit(
            lambda: make_players(stage, terms, lineup, make, hosts=self.hosts),
            done=self._seat,
            failed=self._unready,
            errors=UserError,
        )

    def leave(self) -> None:
        """Leave the match; the seats of this machine forfeit it where it has begun."""
        if self._session is not None and not self.error:
            self._session.leave()
        self.services.worker.submit(Membership.forget)

    def _remember(self) -> None:
        """Note the match, so that it can be joined again after a crash."""
        session, prepared = self._session, self._prepared
        ends_with_this = self.hosts and self.mode.has_views  # no other machine can continue it
        if session is None or prepared is None or not self._claimed or self.outcome is not None or ends_with_this:
            return
        seats = {str(agent): choice for agent, choice in self.seating.own.items() if agent in self._claimed}
        connector = session.connector
        others = tuple(connector.code_at(place).text for place in self._reached) if connector is not None else ()
        member = Membership(self.code_text, prepared.play.terms.match, seats, others)
        self.services.worker.submit(member.write, failed=lambda error: self.say(str(error)), errors=OSError)

    @property
    def hosted(self) -> SessionCode | None:
        """The code of the match where this machine is the host, for this network; None where it is not."""
        session = self._session
        if not isinstance(session, HostSession):
            return None
        return session.code or self.near

    def _announce(self) -> None:
        """List the match on this network while this machine is its host, until it is over."""
        if (code := self.hosted) is None or self.outcome is not None:
            self._announcer.close()
            return
        owner = self.services.people.owner.name
        self._announcer.announce(code, self.spec.id, owner, has_begun=self.match is not None)

    @property
    def code_text(self) -> str:
        """The code of the match, which is that of its present host."""
        session = self._session
        if isinstance(session, GuestSession) and session.connector is not None:
            return session.connector.code_at(session.link.place).text
        return self.hosted.text if self.hosted is not None else ""

    def close(self, save_picture: Callable[[Path], None] | None = None) -> None:
        """Leave, and free everything; a recording is kept.  Can be called twice."""
        if self._closed:
            return
        if self.outcome is None:
            self.leave()
            if self.match is not None and self.match.result is not None:
                self._end()
        self.keep_recording(save_picture)
        self._closed = True
        if self.services.online is self:
            self.services.online = None
        self._close_link()
        if self._prepared is not None:
            close_mapping(self._prepared.play.own)
            self._free_stage()  # else it is still being made, and freed then

    def keep_recording(self, save_picture: Callable[[Path], None] | None = None) -> None:
        """Finish the recording, once, in the worker; `save_picture` writes its thumbnail there."""
        if self.outcome is not None and self._prepared is not None:
            self.outcome.keep_recording(self._prepared.play.take_writer(), save_picture or (lambda path: None))

    # For the two sides

    def _make(self, spec: GameSpec, terms: Terms) -> None:
        """Make the game and try it, in the worker."""
        services, self.spec = self.services, spec
        self.seating, stage = self._make_seating(), services.take_stage(spec, None)
        record = services.setup.recording({agent: SeatChoice("keyboard") for agent in spec.agents})

        def make() -> Prepared:
            self._stage = made = stage or services.stages.make(spec)
            while made.busy:  # it is being made, or takes a last step of the preview
                made.poll(0.05)
            made.locates = bool(spec.figures)
            return prepare(made, terms, record=record, watch=[self._watch], countdown=SECONDS, hosts=self.hosts)

        services.library.refresh_snapshots(spec.id, done=self._found_snapshots)
        services.worker.submit(make, done=self._made, failed=self._not_made, errors=(UserError, OSError))

    @abstractmethod
    def _make_seating(self) -> OnlineSeating:
        """The seats as they are offered first."""

    def _found_snapshots(self) -> None:
        self.seating.snapshots = self.services.library.names(self.spec.id)

    def _not_made(self, error: BaseException) -> None:
        self._free_stage()
        self._fail(error)

    def _free_stage(self) -> None:
        stage, self._stage = self._stage, None
        if stage is not None:
            self.services.stages.free(stage)

    def _made(self, prepared: Prepared) -> None:
        if self._closed:
            self._free_stage()
            return
        self._prepared = prepared
        names = self.services.library.player_names(self.spec)
        prepared.play.name_of = lambda player: names.of_label(player.name, player.kind)
        try:
            self._open(prepared)
        except (UserError, OSError) as error:
            self._fail(error)

    @abstractmethod
    def _open(self, prepared: Prepared) -> None:
        """The game is ready here."""

    @abstractmethod
    def _seat(self, own: dict[AgentID, Controller]) -> None:
        """The controllers of this machine's seats are there."""

    def _unready(self, error: BaseException) -> None:
        self.is_ready = False
        self.say(str(error))

    def _follow(self) -> None:
        """Take note of who has which seat."""
        if not self.is_open:
            return
        own, agents = set(self.seating.own), {str(agent): agent for agent in self.spec.agents}
        self.seating.others = {
            agents[word]: player for word, player in self.players.items()
            if word in agents and self._is_elsewhere(player, agents[word], own)
        }  # fmt: skip

    @abstractmethod
    def _is_elsewhere(self, player: Player, agent: AgentID, own: set[AgentID]) -> bool:
        """Whether another machine has the seat."""

    def _reserved(self) -> dict[AgentID, Player]:
        """The chosen players of this machine, before they are made."""
        names, people = self.services.library.player_names(self.spec), self.services.people.seated(self.seating.own)
        return {
            agent: as_player(people[choice].name if choice in people else names.of_choice(choice), choice.kind)
            for agent, choice in self.seating.own.items()
        }  # fmt: skip

    def _begin(self) -> None:
        """Note who plays which seat, which late joiners may change."""
        if self._prepared is None:
            return
        play, own = self._prepared.play, self.seating.own
        if self._lineup and self._handovers == len(play.handovers):
            return
        self._handovers = len(play.handovers)
        for agent in self.spec.agents:
            player = self.players[str(agent)]
            is_here = agent in own and self._session is not None and player.peer == self._session.number
            self._lineup[agent] = own[agent] if is_here else played_elsewhere(player)

    def _end(self) -> None:
        """Count the result on the ladder."""
        assert self._prepared is not None
        play = self._prepared.play
        result = play.result
        assert result is not None
        agreed, why = self._session.verdict if self._session is not None else (None, "")
        if agreed is False:
            result = result.judged(why)
        elif not self.services.opening.ladder:
            result = result.judged(_("it was played without the ladder"))
        if self._session is not None:
            result = signed(result, play.terms.match, signatures_of(self._session), self._session.names)
        self.outcome = MatchOutcome(self.services, self.spec, self._lineup, result)
        self.outcome.why = sentence(play.shown.why if play.shown is not None else "")
        self.outcome.keep_result(key=play.terms.match)
        self.services.worker.submit(Membership.forget)

    def _fail(self, error: BaseException) -> None:
        self.error = str(error)
        self._close_link()

    def _close_link(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()
        self._announcer.close()
