"""Make the pictures of the repository's first page, and write its address where it belongs.

    python -m tools.front

The ladder's models continue one sentence (docs/front/ladder.svg); the badges are drawn from pyproject.toml and need no
account anywhere (docs/front/badges.svg). The address is `Source` of [project.urls] in pyproject.toml: README, the site
and the recipe for Colab name it, and the site has buttons to it and to Colab; without it there are none.
"""

import html
import json
import re
import textwrap
import tomllib

import lmcourse
from tools.form import ROOT
from tools.site import short

FRONT = ROOT / "docs" / "front"
WITH_ADDRESS = ("README.md", "site/index.md", "docs/running-elsewhere.md")
UNKNOWN = "<this repository>"
WIDTH, LINE, SIGNS = 880, 21, 94  # pixels; signs in a line
SERIF, SANS = "Georgia, 'Times New Roman', serif", "'Segoe UI', Helvetica, Arial, sans-serif"
_CLONE = re.compile(rf"(git clone (?:--depth 1 )?)(?:{UNKNOWN}|\S+)(?= lmcourse)")


def project() -> dict:
    """What pyproject.toml says of the package."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def ladder() -> str:
    """One sentence, continued by each model of the ladder, as SVG."""
    run = json.loads((ROOT / "chapters" / "recorded" / "ladder-samples.json").read_text(encoding="utf-8"))
    rows, y = [], 34
    for row in run["rows"]:
        rows.append(_text(24, y, f"chapter {row['chapter']}: {row['model']}", font=SANS, size=13, fill="#555555"))
        said = run["prompt"] + " ".join(short(row["text"], 135).split("\n"))
        for number, line in enumerate(textwrap.wrap(said, SIGNS)):
            y += LINE
            rows.append(_text(24, y, line, bold=run["prompt"] if number == 0 else "", font=SERIF, size=17))
        y += 2 * LINE - 8
    return _svg(WIDTH, y - 8, "One sentence, continued by each model of the course", rows, frame=True)


def badges() -> str:
    """What the package needs and allows, as SVG."""
    said = project()
    pythons = [line.rpartition(" ")[2] for line in said["classifiers"] if re.search(r"Python :: 3\.\d+$", line)]
    facts = {
        "version": f"{lmcourse.__version__} ({lmcourse.__date__})",
        "Python": " | ".join(pythons),
        "needs": "two cores, no GPU",
        "code": "BSD-3-Clause",
        "text": "CC BY 4.0",
    }
    parts, x = [], 0
    for name, value in facts.items():
        left, right = 14 + 7 * len(name), 14 + 7 * len(value)
        parts.append(f'<rect x="{x}" width="{left}" height="22" fill="#444444"/>')
        parts.append(f'<rect x="{x + left}" width="{right}" height="22" fill="#005a8f"/>')
        for start, width, word in ((x, left, name), (x + left, right, value)):
            parts.append(_text(start + width / 2, 15, word, font=SANS, size=12, fill="#ffffff", anchor="middle"))
        x += left + right + 6
    return _svg(x, 22, "; ".join(f"{name}: {value}" for name, value in facts.items()), parts)


def _text(
    x: float, y: int, words: str, *, font: str, size: int, fill: str = "#111111", bold: str = "", anchor: str = "start"
) -> str:
    head = f'<tspan font-weight="bold">{html.escape(bold)}</tspan>' if bold else ""
    style = f'x="{x:g}" y="{y}" font-family="{font}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"'
    return f"<text {style}>{head}{html.escape(words.removeprefix(bold))}</text>"


def _svg(width: int, height: int, title: str, parts: list[str], *, frame: bool = False) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    back = f'<rect width="{width}" height="{height}" rx="10" fill="#fdfdfb" stroke="#cccccc"/>' if frame else ""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{html.escape(title)}</title>{back}'
    return "\n".join([head, *parts, "</svg>\n"])


def with_address(page: str) -> str:
    """A page whose recipes clone the repository from where it is, or from "<this repository>"."""
    address = project().get("urls", {}).get("Source") or UNKNOWN
    return _CLONE.sub(lambda match: match[1] + address, page)


def buttons() -> dict:
    """What the site's theme needs for a button to the repository, one to Colab on each page, and one to the forum."""
    urls = project().get("urls", {})
    options: dict = {}
    if "Source" in urls:
        colab = {"colab_url": "https://colab.research.google.com"}
        options = {"repository_url": urls["Source"], "use_repository_button": True, "launch_buttons": colab}
    if "Forum" in urls:
        options["icon_links"] = [{"name": "Forum", "url": urls["Forum"], "icon": "fa-solid fa-comments"}]
    return options


def main() -> None:
    FRONT.mkdir(exist_ok=True)
    (FRONT / "ladder.svg").write_text(ladder(), encoding="utf-8")
    (FRONT / "badges.svg").write_text(badges(), encoding="utf-8")
    for name in WITH_ADDRESS:
        (ROOT / name).write_text(with_address((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
