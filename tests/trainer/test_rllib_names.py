"""The private names of RLlib and torch that the trainer uses: an upgrade of Ray or torch is this list."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import trainer

LEARNER = "ray.rllib.core.learner.learner.Learner"
TORCH_LEARNER = "ray.rllib.core.learner.torch.torch_learner.TorchLearner"
RL_MODULE = "ray.rllib.core.rl_module.rl_module.RLModule"

METHODS = {
    "_create_iterator_if_necessary": (
        LEARNER, ["training_data", "num_total_minibatches", "num_epochs", "minibatch_size", "shuffle_batch_per_epoch"],
        "the only step of an update that has the whole batch: statistics, the count of minibatches, and A2C's one",
    ),
    "_make_batch_if_necessary": (
        LEARNER, ["training_data"], "makes the batch by the learner connector before minibatches are counted"),
    "_uncompiled_update": (
        TORCH_LEARNER, ["batch"], "one gradient step, in which several learners average their gradients"),
    "_forward": (RL_MODULE, ["batch"], "the documented hook of an RLModule for inference"),
    "_forward_train": (RL_MODULE, ["batch"], "the documented hook of an RLModule for the loss; forward_train around it "
        "turns every layer to training at each call"),
    "_check_component": (
        "ray.rllib.utils.checkpoints.Checkpointable", ["name", "components", "not_components"],
        "whether a part of the state is asked for in get_state"),
}  # fmt: skip
"""Name: class that defines it, parameters by name, and why the trainer needs it."""

ATTRIBUTES = {
    "_device": (TORCH_LEARNER, "tensors that belong to no batch go to the learner's device"),
    "_learner_connector": (
        LEARNER, "DQN and SAC add a piece that looks for episodes, which is taken out "
        "again; AlphaZero's piece keeps earlier decisions, which a reset policy forgets"),
    "_params": (LEARNER, "the parameters whose gradients several learners average"),
    "_weights_seq_no": (LEARNER, "runners take weights by it; an update of our own counts it up"),
    "_temp_losses": (
        "ray.rllib.algorithms.sac.torch.sac_torch_learner.SACTorchLearner",
        "the losses by optimizer, whose gradients are computed instead of those of the sum: the policy's has the KL "
        "penalty"),
    "_rl_modules": (
        "ray.rllib.core.rl_module.multi_rl_module.MultiRLModule", "shared encoders and critics are found in setup"),
    "_worker_manager": (
        "ray.rllib.env.env_runner_group.EnvRunnerGroup",
        "remote runners are ended in the middle of a fragment, of which RLlib would log each as a failure"),
}  # fmt: skip
"""Name: class that sets it, and why the trainer needs it."""

FUNCTIONS = {
    "_fused_adam_": (
        "torch", "the step of torch.optim.Adam(fused=True), without the sorting of tensors around it at each step"),
}  # fmt: skip
"""Of torch itself: name, module that has it, and why the trainer needs it."""


def found(path):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("name", METHODS)
def test_rllib_has_the_method_with_its_parameters(name):
    owner, parameters, reason = METHODS[name]
    present = inspect.signature(vars(found(owner))[name]).parameters
    assert set(parameters) <= set(present), reason


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_rllib_sets_the_attribute(name):
    owner, reason = ATTRIBUTES[name]
    source = inspect.getsource(found(owner))
    assert any(f"self.{name}{sets}" in source for sets in (" =", ": ")), reason


@pytest.mark.parametrize("name", FUNCTIONS)
def test_torch_has_the_function(name):
    owner, reason = FUNCTIONS[name]
    assert callable(getattr(importlib.import_module(owner), name)), reason


def test_no_other_private_name_of_rllib_is_used():
    sources = {path: ast.parse(path.read_text("utf-8")) for path in Path(trainer.__file__).parent.rglob("*.py")}
    own, read = {"_exit", "_replace"}, set()  # os._exit, NamedTuple._replace
    for tree in sources.values():
        changed = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}  # so they exist
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                (own if isinstance(node.ctx, ast.Store) and id(node) not in changed else read).add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                own.add(node.name)
    overridden = set()
    for path, tree in sources.items():
        if any(isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ray") for node in ast.walk(tree)):
            overridden |= overrides(path)
    assert (read - own) | overridden == METHODS.keys() | ATTRIBUTES.keys() | FUNCTIONS.keys()


def overrides(path):
    """The private names of Ray's classes that the classes of a file define again."""
    parts = path.relative_to(Path(trainer.__file__).parents[1]).with_suffix("").parts
    module = importlib.import_module(".".join(parts))
    classes = [kind for kind in vars(module).values() if inspect.isclass(kind) and kind.__module__ == module.__name__]
    return {
        name
        for kind in classes
        for name in vars(kind)
        if name.startswith("_") and not name.startswith("__") and name != "_abc_impl"
        if any(name in vars(base) for base in kind.__mro__ if base.__module__.startswith("ray"))
    }
