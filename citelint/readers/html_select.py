"""Where answers are in a site's page: the elements that a CSS selector finds.

BeautifulSoup finds them and is asked for nothing else; where an element ends is read by the tokenizer that
everything else goes by.
"""

from __future__ import annotations

from citelint.errors import InputError
from citelint.model import Regions, Span
from citelint.readers.html_elements import VOID, pair
from citelint.readers.html_page import HtmlSource
from citelint.readers.html_tokens import ALIEN, RAW_TEXT

_NO_ANSWER = VOID | RAW_TEXT | {"html", "head"}
"""Elements whose content is no HTML, or more than an answer."""


def select_contents(data: bytes, source: HtmlSource, selector: str) -> list[Span]:
    """What stands in the elements that *selector* finds, in order; of nested ones the outermost.

    Raises :class:`~citelint.errors.InputError` when it finds none, or where nobody can say what is found.
    """
    elements = {element.opening.start: element for element in pair(source.tokens, len(data))}
    alien = Regions(element.span for element in elements.values() if element.name in ALIEN)
    found: list[Span] = []
    for name, start in sorted(_find(data, selector), key=lambda place: place[1]):
        element = elements.get(start)
        if element is None or element.name != name or name in _NO_ANSWER or start in alien:
            raise InputError(
                f"--select found <{name:.40}> at byte {start}, which has no content that can be told",
                help="select an element that holds the answer, such as main or article",
            )
        if not found or element.opening.end > found[-1].end:
            found.append(Span(element.opening.end, element.end))
    if not found:
        raise InputError(
            f"--select found nothing: {selector!r:.80}", help="look at the page for the element of the answer"
        )
    return found


def _find(data: bytes, selector: str) -> list[tuple[str, int]]:
    """Name and start of each element found."""
    from bs4 import BeautifulSoup
    from soupsieve import SelectorSyntaxError

    text = data.decode()
    mark = text[:1] == "\ufeff"
    try:
        tags = BeautifulSoup(text[mark:], "html.parser").select(selector)
    except (SelectorSyntaxError, NotImplementedError) as error:
        raise InputError(
            f"--select: {str(error).splitlines()[0]:.120}", help="e.g. 'main', 'article.answer', '#answer'"
        ) from None
    except Exception as error:
        raise InputError(
            f"this page cannot be searched: {type(error).__name__}", help="give the answer alone"
        ) from error
    lines = text[mark:].split("\n")
    starts = [3 if mark else 0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()) + 1)
    places: list[tuple[str, int]] = []
    for tag in tags:
        row, column = tag.sourceline, tag.sourcepos
        if row is None or column is None:
            raise InputError("--select found an element that is not in the source", help="select another one")
        before = lines[row - 1][:column]
        places.append((tag.name.lower(), starts[row - 1] + len(before.encode())))
    return places
