"""Random answers: Markdown and HTML as nobody would write them, and as somebody might.

Half of them are a soup of tokens, half are built from blocks. Every address that is not vouched for leads to
a canary host.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

CANARY = "evil.example"
VOUCHED = (
    "https://allowed.example/docs/guide",
    "https://allowed.example/docs/guide.png",
    "https://allowed.example/q?a=1&b=(2)",
)
"""The manifest's addresses, the second a picture; their markers are 1, 2 and 3."""

EVIL = (
    *("https://evil.example/p", "//evil.example/p", "www.evil.example/p", "evil.example/p", "a@evil.example"),
    *("mailto:a@evil.example", "HTTPS:\\\\evil.example", "https&#58;//evil.example", "\\/evil.example"),
    *("https://allowed.example/docs/guide?d=evil", "https://allowed.example/docs/guide#:~:text=evil"),
    *("https://allowed.example@evil.example", "ht\ntps://evil.example", "https:evil.example", "p/evil.png"),
    *("javascript:alert(1)", "data:text/html,evil", "ftp://evil.example", "xmpp:a@evil.example/x"),
)
MARKERS = (
    *(
        "[1]",
        "[2]",
        "[9]",
        "[1, 2]",
        "[1-3]",
        "[^1]",
        "[^src_001]",
        "[^src_009]",
        "[^x]",
        "[[1]]",
        "[src_001]",
    ),
    *(
        "【1†source】",
        "【2】",
        "turn0search0",
        "\ue200cite\ue202turn0search0\ue201",
        "^[1]^",
        "\\cite{1}",
        "(src_001)",
    ),
    *(
        "<sup>1</sup>",
        "<ref>1</ref>",
        '<cite index="1-1">',
        "</cite>",
        "[citation:1]",
        "【来源1】",
        "[cite: 1]",
    ),
    *(f"[1]({VOUCHED[0]})", f"[[1]]({VOUCHED[0]})", "[1](https://evil.example/p)", ":cit[x]{ref=1}"),
)
SYNTAX = (
    *(
        "[",
        "]",
        "(",
        ")",
        "](",
        "![",
        "]: ",
        "][",
        "[x]",
        "[x][y]",
        "\n[x]: ",
        "[[",
        "]]",
        "^[",
        "<",
        ">",
        "</",
        "<!--",
    ),
    *(
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "`",
        "``",
        "```\n",
        "\n```\n",
        "~~~\n",
        "\\",
        "&",
        "&#91;",
        "&lt;",
        "*",
        "**",
        "_",
    ),
    *(
        "~~",
        "$",
        "$$",
        "$$\n",
        "{",
        "}",
        "{{",
        "}}",
        "{%",
        "{: href=https://evil.example/p }",
        "|",
        "\n|-|\n",
        "|x|\n",
    ),
    *(
        "#",
        "## ",
        "\n===\n",
        "\n---\n",
        ": ",
        "\n: ",
        "- ",
        "1. ",
        "> ",
        "    ",
        "\t",
        "\n\n",
        "\n",
        "\r\n",
        "\r",
        "\u2028",
    ),
    *(
        "\x0b",
        "\u00a0",
        "\u200b",
        "\ufeff",
        "\u00ad",
        "\u202e",
        "é",
        "日本",
        "。",
        "：",
        '"',
        "'",
        ",",
        ".",
        ";",
        "!",
        "…",
        "%",
        "=",
        "@",
    ),
    *(
        "\\\n",
        "  \n",
        "word ",
        "A sentence. ",
        "-8<- ",
        "!include ",
        "import 'x'",
        "```mermaid\n",
        "```{=html}\n",
        ":::note\n",
    ),
    *(
        "!!! note\n\n    ",
        "*[HTML]: x\n",
        "## Sources\n\n",
        "参考文献\n",
        "Sources:\n",
        "1. Title ",
        "[1] Title: ",
        "[^1]: ",
    ),
)
TAGS = (
    *(
        "a",
        "b",
        "p",
        "div",
        "span",
        "img",
        "svg",
        "math",
        "style",
        "script",
        "template",
        "table",
        "td",
        "select",
        "pre",
    ),
    *(
        "textarea",
        "noscript",
        "iframe",
        "form",
        "base",
        "meta",
        "link",
        "object",
        "input",
        "li",
        "ol",
        "h2",
        "cite",
        "br",
    ),
    *(
        "mtext",
        "mglyph",
        "foreignObject",
        "desc",
        "title",
        "plaintext",
        "xmp",
        "sup",
        "section",
        "details",
        "x-y",
    ),
)
ATTRIBUTES = (
    *(
        "href",
        "src",
        "srcset",
        "style",
        "onclick",
        "ping",
        "action",
        "background",
        "poster",
        "data",
        "xlink:href",
        "id",
    ),
    *("class", "title", "cite", "content", "http-equiv", "alt", "fill", "srcdoc", "name", "value"),
)

Draw = Callable[[Sequence[str]], str]


class Documents:
    """An endless row of documents; the same seed gives the same row."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - not for secrets

    def markdown(self) -> str:
        """One Markdown answer."""
        text = self._soup() if self._random.random() < 0.5 else self._blocks(0)
        return self._posted(text)

    def html(self) -> str:
        """One HTML answer, a part or a page."""
        body = "".join(self._element(0) for _ in range(self._random.randint(1, 4)))
        if self._random.random() < 0.1:
            body = (
                f"<!doctype html><html><head><title>{self._text()}</title></head><body>{body}</body></html>"
            )
        return body

    # Markdown

    def _soup(self) -> str:
        weights = self._random.choice([(3, 3, 8), (1, 6, 6), (4, 1, 12)])
        kinds = self._random.choices(
            (EVIL + VOUCHED, MARKERS, SYNTAX), weights, k=self._random.randint(2, 14)
        )
        return "".join(map(self._random.choice, kinds))

    def _blocks(self, depth: int) -> str:
        pieces = []
        for _ in range(self._random.randint(1, 2 if depth else 5)):
            pieces += [self._block(depth), self._random.choice(["\n\n", "\n\n", "\n", "\n> ", "\n\n    "])]
        return "".join(pieces)

    def _block(self, depth: int) -> str:
        kind = self._random.randint(0, 11)
        if kind == 0 and depth < 3:
            return "\n".join("> " + line for line in self._blocks(depth + 1).split("\n"))
        if kind == 1 and depth < 3:
            mark = self._random.choice(["- ", "1. ", "-     ", "*\t"])
            return mark + self._blocks(depth + 1).replace(
                "\n", "\n" + " " * self._random.choice([0, 2, len(mark)])
            )
        if kind == 2:
            cells = " | ".join(self._inline().replace("\n", " ") for _ in range(2))
            return f"| {cells} |\n|---|---|\n| {self._inline()} | b |"
        if kind == 3:
            label = self._random.choice(["[x]: ", "[1]: ", "[^1]: ", "[^x]: ", "> [x]: ", ": [x]: "])
            return label + self._random.choice(EVIL + VOUCHED)
        if kind == 4:
            frame = self._random.choice(
                ["```\n%s\n```", "~~~\n%s", "    %s", "``%s``", "> ```\n> %s", "$$\n%s\n$$"]
            )
            return frame.replace("%s", self._inline())
        if kind == 5:
            return self.html()
        if kind in (6, 7):
            form = self._random.choice(["%d. ", "[%d] ", "[^%d]: ", "- [%d] ", "| %d | "])
            entries = (form % number + self._link() for number in range(1, self._random.randint(2, 4)))
            return self._random.choice(["## Sources\n\n", "参考文献\n", ""]) + "\n".join(entries)
        return self._inline()

    def _inline(self) -> str:
        pieces = []
        for _ in range(self._random.randint(1, 6)):
            pieces.append(self._random.choice([self._link, self._marker, self._syntax, self._words])())
            pieces.append(self._random.choice(["", "", " "]))
        return "".join(pieces)

    def _link(self) -> str:
        address = self._random.choice(EVIL + VOUCHED)
        text = self._random.choice([*MARKERS, *SYNTAX, "text", address])
        forms = (
            "[{t}]({a})",
            "![{t}]({a})",
            "[{t}](<{a}>)",
            "<{a}>",
            "{a}",
            "({a})",
            "**{a}**",
            "`{a}`",
            "[{t}][x]",
        )
        more = (
            "[![{t}]({a})]({a})",
            '<a href="{a}">{t}</a>',
            "<img src='{a}' alt='{t}'>",
            "[{t}] ({a})",
            "${a}$",
        )
        return self._random.choice(forms + more).replace("{t}", text).replace("{a}", address)

    def _marker(self) -> str:
        return self._random.choice(MARKERS)

    def _syntax(self) -> str:
        return self._random.choice(SYNTAX)

    def _words(self) -> str:
        return self._random.choice(["word", "It is so.", "x", "日本語", "5 µg", "a b"])

    def _posted(self, text: str) -> str:
        chance = self._random.random()
        if chance < 0.04:
            text = text.replace("\n", "\r\n")
        elif chance < 0.06:
            text = text.replace("\n", "\r")
        elif chance < 0.08:
            text = "\ufeff" + text
        elif chance < 0.11:
            text = f"---\ntitle: {self._random.choice(EVIL + MARKERS + SYNTAX)}\n---\n{text}"
        return text

    # HTML

    def _element(self, depth: int) -> str:
        chance = self._random.random()
        if chance < 0.3 or depth > 4:
            return self._text()
        name = self._random.choice(TAGS)
        inside = "".join(self._element(depth + 1) for _ in range(self._random.randint(0, 3)))
        closing = f"</{name}>" if self._random.random() < 0.8 else ""
        return f"<{name}{self._attributes()}>{inside}{closing}"

    def _attributes(self) -> str:
        written = []
        for _ in range(self._random.randint(0, 2)):
            value = self._random.choice(EVIL + VOUCHED + SYNTAX)
            if self._random.random() < 0.1:
                value = f"url({value})"
            quote = self._random.choice(['"', '"', "'", ""])
            written.append(f" {self._random.choice(ATTRIBUTES)}={quote}{value}{quote}")
        return "".join(written)

    def _text(self) -> str:
        return self._random.choice([self._marker, self._syntax, self._words, self._words])()
