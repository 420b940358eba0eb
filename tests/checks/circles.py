"""Finds circles of imports, at module level and through imports inside functions, and scenes that import scenes.

``python -m tests.checks.circles`` fails where there are more than the constants below allow; they may only shrink.
``--list`` names every import that is part of a circle.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from arcade.scenes import routes

ROOT = Path(__file__).parents[2]
PACKAGES = ("agents", "arcade", "trainer")

MAX_IN_CIRCLES = 0
"""Imports inside functions that close a circle."""

MAX_INSIDE = 292
"""Imports of ours inside functions: for heavy libraries and a fast start."""


class Import(NamedTuple):
    """A statement in `importer` that imports `imported`, both modules of ours."""

    importer: str
    imported: str
    line: int
    in_function: bool


def find_modules(root: Path) -> dict[str, Path]:
    """The files of all modules by their dotted names."""
    names: dict[str, Path] = {}
    for path in (path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))):
        parts = path.relative_to(root).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return names


def find_imports(name: str, path: Path, modules: Mapping[str, Path]) -> Iterator[Import]:
    """The imports of our own modules, those for type checkers included."""
    for node, in_function in _walk(ast.parse(path.read_text("utf-8")), in_function=False):
        for imported in _targets(node, modules):
            yield Import(name, imported, node.lineno, in_function)


def _walk(tree: ast.AST, *, in_function: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, in_function
        else:
            inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _walk(node, in_function=inside)


def _targets(node: ast.Import | ast.ImportFrom, modules: Mapping[str, Path]) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names if alias.name in modules}
    parts = (f"{node.module}.{alias.name}" for alias in node.names)
    found = {part if part in modules else node.module for part in parts}
    return {name for name in found if name in modules}


def in_circles(imports: list[Import]) -> list[Import]:
    """Those from whose imported module a chain of imports leads back to the importer."""
    after: defaultdict[str, set[str]] = defaultdict(set)
    for found in imports:
        after[found.importer].add(found.imported)
    reached = {start: _reach(start, after) for start in {found.imported for found in imports}}
    return [found for found in imports if found.importer in reached[found.imported]]


def _reach(start: str, after: Mapping[str, set[str]]) -> set[str]:
    reached, left = {start}, [start]
    while left:
        new = after.get(left.pop(), set()) - reached
        reached |= new
        left += new
    return reached


def between_scenes(imports: list[Import]) -> list[Import]:
    """Scenes that import another scene, to which a route should lead."""
    scenes = {f"arcade.scenes.{route.scene.partition(':')[0]}" for route in routes.Route.__subclasses__()}
    return [one for one in imports if {one.importer, one.imported} <= scenes]


def main(words: list[str]) -> int:
    modules = find_modules(ROOT)
    imports = [found for name, path in modules.items() for found in find_imports(name, path, modules)]
    first = in_circles([found for found in imports if not found.in_function])
    late = [found for found in in_circles(imports) if found.in_function]
    inside = sum(found.in_function for found in imports)
    print(f"import circles: {len(first)} imports at module level, {len(late)} inside functions (of {inside} there)")
    listed = [*first, *late] if "--list" in words else first
    for found in listed:
        print(f"  {modules[found.importer].relative_to(ROOT)}:{found.line} imports {found.imported}")
    if len(late) > MAX_IN_CIRCLES:
        print(f"expected at most {MAX_IN_CIRCLES} imports inside functions that close a circle; see them with --list")
    for found in between_scenes(imports):
        print(f"  {found.importer} imports {found.imported}: push its route instead")
    if inside > MAX_INSIDE:
        print(f"expected at most {MAX_INSIDE} imports inside functions, got {inside}")
    return 1 if first or len(late) > MAX_IN_CIRCLES or inside > MAX_INSIDE or between_scenes(imports) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
