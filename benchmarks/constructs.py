"""Texts of any size that are made of one construct, each the worst that somebody could send."""

from __future__ import annotations

from collections.abc import Callable


def _repeat(piece: str) -> Callable[[int], str]:
    return lambda size: piece * (size // len(piece.encode()) + 1)


def _nested(opening: str, closing: str) -> Callable[[int], str]:
    def make(size: int) -> str:
        count = size // len((opening + closing).encode()) + 1
        return opening * count + "x" + closing * count

    return make


def _numbered(piece: str, head: str = "") -> Callable[[int], str]:
    """Copies of *piece* with ``%d`` counted up."""

    def make(size: int) -> str:
        parts, length, number = [head], len(head), 0
        while length < size:
            number += 1
            part = piece.replace("%d", str(number))
            parts.append(part)
            length += len(part)
        return "".join(parts)

    return make


def _backticks(size: int) -> str:
    """Runs of all lengths, none of which is closed."""
    parts, length, run = [], 0, 0
    while length < size:
        run = run % 2000 + 1
        parts.append("`" * run + " x ")
        length += run + 3
    return "".join(parts)


def _front_matter(size: int) -> str:
    return "---\n" + _numbered("key%d: https://evil.example/%d\n")(size) + "---\n\nText [1].\n"


def _footnotes(size: int) -> str:
    half = size // 2
    return _numbered("Text.[^n%d] ")(half) + "\n\n" + _numbered("[^n%d]: A note.\n\n")(half)


def _definitions(size: int) -> str:
    half = size // 2
    return _numbered("[a][d%d] ")(half) + "\n\n" + _numbered("[d%d]: https://evil.example/%d\n")(half)


def _table(size: int) -> str:
    return "| a | b |\n|---|---|\n" + _numbered("| x [1] | https://evil.example/%d |\n")(size)


def _wide_table(size: int) -> str:
    count = size // 8 + 1
    return "|a" * count + "|\n" + "|-" * count + "|\n" + "|[1]" * count + "|\n"


def _deep_list(size: int) -> str:
    """Items nested as deep as the size allows: the indentation is what grows."""
    lines, length, depth = [], 0, 0
    while length < size:
        depth = depth % 500 + 1
        lines.append("  " * depth + "- x [1]\n")
        length += len(lines[-1])
    return "".join(lines)


CONSTRUCTS: dict[str, Callable[[int], str]] = {
    "prose": _repeat("Sales rose by a tenth, and costs fell. Nobody knows why, not even the board.\n\n"),
    "one line": _repeat("word "),
    "brackets open": _repeat("["),
    "brackets nested": _nested("[", "]"),
    "brackets, image": _repeat("!["),
    "links unclosed": _repeat("[a](https://evil.example/"),
    "links unclosed <": _repeat("[a](<https://evil.example/"),
    "links nested": _nested("[", "](https://evil.example/)"),
    "links": _numbered("[a](https://evil.example/%d) and "),
    "links with title": _repeat('[a](https://evil.example/ "'),
    "images": _numbered("![a](https://evil.example/%d.png) and "),
    "link definitions": _definitions,
    "parentheses": _repeat("[a](("),
    "emphasis": _repeat("*a _b "),
    "emphasis runs": _repeat("***a** "),
    "strikethrough": _repeat("~~a ~b "),
    "backticks": _backticks,
    "backtick pairs": _repeat("`a` ``b`` "),
    "fences open": _repeat("```x\ny\n"),
    "fences": _repeat("```{=html}\ny\n```\n"),
    "list": _repeat("- item [1]\n"),
    "list, ordered": _numbered("%d. item\n"),
    "list nested": _repeat("- "),
    "list deep": _deep_list,
    "quotes nested": _repeat("> "),
    "quotes": _repeat("> quote\n>> deeper\n"),
    "headings": _repeat("# Title\n\n"),
    "setext": _repeat("Title\n===\n"),
    "table": _table,
    "table wide": _wide_table,
    "table rows short": lambda size: "|a|b|c|\n|-|-|-|\n" + _repeat("|x\n")(size),
    "html open": _repeat("<div>"),
    "html nested": _nested("<b>", "</b>"),
    "html unclosed": _repeat("<a href='"),
    "html comment": _repeat("<!-- x "),
    "html declaration": _repeat("<!X "),
    "html instruction": _repeat("<? "),
    "html cdata": _repeat("<![CDATA["),
    "html images": _numbered("<img src='https://evil.example/%d'>\n\n"),
    "html attributes": lambda size: "<b " + _numbered("a%d=1 ")(size) + ">x</b>",
    "entities": _repeat("&#104;&ttps;&amp;"),
    "ampersands": _repeat("&"),
    "backslashes": _repeat("\\"),
    "escapes": _repeat("\\[\\]"),
    "markers": _repeat("Sales rose [1][2], costs fell 【4:0†source】. "),
    "markers unclosed": _repeat("【4:0†"),
    "marker list": lambda size: "[" + _repeat("1, ")(size) + "1]",
    "marker tokens": _repeat("turn0search0"),
    "bibliography": _numbered("[%d] Title: https://example.org/%d\n", "Sales rose [1].\n\n## Sources\n\n"),
    "bibliography, list": _numbered("%d. Title - https://example.org/%d\n", "Sales [1].\n\nReferences\n\n"),
    "bibliography, one line": _numbered("[%d] https://example.org/%d<br>", "Sales [1].\n\nSources:\n"),
    "footnotes": _footnotes,
    "footnote open": _repeat("[^"),
    "footnote long": lambda size: "a[^1]\n\n[^1]: " + _repeat("word ")(size),
    "bare URLs": _numbered("See https://evil.example/%d now. "),
    "bare URL long": lambda size: "https://evil.example/" + _repeat("a")(size),
    "bare URL brackets": lambda size: "https://evil.example/" + _repeat("(")(size),
    "hosts": _numbered("See evil%d.example/x now. "),
    "www": _repeat("www."),
    "dots": _repeat("a."),
    "mail": _numbered("Ask a%d@evil.example now. "),
    "at signs": _repeat("a@"),
    "colons": _repeat("http:"),
    "slashes": _repeat("://"),
    "autolinks": _numbered("<https://evil.example/%d> "),
    "autolinks open": _repeat("<https://evil.example/ "),
    "crlf": _repeat("Sales rose [1].\r\n\r\n"),
    "lone cr": _repeat("Sales rose [1].\r"),
    "blank lines": _repeat("\n"),
    "spaces": _repeat(" "),
    "tabs": _repeat("\t"),
    "front matter": _front_matter,
    "front matter open": lambda size: "---\n" + _repeat("a: b\n")(size),
    "invisible": _repeat("a\u200b\u202e"),
    "joiners": _repeat("\U0001f468\u200d"),
    "tag characters": _repeat("\U000e0061"),
    "terminal escapes": _repeat("\x1b[31mred\x1b[0m "),
    "template": _repeat("{{ a }} "),
    "template open": _repeat("{{ "),
    "template tags": _repeat("{% if a %}"),
    "attribute lists": _repeat("[a](b){: x=1 } "),
    "attributes open": _repeat("{:"),
    "wiki": _repeat("![[a]] "),
    "wiki open": _repeat("[["),
    "maths": _repeat("$a$ $$b$$ "),
    "maths open": _repeat("$$ "),
    "chinese": _repeat("销售额增长了百分之十【1】。"),
}
"""Name → a text of about so many bytes."""
