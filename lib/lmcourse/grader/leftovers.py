"""What a cell leaves behind for the cells after it, read from its text."""

import ast
import re
import symtable

_REACHING = frozenset({"delattr", "eval", "exec", "globals", "locals", "setattr", "vars"})


def left_by(source: str) -> frozenset[str] | None:
    """The names that a cell defines, where it does nothing else; None where it may have done more.

    On a page that holds imports alone, a cell of functions and imports leaves nothing but their names, unless a
    function reaches outside of itself: it sets an attribute, has a global statement, or asks for names by text.
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
    for node in ast.walk(tree):
        match node:
            case ast.Global() | ast.Attribute(ctx=ast.Store() | ast.Del()):
                return None
            case ast.Name(id=name) if name in _REACHING:
                return None
    return None if "*" in defined else frozenset(defined)


def only_imports(page_code: str) -> bool:
    """Whether a page's own cells define nothing but what they import, so that answers share no more than that."""
    symbols = symtable.symtable(page_code, "page", "exec").get_symbols()
    return not any(symbol.is_assigned() and not symbol.is_imported() for symbol in symbols)


def words(source: str) -> frozenset[str]:
    """All names that a text could speak of: its words, those in strings and comments among them."""
    return frozenset(re.findall(r"\w+", source))
