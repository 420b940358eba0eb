"""freeze: makes a snapshot of a torch module or an ONNX file, checked on real observations and placed on the ladder."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path
from typing import Any, Literal

import numpy as np

from agents.errors import code_of
from agents.files import FileError, read_file
from agents.seats.controller import AgentID, ControllerError
from agents.snapshots.card import MAX_ONNX_BYTES, SnapshotCard
from agents.snapshots.games import SeatSample, known_games
from agents.snapshots.onnx_policy import OnnxPolicy
from agents.snapshots.snapshot import Snapshot, SnapshotError, make_snapshot
from agents.snapshots.store import SnapshotStore, open_store
from agents.spaces import action_signature, observation_signature

Output = Literal["logits", "probabilities", "q_values"]

PLACEMENT_GAMES = 16


def freeze(
    model: Any,
    *,
    game: object,
    seat: AgentID = "any",
    name: str = "",
    output: Output = "logits",
    step: int = 0,
    algorithm: str = "",
    parent: str = "",
    note: str = "",
    placement_games: int = PLACEMENT_GAMES,
    store: SnapshotStore | None = None,
) -> Snapshot:
    """Save a policy as a snapshot that plays in any seat word, pool and tournament, and place it on the ladder.

    model: a torch module, called as ``model(observations)``, or ``model(observations, masks)`` where it takes two
        arguments; or the path of an ONNX file with the inputs and outputs of `agents.snapshots.snapshot`.  A module is
        given the game's own observations, (B, *shape), as float32, and masks as float32 (B, n), 1 where legal.  Its
        output is (B, n) for a discrete action, (B, sum of nvec) for multi_discrete, (B, n) for multi_binary; for a box
        the mean (B, *shape), or (mean, log_std) of its normal variable.  A value (B,) or (B, 1) may follow as the last
        part of a tuple.
    game, seat: the game as in `arcade.make`, and the agent that it learnt to play; "any": all, which must see and do
        alike.
    name: of the snapshot; "": made from the game and the algorithm, with the next free number.
    output: of a discrete policy: "logits", "probabilities", or "q_values", the largest of which is played.
    step, algorithm, parent, note: for the card.
    placement_games: matches for the ladder against the most informative opponents; 0: none.
    store: where to save; None: the user's snapshots.

    Raises SnapshotError where the model does not fit the seat, fails, has an operator that snapshots may not use, or
    does not compute the same as ONNX; nothing is saved then.  Needs ``import arcade``, which brings the games, and for
    a module the packages of the extra "train".

    >>> import agents, arcade, torch
    >>> snapshot = agents.freeze(torch.nn.Linear(13, 6), game="house/volley", algorithm="ppo", placement_games=0)
    >>> snapshot.card.name, snapshot.card.agents
    ('volley-ppo-1', ())
    """
    store = open_store() if store is None else store
    try:
        games = known_games()
    except LookupError as error:
        raise SnapshotError(str(error)) from None
    sample = games.sample_seat(game, seat)
    name = name or _free_name(store, sample.game, algorithm)
    try:
        facts: dict[str, Any] = {
            "observation": observation_signature(sample.observation_space),
            "action": action_signature(sample.action_space),
        }
        card = SnapshotCard(
            name=name, game=sample.game, agents=sample.agents, masked=sample.masks is not None, step=step,
            algorithm=algorithm, parent=parent, note=note, **facts,
        )  # fmt: skip
    except (TypeError, ValueError) as error:
        raise SnapshotError(f"expected a policy of one array for {sample.game}, got: {error}") from error
    if isinstance(model, (str, os.PathLike)):
        card, graph = _from_file(Path(model), card, sample)
    else:
        graph = _from_module(model, card, sample, output)
        _check_runs(make_snapshot(card, graph), sample)
    snapshot = store.save(card, graph)
    if placement_games:
        games.place_snapshot(snapshot, games=placement_games)
    return snapshot


def as_torch(snapshot: Snapshot | str) -> Any:
    """Make a torch module of a snapshot, or of one's name, with its weights as parameters.

    It is called as ``module(observation, action_mask=None, **state)`` with tensors of the graph's own types and returns
    the outputs of the graph by name, see `agents.snapshots.snapshot`; what it computes is differentiable.  Raises
    SnapshotError for an operator that it does not know.  Needs the extra "train".

    >>> import agents, torch
    >>> module = agents.as_torch("volley-7")
    >>> module(torch.zeros(2, 13))["action_probabilities"].shape
    torch.Size([2, 6])
    """
    found = open_store().get(snapshot) if isinstance(snapshot, str) else snapshot
    return _torch_modules("agents.snapshots.torch_graph").GraphModule(found.onnx, name=found.card.name)


def _from_module(model: Any, card: SnapshotCard, sample: SeatSample, output: str) -> bytes:
    if not callable(getattr(model, "forward", None)):
        raise SnapshotError(f"expected a torch module or the path of an ONNX file, got: {type(model).__name__}")
    if output not in Output.__args__:  # type: ignore[attr-defined]
        raise SnapshotError(f"expected an output of {', '.join(Output.__args__)}, got: {output!r}")  # type: ignore[attr-defined]
    takes_mask = len(_required(model.forward)) > 1
    export = _torch_modules("agents.snapshots.torch_export").export
    data: bytes = export(model, card, sample, output=output, takes_mask=takes_mask)
    return data


def _required(function: Any) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind in kinds and one.default is inspect.Parameter.empty]


def _torch_modules(module: str) -> Any:
    """Import a module that needs torch and onnx: slow to import, perhaps missing."""
    from importlib import import_module

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise SnapshotError(
            f'expected torch and onnx, got: {error}; install them with: pip install "pettingzoo-arcade[train]"'
        ) from error


def _from_file(path: Path, card: SnapshotCard, sample: SeatSample) -> tuple[SnapshotCard, bytes]:
    """The card and graph of an ONNX file, which may ignore the mask."""
    try:
        data = read_file(path, most=MAX_ONNX_BYTES)
    except (OSError, FileError) as error:
        text = f"expected an ONNX file, got: {str(path)!r} ({error})"
        raise SnapshotError(text, code=code_of(error)) from error
    reasons = []
    for masked in dict.fromkeys([card.masked, False]):
        own = card.model_copy(update={"masked": masked})
        try:
            _check_runs(make_snapshot(own, data), sample)
        except SnapshotError as error:
            reasons.append(str(error))
            continue
        return own, data
    raise SnapshotError(f"{path} does not fit {sample.game}: {reasons[0]}")


def _check_runs(snapshot: Snapshot, sample: SeatSample) -> None:
    """Raise SnapshotError unless the graph decides on real observations, in a process of its own."""
    try:
        policy = OnnxPolicy(snapshot)
        policy.decide(sample.observations, sample.masks, np.random.default_rng(0))
    except ControllerError as error:
        raise SnapshotError(str(error)) from error


def _free_name(store: SnapshotStore, game: str, algorithm: str) -> str:
    parts = [re.sub(r"_v\d+$", "", game.rpartition("/")[2].rpartition(":")[2]), algorithm or "policy"]
    stem = re.sub(r"[^a-z0-9._-]+", "-", "-".join(parts).lower()).strip("-._")[:80] or "policy"
    number = 1
    while (store.root / f"{stem}-{number}").exists():
        number += 1
    return f"{stem}-{number}"
