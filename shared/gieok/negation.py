"""Whether words that were cut out of a sentence left its negation behind; by words, not by grammar.

"좋아해" out of "안 좋아해" and "like coffee" out of "I don't like coffee" say the opposite.
"""

import re

_AUXILIARY = "do|does|did|is|are|was|were|have|has|had|ca|wo|would|could|should|must|ai|need"
_BEFORE = re.compile(
    r"(?:^|[^가-힣])(?:안|못)\s*$"
    # "don't really like": up to two words in between, unless they begin a clause of their own.
    rf"|\b(?:not|never|hardly|cannot|without|neither|nor|(?:{_AUXILIARY})n['’]?t)"
    r"(?:\s+(?!but\b|and\b|so\b|because\b)[a-z']+){0,2}\s*$"
    r"|[不没沒别未]$"
)
_NO = re.compile(r"\bno\s*$")
_OWN_SUBJECT = re.compile(r"(?:i|we|it|he|she|they|you|my|that)\b")
_DEPENDENT_NOUN = r"(?:(?:적|건|게|것|거|편|줄|수|리|일)(?:이|은|는|가|도|을|를)?\s*)?"
_AFTER = re.compile(
    rf"\s*{_DEPENDENT_NOUN}(?:않|없|못\s?[하해했]|아니(?!\s)|아닌|아닙|아냐|말[고자아라지기]"
    r"|마(?:$|[^가-힣]|라|요|세))"
    r"|\s+(?:am|is|are|was|were|do|does|did|have|has|had|will|would|can|could|should)\s+(?:not|never)\b"
    rf"|\s+(?:{_AUXILIARY})n['’]?t\b"
    r"|(?:では|じゃ|ちゃ|く|は|が)?(?:ない|なかった|なく|ません|なし)"
)
_NEXT_IS_NEGATED = re.compile(r"\s+(?:안|못)\s?[가-힣]")
_FINISHED = re.compile(r"[다요어아해야지네음함까자고서데여려줘돼죠임]$")


def was_cut_off(before: str, words: str, after: str) -> bool:
    """Whether a negation stands right before or behind `words` and belongs to them.

    `before` and `after` are the rest of what was said, in `korean.normalise`'s form.
    """
    return bool(
        _BEFORE.search(before)
        or (_NO.search(before) and not _OWN_SUBJECT.match(words))
        or _AFTER.match(after)
        or (_NEXT_IS_NEGATED.match(after) and not _FINISHED.search(words))
    )
