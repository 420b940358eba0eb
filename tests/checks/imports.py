"""Checks how modules import each other: ``python -m tests.checks.imports``.

- No scene imports another scene: routes lead from one to the next.
- No circle of imports, whether they are at module level, inside functions or for type checking only.
- Imports inside functions stay few: they are for heavy libraries and for a fast start.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arcade.scenes.routes import SCENES

ROOT = Path(__file__).parents[2]
PACKAGES = ("agents", "arcade", "trainer")
MOST_INSIDE = 218
"""Imports of our own modules inside functions; lower it where fewer are reached."""

KNOWN_CIRCLES = (  # to be broken up
    {
        "agents.engines.gtp",
        "agents.engines.settings",
        "agents.engines.uci",
        "agents.seats.kinds",
        "agents.seats.kinds.engines",
        "agents.seats.words",
    },
    {"trainer.config", "trainer.config.agreement"},
)

Imports = dict[str, set[str]]


def main() -> int:
    trees = {_name(path): ast.parse(path.read_text("utf-8")) for name in PACKAGES for path in _files(name)}
    everywhere = {module: set(_imported(ast.walk(tree), trees)) for module, tree in trees.items()}
    inside = [f"{module} → {found}" for module, tree in trees.items() for found in _inside(tree, trees)]
    faults = [*_between_scenes(everywhere), *_circles(everywhere)]
    if len(inside) > MOST_INSIDE:
        faults += [f"expected at most {MOST_INSIDE} imports inside functions, got {len(inside)}:", *sorted(inside)]
    print("\n".join(faults) or f"imports: no circle, {len(inside)} inside functions")
    return 1 if faults else 0


def _files(package: str) -> Iterator[Path]:
    return (ROOT / package).rglob("*.py")


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imported(nodes: Iterator[ast.AST], modules: Mapping[str, object]) -> Iterator[str]:
    """The modules of ours that `nodes` import; ``from package import module`` counts as the module."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                named = f"{node.module}.{alias.name}"
                if named in modules or node.module in modules:
                    yield named if named in modules else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)


def _inside(tree: ast.AST, modules: Mapping[str, object]) -> Iterator[str]:
    """What functions import, once each place."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    nodes = {id(node): node for function in functions for node in ast.walk(function)}
    for node in nodes.values():
        yield from dict.fromkeys(_imported(iter([node]), modules))


def _between_scenes(imports: Imports) -> list[str]:
    scenes = {f"arcade.scenes.{place.partition(':')[0]}" for place in SCENES.values()}
    return [
        f"{scene} imports {other}: push its route instead" for scene in sorted(scenes)
        for other in sorted((imports[scene] & scenes) - {scene})
    ]  # fmt: skip


def _circles(imports: Imports) -> list[str]:
    """Groups of modules that all lead to each other."""
    groups = [
        group
        for group in _strong_groups(imports)
        if len(group) > 1 and not any(set(group) <= known for known in KNOWN_CIRCLES)
    ]
    return [f"circle of imports: {', '.join(sorted(group))}" for group in sorted(groups)]


def _strong_groups(imports: Imports) -> list[Sequence[str]]:
    """Tarjan's strongly connected components."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[Sequence[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in imports[module]:
            if other not in index:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == index[module]:
            at = stack.index(module)
            groups.append(stack[at:])
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for module in imports:
        if module not in index:
            visit(module)
    return groups


if __name__ == "__main__":
    sys.exit(main())
