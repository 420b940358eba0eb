"""PlayerNames: what people read for the players of a game, instead of ladder labels, seat words and file names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agents.seats.controller import HUMAN_KINDS, LEVELS, SeatChoice
from agents.seats.keyboard import deal_halves
from agents.seats.kinds import find_kind, is_kind
from agents.wire.addresses import without_key
from arcade.language import N_, _, compound
from arcade.match.play.failure_texts import FAILURES
from arcade.session.limit_texts import label_words, limits_words, mistakes_words
from arcade.session.snapshot_names import name_alone

if TYPE_CHECKING:
    from agents.seats.controller import AgentID
    from arcade.games.spec import GameSpec
    from arcade.match.play.result import MatchResult, RecordingSource
    from arcade.match.play.seats import SeatFailure

LEVEL = N_("{game} AI, {level}")
LIMITED = N_("{player} ({limits})")
IN_SEAT = N_("{player}, {seat}")
OTHER_LIMITS = N_("limits changed")
EVEN = N_("About your strength")
OPEN = N_("Open for others")
REMOTE = N_("Remote player at {host}")
REMOTE_POLICY = N_("{policy} at {host}")
HERE = N_("this computer")
SEARCHING = N_("{player}, thinks {count} positions ahead")
ENGINE = N_("{program}, {settings}")
RANKED_ENGINE = N_("{program}, {strength} ({settings})")

_PLAIN = {
    "scripted": N_("Scripted bot"),
    "random": N_("Random bot"),
    "idle": N_("Empty seat"),
    "pool": N_("Any snapshot"),
}
LEVEL_WORDS = {"easy": N_("easy"), "normal": N_("normal"), "hard": N_("hard"), "expert": N_("expert")}
_KEYBOARDS = {
    "": N_("Keyboard"),
    "wasd": N_("Keyboard WASD"),
    "arrows": N_("Keyboard arrow keys"),
    "ijkl": N_("Keyboard IJKL"),
}
_SNAPSHOTS = {"latest": N_("Newest snapshot"), "best": N_("Strongest snapshot")}
_PROGRAMS = {"stockfish": "Stockfish", "gnugo": "GNU Go"}
BEGINNER = N_("beginner")
_STRENGTHS = {
    "skill 0, depth 1": BEGINNER,
    "skill 0": N_("casual player"),
    "skill 3": N_("club player"),
    "skill 6": N_("strong club player"),
    "skill 10": N_("master"),
    "skill 20": N_("full strength"),
    "level 1": BEGINNER,
    "level 5": N_("casual player"),
    "level 10": N_("club player"),
}
"""Settings of the engines that are offered, see `agents.engines.engine.present_seats` → whom they play like."""

_LABEL = re.compile(r"(.+?)(?: \((.*)\))?", re.DOTALL)
_SEARCHING = re.compile(r"search (\d+)")
_SCRIPTED_LEVEL = re.compile(rf"AI, ({'|'.join(LEVELS)})")


@dataclass(frozen=True)
class PlayerNames:
    """The names of one game's players; the same player has the same name on every screen::

        names = PlayerNames(spec, library.snapshot_names)
        names.of_choice(parse_seat("level:hard"))              # "Volley AI, hard"
        names.of_label("volley-7 (hard)", kind="level")        # "Volley AI, hard"

    `snapshots` has the short names; it may grow while the screens are open.
    """

    spec: GameSpec
    snapshots: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)  # of a recording: "person 1" → the name

    def knowing(self, people: Mapping[str, str]) -> PlayerNames:
        """Return the names for a recording, whose unnamed people are known on this machine."""
        return replace(self, people=people) if people else self

    def of_choice(self, choice: SeatChoice) -> str:
        """Return the name of the player that a seat word means, with its limits."""
        name = self._of_kind(choice)
        if not choice.limits:
            return name
        from agents.seats.limits import Limits  # numpy takes longer to import than the title may

        return _(LIMITED).format(player=name, limits=limits_words(Limits().changed(choice.limits)) or _(OTHER_LIMITS))

    def of_seat(self, agent: AgentID, lineup: Mapping[AgentID, SeatChoice]) -> str:
        """Return the name of the player in a seat.

        A person with the whole keyboard has the name of the half that the others there leave, if it is one.
        """
        choice = lineup[agent]
        whole = [other for other, one in lineup.items() if str(one) == "keyboard"]
        if agent in whole:
            halves = deal_halves([str(one) for one in lineup.values()])[whole.index(agent)]
            choice = SeatChoice("keyboard", halves[0]) if len(halves) == 1 else choice
        return self.of_choice(choice)

    def of_label(self, label: str, kind: str = "") -> str:
        """Return the name of the player with that label on the ladder.

        `kind` is the kind of its seat; "" where it is not known.  The names of people, and of players that are no
        part of the arcade, stay as they are.
        """
        found = _LABEL.fullmatch(label)
        if kind in HUMAN_KINDS or found is None or label in self.people:
            return self.people.get(label, label)
        base, settings = found[1], found[2] or ""
        if base in _PROGRAMS:
            return _engine(base, settings)
        if settings in LEVELS and (kind == "level" or self._is_snapshot(base)):
            return self._level(settings)
        if found_search := _SEARCHING.fullmatch(settings):
            return _(SEARCHING).format(player=self._snapshot(base), count=found_search[1])
        name = self._of_base(base, kind)
        return _(LIMITED).format(player=name, limits=label_words(settings)) if settings else name

    def of_table(self, players: Mapping[AgentID, str]) -> dict[AgentID, str]:
        """Return the names of the players at one table, with their seats where two have the same name."""
        counts = Counter(players.values())
        return {
            agent: _(IN_SEAT).format(player=name, seat=self.spec.seat_title(agent)) if counts[name] > 1 else name
            for agent, name in players.items()
        }

    def of_failure(self, failure: SeatFailure) -> str:
        """Return which player failed in which seat, and why; of unusual causes the words of the failure itself."""
        player, seat = self.of_label(failure.label, failure.kind), self.spec.seat_title(failure.agent)
        reason = _(FAILURES.get(failure.cause, "")) or failure.reason.replace(failure.label, player)
        return _("{player} in the seat {seat} cannot play on: {reason}").format(player=player, seat=seat, reason=reason)

    def of_source(self, source: RecordingSource) -> str:
        """Return the name of a player of a recording; a part that repeats an earlier one has the labels alone."""
        kind = "" if source.kind == "replay" else source.kind
        return self.of_person(source.label) if source.human else self.of_label(source.label, kind)

    def of_person(self, label: str) -> str:
        """Return the name of a person, by the label in results or in a recording."""
        return self.people.get(label, label)

    def of_result(self, result: MatchResult) -> MatchResult:
        """Return the result with names in place of labels, for screens alone: the ladder keeps the labels."""
        kinds = {agent: str(report.get("kind", "")) for agent, report in result.seats.items()}
        first = {change.agent: change for change in reversed(result.changes)}
        last = {change.agent: change for change in result.changes}
        people = {  # AI may join, too: of the last player in a seat the kind is known
            change.label for change in result.changes if change.why in ("join", "takeover")
            and (change is not last[change.agent] or kinds.get(change.agent, "keyboard") in HUMAN_KINDS)
        }  # fmt: skip
        people |= {  # of a seat that changed hands, `kinds` has the last player's
            label for agent, label in result.lineup.items()
            if (first[agent].why == "leave" if agent in first else kinds.get(agent) in HUMAN_KINDS)
        }  # fmt: skip

        def name(label: str, kind: str = "") -> str:
            return label if label in people else self.of_label(label, kind)

        lineup = {
            agent: name(label, "" if agent in last else kinds.get(agent, "")) for agent, label in result.lineup.items()
        }
        return replace(
            result, lineup=lineup, changes=[replace(change, label=name(change.label)) for change in result.changes]
        )

    def _of_base(self, base: str, kind: str) -> str:
        if level := _SCRIPTED_LEVEL.fullmatch(base):
            return self._level(level[1])
        if base in _PLAIN and kind in ("", base):
            return _(_PLAIN[base])
        if "://" in base:  # a server that has not named its policy
            return self._remote(base)
        return self._snapshot(base) if kind in ("snapshot", "pool", "level") or self._is_snapshot(base) else base

    def _of_kind(self, choice: SeatChoice) -> str:
        """Return the name without limits; kinds of other packages name themselves."""
        if choice.kind == "level" or (choice.kind == "scripted" and choice.settings):
            level = dict(choice.settings).get("level", choice.argument)
            if choice.is_even:
                return _(EVEN)
            mistakes = dict(choice.settings).get("mistakes")
            name = self._level(level)
            return _(LIMITED).format(player=name, limits=mistakes_words(mistakes)) if mistakes else name
        if choice.kind == "snapshot":
            name = _(_SNAPSHOTS.get(choice.argument, "")) or self._snapshot(choice.argument)
            ahead = dict(choice.settings).get("search")
            return _(SEARCHING).format(player=name, count=ahead) if ahead else name
        if choice.kind == "online":
            return choice.argument or _(OPEN)
        if choice.kind == "remote":
            return self._remote(choice.argument)
        if choice.kind in HUMAN_KINDS:
            return _device(choice)
        if choice.kind in _PLAIN:
            return _(_PLAIN[choice.kind])
        text = find_kind(choice.kind).describe(choice) if is_kind(choice.kind) else str(choice)
        return self.of_label(text, choice.kind) if choice.kind in ("uci", "gtp") else text[:1].upper() + text[1:]

    def _remote(self, address: str) -> str:
        """Return the policy that is asked for and the host; without port and key, which details have."""
        place, _slash, policy = without_key(address.removeprefix("remote:")).partition("://")[2].partition("/")
        host = place.rpartition(":")[0].strip("[]")
        where = _(HERE) if host in ("", "127.0.0.1", "localhost", "::1") else host
        if not policy or not host:
            return _(REMOTE).format(host=where)
        name = _(_SNAPSHOTS.get(policy, "")) or self._snapshot(policy)
        return _(REMOTE_POLICY).format(policy=name, host=where)

    def _level(self, level: str) -> str:
        return _(LEVEL).format(game=compound(_(self.spec.title)), level=_(LEVEL_WORDS.get(level, level)))

    def _snapshot(self, name: str) -> str:
        return self.snapshots.get(name) or name_alone(name, self.spec)

    def _is_snapshot(self, name: str) -> bool:
        return name in self.snapshots


def _device(choice: SeatChoice) -> str:
    if choice.kind == "gamepad":
        return _("Gamepad {number}").format(number=int(choice.argument or 0) + 1)
    words = _KEYBOARDS.get(choice.argument)
    return _(words) if words is not None else _("Keyboard {number}").format(number=choice.argument)


def _engine(program: str, settings: str) -> str:
    strength = _STRENGTHS.get(settings, "")
    if strength == BEGINNER:  # beginners care for no numbers
        settings = _(strength)
    elif strength:
        return _(RANKED_ENGINE).format(program=_PROGRAMS[program], strength=_(strength), settings=settings)
    return _(ENGINE).format(program=_PROGRAMS[program], settings=settings) if settings else _PROGRAMS[program]
