"""What user and character want to be called, by the grammar of calling in three languages.

Who is called is told by the object (나를, 너를) and, where there is none, by the verb: a request is
about the speaker, an offer about the listener. Whoever else calls them so, or is called, is not.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from gieok.providers.offline.cues import words
from gieok.providers.offline.marks import own_words, without_emphasis
from gieok.providers.offline.sentences import worth

Who = Literal["user", "character"]

_NO_NAME = words(
    """
    뭐 뭘 무엇 누구 어떻게 아무 비밀 나중 아직 그냥 그거 이거 저거 그것 몰라 없어 있어 알아 다 원래
    또 왜 그 이 저 진짜 정말 절대 뭐라 what whatever a the not my it
    """
)
"""What stands where a name would stand and is none."""
_MARK = r"['\"“”‘’「」『』]?"
_KO_NAME = rf"{_MARK}(?P<name>[가-힣]{{1,8}}?|[A-Za-z][\w-]{{0,19}}?){_MARK}"
_CALLING = re.compile(
    rf"(?<![가-힣\w]){_KO_NAME}\s?(?:이)?라고\s*"
    r"(?:(?P<asks>불러(?:요|라)?(?![가-힣\s])|불러\s?(?:줘|주|줄래|줄\s?수|줬으면|달라|봐)"
    r"|불러(?=$|\s(?:너도|다들|그리고))"
    r"|부르면\s?(?:돼|되|됩)|부르세요|불러도\s?(?:돼|되|괜찮|좋)|불리고\s?싶)"
    r"|(?P<offers>부를\s?(?:게|께|래|거|까|꺼|생각)|불러야지|부르고\s?싶|부르겠|부르기로"
    r"|불러도\s?(?:돼|되|괜찮|될까)|불러볼))"
)
_REQUEST = re.compile(r"불러\s?(?:줘|주|줄|줬|달라)|부르")
_PERMITS = re.compile(r"불러도\s?(?:돼|되|괜찮|좋)")
_MY = re.compile(r"(?<![가-힣])(?:나를?|날|저를?|절|[내제]\s?이름을?)(?=[\s,])")
_YOUR = re.compile(r"(?<![가-힣])(?:너를|널|당신을|그대를|[네니]\s?이름을?)(?=[\s,])")
_YOU = re.compile(r"(?<![가-힣])(?:너[는도]?|넌|당신[은도]?)(?=[\s,])")
_OBJECT = re.compile(r"(?<![가-힣])[가-힣]+[을를](?=\s)")
_SUBJECT = re.compile(
    r"(?<![가-힣])(?!나는|저는|내가|제가|우리는|너는|네가|니가|이름)[가-힣]{2,}(?:은|는|이|가"
    r"|들은|들이)(?=\s)|(?<![가-힣])다들(?=\s)"
)
_OWN_NAME = re.compile(
    r"(?:^|(?<=[\s,.!?]))(?P<mine>내|제|나의|저의)\s?이름[은이](?=[\s'\"“])"
    r"|^\W*(?:안녕\S*\s)?이름은|[.!?~]\s이름은"
)
_ASKED = re.compile(r"(?<![가-힣])(?:왜|누가|어째서)\s")
_COPULA = (
    r"(?:이?라고\s?(?:해|합니다|하는데|하고|불러)|이에요|예요|에요|이야|야(?![가-힣])|입니다"
    r"|임(?![가-힣])"
    r"|이고|이구|인데|이라|라(?:서|고)?(?=\s)|다(?=\s|[.!~]|$)|이다)"
)
_INTRODUCED = re.compile(
    rf"이름[은이]\s*{_MARK}(?P<name>[가-힣]{{2,5}}?|[A-Za-z][\w-]{{0,19}}){_MARK}{_COPULA}"
)
_I_AM_CALLED = re.compile(
    rf"(?:^|(?<=[\s.!]))(?:저는|전|나는|난)\s{_MARK}(?P<name>[가-힣]{{2,5}}?"
    rf"|[A-Z][\w-]{{1,19}}){_MARK}"
    r"이?라고\s?(?:해요|합니다|하는데|해(?![가-힣]))"
)
_BARE = re.compile(
    rf"(?:내|제)\s?이름은\s*{_MARK}(?P<name>[가-힣]{{2,4}}"
    rf"|[A-Za-z][\w-]{{0,19}}){_MARK}(?:\s*[.!~,ㅎㅋ]*$|,)"
)
_EN_USER = re.compile(
    r"(?:^|[,.;!:]\s|\b(?:[Yy]ou can|[Yy]ou may|please|just|could you|can you|will you|so|and"
    r"|but|to)\s)(?:[Pp]lease |[Jj]ust )*"
    r"[Cc]all me\s+[\"'“]?(?P<name>[A-Z][\w-]{0,20})"
    r"|\b[Mm]y name(?:'s| is)\s+[\"'“]?(?P<called>[A-Z][\w-]{0,20})"
)
_EN_CHARACTER = re.compile(
    r"\b(?:[Ii]'ll|[Ii] will|[Ii]'m going to|[Ii]'m gonna|[Cc]an [Ii]|[Mm]ay [Ii]|[Ll]et me"
    r"|[Ii] want to|[Ii]'d like to)"
    r" (?:just )?call you\s+[\"'“]?(?P<name>[A-Z][\w-]{0,20})"
)
_EN_NOT = re.compile(r"(?:n't|\bnot|\bnever|\bstop|\bwho|\bwhy)\s(?:\w+\s)*$")
_JA = r"[「『\"]?(?P<name>[ぁ-ヿ一-鿿A-Za-z]{1,10}?)[」』\"]?"
_JA_USER = re.compile(
    rf"(?:^|[、。はをも\s]){_JA}(?:って|と)呼んで(?!る|い|た|も)"
    rf"|(?:^|[。、\s]|[私僕俺]の|わたしの)名前は{_JA.replace('name', 'called')}(?:です|だよ"
    rf"|だ(?=[。!！]|$)"
    rf"|と(?:申し|いい|言い)ます|っていう)"
)
_JA_CHARACTER = re.compile(
    rf"(?:君|きみ|あなた)(?:のこと)?を?、?{_JA}(?:って|と)呼(?:ぶね|ぶよ|ぶことに|んでもいい"
    rf"|んでいい|びたい)"
)


def named(who: Who, said: Sequence[str]) -> str:
    """The name that the last of these sentences which gives one gives; "" when none does."""
    found = [name for i, s in enumerate(said) for name in _names(who, s, said[i - 1] if i else "")]
    return found[-1] if found else ""


def gives_name(who: Who, sentence: str) -> bool:
    """Whether a sentence by itself gives a name."""
    return any(True for _ in _names(who, sentence, ""))


def _names(who: Who, sentence: str, before: str) -> Iterator[str]:
    text = without_emphasis(own_words(sentence))
    introduced = _introduced(text, before) if who == "user" else ()
    for name in (*introduced, *_called(who, text), *_foreign(who, text)):
        if name and name.casefold() not in _NO_NAME:
            yield name


def _introduced(text: str, before: str) -> Iterable[str]:
    """Names in "my name is". A bare "the name is" is the user's unless the sentence before it is
    about somebody, who may be a cat."""
    own, found = _OWN_NAME.search(text), None
    if own:
        found = _INTRODUCED.match(text, own.end() - len("이름은")) or _BARE.search(text)
        if not own["mine"] and before and worth(before):
            found = None
    found = found or _I_AM_CALLED.search(text)
    return (found["name"],) if found else ()


def _called(who: Who, text: str) -> Iterator[str]:
    for found in _CALLING.finditer(text):
        before = text[: found.start()]
        if not _ASKED.search(before) and _whom(found, before, text) == who:
            yield found["name"]


def _whom(found: re.Match[str], before: str, text: str) -> Who | None:
    """Who is called so; None for somebody else, and for what others call the user."""
    offers = found["offers"] or ("?" in text[found.end() :] and _PERMITS.match(found["asks"]))
    if _YOUR.search(before) or (offers and _YOU.search(before)):
        return "character"
    mine = bool(_MY.search(before))
    if not mine and _OBJECT.search(before):
        return None
    if offers:
        return None if mine else "character"
    others = _SUBJECT.search(before) and not _YOU.search(before) and not _OWN_NAME.search(text)
    return None if others and not _REQUEST.match(found["asks"]) else "user"


def _foreign(who: Who, text: str) -> Iterator[str]:
    patterns = (_EN_USER, _JA_USER) if who == "user" else (_EN_CHARACTER, _JA_CHARACTER)
    for pattern in patterns:
        for found in pattern.finditer(text):
            if not _EN_NOT.search(text[: found.start() + 1].rstrip(" ,.") + " "):
                yield next(filter(None, found.groups()), "")
