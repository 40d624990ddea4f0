"""IPython's own syntax in an answer cell, put into Python: `check` runs where IPython is, the sandbox has none."""

import ast
import re
import warnings

_MAYBE = re.compile(
    r"^\s*[!%?,;/]|=\s*[!%]|\?\s*$|\bget_ipython\(|\A\s|\A(?:.*\n)?\s*(?:>>>|In \[|\.\.\.)",  # prompts: at the top
    re.MULTILINE,
)
_WORK = 1_000_000  # characters to be read, once for each line that IPython may have to change
_TIMED = frozenset({"time", "capture"})  # magics that run what follows them as if it stood there alone
_CALLS = {"run_line_magic": "%{}", "run_cell_magic": "%%{}", "system": "!{}", "getoutput": "!{}"}


def to_python(source: str) -> tuple[str, list[str]]:
    """A cell as Python, and what was left out of it: magics, shell commands, questions for help.

    Prompts and indentation go, as in IPython. Of `%time` and `%%capture` what they run is left. Whatever else would
    call IPython is None instead, or an empty list where a command's lines are asked for. A cell that is Python already,
    or not even IPython's, comes back as it is.
    """
    doubtful = sum(1 for _ in _MAYBE.finditer(source))
    if not doubtful or doubtful * len(source) > _WORK:
        return source, []
    if "get_ipython" not in source and is_python(source):
        return source, []
    from IPython.core.inputtransformer2 import TransformerManager

    left_out: list[str] = []
    try:
        python = _without_calls(TransformerManager().transform_cell(source), left_out)
    except (SyntaxError, ValueError, RuntimeError, MemoryError):  # RuntimeError: too many lines to change, or too deep
        return source, []
    return python, left_out


def is_python(source: str) -> bool:
    """Whether a cell compiles, where it may wait for a coroutine as in IPython."""
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(source, "<answer>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_calls(text: str, left_out: list[str]) -> str:
    """Python without the calls of IPython that its syntax was turned into."""
    lines = [line.encode() for line in text.split("\n")]
    with warnings.catch_warnings(action="ignore"):
        calls = [found for node in ast.walk(ast.parse(text)) if (found := _call(node))]
    for node, name, words in sorted(calls, key=lambda call: (call[0].lineno, call[0].col_offset), reverse=True):
        last = node.end_lineno or node.lineno
        before, after = lines[node.lineno - 1][: node.col_offset], lines[last - 1][node.end_col_offset :]
        instead = _instead(name, words, left_out).encode()
        lines[node.lineno - 1 : last] = (before + instead + after).split(b"\n")
    left_out.reverse()
    return b"\n".join(lines).decode()


def _call(node: ast.AST) -> tuple[ast.Call, str, list[str]] | None:
    """A call of IPython's: the node, the method, its words."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr=name), args=args):
            words = [arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if name in _CALLS and words and len(words) == len(args):
                return node, name, words
    return None


def _instead(name: str, words: list[str], left_out: list[str]) -> str:
    """What is put for a call of IPython's."""
    magic, _, body = words[0], words[1:2], words[-1]
    if name == "run_cell_magic" and magic in _TIMED:
        return "\n" + _nested(body, left_out)
    if name == "run_line_magic" and magic in _TIMED and len(words) == 2:
        return _nested(body, left_out)
    left_out.append({"pinfo": "?", "pinfo2": "??"}.get(magic) or _CALLS[name].format(magic)[:40])
    return "[]" if name == "getoutput" else "None"


def _nested(source: str, left_out: list[str]) -> str:
    python, more = to_python(source)
    left_out += more
    return python.strip("\n")
