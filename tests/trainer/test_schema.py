"""The printed schema: what it takes, the trainer takes; what is another algorithm's, it refuses."""

import json
import subprocess
import sys

import jsonschema
import pytest

from trainer.config import FORMAT, ConfigError
from trainer.config.algorithms import ALGORITHMS
from trainer.config.explaining import make_schema
from trainer.config.reading import make_config

GAME = {"game": "house/volley"}


def problems(schema, settings):
    return [e.json_path for e in jsonschema.Draft202012Validator(schema).iter_errors(settings)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_defaults_pass_and_another_algorithms_settings_do_not(algorithm):
    schema = make_schema(algorithm)
    jsonschema.Draft202012Validator.check_schema(schema)
    whole = make_config(GAME | {"algorithm": algorithm}).model_dump(mode="json")
    assert problems(schema, whole) == []
    named = GAME | {"algorithm": algorithm}
    assert problems(schema, named) == []
    own = set(ALGORITHMS[algorithm].settings.model_fields)
    for other, kind in ((name, known.settings) for name, known in ALGORITHMS.items()):
        assert bool(problems(schema, whole | {"algorithm": other})) == (other != algorithm)
        for foreign in set(kind.model_fields) - own:
            value = kind.model_fields[foreign].get_default(call_default_factory=True)
            assert problems(schema, named | {"training": {foreign: json.loads(json.dumps(value))}}) == ["$.training"]


def test_bounds_choices_and_words_stand_in_it():
    schema = make_schema("PPO")
    training = schema["$defs"]["PPOSettings"]["properties"]
    assert (training["lr"]["default"], training["lr"]["exclusiveMinimum"]) == (5e-4, 0)
    assert "self_play" in schema["$defs"]["PolicySettings"]["properties"]["kind"]["enum"]
    assert schema["properties"]["algorithm"]["const"] == "PPO"
    assert schema["x-format"] == schema["properties"]["format"]["maximum"] == FORMAT
    for name, section in schema["$defs"].items():
        bare = [field for field, facts in section["properties"].items() if not facts.get("description")]
        assert not bare, f"{name} leaves {bare} without a word on what they do"
    assert problems(schema, GAME | {"training": {"lr": 0}}) == ["$.training.lr"]
    assert problems(schema, GAME | {"policies": {"kind": "alone"}}) == ["$.policies.kind"]
    assert problems(schema, {"game": 3}) == ["$.game"]


def test_an_unknown_algorithm_is_told_those_that_there_are():
    with pytest.raises(ConfigError, match=r"PPO, A2C, APPO, AlphaZero, DQN, IMPALA, SAC, got: 'TD3'"):
        make_schema("TD3")
    assert make_schema("dqn") == make_schema("DQN")


def test_it_is_printed_without_a_heavy_import():
    program = "import sys; from trainer.command import main; status = main(['--schema', 'SAC']); "
    program += "print([m for m in ('ray', 'torch', 'numpy', 'pettingzoo') if m in sys.modules], file=sys.stderr); "
    program += "sys.exit(status)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == make_schema("SAC")
    assert done.stderr.strip() == "[]"
