"""What an answer may name: modules, what is in them, built-in functions. Its cell is read before it runs.

This is for the honest: who opens a file or imports `os` is told so, by name and line, before anything fails far from
home. It holds nobody who wants out, because names can be put together while a program runs. The sandbox does that.
"""

import ast
import builtins
import opcode
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, ModuleType
from typing import Any

_WHOLE = """
__future__ abc array bisect cmath collections collections.abc contextlib copy dataclasses datetime decimal difflib enum
fractions functools hashlib heapq itertools math numbers operator pprint random re regex statistics string struct
textwrap typing unicodedata weakref zlib
numpy numpy.fft numpy.lib.stride_tricks numpy.linalg numpy.ma numpy.polynomial numpy.random numpy.typing
torch torch.amp torch.autograd torch.autograd.functional torch.distributions torch.fft torch.func torch.linalg torch.nn
torch.nn.functional torch.nn.init torch.nn.parameter torch.nn.utils torch.nn.utils.rnn torch.optim
torch.optim.lr_scheduler torch.random torch.special torch.utils torch.utils.checkpoint torch.utils.data
"""
#: Module -> what of it may be named; None: all that is public, but for other modules and what `_FILES` names.
MODULES: dict[str, frozenset[str] | None] = dict.fromkeys(_WHOLE.split()) | {
    "codecs": frozenset({"decode", "encode", "getincrementaldecoder", "getincrementalencoder"}),
    "io": frozenset({"BytesIO", "StringIO", "TextIOWrapper"}),
    "json": frozenset({"JSONDecodeError", "dumps", "loads"}),
    "sys": frozenset({"float_info", "getrecursionlimit", "getsizeof", "int_info", "maxsize", "setrecursionlimit"}),
    "time": frozenset({"monotonic", "perf_counter", "process_time", "sleep", "time"}),
    "torch.backends": frozenset(),
    "torch.cuda": frozenset({"is_available"}),
    "types": frozenset({"MappingProxyType", "SimpleNamespace"}),
    "warnings": frozenset({"catch_warnings", "filterwarnings", "simplefilter", "warn"}),
}
# What reads or writes a file, starts a program or runs a text, in modules that may be named otherwise.
_FILES = {
    "numpy": {"fromfile", "fromregex", "genfromtxt", "load", "loadtxt", "memmap", "save", "savetxt", "savez"},
    "torch": {"compile", "from_file", "get_file_path", "load", "save"},
}
_FILES["numpy"] |= {"savez_compressed", "show_config"}
_NONE: frozenset[str] = frozenset()
_BUILTINS = frozenset(vars(builtins)) - {
    *("__build_class__", "__import__", "__loader__", "__spec__", "breakpoint", "compile", "copyright", "credits"),
    *("exec", "exit", "globals", "help", "input", "license", "open", "quit"),
}
_NEVER = frozenset({"__builtins__", "get_ipython"})  # no names of Python's own that `_BUILTINS` would tell
_DUNDER_NAMES = """
abs add and annotations array bool call class contains copy deepcopy delattr delitem dict doc enter eq exit float
floordiv ge getattr getitem getstate gt hash iadd imul index init int invert isub iter itruediv le len lshift lt matmul
missing mod mul name ne neg new next or pos post_init pow qualname radd repr reversed rmatmul rmul round rshift rsub
rtruediv set_name setattr setitem setstate slots str sub truediv version xor
"""
_DUNDERS = frozenset(f"__{name}__" for name in _DUNDER_NAMES.split())
_FRAMES = {"ag_code", "ag_frame", "cr_code", "cr_frame", "gi_code", "gi_frame", "tb_frame", "tb_next"}
_FRAMES |= {"f_back", "f_builtins", "f_code", "f_globals", "f_locals"}
#: What stands for an exception's name in the word of a cell that was not run.
UNLISTED = "names what is not on the list"
_IMPORTS = (ast.Import, ast.ImportFrom)
# The nodes that name something, or give a name its meaning: a third of a cell's.
_TELLING = (
    *_IMPORTS, ast.Name, ast.Attribute, ast.Call, ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
    ast.ExceptHandler, ast.MatchAs, ast.MatchStar,
)  # fmt: skip
_BY_NAME = ("getattr", "setattr", "delattr", "hasattr")
_SPOKEN = frozenset(vars(builtins)) - _BUILTINS | _NEVER | _FRAMES | {*_BY_NAME}.union(*_FILES.values())
_TO_BE_READ = {opcode.opmap[name] for name in ("IMPORT_NAME", "STORE_ATTR", "DELETE_ATTR")}


def clearly_listed(code: CodeType, names: Mapping[str, Any]) -> bool:
    """Whether a look at compiled code is enough to know that `unlisted` finds nothing in it.

    To read a cell's tree takes three times as long as to compile it, and most cells name nothing odd: they import
    nothing, set no attribute, and none of their words is on any list, or that of a module in a module.

    Args:
        code: the cell's.
        names: what the cells before it have defined.
    """
    spoken: set[str] = set()
    todo = [code]
    while todo:
        part = todo.pop()
        if not _TO_BE_READ.isdisjoint(part.co_code[::2]):
            return False
        spoken.update(part.co_names)
        todo += [inner for inner in part.co_consts if isinstance(inner, CodeType)]
    if not _SPOKEN.isdisjoint(spoken) or any(map(_is_hidden, spoken)):
        return False
    modules = [value for name in spoken if isinstance(value := names.get(name), ModuleType)]
    with warnings.catch_warnings(action="ignore"):  # some modules warn of a name that they no longer have
        return all(
            MODULES.get(module.__name__, _NONE) is None
            and not any(isinstance(getattr(module, name, None), ModuleType) for name in spoken)
            for module in modules
        )


def unlisted(tree: ast.AST, names: Mapping[str, Any]) -> list[str]:
    """What a cell names that no answer may, each with its line, in the order of the lines.

    Args:
        tree: the cell's code.
        names: what the cells before it have defined; modules among them are known by it.
    """
    nodes = [node for node in ast.walk(tree) if isinstance(node, _TELLING)]
    own = _bound(nodes)
    modules = {name: value.__name__ for name, value in names.items() if isinstance(value, ModuleType)}
    modules = {name: module for name, module in modules.items() if name not in own} | _imported(nodes)
    own |= {each.asname or each.name for node in nodes if isinstance(node, _IMPORTS) for each in node.names}
    found: dict[str, int] = {}
    for node in nodes:
        for what in _named(node, own, modules):
            found.setdefault(what, getattr(node, "lineno", 0))
    return [f"{what} in line {line}" for what, line in sorted(found.items(), key=lambda item: item[1])]


def _named(node: ast.AST, own: set[str], modules: Mapping[str, str]) -> Iterator[str]:
    match node:
        case ast.Import():
            yield from (f"import {each.name}" for each in node.names if not _is_module(each.name))
        case ast.ImportFrom(module=module):
            name = "." * node.level + (module or "")
            if node.level or not _is_module(name):
                yield f"import {name}"
            else:
                yield from (f"{name}.{each.name}" for each in node.names if not _is_in(name, each.name))
        case ast.Name(id=name, ctx=ast.Load()) if name not in own:
            if name in _NEVER or (name in vars(builtins) and name not in _BUILTINS):
                yield name
        case ast.Attribute(attr=name):
            module = _module_of(node.value, modules)
            if isinstance(node.value, ast.Attribute) and module and not _is_module(module):
                return  # the module itself is named
            if module and not isinstance(node.ctx, ast.Load):
                yield f"{module}.{name} (to change it)"
            elif module and not _is_in(module, name):
                yield f"{module}.{name}"
            elif not module and _is_hidden(name):
                yield name
        case ast.Call(func=ast.Name(id=function), args=[object_, ast.Constant(value=str(name)), *_]):
            if function in _BY_NAME and (_is_hidden(name) or not _is_in(_module_of(object_, modules), name)):
                yield name


def _is_module(name: str) -> bool:
    """Whether it may be imported. What the library keeps back while answers are marked, it says itself."""
    engine = name.startswith(("lmcourse.grader", "lmcourse.exercises."))
    return name in MODULES or (name.split(".")[0] == "lmcourse" and not engine)


def _is_in(module: str, name: str) -> bool:
    """Whether a name of a module may be used."""
    if not module or name == "*" or _is_module(f"{module}.{name}"):
        return True
    if not _is_module(module):
        return False
    listed = MODULES.get(module)
    if listed is not None:
        return name in listed
    if _is_hidden(name) or name in _FILES.get(module, ()):
        return False
    return not isinstance(getattr(sys.modules.get(module), name, None), ModuleType)


def _is_hidden(name: str) -> bool:
    dunder = name.startswith("__") and name.endswith("__")
    return name in _FRAMES or (dunder and name not in _DUNDERS)


def _module_of(node: ast.AST, modules: Mapping[str, str]) -> str:
    """The name of the module that an expression stands for; "" if for none."""
    if isinstance(node, ast.Name):
        return modules.get(node.id, "")
    if isinstance(node, ast.Attribute):
        module = _module_of(node.value, modules)
        name = f"{module}.{node.attr}"
        return name if module and (name in MODULES or name in sys.modules) else ""
    return ""


def _imported(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """Name -> module, for the modules that a cell imports and may."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for each in filter(lambda each: _is_module(each.name), node.names):
                found[each.asname or each.name.split(".")[0]] = each.name if each.asname else each.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                if f"{node.module}.{each.name}" in MODULES:
                    found[each.asname or each.name] = f"{node.module}.{each.name}"
    return found


def _bound(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that a cell gives a meaning of its own: arguments, what it assigns or defines, without imports."""
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
    return found
