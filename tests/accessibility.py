"""What Chromium tells a screen reader."""


def accessibility_tree(page) -> list[tuple[str, str]]:
    """Role and name of all parts of a page."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [(node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in nodes]
