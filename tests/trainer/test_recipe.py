"""The recipe in a snapshot's graph, which may have come from anybody."""

from __future__ import annotations

import onnx
import pytest

from trainer.config import ConfigError
from trainer.config.reading import RECIPE_KEY, read_recipe


def graph(text: str) -> bytes:
    model = onnx.helper.make_model(onnx.helper.make_graph([], "policy", [], []))
    onnx.helper.set_model_props(model, {RECIPE_KEY: text})
    return bytes(model.SerializeToString())


def test_a_recipe_is_read_as_it_was_written() -> None:
    assert read_recipe(graph('{"algorithm": "PPO", "network": {"lstm": 8}}'))["network"] == {"lstm": 8}
    assert read_recipe(graph("{}")) == {}


@pytest.mark.parametrize("text", ["[", "[" * 100_000, "5", '{"algorithm": {}}', '{"network": 5}', '{"wrappers": [1]}'])
def test_what_is_no_recipe_is_named(text: str) -> None:
    with pytest.raises(ConfigError, match=RECIPE_KEY):
        read_recipe(graph(text))
