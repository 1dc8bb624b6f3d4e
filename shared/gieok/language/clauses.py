"""The clauses of what was said, and which of them are negated; by words and endings, not by
grammar.

Nobody puts full stops in a chat: "너무 추워 안 나갈래" and "can't believe i got the job" are two
clauses each, of which only one may be negated.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gieok.language import korean

_NIEUN, _RIEUL, _SSANG_SIOT = (f"[{korean.ending_in(final)}]" for final in "ㄴㄹㅆ")
ADNOMINAL = rf"(?![는은를을])(?:{_NIEUN}|{_RIEUL})"
"""How a Korean verb ends before the noun that it describes: "걔가 준 목도리"."""

HEARSAY = re.compile(rf"(?:{_NIEUN}대|{_SSANG_SIOT}대|[이을]래|다더라)요?(?![가-힣])|だって|らしい")
"""How somebody passes on what others said: "골절이래"."""

_GAP = re.compile(
    r"(?:(?<!\d)\.|\.(?!\d)|[!?…~*。！？\nㄱ-ㅣ]|(?<=\s)[-–—]+(?=\s)|けど)+\s*|(?:(?<!\d),|,(?!\d)|、)\s*|\s+"
)
_FINISHED = re.compile(
    rf"(?:{_NIEUN}데|지만|니까|거든|잖아|더라|더니|[가-힣][야요]|니다|(?<![원노빨아미고본모거갈])래|{_NIEUN}대|(?<![마처다얼])음|[함됨임]|{_SSANG_SIOT}[어다음지네대]"
    # Verbs that end in a contracted vowel: 추워, 고파, 나빠, 졸려; not 소파, 아빠, 샤워, 배려.
    r"|[고아]파|[나바]빠|비싸|[증화신끝]나|(?<!컬)러|(?<![샤파])워|(?<![배격염고우])려|[퍼뻐와봐겨셔쳐켜펴춰꿔꺼떠])$"
)
"""What a sentence ends with though no mark stands behind it."""
_LINKED = re.compile(r"(?:[가-힣]고|(?<!에)서|[가-힣]라|[ぁ-ヿ一-鿿])$")
_VERB = re.compile("[다요어아해야지네음함까자고서데여줘돼죠임]$")
_NEGATED_VERB = re.compile(r"(?:안|못)\s?[가-힣]")
_OWNED = re.compile(r"(?:my|our)\s\w+\s\w")
_NEXT = re.compile(r"(?:근데|그런데|하지만|대신|but)\b")
_OWN_SUBJECT = re.compile(
    r"(?:and|so|because|while)\b|(?:i|we|he|she|they)(?:['’]?(?:m|ve|ll|d|s|re))?\s\w"
    r"|(?:it|that|this|there|(?:my|our)\s\w+)(?:['’]s|\s(?:is|am|are|was|were|has|had|will))\b"
)
_NO_OBJECT = re.compile(r"(?:['’](?:m|s|re)|\b(?:am|is|are|was|were|im))\s(?:not|never)\s[\w ]+$")
"""Behind "i'm not okay" nothing is its object, though it be "my dog"."""
_REACHES_ON = re.compile(
    r"\b(?:think|thought|feel|felt|say|said|saying|mean|know|knew|sure|suppose|guess|like|that|if"
    r"|whether|until|want|wish|when)$"
)
"""A negation of what somebody thinks or says is one of the clause that follows."""

_NEGATION = re.compile(
    r"(?<![가-힣])(?<!밖에 )안(?![녕경내전방쪽심부주건과개팎색락마대]|그래도)(?=\s?[가-힣])"
    r"|(?<![가-힣])(?<!밖에 )못(?=\s?[가-힣])|않|(?<!밖에 )없|(?<=[가-힣])\s?아[니닌닙냐](?!라)"
    r"|말[고아자](?![가-힣])|(?<=지)\s마|줄\s?몰|싫|못[하해했함]|[은는건난]\s?됐[어고]"
    r"|ない|なかった|なく|ません|なし|じゃな|[不没别]"
    r"|(?:n['’]|\b(?:do|does|did|is|was|ca|wo|have|has)n)t\b(?!\s(?:wait|believe|help))"
    r"|\b(?:not|never|cannot|hardly|without|neither|nobody|no|hates?)\b"
    r"(?!\s(?:only|mind|way|wonder|problem)\b)"
)
"""What says that something is not so; not "밖에 없다" and "can't wait", nor 안녕, 안경, 안부."""
_CEASED = re.compile(r"끊|관[두둬뒀]|그만[두둬뒀]|(?<![가-힣])[빼뺐]|\b(?:stopped|quit)\b|やめ")
_BETWEEN = 2
"""Words between a negation and what it negates, at most."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a text in `korean.normalise`'s form, and where it stands."""

    start: int
    end: int
    text: str
    negated: bool
    ends_sentence: bool


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a text in order; those up to one that `ends_sentence` belong together."""
    start = 0
    for gap in _GAP.finditer(text):
        link = _link(text, gap)
        if link and text[start : gap.start()].strip():
            yield _clause(text, start, gap.start(), link == "sentence")
        start = gap.end() if link else start
    if text[start:].strip():
        yield _clause(text, start, len(text), True)


def _clause(text: str, start: int, end: int, ends_sentence: bool) -> Clause:
    return Clause(start, end, text[start:end], is_negated(text[start:end]), ends_sentence)


def _link(text: str, gap: re.Match[str]) -> str:
    """How a gap between two words divides them; "" if they are of one clause."""
    if not gap[0].isspace():
        return "clause" if gap[0].startswith((",", "、")) else "sentence"
    before, after = text[max(gap.start() - 30, 0) : gap.start()], text[gap.end() : gap.end() + 30]
    verb = _VERB.search(before) and _NEGATED_VERB.match(after)
    if verb or _FINISHED.search(before) or _NEXT.match(after):
        return "sentence"
    if _OWNED.match(after) and _NO_OBJECT.search(before):
        return "clause"
    own = _OWN_SUBJECT.match(after) and not _REACHES_ON.search(before)
    return "clause" if own or _LINKED.search(before) else ""


def is_negated(text: str) -> bool:
    """Whether a text says that something is not so, or no longer."""
    return bool(_NEGATION.search(text) or _CEASED.search(text))


def is_cut_off(clause: Clause, start: int, end: int) -> bool:
    """Whether the words from `start` to `end` of the text leave a negation behind in their clause.

    "좋아해" out of "안 좋아해" and "like coffee" out of "I don't like coffee" say the opposite.
    """
    text, start, end = clause.text, start - clause.start, min(end - clause.start, len(clause.text))
    return any(
        (m.end() <= start and len(text[m.end() : start].split()) <= _BETWEEN)
        or (m.start() >= end and len(text[end : m.start()].split()) <= _BETWEEN)
        for m in _NEGATION.finditer(text)
    )
