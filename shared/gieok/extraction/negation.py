"""Whether words that were cut out of a sentence left its negation behind; by words, not by grammar.

"좋아해" out of "안 좋아해" and "like coffee" out of "I don't like coffee" say the opposite. But
nobody puts full stops in a chat: "너무 추워 안 나갈래" and "can't believe i got the job" are two
clauses each, of which only one is negated.
"""

import re

_AUXILIARY = "do|does|did|is|are|was|were|have|has|had|ca|wo|would|could|should|must|ai|need"
_NOT = rf"\b(?:not|never|hardly|cannot|without|neither|nor|(?:{_AUXILIARY})n['’]?t)"
_BEFORE = re.compile(
    r"(?:^|[^가-힣])(?:안|못)\s*$"
    # "don't really like": up to two words in between, unless they begin a clause of their own.
    rf"|{_NOT}(?:\s+(?!but\b|and\b|so\b|because\b)[a-z']+){{0,2}}\s*$"
    r"|[不没沒别未]$"
)
_NO = re.compile(r"\bno\s*$")
_IS = r"(?:is|am|are|was|were|has|had|have|will|would|can|could|does|did|do)"
_CLAUSE = re.compile(
    r"(?:i|we|he|she|they)(?:['’]?(?:m|ve|ll|d|s|re))?\s+\w"
    rf"|(?:it|that|this|there|you)(?:['’][a-z]+\s|\s+{_IS}\b)|(?:my|our)\s+\w+\s+{_IS}\b"
)
"""Words with a subject of their own. What may be an object, too, only with an auxiliary."""
_OWNED = re.compile(r"(?:my|our|your|his|her|their)\s+\w+\s+\w")
_NO_OBJECT = re.compile(
    r"(?:\b(?:am|is|are|was|were|im)|['’](?:m|s|re))\s+not\s+\w+\s*$|\bnever\s+mind\s*$"
    r"|\b(?:again|anymore|now|yet|today|tonight|tomorrow|lol)\s*$"
)
"""A negation behind which nothing can be its object: "i'm not okay", "never drinking again"."""
_REACHES_ON = re.compile(
    rf"{_NOT}\s+(?:[a-z']+\s+)?(?:think|thought|thinking|believe|feel|felt|say|said|saying|mean|meant"
    r"|know|knew|sure|certain|suppose|guess|like|that|if|whether|because|as|until|want|wish|when)\s*$"
)
"""A negation of what somebody thinks or says is one of the clause that follows."""
_AMAZED = re.compile(r"\b(?:can['’]?t|cannot|couldn['’]?t|could not)\s+(?:even\s+)?believe\s*$")

_DEPENDENT_NOUN = r"(?:(?:적|건|게|것|거|편|줄|수|리|일)(?:이|은|는|가|도|을|를)?\s*)?"
_AFTER = re.compile(
    rf"\s*{_DEPENDENT_NOUN}(?:않|없|못\s?[하해했]|아니(?!\s)|아닌|아닙|아냐|말[고자아라지기]"
    r"|마(?:$|[^가-힣]|라|요|세))"
    r"|\s*줄(?:은|도|을)?\s*(?:몰|모[르른])"
    r"|\s+(?:am|is|are|was|were|do|does|did|have|has|had|will|would|can|could|should)\s+(?:not|never)\b"
    rf"|\s+(?:{_AUXILIARY})n['’]?t\b"
    r"|(?:では|じゃ|ちゃ|く|は|が)?(?:ない|なかった|なく|ません|なし)"
)
_NEXT_IS_NEGATED = re.compile(r"\s+(?:안|못)\s?[가-힣]")
_FINISHED = re.compile(r"[다요어아해야지네음함까자고서데여줘돼죠임]$")


def _ending_in(final: int) -> str:
    """The syllables with a final consonant, by its place in Unicode, as a character class."""
    return "[" + "".join(chr(c) for c in range(0xAC00 + final, 0xD7A4, 28)) + "]"


_NIEUN, _SSANG_SIOT = _ending_in(4), _ending_in(20)
_CLAUSE_ENDS = re.compile(
    # 힘든데, 좋아했지만, 갔어, 아프거든, 생일이라; not 할 데, 먹지, 영어.
    rf"(?:{_NIEUN}데|지만|니까|거든|더라|더니|아서|어서|해서|이라|이래|[는한]대|{_SSANG_SIOT}[어다음지네는대])요?$"
)
_CONTRACTED = re.compile(
    r"(?:[고아]파|[나바]빠|비싸|[증화신끝]나|(?<!컬)러|(?<![샤파])워|(?<![배격염고우])려"
    r"|[퍼뻐와겨셔쳐켜펴춰꿔꺼떠])요?$"
)
"""Verbs that end in a contracted vowel: 추워, 고파, 나빠, 졸려; not 소파, 아빠, 샤워, 배려."""


def was_cut_off(before: str, words: str, after: str) -> bool:
    """Whether a negation stands right before or behind `words` and belongs to them.

    `before` and `after` are the rest of what was said, in `korean.normalise`'s form.
    """
    return _cut_before(before, words) or _cut_behind(words, after)


def _cut_before(before: str, words: str) -> bool:
    if _NO.search(before):
        return not (_CLAUSE.match(words) or _OWNED.match(words))
    return bool(_BEFORE.search(before)) and not _is_clause(before, words)


def _is_clause(before: str, words: str) -> bool:
    """Whether the words begin a clause of their own, which the negation before it leaves alone."""
    if _REACHES_ON.search(before) and not _AMAZED.search(before):
        return False
    return bool(_CLAUSE.match(words) or (_OWNED.match(words) and _NO_OBJECT.search(before)))


def _cut_behind(words: str, after: str) -> bool:
    sentence = bool(_CLAUSE_ENDS.search(words) or _CONTRACTED.search(words))
    if sentence and after[:1].isspace():
        return False
    finished = sentence or _FINISHED.search(words)
    return bool(_AFTER.match(after) or (_NEXT_IS_NEGATED.match(after) and not finished))
