"""Hanabi for one seat: all hands but its own, and all hints.

Read from OpenSpiel's observation of that player, which hides the player's own cards.
Format: https://github.com/google-deepmind/hanabi-learning-environment (ObservationToString)
"""

from __future__ import annotations

import re
from typing import Any

from agents.seats.controller import AgentID

_HIDDEN = "XX"
_CARD = re.compile(r"(\w\w) \|\| (\w\w)\|([A-Z]*)(\d*)")  # the card, the hints about it, what it may still be


def view(env: Any, agent: AgentID | None) -> dict[str, Any]:
    """The table as `agent` may know it; for a spectator (None) without any hand.

    An action is a dict: its `kind`, "play", "discard", "colour" or "rank"; its `value`, a card's number from 1, a
    colour's letter or a rank; and the seat that a hint goes `to`.  `actions` has them by index, and a seat's `did` is
    the newest one, None before; where that lost a life it has the `wrong` card.  `ending` is why the game is over:
    "mistakes", "perfect", "deck", or "" before the end.
    """
    table = env.unwrapped
    agents = list(table.possible_agents)
    state, config = table.hanabi_env.game_state, table._config
    looker = agents.index(agent) if agent is not None else 0
    seen = _read(state.observation_string(looker))
    order = [(looker + place) % len(agents) for place in range(len(agents))]  # OpenSpiel writes the looker first
    hands = dict(zip(order, seen["hands"], strict=True))
    if agent is None:
        hands = {at: [{**card, "card": ""} for card in cards] for at, cards in hands.items()}
    over, mistakes = bool(state.is_terminal()), _mistakes(state, int(config["max_life_tokens"]) - seen["lives"])
    return {
        "seats": [
            {"agent": one, "hand": hands[at], "did": _newest_action(state, at, agents, mistakes)}
            for at, one in enumerate(agents)
        ],
        "fireworks": seen["fireworks"],
        "discards": seen["discards"],
        "lives": seen["lives"],
        "max_lives": int(config["max_life_tokens"]),
        "tokens": seen["tokens"],
        "max_tokens": int(config["max_information_tokens"]),
        "deck": seen["deck"],
        "turn": None if over else agents[state.current_player()],
        "over": over,
        "ending": _ending(seen) if over else "",
        "actions": [_action(text, looker, agents) for text in _actions(state, looker)],
        "score": sum(int(card[1]) for card in seen["fireworks"]) if seen["lives"] else 0,
    }


def _read(text: str) -> dict[str, Any]:
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    hands_text = text.partition("Hands:\n")[2].partition("Deck size:")[0]
    return {
        "lives": int(fields["Life tokens"]),
        "tokens": int(fields["Info tokens"]),
        "deck": int(fields["Deck size"]),
        "fireworks": fields["Fireworks"].split(),
        "discards": fields["Discards"].split(),
        "hands": [[_card(*found) for found in _CARD.findall(hand)] for hand in hands_text.split("-----")],
    }


def _card(card: str, hints: str, colours: str, ranks: str) -> dict[str, str]:
    """Return `card`, "" if hidden; `colour` and `rank` as hinted, "" if not; what each may still be."""
    colour, rank = (sign.replace("X", "") for sign in hints)
    shown = "" if card == _HIDDEN else card
    return {"card": shown, "colour": colour, "rank": rank, "colours": colours, "ranks": ranks}


def _newest_action(
    state: Any, player: int, agents: list[str], mistakes: dict[int, str]
) -> dict[str, Any] | None:  # fmt: skip
    turns = [(at, int(step.action)) for at, step in enumerate(state.full_history()) if step.player == player]
    if not turns:
        return None
    at, action = turns[-1]
    wrong = {"wrong": mistakes[at]} if at in mistakes else {}
    return _action(state.action_to_string(player, action), player, agents) | wrong


def _mistakes(state: Any, count: int) -> dict[int, str]:
    """Return the cards that cost a life, by their place in the history, which is played again for them."""
    found: dict[int, str] = {}
    past = state.get_game().new_initial_state()
    for at, step in enumerate(state.full_history()):
        if len(found) == count:
            break
        plays = step.player >= 0 and past.action_to_string(step.player, step.action).startswith("(Play")
        lives = _read(past.observation_string(0))["lives"] if plays else 0
        past.apply_action(step.action)
        after = _read(past.observation_string(0)) if plays else {}
        if plays and after["lives"] < lives:
            found[at] = after["discards"][-1]
    return found


def _ending(seen: dict[str, Any]) -> str:
    if not seen["lives"]:
        return "mistakes"
    return "perfect" if all(card[1] == "5" for card in seen["fireworks"]) else "deck"


def _actions(state: Any, player: int) -> list[str]:
    return [state.action_to_string(player, action) for action in range(state.get_game().num_distinct_actions())]


def _action(text: str, player: int, agents: list[str]) -> dict[str, Any]:
    """Read an action as OpenSpiel writes it: "(Play 3)", "(Reveal player +1 color R)"."""
    verb, *rest = text.strip("()").split()
    if verb != "Reveal":
        return {"kind": verb.lower(), "value": int(rest[-1]) + 1, "to": None}
    to = agents[(player + int(rest[1])) % len(agents)]
    is_colour = rest[2] == "color"
    return {"kind": "colour" if is_colour else "rank", "value": rest[3] if is_colour else int(rest[3]), "to": to}
