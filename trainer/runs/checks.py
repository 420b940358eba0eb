"""Checks of a run's settings against the game and the machine, before anything is started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agents.errors import ErrorCode, UserError
from agents.ladder.ratings.equilibrium import MOST_POPULATIONS
from agents.origin import origin
from agents.policies.functions import load_function
from agents.seats.controller import ControllerError
from agents.snapshots.store import SnapshotStore
from arcade.games.spec import GameError, GameSpec
from arcade.match.batch.make import make_vector_env, with_kwargs
from arcade.match.batch.opponents import find_snapshot, fitting
from arcade.match.batch.vector_env import VectorEnv
from trainer.config import NO_PARTNERS, YARDSTICK, ConfigError, RunConfig
from trainer.config.algorithms import ALGORITHMS
from trainer.config.reading import read_recipe
from trainer.networks.spaces import check_spaces, is_picture
from trainer.runs.memory import check_memory
from trainer.sampling.plan import Policy, PolicyPlan, make_plan
from trainer.sampling.starts import check_starts

METRICS = ("score", "win_rate", "episode_ticks", "entropy", "kl", "policy_loss", "vf_loss", "vf_explained_var")
"""Metrics by which checkpoints can be ranked; name/POLICY is that of one policy."""


REFERENCE_FIELD = "training.kl_reference"


def apply_kwargs(run: RunConfig, spec: GameSpec) -> GameSpec:
    """The game with the run's `game_kwargs` and observations; raises ConfigError where it does not take them."""
    try:
        made = with_kwargs(spec, run.game_kwargs)
    except (TypeError, ValueError, AssertionError) as error:
        raise ConfigError(f"game_kwargs: expected what {spec.entry} takes, got: {run.game_kwargs} ({error})") from error
    if made.obs_argument in run.game_kwargs and run.wrappers.observe:
        raise ConfigError(f"wrappers.observe: expected it alone, got game_kwargs.{made.obs_argument} too")
    try:
        return made.observing(run.wrappers.observe)
    except GameError as error:
        raise ConfigError(f"wrappers.observe: {error}") from error


def check_game(run: RunConfig, spec: GameSpec, store: SnapshotStore, *, imports: bool = True, memory: int = 0) -> None:
    """Make one game and check the settings against it; raises ConfigError with a line for each problem.

    `spec` is the game with its `game_kwargs`.  Without `imports`, the modules of opponents are not run.  `memory` is
    that of this machine in bytes, 0 where the run is for others.  Raises
    GameError or StageError where the game cannot be made here.
    """
    with make_vector_env(spec, 1) as batch:
        plan = make_plan(run.policies, batch, league=run.opponents.league)
        if memory:
            check_memory(run, batch, plan, there=memory)
        learning = [policy for policy in plan.policies if policy.id in plan.trained]
        found = [
            *_policies(run, learning), *_wrappers(run, batch), *_fixed(run, batch, store, imports=imports),
            *_partners(run, spec), *_searches(run, spec, plan), *_start(run, spec, learning, store),
            *_recorded(run, spec), *_best_by(run, spec, plan), *_weighting(run, spec, plan),
        ]  # fmt: skip
    if found:
        codes: set[ErrorCode] = {one.code for one in found}
        raise ConfigError("\n".join(map(str, found)), code=codes.pop() if len(codes) == 1 else "invalid")


def check_resources(
    run: RunConfig, there: Mapping[str, float], *, trials: int = 1, where: str = "this machine"
) -> None:
    """Raises ConfigError where runners, learners or parallel trials need more than `there` is, by ray's names."""
    own = run.resources
    if trials > (most := max(1, there.get("CPU", 1))):
        raise ConfigError(f"tune.parallel: expected at most {most:g} runs at a time on {where}, got: {trials}")
    cpus = own.runners * own.cpus_per_runner + own.learners * own.cpus_per_learner
    if cpus > (most := there.get("CPU", 0)):
        field = "cpus_per_runner" if own.runners * own.cpus_per_runner > own.learners else "cpus_per_learner"
        raise ConfigError(
            f"resources.{field}: expected at most {most:g} processors of {where} for {own.runners} runners x "
            f"{own.cpus_per_runner:g} and {own.learners} learners x {own.cpus_per_learner:g}, got: {cpus:g}; "
            "fewer of them, or less than 1 each, share"
        )
    gpus = max(1, own.learners) * own.gpus_per_learner
    if gpus > (most := there.get("GPU", 0)):
        raise ConfigError(
            f"resources.gpus_per_learner: expected at most {most:g} graphics cards of {where} for "
            f"{max(1, own.learners)} learners x {own.gpus_per_learner:g}, got: {gpus:g}"
        )


def _policies(run: RunConfig, learning: list[Policy]) -> Iterator[ConfigError]:
    """Spaces and policies that the algorithm does not support."""
    for policy in learning:
        try:
            check_spaces(run.algorithm, policy.observation_space, policy.action_space)
        except UserError as error:
            yield ConfigError(f"algorithm: {error}")
            break
    kind = ALGORITHMS[run.algorithm]
    if run.policies.kind == "shared_value_function" and not kind.central_critic:
        able = _able("central_critic")
        yield ConfigError(
            f"policies.kind: expected one that {run.algorithm} can do, got: {run.policies.kind}; {able} can"
        )
    if run.network.lstm and not kind.recurrent:
        yield ConfigError(
            f"network.lstm: expected 0 with {run.algorithm}, got: {run.network.lstm}; {_able('recurrent')} can"
        )
    if run.policies.shared_encoder and not kind.shared_encoder:
        yield ConfigError(
            f"policies.shared_encoder: expected no with {run.algorithm}, got: yes; {_able('shared_encoder')} can"
        )


def _able(capability: str) -> str:
    return ", ".join(name for name, kind in ALGORITHMS.items() if getattr(kind, capability))


def _wrappers(run: RunConfig, batch: VectorEnv) -> Iterator[ConfigError]:
    wrappers = run.wrappers
    if wrappers.frame_skip > 1 and batch.spec.turn_based:
        yield ConfigError(f"wrappers.frame_skip: expected 1 in a game of turns, got: {wrappers.frame_skip}")
    if wrappers.sticky_actions and (batch.spec.turn_based or any(group.masks is not None for group in batch.groups)):
        what = "game of turns" if batch.spec.turn_based else "game with action masks"
        yield ConfigError(f"wrappers.sticky_actions: expected 0 in a {what}, got: {wrappers.sticky_actions:g}")
    if wrappers.normalise and all(is_picture(group.observation_space) for group in batch.groups):
        yield ConfigError("wrappers.normalise: expected no in a game whose observations are pictures, got: yes")


def _fixed(run: RunConfig, batch: VectorEnv, store: SnapshotStore, *, imports: bool) -> Iterator[ConfigError]:
    """Fixed opponents and partners that do not exist, or do not fit."""
    for word in run.opponents.words:
        field = "opponents.fixed" if word in run.opponents.fixed else "opponents.partners"
        try:
            fitting(word, find_snapshot(word, batch, store), batch)
            if word.startswith("python:"):
                _check_function(word.removeprefix("python:"), imports)
        except (UserError, GameError) as error:
            yield ConfigError(f"{field}: {error}", code=error.code)
        if word == "scripted" and not batch.spec.scripted:
            yield ConfigError(
                f"{field}: expected an opponent that {batch.spec.id} has (no scripted player), got: {word!r}"
            )


def _partners(run: RunConfig, spec: GameSpec) -> Iterator[ConfigError]:
    """Shares of partners in games whose teams have no seats for them, or that leave less than nothing."""
    opponents, cooperative = run.opponents, len(spec.teams) < 2
    alone = max(map(len, spec.teams)) < 2
    for field in ("partner_ratio", *(["fixed_ratio"] if cooperative else [])):
        if alone and (share := getattr(opponents, field)) > 0:
            yield ConfigError(f"opponents.{field}: expected 0 in a game whose teams are of one seat, got: {share:g}")
    if cooperative and opponents.partner_ratio + opponents.fixed_ratio > 1:
        yield ConfigError(
            "opponents.partner_ratio: expected partner_ratio + fixed_ratio <= 1 in a game of one team, got: "
            f"{opponents.partner_ratio:g} + {opponents.fixed_ratio:g}"
        )


def _searches(run: RunConfig, spec: GameSpec, plan: PolicyPlan) -> Iterator[ConfigError]:
    """Games and settings with which an algorithm cannot search its moves."""
    wrappers = run.wrappers
    if not ALGORITHMS[run.algorithm].searches:
        return
    if not spec.can_search:
        yield ConfigError(
            f"algorithm: expected for {run.algorithm} a board game of two sides, whose moves all can see and whose "
            f"positions can be saved exactly, got: {spec.id}; PPO trains any game"
        )
    if any(set(policy.agents) != set(spec.agents) for policy in plan.policies):
        ids = ", ".join(policy.id for policy in plan.policies)
        yield ConfigError(
            f"policies.kind: expected one policy for every seat, as self_play has, for {run.algorithm}, got: {ids}"
        )
    if wrappers.stack > 1:
        yield ConfigError(f"wrappers.stack: expected 1 for {run.algorithm}, got: {wrappers.stack}")
    if wrappers.reward_scale != 1:
        yield ConfigError(f"wrappers.reward_scale: expected 1 for {run.algorithm}, got: {wrappers.reward_scale:g}")


def _weighting(run: RunConfig, spec: GameSpec, plan: PolicyPlan) -> Iterator[ConfigError]:
    """More policies than the mixture can have."""
    if run.opponents.weighting == "alpha_rank" and len(spec.teams) > 1 and len(plan.policies) > MOST_POPULATIONS:
        ids = ", ".join(policy.id for policy in plan.policies)
        yield ConfigError(
            f"opponents.weighting: expected nash for more than {MOST_POPULATIONS} policies, got: alpha_rank for {ids}"
        )


def _check_function(word: str, imports: bool) -> None:
    if imports:
        load_function(word)
    elif not origin(word):
        module = word.partition(":")[0]
        text = f"expected to import {module!r} of python:{word}, got: no such module"
        raise ControllerError(text, code="not_installed")


def _best_by(run: RunConfig, spec: GameSpec, plan: PolicyPlan) -> Iterator[ConfigError]:
    words, is_team = run.evaluation.against, len(spec.teams) < 2
    scores = ["score_alone", *(f"score_with_{word}" for word in words if word not in NO_PARTNERS)]
    measured = [YARDSTICK, *(scores if is_team else [f"win_rate_{word}" for word in words])]
    names = [*METRICS, *(measured if run.evaluation.steps else [])]
    known = {*names, *(f"{name}/{policy.id}" for name in names for policy in plan.policies)}
    if run.best_by not in known:
        yield ConfigError(f"checkpoints.best_by: expected one of {', '.join(names)}, got: {run.checkpoints.best_by!r}")


def _start(run: RunConfig, spec: GameSpec, learning: list[Policy], store: SnapshotStore) -> Iterator[ConfigError]:
    """A start_from snapshot, or one of the KL penalty, that does not exist, or that fits no policy."""
    if run.start_from:
        yield from _weights("start_from", run.start_from, run, spec, learning, store)
    if run.has_kl_penalty and run.reference != run.start_from:
        yield from _weights(REFERENCE_FIELD, run.reference, run, spec, learning, store)


def _recorded(run: RunConfig, spec: GameSpec) -> Iterator[ConfigError]:
    """Recordings to start from that are not there, or that the game does not repeat."""
    try:
        check_starts(run.start_from_recordings, spec)
    except ConfigError as error:
        yield error


def _weights(
    field: str, name: str, run: RunConfig, spec: GameSpec, learning: list[Policy], store: SnapshotStore
) -> Iterator[ConfigError]:
    try:
        snapshot = store.get(name, game=spec.id)
    except UserError as error:
        yield ConfigError(f"{field}: {error}", code=error.code)
        return
    fitting = [policy for policy in learning if policy.is_played_by(snapshot.card)]
    if not fitting:
        roles = "; ".join(", ".join(str(agent) for agent in policy.agents) for policy in learning)
        got = f"{snapshot.card.name!r} for {', '.join(snapshot.card.agents)}"
        yield ConfigError(f"{field}: expected a snapshot that plays {roles}, got {got}")
    if run.policies.shared_encoder or any(True for _ in _policies(run, learning)):
        return  # shared layers are only known once all policies are made
    from trainer.league.export import load_weights  # brings torch
    from trainer.networks.make import make_network, reference_run

    critic = run.policies.kind != "shared_value_function"
    try:
        recipe = read_recipe(snapshot.onnx) if field == REFERENCE_FIELD else {}
        for policy in fitting:
            network = make_network(
                reference_run(run, recipe), policy.observation_space, policy.action_space, critic=critic
            )
            load_weights(network, snapshot, field=field)
    except UserError as error:
        yield ConfigError(str(error))
