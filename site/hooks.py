"""What the site's pages need beyond MyST-NB: formulas as MathML, links from names to the library, tables without
an empty head."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.inventory import InventoryFile

from tools.formulas import mathml

NARROW_SIGNS = 24  # a formula of so many signs fits a screen of 390 pixels

_LOG = logging.getLogger(__name__)
_IMPORT = re.compile(r"^from (lmcourse[\w.]*) import \(?([\w,\s]+)", re.MULTILINE)
_TAG = re.compile(r"<[^>]+>")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def visit_math(self: Any, node: nodes.math) -> None:
    formula = mathml(node.astext(), display=False)
    is_wide = len(_TAG.sub("", formula)) > NARROW_SIGNS  # it is scrolled on a narrow screen, by keys too
    focus = ' tabindex="0"' if is_wide else ""
    self.body.append(f'<span class="formula-inline"{focus}>{formula}</span>')
    raise nodes.SkipNode


def visit_math_block(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula" tabindex="0">{mathml(node.astext(), display=True)}</div>')
    raise nodes.SkipNode


def link_names(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Link `lmcourse.layers.RMSNorm`, and `RMSNorm` on a page that imports it, to the library's reference; list at the
    end of the page all that it imports."""
    inventory: dict[str, str] = app.lmcourse_names  # type: ignore[attr-defined]
    if not inventory:
        return
    up = "../" * docname.count("/")

    def link(name: str, words: nodes.literal) -> nodes.reference | None:
        room, _, last = name.rpartition(".")
        offered = f"{'.'.join(room.split('.')[:2])}.{last}"  # a name is listed where its room offers it
        found = next((full for full in (name, offered) if full.startswith("lmcourse.") and full in inventory), None)
        return nodes.reference("", "", words, refuri=f"{up}library/{inventory[found]}") if found else None

    code = "\n".join(block.astext() for block in tree.findall(nodes.literal_block))
    imported = {
        name: f"{module}.{name}" for module, names in _IMPORT.findall(code) for name in re.findall(r"\w+", names)
    }
    for literal in list(tree.findall(nodes.literal)):
        found = _NAME.match(literal.astext())
        if found and not isinstance(literal.parent, nodes.reference):
            linked = link(imported.get(found[0], found[0]), literal.deepcopy())
            if linked:
                literal.replace_self(linked)
    links = [link(imported[name], nodes.literal("", name)) for name in sorted(imported, key=str.lower)]
    if docname.startswith("chapters/") and any(links):
        listed = nodes.paragraph("", "In the library: ", classes=["library-names"])
        for reference in filter(None, links):
            listed += [*([nodes.Text(" · ")] if len(listed) > 1 else []), reference]
        next(iter(tree.findall(nodes.section))).append(listed)


def drop_empty_heads(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """A table whose head has no words is one without a head."""
    for head in list(tree.findall(nodes.thead)):
        if not head.astext().strip():
            head.parent.remove(head)


def _read_inventory(app: Sphinx) -> None:
    app.lmcourse_names = {}  # type: ignore[attr-defined]
    if app.config.lmcourse_api_inventory:
        with open(app.config.lmcourse_api_inventory, "rb") as file:  # noqa: PTH123
            data = InventoryFile.load(file, "", lambda _, path: path)
        app.lmcourse_names = {  # type: ignore[attr-defined]
            name: item.uri.replace("$", name)
            for kind, items in data.items()
            if kind.startswith("py:")
            for name, item in items.items()
        }


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("lmcourse_api_inventory", "", "env")
    app.add_html_math_renderer("mathml", inline_renderers=(visit_math, None), block_renderers=(visit_math_block, None))
    app.connect("builder-inited", _read_inventory)
    app.connect("doctree-resolved", link_names)
    app.connect("doctree-resolved", drop_empty_heads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
