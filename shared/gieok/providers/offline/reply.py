"""Replies by rules: short, about what the user just did, with a remembered detail where it fits.

They make no claim of understanding: everything they say about the past stands in quotation marks
and comes from the prompt. What is not surely meant is not brought up.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gieok.language import korean
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.providers.offline.acts import Act, act_of, asks_the_character
from gieok.providers.offline.evidence import (
    Evidence,
    closest,
    remembered,
    shares_topic,
    told_earlier,
)
from gieok.providers.offline.marks import own_words
from gieok.providers.offline.names import named
from gieok.providers.offline.particles import after_quotations, is_open
from gieok.providers.offline.phrases import Voice
from gieok.providers.offline.phrases.en import EN
from gieok.providers.offline.phrases.ja import JA
from gieok.providers.offline.phrases.ko_casual import KO_CASUAL
from gieok.providers.offline.phrases.ko_polite import KO_POLITE
from gieok.providers.offline.related import concepts
from gieok.providers.offline.sentences import (
    asides,
    asks_back,
    ends_of,
    is_question,
    search_terms,
    sentences,
    worth,
)
from gieok.providers.offline.setting import UNKNOWN, Setting
from gieok.providers.offline.speech import last_asked
from gieok.types import Locale, Role

_QUOTED_CHARS = 120
"""Characters of a memory that a reply quotes, at most."""
_TOPIC_CHARS = 12
_TOO_GENERAL = ("이름", "나이", "날짜", "하루", "시간", "사실", "처음", "별명")
"""Nouns that say what is told of a thing, and not which."""
_BESIDE_THE_TOPIC = re.compile(r"([가-힣]{2,}?)(?:이랑|랑|하고|한테|에게|(?<=기)로)(?=\s)")
"""Those with whom something is done, and the verb of a plan (가기로)."""
_WHILE_DOING = re.compile(r"[가-힣]{2}다$")
"""The rest of a verb: 만들다 of 만들다가."""
_FRESH = 6
"""The newest answers of the character whose wording is not repeated."""
_FIRST_PERSON = re.compile(
    r"(?<![가-힣])(?:나|나는|난|내|내가|나의|저|저는|제|제가|저의|우리|저희)(?=[\s가-힣])"
    r"|\b(?:my|i|me|our|we)\b|[私僕俺]",
    re.IGNORECASE,
)
_MY_NAME = re.compile(
    r"(?:내|제|나의|저의)\s?이름|나\S*\s(?:뭐라고|어떻게)\s?(?:불|부)|내가 누구|나\S*\s누구"
    r"|\bmy name\b|who am i|[私僕俺]の名前",
    re.IGNORECASE,
)
_YOUR_NAME = re.compile(r"(?<![가-힣])(?:네|니|너의|당신)\s이름|\byour name\b|(?:君|あなた)の名前")
_ASKS_DETAIL = re.compile(
    r"언제|어디|누구|며칠|몇|얼마|이름|\b(?:when|where|who|how (?:many|much|old))\b"
)
"""What is asked of things, and so of what was told about them."""
_WHATEVER = re.compile(
    r"\W*(?:(?:내가|제가|나|우리|저희|아까|방금|지난번에?|저번에?|어제|전에|마지막으로)\s)*"
    r"(?:뭐라고?|뭐랬|무슨\s(?:말|얘기|이야기)\S*|어떤\s(?:말|얘기|이야기)\S*)\s?(?:그랬|했|하고|나눴|말했|랬)?\S*\W*$"
    r"|\W*what (?:did (?:i|we) (?:just )?(?:say|talk about)|were we talking about)\b[^?]*\?",
    re.IGNORECASE,
)
"""Questions for whatever was said last."""
_REMINDED = frozenset[Act](("statement", "plan", "like", "dislike", "good", "sad", "question"))
"""Acts after which something remembered may be brought up unasked."""
_EN_TOPIC = re.compile(r"\b(my|a|an|the|our|this)\s+([a-z]{3,14})\b", re.IGNORECASE)
_YOURS = {"my": "your", "our": "your"}
_JA_TOPIC = re.compile(r"([一-鿿ァ-ヿー]{2,8})(?=[がをはにでと])")
_SURNAMES = "김이박최정강조윤장임한오서신권황안송류유홍전고문양손배백허남심노곽성차구민"
"""Usual surnames, which are left out when somebody is called."""
_TITLES = ("님", "씨", "쌤", "형", "언니", "오빠", "누나", "선배", "사장", "자기")


@dataclass(frozen=True, slots=True)
class _Talk:
    """One message in its conversation, and what is known of who talks."""

    message: str
    earlier: tuple[str, ...]
    answers: tuple[str, ...]
    locale: Locale
    setting: Setting
    voice: Voice


def reply(
    memories: str,
    turns: Sequence[tuple[Role, str]],
    locale: Locale,
    setting: Setting = UNKNOWN,
    earlier_talk: str = "",
) -> str:
    """Answer the last of `turns` from the text of the prompt's memories section.

    What the user said earlier, in this conversation or in the section of an earlier talk, counts as
    remembered too. The same conversation gets the same answer; another turn with the same message
    another one.
    """
    talk = _talk(turns, locale, setting)
    act = act_of(talk.message, talk.setting.hour)
    if act == "danger":
        return _said(talk, act)
    known = [*remembered(memories, CHAT_TEXT[locale].user), *told_earlier(earlier_talk)]
    if answer := _from_memory(talk, known):
        return answer
    answer = _said(talk, act)
    reminder = _reminder(talk, known) if act in _REMINDED else ""
    return f"{_first_sentence(answer)} {reminder}" if reminder else answer


def _talk(turns: Sequence[tuple[Role, str]], locale: Locale, setting: Setting) -> _Talk:
    """The conversation; what it says of names and speech levels outranks the prompt at once."""
    said = [ends_of(text) for role, text in turns if role == "user"] or [""]
    whole = [s for text in said for s in (*sentences(text), *asides(text))]
    level = last_asked(whole) or setting.level
    called = named("user", whole) or setting.user_called
    ours = replace(setting, level=level, user_called=called)
    answers = tuple(text for role, text in turns if role == "assistant")[-_FRESH:]
    return _Talk(said[-1], tuple(said[:-1]), answers, locale, ours, _voice(locale, level))


def _voice(locale: Locale, level: str) -> Voice:
    if locale == "ko":
        return KO_CASUAL if level == "반말" else KO_POLITE
    return EN if locale == "en" else JA


def _from_memory(talk: _Talk, known: Sequence[Evidence]) -> str:
    """The answer to a question by what is remembered; "" for what is not asked of the past."""
    own = bool(_FIRST_PERSON.search(talk.message))
    past = asks_back(talk.message) and (own or not asks_the_character(talk.message))
    asked = own or (_ASKS_DETAIL.search(talk.message) and not asks_the_character(talk.message))
    mine = is_question(talk.message) and bool(asked)
    if (not past and not mine) or _YOUR_NAME.search(talk.message):
        return ""
    if _MY_NAME.search(talk.message) and talk.setting.user_called:
        called = talk.setting.user_called
        return _chosen(talk, talk.voice.your_name, called=called, i="" if is_open(called) else "이")
    evidence = [e for e in (*known, *_just_said(talk)) if not (e.told and is_question(e.text))]
    if past and evidence and _WHATEVER.match(talk.message):
        return _quoting(talk, evidence[-1])
    found = closest(talk.message, evidence, talk.locale, (talk.setting.name,))
    if found and (past or shares_topic(talk.message, found, (talk.setting.name,))):
        return _quoting(talk, found)
    return _chosen(talk, talk.voice.unsure) if past else ""


def _just_said(talk: _Talk) -> list[Evidence]:
    said = (s for text in talk.earlier for s in sentences(text))
    return [Evidence(talk.voice.just_now, s, True) for s in said if worth(s)]


def _quoting(talk: _Talk, found: Evidence) -> str:
    voice = talk.voice
    if found.correction:
        return _chosen(talk, voice.corrected_since, **_values(found, talk.locale))
    forms = voice.told if found.told else voice.noted
    return _chosen(talk, forms, **_values(found, talk.locale))


def _values(found: Evidence, locale: Locale) -> dict[str, str]:
    when = f"{found.when}에" if locale == "ko" and found.when.endswith("전") else found.when
    return {
        "when": when,
        "quote": _clipped(found.text, _QUOTED_CHARS),
        "correction": _clipped(found.correction, _QUOTED_CHARS),
    }


def _reminder(talk: _Talk, known: Sequence[Evidence]) -> str:
    """A remembered sentence about the same thing, which was not brought up just now."""
    names = (talk.setting.name,)
    just_now = " ".join((*talk.answers, *talk.earlier))
    fresh = [e for e in known if e.told and e.text[:20] not in just_now]
    near = [e for e in fresh if e.text not in talk.message and shares_topic(talk.message, e, names)]
    found = closest(talk.message, near, talk.locale, names)
    return _chosen(talk, talk.voice.reminded, **_values(found, talk.locale)) if found else ""


def _said(talk: _Talk, act: Act) -> str:
    voice, values = talk.voice, _description(talk)
    topic = _topic(talk)
    if topic and act in voice.about:
        return _chosen(talk, voice.about[act], topic=topic, **values)
    called = ""
    if act in ("named", "renamed"):
        called = named("user" if act == "named" else "character", sentences(talk.message))
    if act == "tastes" and not talk.setting.likes:
        act = "question"
    return _chosen(talk, voice.says[act], called=called, **values)


def _description(talk: _Talk) -> dict[str, str]:
    """What the character's description gives to a text."""
    likes, name = talk.setting.likes, talk.setting.name
    one = likes[_seed(talk) % len(likes)] if likes else ""
    return {"likes": one, "self": _self(name, talk), "name": _calling(talk)}


def _self(name: str, talk: _Talk) -> str:
    if talk.locale != "ko" or not name:
        return name or {"ko": "규칙으로 말하는 친구", "en": "a small talker by rules"}.get(
            talk.locale, "案内役"
        )
    casual = talk.setting.level == "반말"
    open_end = is_open(name)
    return name + (("야" if open_end else "이야") if casual else ("예요" if open_end else "이에요"))


def _calling(talk: _Talk) -> str:
    """How the user is called at the beginning of a sentence."""
    name = talk.setting.user_called
    if not name:
        return ""
    if talk.locale != "ko" or not "가" <= name[-1] <= "힣":
        return f"{name}、" if talk.locale == "ja" else f"{name}, "
    if name.endswith(_TITLES):
        return f"{name}, "
    if talk.setting.level != "반말":
        return f"{name}님, "
    given = name[1:] if len(name) == 3 and name[0] in _SURNAMES else name
    return f"{given}{'야' if is_open(given) else '아'}, "


def _topic(talk: _Talk) -> str:
    """A thing that the message names, as it can stand in a sentence; "" for none."""
    told = own_words(max(sentences(talk.message), key=worth, default=""))
    if talk.locale == "en":
        found = _EN_TOPIC.search(told)
        return f"{_YOURS.get(found[1].lower(), 'the')} {found[2]}" if found else ""
    if talk.locale == "ja":
        found = _JA_TOPIC.search(told)
        return found[1] if found else ""
    terms = search_terms(told, (talk.setting.name,))
    nouns = [t for t in terms if 1 < len(t) <= _TOPIC_CHARS and re.search("[가-힣A-Za-z]{2}", t)]
    left_out = {*_TOO_GENERAL, *_BESIDE_THE_TOPIC.findall(told)}
    nouns = [t for t in nouns if t not in left_out and not _WHILE_DOING.search(t)]
    known = [t for t in nouns if concepts(t, "ko")]
    cut = [t for t in nouns if t not in korean.tokens(told)]
    return next(iter((*cut, *known)), "")


def _chosen(talk: _Talk, texts: Sequence[str], **values: str) -> str:
    """One of the texts, filled in: by the message and its place in the conversation, and if it can
    be none of the newest answers."""
    start = _seed(talk) % len(texts)
    turned = (*texts[start:], *texts[:start])
    made = [_written(text.format_map(_Blank(values))) for text in turned]
    return next((m for m, t in zip(made, turned, strict=True) if not _is_stale(t, talk)), made[0])


def _written(text: str) -> str:
    own, mark, quoted = after_quotations(text).partition("“")
    begun = re.sub(r"(?:^|(?<=[.!?] ))[a-z]", lambda first: first[0].upper(), own)
    return begun + mark + quoted


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def _is_stale(text: str, talk: _Talk) -> bool:
    """Whether one of the newest answers is of this text, whatever stood in its places."""
    fixed = max(re.split(r"\{\w+\}", text), key=len).strip()
    return any(fixed in answer for answer in talk.answers)


def _seed(talk: _Talk) -> int:
    return zlib.crc32(talk.message.encode("utf-8", "replace")) + len(talk.earlier)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?。])\s*", text, maxsplit=1)[0]


def _clipped(text: str, most: int) -> str:
    line = " ".join(text.split()).rstrip(".。 ")
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
