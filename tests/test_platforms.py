"""CL308: what platforms act upon in plain text, where the policy says that answers are shown there."""

from __future__ import annotations

from typing import Any

import pytest

import citelint
from tests.command import source

REPORT = "https://example.org/report"
MANIFEST = citelint.Manifest.from_dict(
    {
        "version": 1,
        "run": {"id": "run"},
        "sources": [source(id="report", url=REPORT, title="Fix #12 by @someone", markers=["1"])],
    }
)


def _fix(text: str, *platforms: str, **settings: Any) -> citelint.Result:
    policy = citelint.Policy(required=False, on_unverified="strip", renders_as=platforms, **settings)
    return citelint.fix(text, MANIFEST, policy=policy)


@pytest.mark.parametrize(
    ("platform", "text", "fixed"),
    [
        ("github", "Ask @someone.\n", "Ask `@someone`.\n"),
        ("github", "Ask @org/team (now).\n", "Ask `@org/team` (now).\n"),
        ("github", "This fixes #12, closes org/repo#3.\n", "This fixes `#12`, closes `org/repo#3`.\n"),
        ("github", f"In {'0a' * 20}.\n", f"In `{'0a' * 20}`.\n"),
        ("gitlab", "See !12 and &3.\n", "See `!12` and `&3`.\n"),
        ("gitlab", "Done.\n\n/close\n", "Done.\n\n`/close`\n"),
        ("gitlab", "> /assign @me\n", "> `/assign` `@me`\n"),
        ("slack", "Hello @channel.\n", "Hello `@channel`.\n"),
    ],
)
def test_a_trigger_is_put_into_a_code_span(platform: str, text: str, fixed: str) -> None:
    once = _fix(text, platform)
    assert once.text == fixed
    assert {finding.code for finding in once.findings} == {"CL308"}
    assert _fix(once.text, platform).text == fixed
    assert _fix(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "Use `@property` and `#12`.\n",
        "```\n@someone #12\n/close\n```\n",
        "A colour #fff, item No. 5, a path and/or b/c, 5 % and 100%.\n",
        f"[it]({REPORT}#12) and <{REPORT}>\n",
        "# Heading\n\n#hashtag\n",
    ],
)
def test_what_no_platform_acts_upon_stays(text: str) -> None:
    result = _fix(text, "github", "gitlab", "slack", allow=(REPORT,))
    assert "CL308" not in {finding.code for finding in result.findings}


def test_titles_of_sources_fall_apart() -> None:
    once = _fix("Sales rose [1].\n", "github")
    assert "# 12 by @ someone" in once.text.replace("&#35;", "#").replace("&#64;", "@")
    assert _fix(once.text, "github").text == once.text


def test_a_host_name_that_a_chat_would_unfold_is_broken() -> None:
    assert "evil.example" not in _fix("See evil.example for it.\n", "slack").text


def test_a_platform_that_is_not_known_is_refused() -> None:
    with pytest.raises(citelint.PolicyError, match="renders-as"):
        citelint.Policy(renders_as=("forge",))
