"""Runs at the start of every kernel in which a page is tested (tools/pages.py puts it into IPython's profile).

It cuts the network off, times the page and, in a run in full, proves its claims: after each cell that holds claims, the
same cell is run again on a broken model (tests/notebooks/breaks), in a copy of the names, and every claim must fail.
In a short run a project is judged on the seed that everybody sees alone: on the secret one it would train once more.
"""

import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import socket
import sys
import time
import traceback
from pathlib import Path


def _page_run() -> None:
    proof_folder = Path(os.environ["LMCOURSE_PROOF"])
    breaks = None  # a short run
    if os.environ["LMCOURSE_BREAKS"]:
        folder = Path(os.environ["LMCOURSE_BREAKS"])
        options = {"submodule_search_locations": [str(folder)]}
        specification = importlib.util.spec_from_file_location("page_breaks", folder / "__init__.py", **options)
        breaks = sys.modules["page_breaks"] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(breaks)
    record = {"cells": [], "seconds": 0.0, "processor_s": 0.0, "fired": {}, "slowest": []}
    clock = {"wall": time.monotonic(), "cpu": time.process_time()}
    shell = get_ipython()  # noqa: F821

    real_connect = socket.socket.connect

    def connect(self, address):
        if self.family != socket.AF_UNIX and str(address[0]) not in ("127.0.0.1", "::1", "localhost"):
            raise OSError("the network is cut off while pages are tested")
        return real_connect(self, address)

    socket.socket.connect = connect

    def claims_in(source: str) -> list[str]:
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
        named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "claim"]
        return [call.args[0].value for call in named]

    def is_claim(node: ast.stmt) -> bool:
        return isinstance(node, ast.Expr) and bool(claims_in(ast.unparse(node)))

    def break_and_rerun(source: str, statement: str) -> str:
        """Run the cell with this statement's model broken; return "fired", or what happened instead.

        The model is broken before the cell, and if the cell makes anew what was broken, before its claims.
        """
        body = ast.parse(source).body
        computed = [node for node in body if not is_claim(node)]
        for before, after in (([], body), (computed, [node for node in body if is_claim(node)])):
            names, results = dict(shell.user_ns), {}

            def watched(text, holds, results=results, **_):
                results[text] = bool(holds() if callable(holds) else holds)

            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    run(before, names)
                    exec(breaks.BREAKS[statement], names)
                    names["claim"] = watched
                    run(after, names)
            except Exception:
                return traceback.format_exc(limit=1)
            if results.get(statement) is False:
                return "fired"
        return "the claim held on the broken model"

    def run(statements: list[ast.stmt], names: dict) -> None:
        exec(compile(ast.Module(statements, []), "<claim cell>", "exec"), names)

    def after_cell(result) -> None:
        source = result.info.raw_cell or ""
        record["cells"].append(source)
        wall, cpu = time.monotonic() - clock["wall"], time.process_time() - clock["cpu"]
        record["seconds"] += min(wall, cpu)  # on a quiet machine a cell takes no longer than its processor time
        record["slowest"] = sorted([*record["slowest"], (min(wall, cpu), source[:60])], reverse=True)[:6]
        with contextlib.suppress(SyntaxError):
            for statement in claims_in(source) if breaks else ():
                known = statement in breaks.BREAKS
                record["fired"][statement] = break_and_rerun(source, statement) if known else "no break is known for it"
        record["processor_s"] = time.process_time()  # of all, proofs too
        (proof_folder / f"{os.getpid()}.json").write_text(json.dumps(record), encoding="utf-8")
        clock.update(wall=time.monotonic(), cpu=time.process_time())  # proofs are not the page's time

    def judged_once(lines: list[str]) -> list[str]:
        hidden = "### BEGIN HIDDEN TESTS\n"
        of_a_project = hidden in lines and re.match('check\\("[A-Z]', lines[0])
        return lines[: lines.index(hidden)] if of_a_project else lines

    shell.events.register("post_run_cell", after_cell)
    if not breaks:
        shell.input_transformers_cleanup.append(judged_once)


_page_run()
del _page_run
