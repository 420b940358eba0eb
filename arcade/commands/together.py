"""``arcade host`` and ``arcade join``: one match over the network."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands.options import Game, Json, Seats, hide_windows, seat_words, seats_of

if TYPE_CHECKING:
    from arcade.together.roles import Session
    from arcade.together.running import Outcome

RELAY_PORT = 5900

Name = Annotated[str, typer.Option("--name", help="Your name for the others.")]
Ladder = Annotated[bool, typer.Option("--ladder/--no-ladder", help="Add the result to the ladder here.")]
Record = Annotated[bool, typer.Option("--record/--no-record", help="Record the match here.")]
Announce = Annotated[
    bool,
    typer.Option("--announce/--no-announce", help="List the match on the local network while this machine hosts it."),
]
Rollback = Annotated[
    bool | None,
    typer.Option(
        "--rollback/--no-rollback", show_default=False,
        help="Show the present at once and correct it; default: where game and machine are quick enough.",
    ),
]  # fmt: skip


def host(
    game: Game,
    seat: Seats = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="TCP port; default: a free one.", show_default=False)] = 0,
    address: Annotated[
        str, typer.Option(help="Name or address in the code, by which others reach this machine; default: its own.")
    ] = "",
    seed: Annotated[int | None, typer.Option(min=0, max=2**32 - 1, help="Seed of the match.")] = None,
    max_ticks: Annotated[int | None, typer.Option(min=1, help="Ticks after which the match ends.")] = None,
    speed: Annotated[
        float | None, typer.Option(min=0.01, help="Times the game's own rate; turn-based default: unlimited.")
    ] = None,
    relay: Annotated[
        str,
        typer.Option(metavar="HOST:PORT", help="A relay, see `arcade relay`, by which the others reach this machine."),
    ] = "",
    grace: Annotated[
        float, typer.Option(min=0, max=86400, help="Seconds within which an absent machine may come back.")
    ] = 60.0,
    views: Annotated[
        bool,
        typer.Option(
            "--views",
            help="Run the game here alone and send pictures, for machines that compute "
            "another result; card games always do.",
        ),
    ] = False,
    name: Name = "",
    ladder: Ladder = True,
    record: Record = True,
    rollback: Rollback = None,
    announce: Announce = True,
    as_json: Json = False,
) -> None:
    """Offer a match over the network, without a window; seats without --seat are for those who join."""
    hide_windows()
    from arcade.games import open_game
    from arcade.together.running import HostOptions, RunOptions, host_match

    hosting = HostOptions(
        port=port, address=address, seed=seed, max_ticks=max_ticks or 0, speed=speed, grace=grace, relay=relay,
        by_views=views,
    )  # fmt: skip
    spec, words = open_game(game), seat_words(seats_of(seat))
    with _announcing(name, on=announce) as follow:
        options = RunOptions(name=name, ladder=ladder, record=record, rolls_back=rollback, follow=follow)
        outcome = host_match(spec, words, hosting, options, on_code=_show_code, say=_say)
    _print(outcome, as_json=as_json)


def join(
    code: Annotated[str, typer.Argument(help="What `arcade host` prints there, or tcp://KEY@HOST:PORT.")],
    seat: Seats = None,
    watch: Annotated[bool, typer.Option("--watch", help="Take no seat.")] = False,
    name: Name = "",
    ladder: Ladder = True,
    record: Record = True,
    rollback: Rollback = None,
    announce: Announce = True,
    as_json: Json = False,
) -> None:
    """Join a match over the network, without a window; without --seat on the first free seat, with the AI that fits."""
    hide_windows()
    from arcade.together.running import RunOptions, join_match

    if watch and seat:
        raise typer.BadParameter("expected --seat or --watch, got both")
    with _announcing(name, on=announce) as follow:
        options = RunOptions(name=name, ladder=ladder, record=record, rolls_back=rollback, follow=follow)
        outcome = join_match(code, seat_words(seats_of(seat)), options, watch=watch, say=_say)
    _print(outcome, as_json=as_json)


def relay(
    port: Annotated[int, typer.Option(min=0, max=65535, help="TCP port; 0 for a free one.")] = RELAY_PORT,
    host: Annotated[str, typer.Option(help="Network to listen on.")] = "0.0.0.0",
    as_json: Json = False,
) -> None:
    """Relay matches between machines behind routers: it passes on what it cannot read."""
    import asyncio
    from contextlib import suppress

    from arcade.together.ways.relay import Relay

    def say(port: int) -> None:
        if as_json:
            print(json.dumps({"port": port}), flush=True)
        _say(f"relay on port {port}; hosts use: arcade host GAME --relay ADDRESS:{port}")

    with suppress(KeyboardInterrupt):
        asyncio.run(Relay().serve(host, port, say))


@contextmanager
def _announcing(name: str, *, on: bool) -> Iterator[Callable[[Session], None]]:
    """What lists the match on the local network, while this machine is its host and others can reach it."""
    from arcade.session.online.nearby import Announcer
    from arcade.session.worker import Worker
    from arcade.together.hosting.host import HostSession

    def follow(session: Session) -> None:
        worker.poll()
        if not on or not isinstance(session, HostSession) or session.code is None or session.code.is_on_loopback:
            announcer.close()
        else:
            announcer.announce(session.code, session.spec.id, name, has_begun=session.begun)

    with Worker(threads=1) as worker, Announcer(worker) as announcer:
        yield follow


def _say(text: str) -> None:
    print(f"arcade: {text}", file=sys.stderr, flush=True)


def _show_code(code: str) -> None:
    _say(f"others join with: arcade join {code}")


def _print(outcome: Outcome, *, as_json: bool) -> None:
    """Print the outcome, and exit with 1 for a match that failed."""
    from arcade.games import find_game
    from arcade.session.score_texts import headline

    result = outcome.result
    words = headline(find_game(result.game), result, {}) if result.ended == "forfeit" else result.ended
    if as_json:
        print(json.dumps(outcome.as_json() | {"words": words}))
    else:
        seats = ", ".join(f"{agent} {result.lineup[agent]} {value:g}" for agent, value in result.returns.items())
        print(f"{words} after {result.ticks} ticks: {seats}")
        if outcome.why:
            print(f"because {outcome.why}")
        if result.unrated:
            print(f"does not count on the ladder: {result.unrated}")
        if outcome.recording is not None:
            print(f"recording: {outcome.recording}")
    raise typer.Exit(1 if result.ended == "failed" or outcome.agreed is False else 0)
