"""Screen: base of the full-page scenes, with heading, body, foot and focus; Overlay and Dialog lie over others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

import pygame

from arcade import language
from arcade.engine.input.events import InputEvent, KeyInput, MenuInput, PointerInput, QuitAsked
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.focus import Focus
from arcade.engine.ui.layout import Centred, Column, Panel, Row, Spacer
from arcade.engine.ui.scroll import Scroll
from arcade.engine.ui.tabs import Tabs
from arcade.engine.ui.texts import Label, Paragraph, text_rect
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.toasts import AROUND
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host, Route, Scene
from arcade.language import N_, _
from arcade.scenes.dialogs.quitting import quit_arcade
from arcade.scenes.foot import HEIGHT, Foot, Legend
from arcade.session.services import Services

LOW = 420
"""Height of a page in units below which its heading scrolls away with the body."""
AGAIN = 15
"""Frames after which a page is measured again, for texts that change by themselves."""
P = TypeVar("P", bound=Any)  # a TabPage, or another class with its title and hint


class Screen(Scene):
    """A page: a heading with `actions` beside it, the `body`, and the foot with hints.

    A subclass defines `body`, a tree of widgets; it is built anew by `rebuild` and `refresh`, and when the window, the
    theme or the language changes.  Declared texts (`heading`, `legend`) are marked with N_.
    """

    heading = ""
    legend: Legend = (("accept", N_("Choose")), ("back", N_("Back")))
    has_back = True  # a Back button beside the heading
    is_question = False  # an answer is wanted: the window is closed without another question
    reads_all = False  # the narrator reads every text of the body, as in a question
    grace = 0.0
    """Seconds without presses after a page came by itself: they were meant for the page before it."""

    def __init__(self, services: Services, route: Route) -> None:
        self.services, self.route = services, route
        self.tree: Widget = Spacer()
        self._first: Widget = self.tree  # where the focus begins
        self._body: Widget = self.tree
        self.focus = Focus(self.tree)
        self._built: tuple[Theme, int] | None = None  # what the tree was built for
        self._age = 0  # frames since the tree was measured
        self._narrated = ""  # the widget that was read last, by its key or label
        self._seen = self.focus  # the one that was looked at for the narrator
        self._came_at = 0.0

    # What a subclass defines

    def body(self) -> Widget:
        """Make the widgets below the heading."""
        return Spacer()

    def actions(self) -> list[Widget]:
        """Make the widgets at the right of the heading, before Back."""
        return []

    def head(self) -> Widget | None:
        """Make the widget between heading and body, which does not scroll."""
        return None

    def build(self) -> Widget:
        """Make the whole page."""
        body, head, foot = self.body(), self.head(), Foot(self.engine, self.legend, lambda: self.foot_hint)
        self._first, self._body = head or body, body
        if self.engine.theme.page[1] < LOW:
            actions = Row(self.actions())
            self._first = self._first if any(w.can_focus for w in self._first.walk()) else actions  # and not Back
            page: Widget = Scroll(Column([self._title([]), actions, head, body], grow=1))
        else:
            page = Column([self._title(self.actions()), head, Scroll(body)], gap=16, grow=1)
        return Column([Panel(page, padding=20, fill="", grow=1), foot], gap=0)

    def back(self) -> None:
        """Esc or B: leave the page."""
        self.engine.sound.play("back")
        self.engine.pop()

    def start(self, event: MenuInput) -> None:
        """P or a pad's Start."""

    @property
    def foot_hint(self) -> str:
        """What the foot says: the hint of the focused widget."""
        return self.focus.hint

    # What it does

    @property
    def theme(self) -> Theme:
        """Colours and sizes."""
        return self.engine.theme

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self._came_at = engine.clock()
        self.rebuild()

    @property
    def texts(self) -> list[str]:
        """The texts of the body, in reading order."""
        return [widget.label for widget in self._body.walk() if isinstance(widget, Label | Paragraph) and widget.label]

    def announce(self) -> None:
        """Read the heading, with `reads_all` every text of the body, and the focused widget."""
        read = [_(self.heading), *(self.texts if self.reads_all else []), self._focused_words()]
        self.engine.narrator.say(_sentences(read))

    def rebuild(self) -> None:
        """Build the page anew; the focus begins at its first widget."""
        self.tree = self.build()
        self._built = self.theme, language.version
        self.focus = Focus(Spacer())  # texts about the focus must not be those of the old page
        self.lay_out()
        self.focus = Focus(self.tree, first=self._first, moved=self._focus_moved)
        self._age = AGAIN  # some texts depend on the focus

    def refresh(self) -> None:
        """Build the page anew; focus and scrolled parts stay where they are, unless the window changed."""
        focused, offsets = self.focus.focused, [w.offset for w in self.tree.walk() if isinstance(w, Scroll)]
        if self._built is not None and self._built[0] != self.theme:
            offsets.clear()
        self.rebuild()
        for widget, offset in zip((w for w in self.tree.walk() if isinstance(w, Scroll)), offsets, strict=False):
            widget.scroll_by(offset - widget.offset)
        self.focus.focus_like(focused)

    def lay_out(self) -> None:
        """Measure and arrange the page, after a change of its widgets."""
        self._age = 0
        self.tree.forget()
        self.tree.arrange(self.theme, self.engine.canvas.get_rect())

    @property
    def listens(self) -> bool:
        """Whether presses are meant for this page."""
        return self.engine.clock() - self._came_at >= self.grace

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, QuitAsked):
            return not self.is_question and quit_arcade(self.engine, self.services)
        is_press = isinstance(event, MenuInput) or (isinstance(event, PointerInput) and event.kind == "press")
        if is_press and not self.listens:
            return None
        accepting = isinstance(event, MenuInput) and event.action == "accept" and not event.repeated
        before, spoken = self.focus.focused, self._spoken
        if accepting and before is not None and not before.has_sound:
            self.engine.sound.play("accept")
        if self.focus.handle(event):
            self._age = AGAIN
            self._read_change(before, spoken)
            return None
        if isinstance(event, MenuInput) and not event.repeated:
            if event.action == "back":
                self.back()
            elif event.action == "start":
                self.start(event)
        return None

    def update(self, now: float) -> None:
        super().update(now)
        if self.focus is not self._seen and self.engine.scene is self:
            self._seen, focused = self.focus, self.focus.focused
            if self.engine.narrator.is_on and focused is not None and _identity(focused) != self._narrated:
                self.read_focus()  # the page was built anew without what was read

    def draw(self, canvas: pygame.Surface) -> None:
        if self._built != (self.theme, language.version):
            self.refresh()
        self._age += 1
        if self._age > AGAIN:
            self.lay_out()
        self.draw_behind(canvas)
        self.tree.draw(canvas, self.theme)

    def draw_behind(self, canvas: pygame.Surface) -> None:
        """Draw what lies behind the widgets."""
        canvas.blit(backdrop(self.theme, canvas.get_size()), (0, 0))

    def draw_over(self, canvas: pygame.Surface) -> None:
        focused = self.focus.focused
        others = [widget.rect for widget in self.focus.widgets if widget is not focused]
        taken = [*self._heading_rects(), *others, *([focused.rect] if focused is not None else [])]
        if (messages := self.engine.toasts).messages:
            foot = self._foot_top(canvas)
            page = pygame.Rect(0, 0, canvas.get_width(), foot - self.theme.px(AROUND))  # what is below is hidden
            seen, texts = [rect.clip(page) for rect in taken], [rect.clip(page) for rect in self._text_rects()]
            messages.draw_clear(canvas, seen, texts=texts, foot=foot, look=self.theme)

    def _foot_top(self, canvas: pygame.Surface) -> int:
        """Return where the page ends."""
        tops = [widget.rect.top for widget in self.tree.walk() if isinstance(widget, Foot)]
        return min(tops, default=canvas.get_height() - self.theme.px(HEIGHT))

    def _text_rects(self) -> list[pygame.Rect]:
        """Return where there is text to read, for messages to leave free where they can."""
        return [
            text_rect(widget, self.theme)
            for widget in self.tree.walk()
            if isinstance(widget, Label | Paragraph) and widget.label
        ]

    def _heading_rects(self) -> list[pygame.Rect]:
        """Return where the words of the heading are, for messages to leave free."""
        words = _(self.heading)
        found = (widget for widget in self.tree.walk() if isinstance(widget, Label) and widget.label == words)
        label = next(found, None) if words else None
        return [text_rect(label, self.theme)] if label is not None else []

    def back_button(self) -> Button:
        """The button that leaves the page."""
        return Button(_("Back"), self.back, hint=_("Previous page"), key="back")

    def _title(self, actions: list[Widget]) -> Widget | None:
        """Make the row of the heading."""
        heading, back = _(self.heading), [self.back_button()] if self.has_back else []
        if not heading and not actions and not back:
            return None
        title: Widget = Label(heading, size=themes.TITLE, bold=True, grow=1, least=100)
        if self.theme.page[1] < LOW:
            title = Paragraph(heading, size=themes.LARGE, bold=True, grow=1, least=100)
        return Row([title, *actions, *back], stacks=bool(actions))

    def _focus_moved(self, widget: Widget) -> None:
        self.engine.sound.play("move")
        self.read_focus()

    def read_focus(self, news: str = "") -> None:
        """Read the focused widget, after what has brought the focus there."""
        self.engine.narrator.say(_sentences([news, self._focused_words()]))

    @property
    def _spoken(self) -> str:
        """What is read of the focused widget; "" while the narrator is off."""
        focused = self.focus.focused
        return focused.spoken if focused is not None and self.engine.narrator.is_on else ""

    def _read_change(self, before: Widget | None, spoken: str) -> None:
        """Read the new value of the widget that keeps the focus, perhaps in a tree that was built anew."""
        focused, now = self.focus.focused, self._spoken
        if before is None or focused is None or now == spoken or self.engine.scene is not self:
            return
        if focused is before or _identity(focused) == _identity(before):
            self._narrated = _identity(focused)
            self.engine.narrator.say(getattr(focused, "value_text", "") or now)

    def _focused_words(self) -> str:
        focused = self.focus.focused
        if focused is None:
            return ""
        self._narrated = _identity(focused)
        return _sentences([focused.spoken, focused.hint])


class Overlay(Screen):
    """Lies over a paused match, which P, a pad's Start and its own `key` resume."""

    transparent = True
    key = ""

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, KeyInput) and event.pressed and event.name == self.key:
            self.back()
            return None
        return super().handle(event)

    def start(self, event: MenuInput) -> None:
        self.engine.pop()

    def draw_behind(self, canvas: pygame.Surface) -> None:
        self.theme.dim(canvas)


class Dialog(Screen):
    """A box over the dimmed page below; `width` units wide.  A click beside it goes back."""

    transparent = True
    updates_below = True
    is_question = True
    has_back = False
    reads_all = True
    width: float = 640
    padding: float = 28
    gap: float = 16
    box: Widget

    def build(self) -> Widget:
        heading = Paragraph(_(self.heading), size=themes.LARGE, bold=True) if self.heading else None
        self._first = self._body = body = self.body()
        low = self.engine.theme.page[1] < LOW
        inside: Widget = Column([heading, body if low else Scroll(body), *self.answers()], gap=self.gap)
        self.box = Panel(Scroll(inside) if low else inside, padding=16 if low else self.padding, edge="edge")
        page = Panel(Centred(self.box, width=self.width), padding=12, fill="", grow=1)
        foot = Foot(self.engine, self.legend, lambda: self.foot_hint)
        return page if low else Column([page, foot], gap=0)

    def answers(self) -> list[Widget]:
        """Make the widgets below the body, which do not scroll."""
        return []

    def draw_behind(self, canvas: pygame.Surface) -> None:
        self.theme.dim(canvas)

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, PointerInput) and event.is_click and not self.box.rect.collidepoint(event.pos):
            self.back()
            return None
        return super().handle(event)


class TabPage:
    """A page of a screen with tabs; lives as long as the screen."""

    title = ""
    hint = ""  # of its tab

    def body(self) -> Widget:
        """Make the widgets of the page."""
        return Spacer()


class TabbedScreen(Screen, Generic[P]):
    """Tab and the shoulder buttons turn the pages round and round, each tab shows its page."""

    legend = (("next", N_("Next page")), ("accept", N_("Choose")), ("back", N_("Back")))
    pages: Sequence[P]
    page: P

    @property
    def fitting(self) -> Sequence[P]:
        """The pages with a tab."""
        return self.pages

    def body(self) -> Widget:
        """Make the widgets of the present page."""
        body: Widget = self.page.body()
        return body

    def head(self) -> Widget | None:
        pages = self.fitting
        return Tabs(
            [_(page.title) for page in pages], index=pages.index(self.page), hint=_(self.page.hint),
            turn=lambda index: self.turn_to(pages[index]),
        )  # fmt: skip

    def turn_to(self, page: P) -> None:
        """Show another page, with the focus on the same widget if both have it."""
        focused = self.focus.focused
        self.page = page
        self.rebuild()
        self.focus.focus_like(focused)

    def handle(self, event: InputEvent) -> bool | None:
        by = {"next": 1, "previous": -1}.get(event.action, 0) if isinstance(event, MenuInput) else 0
        if not by:
            return super().handle(event)
        pages = self.fitting
        self.turn_to(pages[(pages.index(self.page) + by) % len(pages)])
        self.engine.sound.play("move")
        self.engine.narrator.say(_sentences([_(self.page.title), self._focused_words()]))
        return None


def _identity(widget: Widget) -> str:
    return widget.key or widget.label


def _sentences(texts: Sequence[str]) -> str:
    """Join different texts to sentences that are read with pauses."""
    return " ".join(text if text[-1] in ".!?…:" else f"{text}." for text in dict.fromkeys(texts) if text)


@lru_cache(2)
def backdrop(theme: Theme, size: tuple[int, int]) -> pygame.Surface:
    """Return the background, with a blue glow on the left and an orange one on the right, like the teams."""
    ground, (blue, orange, *_others) = theme.colours.ground, theme.colours.teams
    small = pygame.Surface((320, 180))
    small.fill(ground)
    for colour, centre in ((blue, (0, 180)), (orange, (320, 0))):
        for radius in range(176, 0, -8):
            share = 0.13 * (1 - radius / 180) ** 1.5
            ink = tuple(round(n + (c - n) * share) for n, c in zip(ground, colour, strict=True))
            pygame.draw.circle(small, ink, centre, radius)
    return pygame.transform.smoothscale(small, size).convert()
