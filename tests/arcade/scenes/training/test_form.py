"""The form holds every setting of the trainer's schema, and takes only what is a value of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arcade.session.training.form import EntryError, Form, as_text, read_text, stepped
from arcade.session.training.schema import SchemaError, SettingField, read_schema

ROOT = Path(__file__).parents[4]


def field(form: Form, words: str) -> SettingField:
    return next(one for one in form.fields if ".".join(one.path) == words)


@pytest.fixture
def form(schema: dict[str, Any]) -> Form:
    return Form(read_schema(schema))


def test_every_setting_of_the_trainer_is_a_field(form, schema) -> None:
    told = {
        (name, below)
        for name, part in schema["properties"].items()
        if "$ref" in part
        for below in schema["$defs"][part["$ref"].rpartition("/")[2]]["properties"]
    }
    assert told <= {one.path for one in form.fields}
    assert field(form, "training.lr").kind == "number"
    assert field(form, "opponents.weighting").options == ("uniform", "variance", "hard", "nash", "alpha_rank")
    assert field(form, "network.hidden").default == [64, 64]
    assert field(form, "opponents.play_against_latest_model_ratio").optional
    assert all(one.kind != "json" or one.path[-1] in ("mapping", "game_kwargs") for one in form.fields)


def test_what_is_changed_is_taken_by_the_trainer_as_it_was_meant(form, tmp_path) -> None:
    typed = {
        "training.lr": "3e-4", "network.hidden": "32, 32", "network.activation": "relu", "freeze.at_start": False,
        "opponents.fixed": "scripted, random", "opponents.play_against_latest_model_ratio": "0.25", "seed": "7",
        "policies.mapping": '{"left_0": "p", "right_0": "p"}',
    }  # fmt: skip
    for words, text in typed.items():
        one = field(form, words)
        form.set(one, text if one.kind in ("choice", "toggle") else read_text(one, text))
    form.set(field(form, "training.gamma"), 0.5)
    form.set(field(form, "training.gamma"), field(form, "training.gamma").default)
    settings = form.settings()
    assert "gamma" not in settings["training"], "a default is the trainer's own affair"
    (tmp_path / "run.json").write_text(json.dumps(settings))
    program = (
        "import sys, json; from pathlib import Path; from trainer.config.reading import make_config, read_config\n"
        "config = make_config(read_config(Path(sys.argv[1])) | {'game': 'house/volley'})\n"
        "print(config.model_dump_json())"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "run.json")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert not run.returncode, run.stderr
    made = json.loads(run.stdout)
    assert made["training"]["lr"] == 3e-4
    assert made["network"]["hidden"] == [32, 32]
    assert made["opponents"]["fixed"] == ["scripted", "random"]
    assert made["policies"]["mapping"] == {"left_0": "p", "right_0": "p"}


@pytest.mark.parametrize(
    ("words", "text", "wanted"),
    [
        ("training.lr", "fast", "a number"), ("training.lr", "0", "above 0"), ("training.lr", "nan", "a number"),
        ("seed", "1.5", "a whole number"), ("seed", "-1", "from 0"), ("network.hidden", "64, wide", "integers"),
        ("policies.mapping", "{", "JSON"), ("seed", "1e999", "a whole number"),
    ],
)  # fmt: skip
def test_what_is_no_value_is_refused_with_what_would_be_one(form, words, text, wanted) -> None:
    with pytest.raises(EntryError, match=wanted):
        read_text(field(form, words), text)


def test_steps_are_round_stay_within_bounds_and_come_back(form) -> None:
    def walk(words: str, start: Any, way: int, count: int) -> list[Any]:
        values = [start]
        for _ in range(count):
            values.append(stepped(field(form, words), values[-1], way))
        return values

    assert walk("training.batch", 16384, 1, 2) == [16384, 32768, 65536]
    assert walk("training.lr", 5e-4, 1, 3) == [5e-4, 1e-3, 2e-3, 5e-3]
    assert walk("training.gamma", 0.99, 1, 4) == [0.99, 0.995, 0.998, 0.999, 1.0]
    assert walk("training.gamma", 1.0, -1, 2) == [1.0, 0.999, 0.998]
    assert walk("opponents.newest_ratio", 0.95, 1, 2)[-1] == 1
    assert walk("opponents.fixed_ratio", 0.05, -1, 2) == [0.05, 0.0, 0.0]
    assert walk("seed", 1, -1, 3) == [1, 0, 0, 0]
    for one in form.fields:
        if one.kind == "number":
            for way in (-1, 1):
                value = walk(".".join(one.path), one.default, way, 60)[-1]
                assert value is None or read_text(one, as_text(value)) == pytest.approx(value)


def test_errors_go_to_their_fields_and_the_rest_stands_above(form) -> None:
    form.take_errors(
        "UserWarning: something\ntraining.minibatch: expected less: more, got: 9\nnetwork.hidden.1: too wide\n"
        "settings: they do not go together"
    )
    assert form.errors == {
        ("training", "minibatch"): "expected less: more, got: 9", ("network", "hidden"): "too wide",
    }  # fmt: skip
    assert form.trouble == "settings: they do not go together"
    form.set(field(form, "training.minibatch"), 64)
    assert list(form.errors) == [("network", "hidden")]


def test_another_algorithm_keeps_what_fits_it(form, schema) -> None:
    form.set(field(form, "training.lr"), 0.9)
    form.set(field(form, "network.activation"), "relu")
    settings = json.loads(json.dumps(schema).replace("relu", "gelu"))
    other = Form(read_schema(settings))
    other.take_over(form)
    assert other.settings() == {"training": {"lr": 0.9}}
    none, again = Form(()), Form(form.sections)
    none.take_over(other)
    again.take_over(none)
    assert "training" in again.settings(), "a form that could not be had loses nothing"
    assert not none.settings()


@pytest.mark.parametrize("odd", [None, [], {}, {"properties": 5}, {"properties": {}, "x-format": 99}])
def test_a_schema_that_is_none_is_refused(odd) -> None:
    with pytest.raises(SchemaError):
        read_schema(odd)


def test_a_schema_with_odd_parts_still_makes_a_form() -> None:
    loop = {"type": "object", "properties": {"again": {"$ref": "#/$defs/Loop"}, "deep": {"type": "integer"}}}
    sections = read_schema({
        "$defs": {"Loop": loop},
        "properties": {
            "a": {"$ref": "#/$defs/Loop"}, "b": {"$ref": "#/$defs/none"}, "c": 5, "d": {"const": 1},
            "e": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "f": {"enum": [1, 2]}, "g": {"type": ["x"]},
        },
    })  # fmt: skip
    kinds = {one.path[0]: one.kind for one in sections[0].fields}
    assert kinds == {"b": "json", "c": "json", "e": "json", "f": "json", "g": "json"}
    assert sections[1].title == "a"
