"""Summaries as long as a language model writes them, composed of what was said and nothing else."""

import json
from collections.abc import Mapping
from typing import Any

from gieok.prompt.shorten import shares

_CHARS = {"ko": 300, "ja": 300, "en": 600}
"""Characters of a summary that the extraction's instructions ask for, at most."""
_TOLD = {
    "ko": "{at} {weekday}, 사용자는 “{text}”라고 말했다.",
    "ja": "{at} {weekday}、ユーザーは「{text}」と言った。",
    "en": "On {weekday}, {at}, the user said: “{text}”.",
}


def retold(payload: str, answer: str) -> str:
    """The answer to an extraction call with another summary: each of the user's messages, dated.

    An answer without a summary stays as it is.
    """
    given: dict[str, Any] = json.loads(answer)
    if not given["summary"]:
        return answer
    window = json.loads(payload)
    said = [m for m in window["messages"] if m["speaker"] == "user"]
    return json.dumps(given | {"summary": _summary(said, window["language"])}, ensure_ascii=False)


def _summary(said: list[dict[str, str]], language: str) -> str:
    """One sentence for each message; where they are too long, each gets its share of the length."""
    around = sum(len(_sentence(message, language, "")) + 1 for message in said)
    room = max(_CHARS[language] - around, 0)
    granted = shares([len(message["text"]) for message in said], room)
    told = (_clipped(m["text"], most) for m, most in zip(said, granted, strict=True))
    return " ".join(_sentence(m, language, text) for m, text in zip(said, told, strict=True))


def _sentence(message: Mapping[str, str], language: str, text: str) -> str:
    at, weekday = message["at"][:10], message["weekday"]
    return _TOLD[language].format(at=at, weekday=weekday, text=" ".join(text.split()))


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(most - 1, 0)] + "…"
