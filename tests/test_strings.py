"""The texts of the screens: collected, translated and compiled."""

import ast
import re
from pathlib import Path

from babel.messages import Catalog, mofile, pofile
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir

from arcade import language
from arcade.session.settings import Settings, declared
from tests.support.game_texts import game_texts

ROOT = Path(__file__).parents[1]
GERMAN = ROOT / "assets" / "locale" / "de" / "LC_MESSAGES"
FIELDS = re.compile(r"\{[^}]*\}")


def catalogue() -> Catalog:
    with (GERMAN / "arcade.po").open("rb") as file:
        return pofile.read_po(file)


def parts(texts):
    return (texts,) if isinstance(texts, str) else tuple(texts)


def in_the_source():
    keywords = {**DEFAULT_KEYWORDS, "N_": None}
    for folder in ("agents", "arcade"):
        for _file, _line, text, *_ in extract_from_dir(str(ROOT / folder), keywords=keywords):
            yield text[0] if isinstance(text, tuple) else text
    yield from game_texts()


def test_every_text_of_the_source_is_in_german():
    translated = {parts(message.id)[0]: message for message in catalogue() if message.id}
    missing = sorted({text for text in in_the_source() if text and text not in translated})
    assert not missing, f"run make strings, and translate: {missing[:10]}"
    empty = [text for text, message in translated.items() if not all(parts(message.string))]
    assert not empty, f"translate in {GERMAN / 'arcade.po'}: {empty[:10]}"


def test_no_text_is_hidden_from_the_collection_inside_another_string():
    hidden = []
    for path in (file for folder in ("agents", "arcade") for file in (ROOT / folder).rglob("*.py")):
        strings = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.JoinedStr))
        calls = (call for string in strings for call in ast.walk(string) if isinstance(call, ast.Call))
        hidden += [
            f"{path.relative_to(ROOT)}:{call.lineno}" for call in calls
            if isinstance(call.func, ast.Name) and call.func.id in ("_", "ngettext")
            and any(isinstance(text, ast.Constant) for text in call.args)
        ]  # fmt: skip
    assert not hidden, f"pybabel reads no f-strings: make a variable of the text in {hidden}"


def test_a_translation_has_the_fields_of_its_text():
    for message in catalogue():
        if message.id:
            wanted = {field for text in parts(message.id) for field in FIELDS.findall(text)}
            assert all(set(FIELDS.findall(text)) <= wanted for text in parts(message.string)), message.id
            assert wanted <= {field for text in parts(message.string) for field in FIELDS.findall(text)}, message.id


def test_the_compiled_catalogue_is_that_of_the_text_file():
    with (GERMAN / "arcade.mo").open("rb") as file:
        compiled = {parts(message.id)[0]: parts(message.string) for message in mofile.read_mo(file)}
    for message in catalogue():
        if message.id:
            assert compiled[parts(message.id)[0]] == parts(message.string), f"run make strings: {message.id}"


def test_the_window_speaks_german():
    try:
        language.use("de")
        assert language._("Settings") == "Einstellungen"
    finally:
        language.use("en")
    assert language._("Settings") == "Settings"


def test_every_choice_of_a_setting_is_german():
    with (GERMAN / "arcade.mo").open("rb") as file:
        known = {parts(message.id)[0] for message in mofile.read_mo(file)}
    names = {label for one in declared(Settings) if one.name != "language" for label in one.choice_labels}
    assert names <= known
