"""Replies by rules: what the user just said, and what is remembered about it, quoted.

They make no claim of understanding: everything they say about the past stands in quotation marks
and comes from the prompt.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gieok.prompt.memory_block import read_memory_lines
from gieok.providers.offline.sentences import asks_back, features, is_question, sentences, worth
from gieok.types import Locale, Role

_HEARD_CHARS = 60
"""Characters of the user's message that a reply repeats, at most."""
_QUOTED_CHARS = 160
"""Characters of a memory that a reply quotes, at most."""
_QUOTE = re.compile(r"[“「](.+)[”」]")


@dataclass(frozen=True, slots=True)
class _Phrases:
    heard: str
    listening: str
    remembered: str
    nearest: str
    reminded: str
    nothing_asked: str
    nothing_else: str
    just_now: str


_PHRASES: Mapping[Locale, _Phrases] = {
    "ko": _Phrases(
        heard="“{said}” 이야기, 잘 들었어요.",
        listening="네, 듣고 있어요.",
        remembered="네, 이렇게 기억하고 있어요. ({when}) “{quote}”",
        nearest="꼭 맞는 기억인지는 모르겠지만, 이런 기억이 있어요. ({when}) “{quote}”",
        reminded="그러고 보니 이 기억이 떠올라요. ({when}) “{quote}”",
        nothing_asked="그 이야기는 제 기억에 없어요. 다시 들려주시겠어요?",
        nothing_else="지금 떠오르는 지난 기억은 없어요.",
        just_now="조금 전",
    ),
    "en": _Phrases(
        heard="I heard you: “{said}”",
        listening="Yes, I'm listening.",
        remembered="Yes, this is what I remember. ({when}) “{quote}”",
        nearest="I'm not sure it is what you mean, but I remember this. ({when}) “{quote}”",
        reminded="That reminds me of this. ({when}) “{quote}”",
        nothing_asked="I have no memory of that. Would you tell me again?",
        nothing_else="No past memory comes to my mind right now.",
        just_now="just now",
    ),
    "ja": _Phrases(
        heard="「{said}」というお話、聞きました。",
        listening="はい、聞いていますよ。",
        remembered="はい、こう覚えています。({when})「{quote}」",
        nearest="ぴったりかどうか分かりませんが、こんな記憶があります。({when})「{quote}」",
        reminded="そういえば、こんな記憶があります。({when})「{quote}」",
        nothing_asked="そのお話は記憶にありません。もう一度聞かせてもらえますか?",
        nothing_else="いま思い浮かぶ過去の記憶はありません。",
        just_now="さっき",
    ),
}


@dataclass(frozen=True, slots=True)
class _Evidence:
    when: str
    text: str


def reply(
    memories: str, turns: Sequence[tuple[Role, str]], locale: Locale, earlier_talk: str = ""
) -> str:
    """Answer the last of `turns` from the text of the prompt's memories section.

    A question is answered with the remembered sentence that shares most with it. What the user said
    earlier, in this conversation or in the section of an earlier talk, counts as remembered too.
    """
    message = turns[-1][1] if turns else ""
    phrases = _PHRASES[locale]
    remembered = [*_remembered(memories), *_told(earlier_talk)]
    if is_question(message) or asks_back(message):
        said = (s for role, text in turns[:-1] if role == "user" for s in sentences(text))
        earlier = [_Evidence(phrases.just_now, s) for s in said if worth(s)]
        return _answer(message, [*remembered, *earlier], remembered, phrases)
    return f"{_acknowledged(message, phrases)} {_recalled(message, remembered, phrases)}"


def _answer(
    message: str, evidence: Sequence[_Evidence], fallback: Sequence[_Evidence], phrases: _Phrases
) -> str:
    if found := _closest(message, evidence):
        return _quoting(phrases.remembered, found)
    return _quoting(phrases.nearest, fallback[-1]) if fallback else phrases.nothing_asked


def _acknowledged(message: str, phrases: _Phrases) -> str:
    told = max(sentences(message), key=worth, default="")
    if not worth(told):
        return phrases.listening
    return phrases.heard.format(said=_clipped(told.strip(" .。"), _HEARD_CHARS))


def _recalled(message: str, remembered: Sequence[_Evidence], phrases: _Phrases) -> str:
    if found := _closest(message, remembered):
        return _quoting(phrases.reminded, found)
    return _quoting(phrases.nearest, remembered[-1]) if remembered else phrases.nothing_else


def _remembered(memories: str) -> Iterable[_Evidence]:
    """Summaries and quotes of the block, oldest first."""
    for line in read_memory_lines(memories):
        for text in (line.summary, *line.sub_lines):
            quote = _QUOTE.search(text)
            yield _Evidence(line.when, quote[1] if quote else text)


def _told(earlier_talk: str) -> Iterable[_Evidence]:
    """What the user said in an earlier talk, oldest first."""
    for line in read_memory_lines(earlier_talk):
        quote = _QUOTE.search(line.summary)
        said = sentences(quote[1]) if quote else ()
        yield from (_Evidence(line.when, s) for s in said if worth(s))


def _closest(message: str, evidence: Sequence[_Evidence]) -> _Evidence | None:
    """The evidence that shares most with the message; None when none shares anything.

    A word counts the less, the more texts have it; and a long text counts less than a short one
    with the same words.
    """
    asked = features(message)
    held = [features(e.text) for e in evidence]
    common = {f: sum(f in h for h in held) for f in asked}
    scores = [sum(1 / common[f] for f in asked & h) / len(h) ** 0.5 if h else 0.0 for h in held]
    best = max(range(len(evidence)), key=lambda i: scores[i], default=-1)
    return evidence[best] if best >= 0 and scores[best] > 0 else None


def _quoting(phrase: str, evidence: _Evidence) -> str:
    return phrase.format(when=evidence.when, quote=_clipped(evidence.text, _QUOTED_CHARS))


def _clipped(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
