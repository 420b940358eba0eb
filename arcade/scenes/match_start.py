"""Opens a match after a question where its seats would run what this machine does not trust yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from agents.engines.engine import present_seats
from agents.errors import UserError
from agents.seats.controller import SeatChoice
from agents.snapshots.card import SnapshotCard
from agents.snapshots.trust import trust as trust_snapshot
from agents.trust import plain, trust, untrusted
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.match.trust_texts import Lineup, card_text, named_snapshots, running_words, words_text
from arcade.session.seating import default_opponent, quick_lineup

T = TypeVar("T")


def open_match(page: Screen, route: routes.Match) -> None:
    """Push the match, after the player's answers where its seats need trust; nothing happens where they go back.

    The default opponent gets the seats whose words are declined.  Snapshots that are not trusted play with limits, and
    are not asked about again until the window closes.
    """
    _Opening(page, route).begin()


def open_quick_match(page: Screen, spec: GameSpec, device: SeatChoice, lineup: Lineup | None, *, repeats: bool) -> None:
    """`open_match` with that lineup, else with the seats of the last match if it `repeats` that, else against AI."""
    services = page.services
    snapshots = services.library.names(spec.id)
    if lineup is None and repeats:
        lineup = services.shelf.last_lineup(spec, device, devices=services.devices.seats, snapshots=snapshots)
    open_match(page, routes.Match(spec, lineup or quick_lineup(spec, device, snapshots)))


class _Opening:
    """One match on its way to the screen: first the words of its seats, then its snapshots."""

    def __init__(self, page: Screen, route: routes.Match) -> None:
        self._page, self._services, self._route = page, page.services, route

    def begin(self) -> None:
        chosen = self._services.setup.chosen
        words = [word for word in running_words(self._route.spec, self._route.lineup) if plain(word) not in chosen]
        if words:
            self._work(lambda: untrusted(words), self._ask_about_words)
        else:
            self._ask_about_snapshots()

    def _ask_about_words(self, words: Mapping[str, str]) -> None:
        if not words:
            self._ask_about_snapshots()
            return
        self._page.engine.push(routes.Confirm(
            _("Trust these players?"),
            _("The seats of the last match come from a file. They would run:") + "\n" + words_text(words),
            _("Trust and play"), lambda: self._work(lambda: trust(words), lambda _done: self._ask_about_snapshots()),
            no=_("Play against others"), otherwise=lambda: self._replace(words), has_back=True,
        ))  # fmt: skip

    def _replace(self, words: Mapping[str, str]) -> None:
        """Play without the seats of these words."""
        route, spec = self._route, self._route.spec
        names = self._services.library.names(spec.id)
        default = default_opponent(spec, snapshots=names, engines=present_seats(spec.id))
        lineup = {agent: default if str(choice) in words else choice for agent, choice in route.lineup.items()}
        self._route = replace(route, lineup=lineup)
        self._ask_about_snapshots()

    def _ask_about_snapshots(self) -> None:
        library, route, limited = self._services.library, self._route, self._services.setup.limited
        strangers = library.strangers(route.spec.id)
        named = named_snapshots(route.lineup, library.names(route.spec.id))
        card = next((strangers[name] for name in named if name in strangers and name not in limited), None)
        if card is None:
            self._page.engine.push(route)
            return
        limits = _("It was not made on this machine. Until you trust it, it plays with limits on memory and time.")
        self._page.engine.push(routes.Confirm(
            _("Trust the snapshot {name}?").format(name=library.snapshot_names.get(card.name, card.name)),
            f"{limits}\n{card_text(card)}",
            _("Trust and play"), lambda: self._trust(card),
            no=_("Play with limits"), otherwise=lambda: self._limit(card), has_back=True,
        ))  # fmt: skip

    def _trust(self, card: SnapshotCard) -> None:
        def list_again(_done: None) -> None:
            self._services.library.refresh_snapshots(card.game, done=self._ask_about_snapshots)

        self._work(lambda: trust_snapshot(card.sha256), list_again)

    def _limit(self, card: SnapshotCard) -> None:
        self._services.setup.limited.add(card.name)
        self._ask_about_snapshots()

    def _work(self, job: Callable[[], T], done: Callable[[T], None]) -> None:
        """Do a job with the disk; the match does not begin where the player is elsewhere by then."""
        page = self._page

        def go_on(found: T) -> None:
            if page.engine.scene is page:
                done(found)

        self._services.worker.submit(
            job, done=go_on, failed=lambda error: self._services.say(str(error)), errors=(UserError, OSError)
        )
