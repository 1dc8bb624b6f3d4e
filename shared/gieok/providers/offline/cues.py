"""What the offline rules look for: words and endings, Korean and English. Lists, no logic."""

import re
from collections.abc import Mapping

from gieok.language.lexicons import BACK_CHANNELS, THANKING
from gieok.types import FactCategory


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(text.split())


def _any(phrases: str) -> re.Pattern[str]:
    """One pattern for a list of phrases, case-insensitive.

    In a phrase "_" stands for a space or none, and "+" for any rest of a word. Latin phrases match
    whole words only.
    """
    parts = []
    for phrase in phrases.split():
        part = re.escape(phrase).replace("_", r"\s?").replace(r"\+", r"\w*")
        parts.append(rf"\b{part}\b" if phrase.isascii() else part)
    return re.compile("|".join(parts), re.IGNORECASE)


SMALL_TALK = (
    BACK_CHANNELS
    | THANKING
    | words(
        """
        안녕 안녕하세요 안녕하십니까 안뇽 하이 하이루 헬로 반가워 반가워요 반갑습니다 잘 자 자요
        자라 안녕히 계세요 가세요 주무세요 자야겠다 자야겠어 자야지 잔다 잘게 잘래 갈게
        간다 가야겠다 이만 그만 먼저 또 봐 가 가요 굿밤 굿나잇 굿모닝 바이 빠이 빠빠이 응응
        어어 네네 넴 뭐 뭐야 뭐해 뭐해요 왜 왜요 수고 수고해 수고했어 ㅇㅇ ㅇㅋ ㄴㄴ ㄱㄱ ㅎㅇ
        ㅂㅂ ㄱㅅ ㅈㅅ ㄹㅇ ㅇㅈ hi hello
        hey hiya yo welcome bye goodbye night morning evening see ya later please so i know that
        is it it's alright got me too same
        """
    )
)
"""Normalised tokens. A sentence of nothing but these says nothing that is worth keeping."""

STOPWORDS = words(
    """
    나 너 저 내 네 제 니 우리 저희 자기 당신 그 이 거 것 게 걸 건 수 때 데 줄 중 번 좀 더 덜 또
    다 안 못 막 꼭 딱 참 왜 뭐 뭘 누구 누가 어디 언제 어떻게 어떤 무슨 몇 얼마 여기 거기 저기
    이거 그거 저거 이건 그건 이게 그게 이런 그런 저런 이렇게 그렇게 진짜 정말 너무 많이 완전
    엄청 되게 아주 조금 약간 제일 가장 이제 지금 요즘 아까 방금 아직 벌써 그냥 다시 자주 가끔
    항상 맨날 매일 오늘 어제 내일 모레 그저께 근데 그런데 그래서 그리고 그러면 그럼 하지만
    그래도 그니까 그러니까 왜냐하면 아니면 혹시 역시 일단 사실 같이 함께 혼자 하나 때문 정도
    생각 느낌 기억 말 얘기 이야기 사람 the a an and or but if so as at by for from in into of
    off on onto out over to up with without about after before again then than that this these
    those there here it it's its is are was were be been being am do does did done don't didn't
    doesn't have has had having i i'm i've i'll i'd me my mine myself you you're you've your
    yours we we're we've our us he he's him his she she's her hers they they're them their not
    no nor can can't could couldn't will won't would should may might must just very really
    quite too also only even still ever never always often what who whom which when where why
    how some any all both each few more most much many such own same other another one ones
    thing things something anything get got gets getting go going gone went come came let lets
    let's like yeah well oh make made take took say said says tell told know knew think thought
    want wanted need see saw seen look lot lots kind bit now today yesterday tomorrow remember
    """
)
"""Normalised tokens that carry no topic, Korean ones without their particles."""

_WHICH = "(?:뭐|뭔(?!가)|뭘|무엇|누구|누가|언제|어디|어느|무슨|어떤|어떻게|며칠|몇|얼마)"
RECALL_QUESTION = re.compile(
    r"기억\s?(?:나|해|하|안\s?나)\S*\s*[?？]"
    r"|기억\s?(?:나|나요|나니|해|해요|하니|하지)\s*$"
    rf"|{_WHICH}\S*(?:\s.*)?"
    r"(?:더라|(?:이|하|되|[았었였했랬댔졌])게"
    r"|[았었였했랬댔졌](?:지|죠|어|나|니|더라|던가|습니까)(?:요)?)[\s?？ㅋㅎㅠㅜ~]*$"
    r"|뭐게[\s?？ㅋㅎ]*$|생각\s?나\s*[?？]|알아\s*[?？]|맞춰\s?봐"
    r"|覚えて(?:る|ます|いる|います)?(?:か|よね|の)?[\s?？]*$|(?:って|と)言った|だっけ|でしたっけ|何だった"
    r"|\bremember\b.*\?|\bdid i (?:say|tell|mention)\b|\bwhat (?:was|were|did) (?:my|i|the)\b.*\?",
    re.IGNORECASE,
)
"""Phrases by which the user asks what was said before, and so says nothing new."""

QUESTION = re.compile(
    r"[?？]\s*\S{0,3}$|(?:까|까요|(?<![언머아])니|냐|[간은는인던한린]가요"
    r"|[었았겠되하있없]나요|시나요|던가|은지|는지)\s*[ㅋㅎㅠㅜ~.]*$"
    rf"|(?:^|\s){_WHICH}(?!라도|든)|(?:말해|알려|얘기해|맞춰)\s?(?:줘|봐|줄래)(?!야)"
    r"|^(?:what|who|when|where|why|how|do|does|did|are|is|can|could|would|will)\b[^.!]*$"
    r"|^(?:tell|remind) me\b",
    re.IGNORECASE,
)
"""Phrases by which the user asks something. They match too much rather than too little."""

ASKS_WHAT = re.compile(
    rf"(?:^|\s){_WHICH}(?!라도|든)|(?:^|\s)왜(?=\s|\?)|^(?:what|who|when|where|why|how)\b",
    re.IGNORECASE,
)
"""Words that ask for what the other one knows."""
SAYS_ON_THE_WAY = re.compile(
    r"(?:는데|은데|인데|한데|니까|라서|어서|아서|해서|거든)[,\s]|\b(?:because|since|but)\b"
)
"""Joints after which a question follows a statement."""

LATER = re.compile(
    r"꼭|약속|잊지|이따|나중|다음|때|마다|매일|매주|내일|모레|\d월|\d일"
    r"|\b(?:tomorrow|later|promise|remind|next|every)\b|明日|今度|毎",
    re.IGNORECASE,
)
"""Words by which something is put off: what is asked for at once is no promise."""
ASKS_NOW = re.compile(
    r"(?:얘기|이야기|농담|개그|노래|추천|설명|소개|번역|요약|정리)\S*\s(?:좀\s|하나만?\s)*"
    r"(?:해|불러|들려|해\s?봐)\s?(?:줘|주세요|줄래|봐)?"
    r"|\btell me a\b|話して|聞かせて",
    re.IGNORECASE,
)
"""Requests that are met, or not, in the next answer."""

PROMISE = re.compile(
    r"약속(?:이야|이다|이에요|입니다|해(?!서|도)|할|하자|하는|[!~.…]|\s*$)|(?:기로|다고"
    r"|는\s?거)\s?약속"
    r"|(?:해|사|보여|알려|말해|얘기해|데려가|도와|들려)\s?줄[게께]"
    r"|(?:물어봐|알려|불러|챙겨|얘기해|말해|깨워|축하해|기억해|응원해|해)\s?(?:줘|주세요)(?!야)"
    r"|꼭\s(?:[^.!?\n]*\s)?\S*(?:[할갈줄볼올될쓸][게께]|\s?줘|주세요)|잊지\s?(?:마|말)|잊으면\s?안"
    r"|\bpromise\b|\bi'll (?:never|always|definitely)\b|\bremind me\b|\bdon't (?:you )?forget\b"
    r"|約束(?:する|します|だよ|ね|して|[!！。]|$)|忘れないで",
    re.IGNORECASE,
)
"""Phrases by which one asks for a promise or gives one. 약속 that is an appointment is none."""

DANGER = re.compile(
    r"자살|자해|죽고\s?싶|죽어\s?버리(?:고|려)|사라지고\s?싶|살기\s?(?:가\s?)?싫|살고\s?싶지\s?않|손목을?\s?(?:그었|긋)"
    r"|(?:수면제|진통제|알약|약)\S*\s(?:잔뜩|한꺼번에|한\s?통)|유서를?\s?(?:썼|쓰)|뛰어내리|목을?\s?매(?:고|려|달)"
    r"|성폭행|성추행|강간|가정\s?폭력|(?:나를?|날|저를?|절)\s(?:\S+\s)?(?:때려(?:요|서|$|[.!?…ㅠㅜ])|때리|때렸|팼|패요)"
    r"|(?:한테|에게)\s(?:\S+\s)?(?:맞았|맞고\s?(?:있|살))"
    r"|\bsuicid|\bkill(?:ing)? myself|\bend my life|\b(?:want|wanna|going) to die\b|\bwanna die\b"
    r"|\bhurt(?:ing)? myself|\bself.?harm|\bcut(?:ting)? myself|\boverdos|\braped\b"
    r"|\bhe (?:hits|beats) me"
    r"|死にたい|自殺|消えたい|自傷|リストカット|殴られ|襲われ",
    re.IGNORECASE,
)
"""Phrases of somebody whose life or body is in danger. No joke may ever answer them."""

CUES: Mapping[str, re.Pattern[str]] = {
    "danger": DANGER,
    "life": _any(
        """
        돌아가셨 돌아가신 장례 하늘나라 무지개다리 무지개_다리 세상을_떠 죽었 유산했 임신 출산 이혼
        결혼해 결혼하 청혼 프러포즈 암이 암_진단 passed_away died funeral pregnant miscarr+ divorc+
        engaged
        """
    ),
    "promise": PROMISE,
    "plan": _any(
        """
        하려고 가려고 보려고 먹으려고 만나려고 사려고 배우려고 을려고 할려고 갈려고 하기로 가기로
        먹기로 보기로 만나기로 할래 갈래 볼래 먹을래 하자 가자 보자 먹자 만나자 예정 계획 예약
        목표 준비 내일 모레 다음_주 다음_달 다음_번 내년 이번_주 주말 plan plans planned planning
        going_to gonna tomorrow next_week next_month next_year weekend schedule+ appointment
        booked
        """
    ),
    "name": _any(
        """
        이름은 이름이 내_이름 별명 라고_불러 라고_부르 라고_해 my_name his_name her_name
        their_name call_me named nickname
        """
    ),
    "feeling": _any(
        """
        힘들 슬프 슬퍼 우울 외로 행복 기쁘 기뻐 설레 설렌 신나 신났 무서 무섭 걱정 불안 속상 화나
        화났 짜증 지쳐 지쳤 지친 울었 울고 눈물 떨려 떨린 아파 아팠 답답 그리워 보고_싶 좋았 재밌
        재미있 스트레스 뿌듯 sad happy lonely tired exhausted excited worried anxious scared angry
        upset proud nervous stress+ cried grateful hurt disappointed
        """
    ),
    "preference": _any(
        """
        좋아하 좋아해 싫어하 싫어해 최애 즐겨 취미 못_먹 안_먹 알러지 알레르기 질색 무조건
        favorite favourite i_love i_like i_hate i_prefer i_enjoy i_really_like allergic hobby
        """
    ),
    "change": _any(
        """
        바꿨 바꾸기로 바뀌었 바뀜 변경 취소 미뤄 미뤘 미루기로 대신 안_가기로 안_하기로 그만두
        그만뒀 관두 관뒀 마음이_바뀌 생각해_보니 changed cancel+ postpon+ instead actually
        no_longer quit
        """
    ),
    "event": _any(
        """
        생일 결혼 이사 합격 떨어졌 취직 취업 이직 퇴사 입사 승진 면접 시험 수술 입원 병원 졸업
        입학 헤어졌 이혼 돌아가셨 장례 임신 출산 여행 고백 사고 birthday wedding married moving_to
        moved_to new_job interview exam surgery hospital graduat+ broke_up passed_away died
        pregnant trip accident
        """
    ),
}
"""Phrases that make a sentence matter, by the name of the cue."""

IMPORTANCE: Mapping[str, int] = {
    "danger": 7,
    "life": 7,
    "promise": 1,
    "plan": 1,
    "name": 2,
    "feeling": 1,
    "preference": 1,
    "change": 1,
    "event": 2,
}
"""Points that each cue adds to a window's importance, once."""

BOUNDARY = _any(
    """
    하지_마 하지_말아 하지_말자 하지_말고 하지_않았으면 꺼내지_마 꺼내지_말 말하지_마 말하지_말
    묻지_마 묻지_말 물어보지_마 물어보지_말 부르지_마 부르지_말 얘기는_그만 얘기_그만 don't_mention
    don't_talk don't_ask don't_call don't_bring don't_tell don't_say don't_joke stop_talking
    stop_asking stop_calling stop_mentioning stop_joking
    """
)
"""Phrases by which the user draws a line."""

WARM = _any(
    """
    사랑해 고마워 고맙 보고_싶었 네가_제일 니가_제일 네가_있어서 니가_있어서 너_좋아 너_진짜_좋아
    너_정말_좋아 너_너무_좋아 네_덕분 니_덕분 너_덕분 네가_좋 니가_좋 love_you like_you adore_you
    missed_you miss_you thank_you thanks you're_the_best
    """
)
COLD = _any(
    """
    너_싫 네가_싫 니가_싫 너_진짜_싫 너_정말_싫 너_미워 네가_미워 니가_미워 너_짜증 너한테_실망
    꺼져 말_걸지_마 hate_you shut_up leave_me_alone you're_awful you're_annoying you're_useless
    you're_the_worst
    """
)
"""Phrases by which the user is unkind to the character, as `WARM` has those that are kind."""

FACT_CUES: Mapping[FactCategory, re.Pattern[str]] = {
    "profile": re.compile(
        r"(?:^|\s)(?:내|제|나의|저의) (?:이름|나이|생일|직업|전공|고향|혈액형)(?:은|는|이|가)\s?\S"
        r"|(?:^|\s)(?:나는?|난|저는?|전)\s(?:\S+\s)?\S+에(?:서)?\s(?:살아|살고|삽니다|일해"
        r"|일하고|다녀)"
        r"|\bmy (?:name|birthday|job|hometown) is\b"
        r"|\bI (?:live|work) (?:in|at|as|for)\b|\bI'?a?m \d+ years old\b",
        re.IGNORECASE,
    ),
    "preference": re.compile(
        r"(?:^|\s)(?:나는?|난|저는?|전|나도|저도|내가|제가)\s(?:(?!너|널|네가|니가"
        r"|당신)\S+\s){1,4}?"
        r"(?:(?:제일|정말|진짜|너무|무척|되게|엄청)\s)?(?:(?:좋아|싫어)[하해합]|[못안] 먹)"
        r"|\bI (?:really |also )?(?:love|like|enjoy|prefer|hate|dislike|can't stand) (?!you\b)",
        re.IGNORECASE,
    ),
    "action_item": re.compile(
        r"약속할[게께]|(?:해|사|보여|알려|말해|얘기해|데려가|도와|들려)\s?줄[게께]"
        r"|꼭\s(?:\S+\s)?\S*(?:할|갈|줄|볼|올|될|쓸)[게께]"
        r"|\bI promise\b|\bI'll (?:never|always|definitely)\b",
        re.IGNORECASE,
    ),
}
"""Phrases by which users say who they are, what they like, and what they promise."""

SENSITIVE: Mapping[str, re.Pattern[str]] = {
    "건강": re.compile(
        "암$|우울증|공황|당뇨|고혈압|생리|임신|유산|자해|수술|항암|정신과|불면증|조울|성병"
    ),
    "친밀": re.compile("키스|섹스|스킨십|잠자리|애무"),
    "health": re.compile("cancer|depress|diabet|miscarr|abortion|self-harm|bipolar|insomnia|^hiv$"),
    "intimacy": re.compile("^kiss|^sex|^naked"),
}
"""General words that are indexed in place of the sensitive ones they stand for."""

VERB_ENDING = re.compile(
    r"(?:[다어아여해돼야네지고며면서까니냐자래든봐줘워와됨함요죠던은는운른]"
    r"|려고|지만|거든|잖아|더라|했|었|았|겠|될|할|한|된|친|킨)$"
)
"""Endings that nouns seldom have. A token that ends so is a term only if it had a particle."""
