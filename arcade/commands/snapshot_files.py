"""``arcade snapshots show``, ``import``, ``export``, ``rename``, ``delete`` and ``compare``."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.completion import complete_snapshot
from arcade.commands.options import Json, tracked

if TYPE_CHECKING:
    from agents.snapshots.store import Snapshot, SnapshotStore

Name = Annotated[str, typer.Argument(help="A snapshot's name, latest or best.", autocompletion=complete_snapshot)]


def show(name: Name, as_json: Json = False) -> None:
    """Show the card of a snapshot, its rating, and whether it is trusted."""
    store, snapshot = _find(name)
    facts = _facts(store, snapshot)
    if as_json:
        print(json.dumps(facts))
        return
    for key, value in facts.items():
        if value not in ("", None, [], {}):
            print(f"{key}: {value}")


def import_snapshot(
    path: Annotated[Path, typer.Argument(help="The folder of a snapshot, with card.json and policy.onnx.")],
    name: Annotated[str, typer.Option("--name", help="Its name here; default: that of its card.")] = "",
    as_json: Json = False,
) -> None:
    """Copy a snapshot from elsewhere to your own; it plays in a process with limits until you trust it."""
    from agents.snapshots.store import open_store

    store = open_store()
    snapshot = store.add(store.get(str(path.absolute())), name=name)
    text = f"imported {snapshot.card.name} of {snapshot.card.game}; let it play at full speed: "
    _done({"imported": snapshot.card.name}, f"{text}arcade snapshots trust {snapshot.card.name}", as_json)


def export_snapshot(
    name: Name,
    out: Annotated[Path, typer.Argument(help="The folder in which NAME/ is made.")],
    as_json: Json = False,
) -> None:
    """Copy a snapshot to a folder, to share it: its card and its ONNX file."""
    from agents.snapshots.store import SnapshotStore

    _, snapshot = _find(name)
    copy = SnapshotStore(out).add(snapshot)
    path = out / copy.card.name
    _done({"exported": copy.card.name, "path": str(path)}, f"exported {path}", as_json)


def rename(
    name: Name, to: Annotated[str, typer.Argument(help="Its new name: a-z 0-9 . _ -")], as_json: Json = False
) -> None:
    """Rename a snapshot; its matches stay on the ladder under the old name."""
    store, snapshot = _find(name)
    store.check_own(snapshot.card.name)
    renamed = store.add(snapshot, name=to)
    store.delete(snapshot.card.name)
    _done({"renamed": name, "to": renamed.card.name}, f"{name} is {renamed.card.name} now", as_json)


def delete(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete a snapshot for good; its results stay on the ladder."""
    store, snapshot = _find(name)
    store.check_own(snapshot.card.name)
    if not yes:
        typer.confirm(f"Delete {snapshot.card.name} for good?", abort=True, err=True)
    store.delete(snapshot.card.name)
    _done({"deleted": snapshot.card.name}, f"deleted {snapshot.card.name}", as_json)


def compare(
    one: Name,
    two: Name,
    episodes: Annotated[int, typer.Option(min=2, help="Matches, half of them with the sides swapped.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first match.")] = 1,
    as_json: Json = False,
) -> None:
    """Play two snapshots of a game of two teams against each other, and show how they differ."""
    from agents.snapshots.store import SnapshotError
    from arcade.api import evaluate
    from arcade.commands.terminal import print_table
    from arcade.games import find_game

    (store, first), (_, second) = _find(one), _find(two)
    spec = find_game(first.card.game)
    if second.card.game != spec.id or len(spec.teams) != 2:
        text = f"expected two snapshots of one game of two teams, got: {first.card.game} and {second.card.game}"
        raise SnapshotError(text)
    words = (f"snapshot:{first.card.name}", f"snapshot:{second.card.name}")
    seats = {str(agent): words[spec.team_of(agent)] for agent in spec.agents}
    watch = partial(tracked, quiet=as_json)
    result = evaluate(spec.id, seats, episodes=episodes + episodes % 2, seed=seed, swap=True, watch=watch)
    rows = [_facts(store, first), _facts(store, second)]
    if as_json:
        print(json.dumps({"snapshots": rows, "teams": result["teams"], "played": result["played"]}))
        return
    names = ("name", "step", "algorithm", "created", "run", "parent", "size", "rating")
    print_table(("", *(row["name"] for row in rows)), ([name, *(row.get(name, "") for row in rows)] for name in names))
    for team, name in zip(result["teams"], words, strict=True):
        rate = team["outcomes"]["win"]
        print(f"{name}: {rate['rate']:.0%} of {result['played']} matches won ({rate['low']:.0%} to {rate['high']:.0%})")


def _find(name: str) -> tuple[SnapshotStore, Snapshot]:
    from agents.snapshots.store import open_store

    store = open_store()
    return store, store.get(name)


def _facts(store: SnapshotStore, snapshot: Snapshot) -> dict[str, Any]:
    card = snapshot.card
    rating = store.rating(card.game, card.name) if store.rating else None
    return card.model_dump(mode="json") | {"rating": rating, "trusted": snapshot.trusted}


def _done(facts: dict[str, Any], text: str, as_json: bool) -> None:
    print(json.dumps(facts) if as_json else text)
