"""What the user does with a message: greets, thanks, asks, tells. By visible phrases, no model."""

import re
from collections.abc import Callable, Mapping
from typing import Literal

from gieok.providers.offline.corrections import takes_back
from gieok.providers.offline.cues import COLD, DANGER, LATER, WARM
from gieok.providers.offline.marks import own_words, parts
from gieok.providers.offline.names import named
from gieok.providers.offline.promises import draws_line, is_promise
from gieok.providers.offline.sentences import is_question, is_small_talk, sentences, topics, worth
from gieok.providers.offline.speech import asked_level, is_reported, states

Act = Literal[
    "beside",
    "level",
    "acted",
    "nonsense",
    "danger",
    "laugh",
    "named",
    "renamed",
    "morning",
    "day",
    "evening",
    "late",
    "night",
    "farewell",
    "thanks",
    "sorry",
    "love",
    "cold",
    "joke",
    "who",
    "machine",
    "doing",
    "tastes",
    "how_are_you",
    "advice",
    "question",
    "corrected",
    "line",
    "grief",
    "sad",
    "good",
    "promise",
    "plan",
    "like",
    "dislike",
    "go_on",
    "statement",
]
"""What a message does. The four times of day are greetings."""


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_GREETING = _any(
    r"(?:안녕(?!히\s?(?:계|가|주))|안뇽|하이|하이루|헬로|반가|좋은\s?(?:아침|저녁|하루)|굿모닝"
    r"|굿\s?모닝|나\s?왔"
    r"|다녀왔|오랜만|등장"
    r"|hi|hello|hey|hiya|yo|good (?:morning|evening|afternoon)|i'm back"
    r"|こんにちは|こんばんは|おはよう|やあ|ただいま|久しぶり)"
)
_BEGINS_SO = re.compile(rf"^\W*{_GREETING.pattern}(?![a-z])", re.IGNORECASE)
_NIGHT = _any(
    r"잘\s?자|굿\s?나잇|굿\s?밤|자러|(?:이제|나|그만|먼저)\s?(?:진짜\s)?(?:잔다|잘게|잘래|자야)"
    r"|자야겠|good ?night|おやすみ|寝る"
)
_FAREWELL = _any(
    r"(?:^|\s)(?:바이|빠이|안녕히|다음에\s?봐|담에\s?봐|내일\s?봐|낼\s?봐|또\s?(?:올게|봐|만나)"
    r"|(?:이제|그만"
    r"|먼저)\s(?:진짜\s)?(?:갈게|간다|가야)|이만|가\s?볼게|나\s?갈게|나\s?간다|들어가|끊을게)"
    r"|\b(?:bye|goodbye|see (?:you|ya)|gotta go|ttyl)\b|またね|さよなら|さようなら|バイバイ"
    r"|じゃあね"
)
_THANKS = _any(
    r"고마워|고마웠|고맙|감사(?:해|합|드|요|$)|땡큐|ㄱㅅ|\bthank|\bthx\b|\bty\b|ありがと"
    r"|サンキュー|感謝"
)
_SORRY = _any(r"(?:^|\s)(?:미안|죄송)|ㅈㅅ|\bsorry\b|\bapologi[sz]e|ごめん|すみません|すまん")
_JOKE = _any(
    r"농담|개그|유머|웃긴|웃겨\s?(?:줘|봐|줄래|주)|재[밌미]\S*\s(?:얘기|이야기|거)\S*\s(?:해"
    r"|들려)|수수께끼|심심"
    r"|\bjoke|\bfunny\b|make me laugh|\bbored\b|冗談|ギャグ|笑わせ|おもしろい話|面白い話|暇"
)
_WHO = _any(
    r"(?:너|넌|네|니|당신|너는|누구)\S*\s?(?:이름\S*\s?)?(?:누구|뭐야|뭐예요|뭐니"
    r"|뭐였|뭐라고\s?(?:불러|했|그랬))|누구\s?(?:야|세요|예요|신가)"
    r"|자기\s?소개|(?:너|네|당신|본인)\S*\s(?:소개|얘기|이야기)"
    r"|\bwho are you\b|\byour name\b|about yourself|(?:君|あなた)は(?:誰|だれ)|お名前"
    r"|名前は(?:何|なに)|自己紹介"
)
_MACHINE = _any(
    r"(?:너|넌|당신)?\S*\s?(?:AI|에이아이|인공\s?지능|로봇|챗봇|봇|기계|(?<![는은한던]\s)사람|진짜)\s?(?:이야|야"
    r"|이니|니|이에요|예요|인가요|맞아|맞지"
    r"|이지)\s*\?"
    r"|\bare you (?:an? )?(?:ai|bot|robot|human|real|machine)\b|(?:AI|ロボット|人間)(?:なの"
    r"|ですか|でしょ)"
)
_DOING = _any(
    r"뭐\s?(?:하고\s?(?:있|계)|해(?!서|야|줘)|하니|하냐|하는|하세요|해요|했|하셨)|어디\s?(?:야"
    r"|에\s?있|있|세요|예요|니)"
    r"|what (?:are you|have you been|'re you) (?:doing|up to)|what's up|where are you|何して"
    r"|なにして|どこにいる"
)
_TASTES = _any(
    r"(?:너|넌|너는|너도|당신|당신은|은?하)?\S*\s?(?:뭐|뭘|무슨|어떤)\s?(?:\S+\s)?(?:좋아|싫어"
    r"|무서워)|좋아하는\s?(?:게|거|건"
    r"|것|음식|노래)\S*\s?(?:뭐|있)|취미\S*\s?(?:뭐|있)"
    r"|(?:do|what do) you (?:like|love|enjoy|hate)|your (?:favou?rite|hobby)|(?:何"
    r"|なに)が(?:好き|すき)|趣味は"
)
_HOW = _any(
    r"잘\s?(?:지냈|지내|잤|있었)|기분\S*\s?(?:어때|어떠|좋)|(?:넌|너는|너|당신은"
    r"|(?:오늘\s)?하루는?|오늘은?)\s?(?:어때|어땠|어떠)"
    r"|별일\s?없|괜찮아\s*\?|밥\s?먹었|심심하(?:지|니)"
    r"|how are you|how's it going|how (?:was|is) your|you ok|元気|調子"
)
_ADVICE = _any(
    r"[가-힣]까(?:요)?(?:\s*[?？]|\s*[ㅋㅎㅠㅜ~]*$)|(?:하는|가는|사는)\s?게\s?(?:좋|나)|추천"
    r"|골라\s?(?:줘|봐|주)|어떡하"
    r"|어떡해|어떻게\s?(?:하|해)"
    r"|\bshould i\b|\brecommend|\bwhich one\b|\bwhat do you think\b|どうしよう|どう思う"
    r"|おすすめ|すべき"
)
_GRIEF = _any(
    r"돌아가셨|장례|하늘나라|무지개\s?다리|세상을\s?떠|죽었|유산했|(?:나|우리)\s\S*헤어졌"
    r"|헤어졌어|이혼(?:했|하기)|passed away"
    r"|funeral|\bdied\b|broke up|亡くな|葬式|別れた"
)
_ILL = _any(
    r"다쳤|다쳐서|베였|부러졌|골절|데였|수술|입원|응급실|항암|암이래|암이라|암에\s?걸|병원에?\s?(?:야|이야|왔|실려|가야)"
    r"|아파서|아프다|아프대|쓰러|넘어졌|\b(?:surgery|injured|hospital|broke my|cancer)\b"
    r"|入院|手術|怪我|骨折"
)
_SAD = _any(
    r"힘들|힘드|슬프|슬퍼|우울|외로|외롭|지쳤|지친|지쳐|피곤|속상|짜증|화나|화났|화가|불안"
    r"|걱정(?!\s?(?:마|하지|말))|무서|무섭|아파|아팠|아프"
    r"|울었|눈물|망했|망쳤|실패|떨어졌|혼났|서러|답답|후회"
    r"|(?<!웃겨 )(?<!좋아 )(?<!싶어 )죽겠|죽을\s?맛|최악|야근"
    r"|\b(?:sad|lonely|tired|exhausted|worried|anxious|scared|angry|upset|stress\w*|cried"
    r"|hurts?|sick|depress\w*|failed|terrible|awful)\b"
    r"|悲し|つら|辛い|疲れ|寂し|怖|不安|心配|泣い|落ち込|しんどい|痛"
)
_GOOD = _any(
    r"합격|붙었|승진|취직(?:했|됐)|성공|기쁘|기뻐|행복|신나|신났|설레|설렌|뿌듯|이겼|다행"
    r"|재[밌미]었|재미있었|좋았|최고|드디어|생일이|1등|칭찬|나았|결과\s?좋"
    r"|\b(?:happy|excited|got the job|passed|won|proud|amazing|awesome|finally|promoted"
    r"|best day|birthday)\b"
    r"|嬉し|うれし|合格|楽し|最高|幸せ|やった|誕生日"
)
_LIKE = _any(
    r"좋아(?:해|하|함|요)|사랑해|최애|즐겨|\b(?:love|like|enjoy|prefer)\b|favou?rite"
    r"|好き(?!じゃ|では)"
)
_DISLIKE = _any(
    r"싫어|싫다|질색|[못안]\s?(?:먹|마셔|마시)|별로야|알[러레]지|\b(?:hate|dislike|can't stand"
    r"|allergic)\b|嫌い|苦手|好きじゃ"
)
_OTHERS = _any(r"(?<![가-힣])(?!내가|제가|우리가)[가-힣]+[이가]\s[^.!?]*[못안]\s?(?:먹|마)")
"""Somebody else does not eat or drink."""
_YOU = _any(
    r"(?<![가-힣])(?:너|넌|너는|너도|네가|니가|당신|당신은)(?=\s)|\byou\b|(?:君|きみ|あなた)"
)
_OF_MEMORY = _any(r"기억|생각\s?나|\bremember|\bdid i\b|覚え")
_PLAN = _any(
    r"려고|려구|하기로|가기로|예정|계획|[할갈볼먹살울올]\s?거야|[할갈볼먹살올]\s?거예요|내일"
    r"|모레|다음\s?(?:주|달)|주말|\b(?:plan\w*"
    r"|going to|gonna|tomorrow|next (?:week|month)|weekend)\b|明日|来週|来月|予定|つもり|週末"
)
_LAUGH = re.compile(
    r"^(?=.*[\w])(?:[ㅋㅎㅌ]+|하하+|히히+|헤헤+|h[ae]h?[ahe]+|lo+l|lmao|w+|笑+|草+|[\W_])+$",
    re.IGNORECASE,
)
_WEEPS = re.compile(r"[ㅠㅜ]{2}")
_TEARS = re.compile(
    r"^(?:[ㅠㅜ]|T_?T|;_?;|[\W_])*[ㅠㅜ](?:[ㅠㅜ]|[\W_])*$|^(?:T_T|;_;|흑흑|엉엉)+$"
)
_MASHED = re.compile(
    r"^\W*$|^(?:[ㄱ-ㅎㅏ-ㅣ]{3,}|[b-df-hj-np-tv-z]{4,}|(?:asdf|qwer|zxcv|hjkl|dkssud)\w*"
    r"|[\W\d_])+$",
    re.IGNORECASE,
)


def act_of(message: str, hour: int | None) -> Act:
    """What a message does. `hour`, 0 to 23, is the user's; None when it is not known."""
    said = sentences(message)
    if not said:
        return _without_words(message)
    text = own_words(" ".join(said))
    if _MASHED.match(text) and not _LAUGH.match(text) and not _TEARS.match(text):
        return "nonsense"
    return next((act for act, test in _TESTS.items() if test(text)), None) or _rest(
        text, said, hour
    )


def asks_the_character(message: str) -> bool:
    """Whether a question is about the character's own doings and not about what was said."""
    if _OF_MEMORY.search(message):
        return False
    return bool(_YOU.search(message) or _DOING.search(message))


def _without_words(message: str) -> Act:
    found = parts(message)
    beside = [part.text for part in found if part.kind == "aside"]
    if any(map(asked_level, beside)):
        return "level"
    if beside:
        return "beside"
    return "acted" if found else "nonsense"


def _rest(text: str, said: list[str], hour: int | None) -> Act:
    if _BEGINS_SO.match(text) and sum(map(worth, said)) <= _OF_A_GREETING:
        return _greeting(hour)
    if is_promise(text) and LATER.search(text):
        return "promise"
    if is_question(text):
        return "advice" if _ADVICE.search(text) else "question"
    return next((act for act, test in _STATEMENTS.items() if test(text)), None) or _nothing(text)


_OF_A_GREETING = 4
"""What the sentences of a greeting are worth, at most: "안녕 오늘 처음 깔았어" tells little."""


def _greeting(hour: int | None) -> Act:
    if hour is None or 11 <= hour < 17:
        return "day"
    if 5 <= hour < 11:
        return "morning"
    return "evening" if 17 <= hour < 22 else "late"


def _nothing(text: str) -> Act:
    if _WEEPS.search(text):
        return "sad"
    told = [t for t in topics(text) if len(t) > 1 and not is_small_talk(t)]
    return "statement" if told else "go_on"


def _asks(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: is_question(text) and bool(pattern.search(text))


def _says(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: states(text, pattern)


def _dislikes(text: str) -> bool:
    """안 and 못 deny other things elsewhere, so `states` cannot be asked."""
    return bool(_DISLIKE.search(text)) and not (is_reported(text) or _OTHERS.search(text))


_TESTS: Mapping[Act, Callable[[str], bool]] = {
    "danger": lambda text: bool(DANGER.search(text)) and not is_reported(text),
    "laugh": lambda text: bool(_LAUGH.match(text)),
    "sad": lambda text: bool(_TEARS.match(text) or (_ILL.search(text) and not is_question(text))),
    "named": lambda text: bool(named("user", sentences(text))),
    "renamed": lambda text: bool(named("character", sentences(text))),
    "level": lambda text: bool(asked_level(text)),
    "night": _says(_NIGHT),
    "joke": lambda text: bool(_JOKE.search(text)) and not is_reported(text),
    "machine": _asks(_MACHINE),
    "who": _asks(_WHO),
    "tastes": _asks(_TASTES),
    "how_are_you": _asks(_HOW),
    "doing": _asks(_DOING),
}
"""Acts that are looked for first, in this order."""
_STATEMENTS: Mapping[Act, Callable[[str], bool]] = {
    "corrected": lambda text: bool(takes_back(text)),
    "line": draws_line,
    "grief": lambda text: bool(_GRIEF.search(text)),
    "cold": _says(COLD),
    "sad": _says(_SAD),
    "sorry": _says(_SORRY),
    "thanks": _says(_THANKS),
    "farewell": _says(_FAREWELL),
    "love": _says(WARM),
    "good": _says(_GOOD),
    "promise": is_promise,
    "dislike": _dislikes,
    "like": _says(_LIKE),
    "plan": _says(_PLAN),
}
"""Acts of what is neither a greeting nor a question, in this order."""
