"""Korean text without a dictionary: one normal form, tokens, particles, bigrams.

What a user types and what was stored must meet, whatever the keyboard, the spacing or the grammar
did to them. In place of a dictionary there are letters, rules that say after which letters a
particle can stand, and a few words by name.
"""

import re
from unicodedata import category, normalize

_INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
_FIRST_SYLLABLE, _LAST_SYLLABLE = 0xAC00, 0xD7A3
_RIEUL = _FINALS.index("ㄹ") + 1


def ending_in(final: str) -> str:
    """All syllables with a final consonant (ㄱ to ㅎ, ㄲ, ㅆ and the double ones), for a character
    class."""
    first = _FIRST_SYLLABLE + _FINALS.index(final) + 1
    return "".join(map(chr, range(first, _LAST_SYLLABLE + 1, len(_FINALS) + 1)))


def _single_jamo() -> dict[int, str]:
    """Each code point that stands for one modern jamo → its compatibility letter (ㄱ to ㅣ)."""
    letters = {chr(0x1100 + i): jamo for i, jamo in enumerate(_INITIALS)}
    letters |= {chr(0x1161 + i): jamo for i, jamo in enumerate(_VOWELS)}
    letters |= {chr(0x11A8 + i): jamo for i, jamo in enumerate(_FINALS)}
    # Conjoining, compatibility, parenthesised, circled and half-width forms.
    blocks = ((0x1100, 0x1200), (0x3131, 0x3164), (0x3200, 0x320E), (0x3260, 0x326E))
    points = (c for start, end in (*blocks, (0xFFA1, 0xFFDD)) for c in range(start, end))
    plain = {c: normalize("NFKD", chr(c)).strip("()") for c in points}
    return {c: letters[jamo] for c, jamo in plain.items() if jamo in letters}


_TO_LETTER = _single_jamo() | {0x318D: "·"}  # ㆍ is typed as a middle dot, never as a vowel today
_IGNORABLE = re.compile("[\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_NOT_LETTERS = re.compile("[^ㄱ-ㅣ]+")
# The first group is skipped: laughter and tears ("ㅋㅋ", "ㅋㅠㅠ") are not syllables being typed.
_TYPED_SYLLABLE = re.compile(
    f"(ㅋㅋ+[{_VOWELS}]*|ㅎㅎ+[{_VOWELS}]*|[ㄱ-ㅎ][{_VOWELS}]{{2,}})"
    f"|([{_INITIALS}])([{_VOWELS}])(?:(?!ㅋㅋ|ㅎㅎ)([{_FINALS}])(?![{_VOWELS}]))?"
)


def normalise(text: str) -> str:
    """The form in which two spellings of the same text are equal; idempotent.

    The text is in NFKC and its case is folded. Jamo typed apart (conjoining, compatibility or
    half-width) are composed where they form syllables and else become compatibility letters
    ("ㅋㅋ"). Zero-width characters, bidirectional controls, variation selectors and Hangul fillers
    are removed.
    """
    return _NOT_LETTERS.sub(lambda m: _fold(m[0]), composed(text))


def composed(text: str) -> str:
    """The text as it is meant to be read: syllables whole, nothing invisible; case is kept.

    Embedders are given this form, since their tokenizers know no syllable that is typed in pieces.
    """
    visible = _IGNORABLE.sub("", text)
    if not visible.isprintable():  # no text with a format character is
        visible = "".join(c for c in visible if category(c) != "Cf")
    letters = normalize("NFC", visible).translate(_TO_LETTER)
    return _TYPED_SYLLABLE.sub(_compose, letters)


def _compose(match: re.Match[str]) -> str:
    skipped, initial, vowel, final = match.groups()
    if skipped:
        return str(skipped)
    index = _INITIALS.index(initial) * 21 + _VOWELS.index(vowel)
    return chr(_FIRST_SYLLABLE + index * 28 + (_FINALS.index(final) + 1 if final else 0))


def _fold(text: str) -> str:
    return normalize("NFKC", normalize("NFKC", text).casefold())


_HANGUL = "가-힣"
_IDEOGRAPHIC = "々㐀-䶿一-鿿ぁ-ヿ"
_LETTER = rf"(?:(?![\d_{_HANGUL}{_IDEOGRAPHIC}ᄀ-ᇿㄱ-ㅣ])\w)"
_NUMBER = r"\d+(?:,\d{3})+(?!\d)|\d+\.\d+|\d+"
_TOKEN = re.compile(
    rf"(?:{_NUMBER}){_LETTER}*[{_HANGUL}]*"  # 3월, 2호선, 10km를
    rf"|{_LETTER}+(?:'{_LETTER}+)?\d*[{_HANGUL}]*"  # iphone을, s24, caroline's
    rf"|[{_HANGUL}]+|[ㄱ-ㅣ]+|[{_IDEOGRAPHIC}]+"
)
_SEAM = re.compile(rf"(?<={_LETTER})(?=[\d{_HANGUL}])|(?<=\d)(?=[{_HANGUL}])")
_PAIR = re.compile(rf"(?=([{_HANGUL}{_IDEOGRAPHIC}]{{2}}))")


def tokens(text: str) -> list[str]:
    """The words and numbers of a text in order, normalised.

    Hangul that follows a word or number without a space belongs to its token: "iPhone을", "2호선".
    A number starts a new token, so that "3월15일" reads as "3월 15일". Thousands lose their commas,
    and English words their possessive 's.
    """
    found = _TOKEN.findall(normalise(text).replace("’", "'"))
    return [token.replace(",", "").removesuffix("'s") for token in found]


def heads(token: str) -> list[str]:
    """The beginnings of a normalised token up to where letters meet digits or Hangul.

    "iphone15프로" begins with iphone and iphone15. There are at most two, each longer than one
    letter; a number alone ("3월") is none.
    """
    found = [token[: seam.start()] for seam in _SEAM.finditer(token)]
    return [head for head in found if len(head) > 1 and any(map(str.isalpha, head))]


def bigrams(token: str) -> list[str]:
    """Each two neighbouring Hangul syllables, ideographs or kana of a normalised token, in order.

    They are what a compound shares with its parts when no dictionary can split it. Latin words have
    none.
    """
    return _PAIR.findall(token)


# Particles, endings of the copula, of "하다" and of the past, by what they can follow.
_AFTER_CONSONANT = """
    이 은 을 과 아 이랑 이나 이야 이든 이며 이고 이지 이면 이라 이란 이라도 이라고 이라는 이라서
    이지만 이네 이니까 이에요 이에여 이래 이래요 이래서 이랬지 이랬어 이냐
    이죠 이잖아 이더라 이라며 으로 으로는 으로서 으로써 으로부터
"""
_AFTER_VOWEL = """
    가 는 를 와 랑 나 야 든 며 고 지 면 라 란 라도 라고 라는 라서 지만 네 니까 예요 에요
"""
_AFTER_VOWEL_OR_RIEUL = "로 로는 로서 로써 로부터"
_AFTER_ANY = """
    에 에는 에도 에서 에서는 에게 에게서 한테 한테서 께 께서 도 만 부터 까지 처럼 보다 의 마다
    밖에 조차 마저 하고 대로 만큼 같이 뿐 씩 쯤 짜리 들 님 씨 인 인데 인가 인지 일까 이다 입니다
    인데요 인가요
"""
_AFTER_NOUN_OF_TWO = """
    하는 하던 하자 하기 하면 하러 하려고 하다 하다가 하지 하게 한 한다 한다고 할 할까 할지 함
    합니다 해 해서 해요 해줘 해야 했었 했었지 했었어 되는 되면 된 된다 돼 돼서 받은 당한 시킨
"""
_PAST = """
    다 다고 다는 다면 어 어요 는데 는지 던 지 지만 고 을 을까 네 네요 거든 잖아 습니다 대 더라 니
    냐 나 으니까
"""
_PAST_ENDINGS = _PAST.split()
_SURE_AFTER_ONE = ("는", "를", "을", "에", "에서")
_AMBIGUOUS = "아 나 야 든 며 고 지 면 라 란 네 님 씨 인 의 한 할 함 해 돼 된"
# Grammar puts a case before an auxiliary particle: 에서+는, 한테+도, 들+이. Any other second
# particle is as likely the end of a noun: "고양이"+가.
_BEFORE_AUXILIARY = "에 에서 에게 한테 께 께서 으로 로 까지 부터 하고 들"
_NOUNS_IN_I = """
    고양이 호랑이 원숭이 거북이 달팽이 강냉이 멍멍이 야옹이 어린이 떡볶이 목걸이 귀걸이 지팡이
    멋쟁이 겁쟁이 개구쟁이 맏이 쌍둥이 막둥이 옹알이 젖먹이 손톱깎이 연필깎이
"""
_NOUNS = frozenset(_NOUNS_IN_I.split())  # where "이" is no particle

_RULES = {
    **dict.fromkeys(_AFTER_CONSONANT.split(), "consonant"),
    **dict.fromkeys(_AFTER_VOWEL.split(), "vowel"),
    **dict.fromkeys(_AFTER_VOWEL_OR_RIEUL.split(), "vowel or ㄹ"),
    **dict.fromkeys(_AFTER_ANY.split(), "any"),
    **dict.fromkeys(_AFTER_NOUN_OF_TWO.split(), "stem of two"),
    **{"이었" + ending: "consonant" for ending in _PAST_ENDINGS},
    **{"였" + ending: "vowel" for ending in _PAST_ENDINGS},
    **{past + ending: "stem of two" for past in "했됐었았" for ending in _PAST_ENDINGS},
}
_VERBS = (past + ending for past in "었았" for ending in _PAST_ENDINGS)
_LOOSE = frozenset((*_AMBIGUOUS.split(), *_VERBS))
_INNER = frozenset(_BEFORE_AUXILIARY.split())
_LONGEST = max(map(len, _RULES))


def candidates(token: str) -> list[str]:
    """What a normalised token may be without its particles: itself first, the barest last.

    It gives too many rather than too few, since a noun may end like a particle: "정은이가" gives
    정은이가, 정은이, 정은, 정.
    """
    found = [token]
    while (cut := _cut(found[-1])) and len(found) <= _LAYERS:
        found.append(cut[0])
    return found


def strip_particles(token: str) -> str:
    """The best single guess at a normalised token's noun: "한시우가" → "한시우"; never empty.

    It cuts less than `candidates`: rare and ambiguous particles stay on, and so does whatever would
    leave one syllable only ("지도"), but for 는, 를, 을, 에 and 에서 ("나는" → "나").
    """
    cut = None if token in _NOUNS else _cut(token)
    if not cut or cut[1] in _LOOSE or (len(cut[0]) == 1 and cut[1] not in _SURE_AFTER_ONE):
        return token
    inner = _cut(cut[0])
    return inner[0] if inner and inner[1] in _INNER and len(inner[0]) > 1 else cut[0]


_LAYERS = 3
"""Particles that one noun can have, at most: 친구+들+한테+는."""


def _cut(token: str) -> tuple[str, str] | None:
    """The token without its longest possible particle, and that particle; None without any."""
    for length in range(min(_LONGEST, len(token) - 1), 0, -1):
        stem, tail = token[:-length], token[-length:]
        if tail in _RULES and _can_follow(stem, _RULES[tail]):
            return stem, tail
    return None


def _can_follow(stem: str, rule: str) -> bool:
    if rule == "stem of two":
        return len(stem) > 1
    offset = ord(stem[-1]) - _FIRST_SYLLABLE
    if rule == "any" or not 0 <= offset < 11172:
        return True  # how a digit or a Latin word is read aloud is not known
    final = offset % 28
    return (
        final != 0 if rule == "consonant" else final == 0 or (rule != "vowel" and final == _RIEUL)
    )


_WITHOUT_TOPIC = """
    나 난 내 내가 날 나도 나만 나랑 너 넌 네 네가 니가 널 너도 너랑 저 전 제 제가 저도 우리 저희
    당신 그 이 그거 이거 저거 그것 이것 저것 그게 이게 저게 그건 이건 저건 그걸 이걸 저걸 걔 얘 쟤
    그때 이때 거기 여기 저기 그런 이런 저런 그렇게 이렇게 저렇게 이번 저번 지난번 아까 요즘 지금
    방금 전에 언제 어디 어디서 누구 누가 뭐 뭘 뭔 뭐가 뭐라고 뭐랬지 무슨 무엇 왜 어떻게 어떤 어느
    얼마 얼마나 몇 몇년 몇번 언제야 어디야 누구야 뭐야 뭐였지 뭐였어 언제였지 어디였지 누구였지
    언제인가 어디인가 누구인가 것 거 게 건 걸 것은 거야 거지 거기서 수 때 때문 중 등 및 위해 위한
    대한 대해 관한 대로 정도 좀 잘 더 안 못 막 또 다 꼭 참 아주 매우 가장 제일 진짜 정말 너무 완전
    그냥 혹시 역시 아마 자꾸 계속 응 어 음 아 오 예 아니 아냐 그래 그치 맞아 근데 그런데 그리고
    그래서 그러면 그럼 그래도 하지만 한 할 하는 하고 해 했어 했지 했다 했던 했는데 했다고 한다고
    하자고 되는 된 됐어 있어 있는 있다 있었어 있었지 없어 없는 같아 같은 같이 알아 알지 몰라 말
    말한 말했던 말했지 말했어 얘기 얘기한 얘기했던 얘기했지 이야기 기억 기억해 기억나 기억하니
    기억하지 기억나니 기억하고
"""
FUNCTION_WORDS = frozenset(_WITHOUT_TOPIC.split())
"""Words that carry no topic, and back-channels. They are left out of questions, never out of
memories."""
