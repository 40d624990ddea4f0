"""What a cell leaves behind for the cells after it, read from its text."""

import ast
import re
from collections.abc import Collection

_REACHING = frozenset({"delattr", "eval", "exec", "globals", "locals", "setattr", "vars"})


def left_by(source: str, shared: Collection[str] = ()) -> frozenset[str] | None:
    """The names that a cell defines, where it does nothing else; None where it may have done more.

    A cell of functions and imports leaves nothing but their names, unless a function reaches outside of itself: it sets
    an attribute, has a global statement, or uses what the page holds.

    Args:
        shared: names of the page's own that stand for more than a module or what is imported.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    defined: set[str] = set()
    for statement in tree.body:
        match statement:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                defined |= {each.asname or each.name.split(".")[0] for each in names}
            case ast.FunctionDef(name=name, args=args, returns=returns, decorator_list=[]):
                defined.add(name)
                at_once = [args, *([returns] if returns else [])]  # defaults and annotations, evaluated at once
                if any(isinstance(node, ast.Call) for part in at_once for node in ast.walk(part)):
                    return None
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                return None
    reached = _REACHING | frozenset(shared)
    for node in ast.walk(tree):
        match node:
            case ast.Global() | ast.Attribute(ctx=ast.Store() | ast.Del()):
                return None
            case ast.Name(id=name) if name in reached:
                return None
    return None if "*" in defined else frozenset(defined)


def shared_names(page_code: str) -> frozenset[str]:
    """The names of a page's own that one answer could leave changed for the next: all but what it imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(page_code)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    return frozenset(found)


def words(source: str) -> frozenset[str]:
    """All names that a text could speak of: its words, those in strings and comments among them."""
    return frozenset(re.findall(r"\w+", source))
