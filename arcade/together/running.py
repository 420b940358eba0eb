"""Runs an online match without a window: `host_match` offers one, `join_match` joins one."""

from __future__ import annotations

import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from agents.files import home
from agents.seats.controller import AgentID, Controller, SeatChoice
from agents.seats.kinds import parse_lineup
from agents.snapshots.store import open_store
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.lineup import ai_choice, choice_limits, make_controller
from arcade.match.play.result import MatchResult
from arcade.match.recording.format import PATIENT
from arcade.match.stage.local import LocalStage
from arcade.match.stage.stage import Stage
from arcade.together.guest import GuestSession
from arcade.together.hosting.host import HostSession
from arcade.together.local_play import LocalPlay, keep_result
from arcade.together.offer import Offer
from arcade.together.preparing import Prepared, as_players, make_players, offered_game, prepare
from arcade.together.roles import Session, next_role, signatures_of
from arcade.together.signatures import signed
from arcade.together.terms import SessionError, Terms, check_game, draw_seed, hosted_terms
from arcade.together.ways.codes import SECRET_BYTES, SessionCode, parse_code, parse_relay
from arcade.together.ways.connector import Connector
from arcade.together.ways.links import HostLink, own_address

FREE = SeatChoice("idle")
"""In a host's lineup: a seat for those who join."""

Say = Callable[[str], None]


class MakeStage(Protocol):
    """Makes the stage of a game, for its pictures too where it is to `render`."""

    def __call__(self, spec: GameSpec, /, *, render: bool) -> Stage: ...


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How this machine takes part in a match."""

    name: str = ""  # for the others
    ladder: bool = True  # whether the result counts here
    record: bool = True
    rolls_back: bool | None = None  # None: where the game and this machine are quick enough for it
    follow: Callable[[Session], object] = lambda session: None  # called with the session again and again
    make_stage: MakeStage = LocalStage


@dataclass(frozen=True, kw_only=True)
class HostOptions:
    """What a host decides about its match."""

    port: int = 0  # 0: a free one
    address: str = ""  # of this machine, as others reach it; "": found out
    seed: int | None = None
    max_ticks: int = 0
    speed: float | None = None  # times the game's own rate; None: 1, and a turn-based game as fast as moves come
    grace: float = 60.0
    relay: str = ""  # HOST:PORT of one that others reach it by; "": they connect to this machine
    by_views: bool = False  # this machine alone runs the game, also where each one could


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one machine has of a match."""

    match: str
    result: MatchResult
    recording: Path | None
    agreed: bool | None  # None: no other machine is left
    why: str = ""  # why it ended early
    differences: list[dict[str, Any]] = field(default_factory=list)  # ticks that differed between the machines
    warnings: list[str] = field(default_factory=list)
    network: dict[str, Any] = field(default_factory=dict)  # delays and rollbacks, see `network_facts`

    def as_json(self) -> dict[str, Any]:
        recording = str(self.recording) if self.recording is not None else None
        return {**asdict(self), "result": self.result.as_json(), "recording": recording}


def host_match(
    spec: GameSpec, words: Sequence[str], hosting: HostOptions, options: RunOptions, *,
    on_code: Callable[[str], None], say: Say = lambda text: None,
) -> Outcome:  # fmt: skip
    """Offer a match and play it to its end; `on_code` gets the code for the others.

    Seats without a word are free.  Raises UserError where the game or a player cannot take part.
    """
    spec = spec.for_matches()
    check_game(spec)
    lineup = _own_choices(spec, words, [str(agent) for agent in spec.agents])
    seed = draw_seed(spec) if hosting.seed is None else hosting.seed
    terms = hosted_terms(
        spec, seed=seed, rate=usual_rate(spec, hosting.speed), max_ticks=hosting.max_ticks, grace=hosting.grace,
        by_views=hosting.by_views,
    )  # fmt: skip
    secret = secrets.token_bytes(SECRET_BYTES)
    relay = parse_relay(hosting.relay) if hosting.relay else None
    link = HostLink(f"tcp://0.0.0.0:{hosting.port or '*'}")
    with Connector(secret, link) as connector:
        if relay is not None:
            connector.use(relay, wait=True)
        prepared, own = _prepare(spec, terms, lineup, options, hosts=True)
        with prepared.play:
            host = HostSession(
                link, prepared.play, prepared.digests, secret=secret, name=options.name, say=say,
                connector=connector,
            )  # fmt: skip
            host.reserve(as_players(own))
            host.ready(own)
            host.code = code_of(link, secret, hosting.address)
            on_code(code_of(link, secret, hosting.address, relay).text)
            return _played(host, options, say)


def join_match(
    code: str, words: Sequence[str], options: RunOptions, *, watch: bool = False, say: Say = lambda text: None
) -> Outcome:
    """Join the match of a code or an address, and play it to its end; without words on the first free seat.

    Raises UserError where the host refuses, or the game or a player cannot take part.
    """
    known = parse_code(code)
    connector = Connector.of(known)
    link = connector.dial(known.place)
    session = GuestSession(
        link, secret=known.secret, name=options.name, say=say, connector=connector, standby=connector.own
    )
    try:
        while session.offer is None:
            session.update(0.05)
        _join(session, session.offer, words, options, watch=watch)
    except BaseException:
        if session.play is not None:
            session.play.close()
        session.close()
        raise
    assert session.play is not None
    with session.play:
        return _played(session, options, say)


def _played(session: Session, options: RunOptions, say: Say) -> Outcome:
    """Play a match to its end, and free the session."""
    try:
        session = _run(session, say, options.follow)
        play = session.play
        assert play is not None
        agreed, why = session.verdict
        if isinstance(session, GuestSession):
            session.leave()
        return _outcome(session, play, options, agreed=agreed, why=why, say=say)
    finally:
        session.close()


def _join(session: GuestSession, offer: Offer, words: Sequence[str], options: RunOptions, *, watch: bool) -> None:
    spec = offered_game(offer.terms)
    texts = [] if watch else words or [f"{word}={_ai_word(spec, word)}" for word in offer.free[:1]]
    if not watch and not texts:
        taking = f", or --seat {offer.takeable[0]}=… to take over from its AI" if offer.takeable else ""
        raise SessionError(f"expected a free seat, got none; add --watch to look on{taking}")
    if options.record and offer.terms.mode.has_views and not offer.terms.mode.is_secret:
        session.say(_("the host alone has a recording of this match"))
    prepared, own = _prepare(spec, offer.terms, _own_choices(spec, texts, offer.free), options)
    prepared.play.seat(own)
    session.join(prepared.play, as_players(own), prepared.digests)


def code_of(link: HostLink, secret: bytes, address: str = "", relay: tuple[str, int] | None = None) -> SessionCode:
    """The code for those who join a host; `address`: how they reach it, "" to find out."""
    if relay is not None:
        return SessionCode(*relay, link.address.key, secret, by_relay=True)
    return SessionCode(address or own_address(), link.port, link.address.key, secret)


def usual_rate(spec: GameSpec, speed: float | None = None) -> float:
    """Ticks a second of an online match at `speed` times the game's own rate; 0: as fast as inputs come."""
    if speed is None:
        return 0.0 if spec.turn_based else spec.fps
    return spec.fps * speed


def _own_choices(spec: GameSpec, words: Sequence[str], free: Sequence[str]) -> dict[AgentID, SeatChoice]:
    """The players of this machine, for the seats that words name; ``*=`` is all free ones.  Raises UserError."""
    named = {word.partition("=")[0] for word in words}
    lineup = parse_lineup(words, spec.agents, default=FREE)
    own = {
        agent: choice for agent, choice in lineup.items()
        if str(agent) in named or ("*" in named and str(agent) in free)
    }  # fmt: skip
    for choice in own.values():
        if choice.is_human:
            raise SessionError(f"expected players that need no window, got: {choice}")
        choice_limits(choice, spec)
    return own


def _ai_word(spec: GameSpec, word: str) -> str:
    agent = next(agent for agent in spec.agents if str(agent) == word)
    return str(ai_choice(spec, agent, open_store()))


def _prepare(
    spec: GameSpec, terms: Terms, lineup: Mapping[AgentID, SeatChoice], options: RunOptions, *, hosts: bool = False
) -> tuple[Prepared, dict[AgentID, Controller]]:
    """Make the game, the players and the probe; nothing stays open where that fails."""
    stage, store = options.make_stage(spec, render=hosts and terms.mode.has_views), open_store()

    def make(agent: AgentID, choice: SeatChoice) -> Controller:
        return make_controller(choice, stage.seat(agent), spec=spec, store=store)

    try:
        record = PATIENT if options.record else None
        prepared = prepare(stage, terms, rolls_back=options.rolls_back, record=record, hosts=hosts)
        return prepared, make_players(stage, terms, lineup, make, hosts=hosts)
    except BaseException:
        stage.close()
        raise


def _run(session: Session, say: Say, follow: Callable[[Session], object]) -> Session:
    """Run a session until it is over, as host or guest; SIGTERM and Ctrl-C leave it.  Returns its last role."""
    with _signals() as asked:
        while not session.is_over:
            if asked.is_set():
                session.leave()
                if session.play is None or session.play.result is None:
                    raise SessionError("left before the match began")
                break
            follow(session)
            session.update(session.due_in(time.monotonic()))
            before, session = session, next_role(session)
            if session is not before and isinstance(session, HostSession) and session.code is not None:
                say(f"others join with: arcade join {session.code.text}")
    return session


@contextmanager
def _signals() -> Iterator[threading.Event]:
    """An event that SIGTERM and Ctrl-C set, in the main thread."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.signal(number, lambda *_: asked.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _outcome(
    session: Session, play: LocalPlay, options: RunOptions, *, agreed: bool | None, why: str, say: Say
) -> Outcome:
    """Close the recording, and write the row where the result counts."""
    match, result = play.shown, play.result
    assert match is not None
    assert result is not None
    warnings = play.finish_recording()
    result = signed(result, play.terms.match, signatures_of(session), session.names)
    if agreed is False:
        result = result.judged(why)
    if not options.ladder:
        result = replace(result.judged(), unrated=result.unrated or "it was played without --ladder")
    elif result.kept and (warning := keep_result(result, play.terms.match, home() / "ladder.sqlite")):
        warnings.append(warning)
    for warning in warnings:
        say(warning)
    return Outcome(
        match=play.terms.match, result=result, recording=play.recording, agreed=agreed, why=why or match.why,
        differences=session.differences, warnings=warnings, network=play.network_facts(),
    )  # fmt: skip
