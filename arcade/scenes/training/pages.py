"""RunPage: one page of a run's screen.  PoolPage: its opponent pool.  MatchmakingPage: which opponents are drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from agents.ladder.ratings.online import Rating
from agents.ladder.ratings.views.rating_text import rating_interval
from agents.wire.trainer_events import WEIGHTINGS, PoolMember
from arcade.engine.ui.controls import Choice, Slider
from arcade.engine.ui.layout import Column as Stacked
from arcade.engine.ui.tables import Bar, Cell, Column, DataTable
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.games.spec import GameSpec
from arcade.language import N_, _, local_number, percent
from arcade.scenes.screen import TabPage
from arcade.session.ladder_texts import shown_cell
from arcade.session.services import Services
from arcade.session.training.presets import rounded_text
from arcade.session.training.run_link import RunLink

LEARNING = ("main", "main_exploiter", "league_exploiter")
"""The trainer's names of policies in training; others have those of their agents."""


class RunPage(TabPage):
    """Shown and hidden any number of times."""

    def __init__(self, link: RunLink, services: Services) -> None:
        self.link, self.services = link, services

    @property
    def spec(self) -> GameSpec | None:
        """The game that is trained, if it is in the catalogue."""
        return self.services.library.find(self.link.status.game)

    def shown(self, name: str, kind: str = "") -> str:
        """Return what people read for a player of the run."""
        agents = self.spec.agents if self.spec is not None else ()
        if name.removeprefix("live:") in (*LEARNING, *map(str, agents)):
            return _("The AI in training")
        return self.services.library.player_names(self.spec).of_label(name, kind) if self.spec is not None else name

    def hide(self) -> None:
        """Free what the page needs only while it is shown."""

    def update(self, now: float) -> bool:
        """Update a shown page; True where its widgets changed."""
        return False

    def rest(self, now: float) -> None:
        """Do a little work between two frames while shown."""


COLUMNS = (
    (N_("Opponent"), 2.6, False, 170.0),
    (N_("Wins against it"), 3.2, False, 270.0),
    (N_("Rating"), 1.0, True, 130.0),
    (N_("Games"), 0.6, True, 80.0),
    (N_("Picked"), 0.6, True, 80.0),
    (N_("Saved at"), 0.8, True, 110.0),
)
"""Title, share, whether figures, and least width."""

POOL_HINT = N_(
    "Ratings and wins with their 95% interval. Picked: how often it is the opponent; saved at: step of the training"
)
ORDERS: dict[str, Callable[[PoolMember], tuple[bool, float]]] = {
    N_("Rating"): lambda m: (m.rating is not None, m.rating or 0.0),
    N_("Hardest"): lambda m: (m.win_rate is not None, -(m.win_rate or 0.0)),
    N_("Newest"): lambda m: (m.frozen_at is not None, float(m.frozen_at or 0)),
    N_("Most played"): lambda m: (True, float(m.games)),
}


class PoolPage(RunPage):
    """A scrolling table; where several policies learn, one pool at a time."""

    title, hint = (
        N_("Opponents"),
        N_("Whom it trains against (the opponent pool)"),
    )

    def __init__(self, link: RunLink, services: Services) -> None:
        super().__init__(link, services)
        self.table = DataTable((), key="pool")
        self._order = self._policy = 0
        self._policies: list[str] = [""]
        self._seen = -1

    def body(self) -> Widget:
        self.table.columns = tuple(Column(_(title), share, figures, least) for title, share, figures, least in COLUMNS)
        self.table.empty, self.table.hint = _("No opponents yet"), _(POOL_HINT)
        orders = [_(title) for title in ORDERS]
        order = Choice(_("Order"), orders, index=self._order, change=partial(self._set, "_order"))
        policy = Choice(
            _("Opponents of"), [name.replace("_", " ") for name in self._policies], index=self._policy,
            change=partial(self._set, "_policy"), hint=_("Each AI of this training (policy) has opponents of its own"),
        ) if len(self._policies) > 1 else None  # fmt: skip
        self._fill()
        return Stacked([order, policy, self.table], grow=1)

    def update(self, now: float) -> bool:
        pools = self.link.pools
        if pools.version == self._seen:
            return False
        self._seen = pools.version
        before, self._policies = self._policies, list(pools.of) or [""]
        self._policy = min(self._policy, len(self._policies) - 1)
        self._fill()
        return before != self._policies

    def _set(self, name: str, index: int) -> None:
        setattr(self, name, index)
        self._fill()

    def _fill(self) -> None:
        members = self.link.pools.of.get(self._policies[self._policy], ())
        ordered = sorted(members, key=list(ORDERS.values())[self._order], reverse=True)
        self.table.set_rows([self._row(member) for member in ordered])

    def _row(self, member: PoolMember) -> list[Cell]:
        share = member.weight is not None and 0 <= member.weight <= 1
        return [
            self.shown(member.name, member.kind),
            _wins(member),
            _rating(member),
            local_number(f"{member.games:,}"),
            local_number(f"{member.weight:.1%}") if share else "",
            "" if member.frozen_at is None else rounded_text(member.frozen_at),
        ]


def _rating(member: PoolMember) -> str:
    if member.rating is None:
        return ""
    rating = Rating(member.name, mu=member.rating, sigma=member.sigma or 0.0)
    if member.sigma is None:
        return f"{rating.points:.0f}"
    return str(shown_cell(rating_interval(rating.points, rating.margin)))


def _wins(member: PoolMember) -> Cell:
    if member.win_rate is None or (not member.games and member.low is not None):
        return _("Not played yet")
    low, high = (member.win_rate if end is None else end for end in (member.low, member.high))
    text = _("{rate}  ({low} to {high})").format(rate=percent(member.win_rate), low=percent(low), high=percent(high))
    return Bar(member.win_rate, min(low, high), max(low, high), text)


SEND_AFTER = 0.4
"""Seconds without another change until it is sent, so that dragging a slider is one request."""

WORDS = {
    "play_against_latest_model_ratio": (
        N_("Against itself"), N_("Share of the games in which the AI in training has every seat"),
    ),
    "newest_ratio": (
        N_("Against the newest"),
        N_("Share of the newest saved version (snapshot) in the games against saved versions"),
    ),
    "fixed_ratio": (N_("Against fixed opponents"), N_("Share of the games against bots, files, engines …")),
}  # fmt: skip
WEIGHTING_HINT = N_("Which older versions are picked more often (uniform, variance, hard, nash, alpha_rank)")
DRAWN_BY = {
    "uniform": N_("all alike"), "variance": N_("even matches"), "hard": N_("strong ones"),
    "nash": N_("the Nash mixture"), "alpha_rank": N_("by alpha-rank"),
}  # fmt: skip


class MatchmakingPage(RunPage):
    """Shows the settings in force; changes are sent after a short pause, and refused ones revert."""

    title, hint = N_("Matchmaking"), N_("How often it meets which of its opponents")

    def __init__(self, link: RunLink, services: Services) -> None:
        super().__init__(link, services)
        self._changed: dict[str, float | str] = {}  # unsent
        self._at: float | None = None  # time of the last change
        self._touched = False
        self._shown: tuple[object, ...] = ()

    def body(self) -> Widget:
        matchmaking = self.link.status.matchmaking
        rows: list[Widget] = [
            Slider(
                _(WORDS[name][0]), value=value, step=0.05, hint=_(WORDS[name][1]), change=partial(self._change, name)
            )
            for name, value in matchmaking.ratios
        ]
        if matchmaking.weighting:
            rows.append(
                Choice(
                    _("Older versions"), [_(DRAWN_BY.get(word, word)) for word in WEIGHTINGS],
                    index=WEIGHTINGS.index(matchmaking.weighting), hint=_(WEIGHTING_HINT),
                    change=lambda index: self._change("weighting", WEIGHTINGS[index]),
                )
            )  # fmt: skip
        for row in rows:
            row.enabled = self.link.live
        return Stacked([Paragraph(self._words(), colour="muted"), *rows])

    def update(self, now: float) -> bool:
        if self._touched:
            self._touched, self._at = False, now
        if self._at is not None and now - self._at >= SEND_AFTER:
            self._send()
        matchmaking = self.link.status.matchmaking
        shown = (matchmaking.ratios, matchmaking.weighting, self.link.live)
        if self._changed or self._at is not None or shown == self._shown:
            return False
        self._shown = shown
        return True

    def hide(self) -> None:
        self._send()

    def _words(self) -> str:
        if self.link.status.matchmaking.model_fields_set:
            return _("Changes apply from the next games on")
        if self.link.live:
            return _("This trainer does not publish its matchmaking")
        return _("Shown while the training runs")

    def _change(self, name: str, value: float | str) -> None:
        self._changed[name] = value
        self._touched = True

    def _send(self) -> None:
        changed, self._changed, self._at = self._changed, {}, None
        if changed and self.link.live and self.link.client is not None:
            self.link.client.request("matchmaking", changed)
            self._shown = ()  # show the settings in force again, in case it is refused
