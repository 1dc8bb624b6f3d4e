"""Everyday words that are related to those of a text: categories and synonyms, for the search.

A small lexicon of general vocabulary: whoever talked about a latte may be asked about coffee.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from gieok.language import english, korean
from gieok.types import Locale

MOST = 20
"""Related terms of a text, at most."""

# A line: words that people say, then the words by which they might be looked for.
_KO = """
강아지 개 멍멍이 댕댕이 반려견 푸들 말티즈 진돗개 | 강아지 반려견 멍멍이 반려동물 애완동물 동물
고양이 냥이 냐옹이 야옹이 고냥이 집사 반려묘 | 고양이 반려묘 냥이 야옹이 반려동물 애완동물 동물
토끼 햄스터 거북이 앵무새 금붕어 고슴도치 | 반려동물 애완동물 동물
커피 라떼 아메리카노 에스프레소 카푸치노 디카페인 카페 | 커피 카페 음료 마실거
녹차 홍차 보리차 밀크티 주스 콜라 사이다 우유 | 음료 마실거 음료수
술 맥주 소주 와인 막걸리 위스키 칵테일 사케 하이볼 | 술 음주 주종 안주 술자리
밥 김밥 비빔밥 볶음밥 국밥 떡볶이 김치 찌개 라면 국수 냉면 | 음식 먹을거 메뉴 식사 요리
피자 치킨 햄버거 초밥 삼겹살 고기 빵 샌드위치 김치찌개 | 음식 먹을거 메뉴 식사 요리
라면 국수 냉면 파스타 우동 짜장면 쌀국수 | 면 면요리 국수
초콜릿 케이크 쿠키 아이스크림 과자 사탕 마카롱 도넛 빙수 | 간식 디저트 단거 후식
사과 딸기 수박 포도 복숭아 바나나 망고 | 과일 먹을거 간식
오이 당근 양파 가지 고수 버섯 브로콜리 상추 | 채소 야채 먹을거
새우 오징어 조개 회 생선 연어 굴 게 | 해산물 해물 수산물 먹을거
알레르기 알러지 두드러기 | 알레르기 알러지 못먹는거 건강
아침 점심 저녁 야식 브런치 | 식사 끼니 밥
엄마 어머니 아빠 아버지 부모님 | 부모님 부모 가족 어른
동생 여동생 남동생 누나 언니 오빠 형 쌍둥이 | 형제 남매 자매 가족
할머니 할아버지 외할머니 외할아버지 | 조부모 할머니 할아버지 가족 어른
남편 아내 와이프 신랑 신부 | 배우자 부부 가족 결혼
아들 딸 아기 애기 손녀 손자 조카 | 아이 자녀 가족
친구 절친 베프 단짝 | 친구 절친 사람
남친 여친 남자친구 여자친구 애인 썸 소개팅 데이트 | 연애 애인 사랑 데이트 만남
결혼 결혼식 청첩장 신혼여행 프러포즈 | 결혼 결혼식 예식 경사 행사
이별 헤어졌어 이혼 차였어 | 이별 연애 슬픔
생일 생신 환갑 돌잔치 기념일 | 생일 기념일 축하 선물 날짜
장례 장례식 돌아가셨어 | 죽음 이별 슬픔 장례
회사 직장 출근 퇴근 야근 팀장 상사 사수 회의 사무실 | 회사 직장 일 직업 업무
취직 취업 이직 퇴사 면접 입사 합격 연봉 승진 이력서 | 취업 이직 직장 진로 일자리
개발자 디자이너 간호사 의사 교사 선생님 공무원 알바 | 직업 하는일 일 직장
학교 대학교 고등학교 중학교 수업 과제 전공 교수님 학원 강의 | 학교 공부 학생 수업
시험 수능 중간고사 기말고사 자격증 토익 성적 | 시험 공부 점수 학교
영어 일본어 중국어 스페인어 회화 | 외국어 언어 공부
책 소설 시집 만화 웹툰 서점 도서관 | 책 독서 읽을거 취미
병원 진료 수술 입원 의사 약 응급실 치과 | 병원 건강 치료 몸상태
감기 두통 열 기침 몸살 아팠어 아파 | 건강 몸상태 아픔
운동 헬스 헬스장 요가 필라테스 달리기 러닝 수영 등산 자전거 | 운동 취미 건강 체력
축구 야구 농구 배구 테니스 배드민턴 탁구 골프 | 스포츠 운동 경기 취미
다이어트 몸무게 살 식단 | 다이어트 체중 건강 운동
여행 비행기 공항 호텔 숙소 캐리어 여권 휴가 | 여행 휴가 놀러간곳 관광
제주도 부산 경주 여수 전주 속초 | 여행 지역 도시 국내
일본 도쿄 오사카 미국 유럽 파리 런던 베트남 태국 대만 | 해외 외국 나라 여행
바다 산 강 계곡 캠핑 공원 | 자연 나들이 야외
돈 월급 적금 저축 통장 주식 대출 월세 전세 용돈 로또 | 돈 경제 재산 비용
샀어 쇼핑 주문 택배 할인 환불 선물 | 쇼핑 구매 산거 소비
옷 신발 가방 모자 코트 원피스 청바지 반지 목걸이 | 패션 옷 물건
노래 음악 콘서트 공연 밴드 가수 앨범 플레이리스트 | 음악 노래 취미
기타 피아노 바이올린 드럼 우쿨렐레 | 악기 음악 연주 취미
영화 드라마 넷플릭스 예능 애니 다큐 | 영화 드라마 볼거 취미
게임 롤 닌텐도 스팀 플스 | 게임 취미 오락
그림 사진 뜨개질 요리 베이킹 글쓰기 캘리그라피 | 취미 만들기 여가
집 이사 원룸 아파트 자취 방 월세 전세 집들이 | 집 사는곳 주거 동네
청소 빨래 설거지 정리 | 집안일 살림
가구 침대 책상 소파 냉장고 세탁기 에어컨 | 가구 가전 물건 집
화분 꽃 다육이 식물 텃밭 나무 | 식물 화초 키우는거
비 눈 장마 태풍 더위 추위 미세먼지 | 날씨 계절
봄 여름 가을 겨울 | 계절 날씨
차 자동차 운전 면허 주차 세차 중고차 | 자동차 운전 탈거
버스 지하철 기차 택시 통근 ktx | 교통 이동 대중교통 탈거
핸드폰 폰 휴대폰 스마트폰 아이폰 갤럭시 노트북 컴퓨터 태블릿 | 전자기기 기계 물건 휴대폰
슬퍼 우울해 힘들어 외로워 눈물 울었어 | 슬픔 기분 감정 마음
화나 짜증 싸웠어 다퉜어 | 화 갈등 싸움 감정
행복해 기뻐 신나 설레 뿌듯해 | 기쁨 기분 감정 좋은일
무서워 걱정 불안해 긴장 | 걱정 불안 감정 마음
꿈 악몽 잠 불면 낮잠 | 잠 꿈 수면
군대 입대 전역 휴가 훈련소 | 군대 군복무 입대
교회 성당 절 기도 | 종교 신앙
크리스마스 설날 추석 명절 연말 | 명절 기념일 휴일
"""
_EN = """
dog puppy poodle retriever pup | dog puppy pet animal
cat kitten kitty | cat kitten pet animal
rabbit hamster turtle parrot goldfish | pet animal
coffee latte espresso cappuccino americano decaf | coffee drink cafe
tea juice soda milk lemonade | drink beverage
beer wine whisky whiskey cocktail vodka | alcohol drink drinking
pizza pasta burger rice sushi steak sandwich soup salad bread noodles ramen | food meal dish eating
chocolate cake cookie candy donut pie | dessert sweets snack
apple strawberry orange grape banana mango peach | fruit food
carrot onion broccoli cucumber mushroom | vegetable food
shrimp fish salmon oyster crab lobster | seafood food
allergy allergic | allergy food health
mom mother dad father parents | parents family
brother sister twin sibling | sibling family
grandma grandmother grandpa grandfather | grandparents family
husband wife spouse fiance fiancee | spouse partner marriage family
son daughter baby kid nephew niece | child children family
boyfriend girlfriend date dating crush | relationship romance partner love
wedding bride groom married proposal honeymoon | wedding marriage celebration
birthday anniversary | birthday date celebration present
funeral died | death loss grief
office boss manager coworker overtime meeting | work job office
interview hired resume promotion salary quit | job career work
nurse doctor teacher engineer designer lawyer | job profession work
school college university class homework major | school studies education
exam test finals grade certificate | exam test studying school
spanish french japanese korean german chinese | language learning
book novel library poetry comic | book reading hobby
hospital surgery clinic checkup medicine dentist | hospital health doctor treatment
cold fever headache flu cough | health sick illness
gym yoga pilates running swimming hiking cycling | exercise workout fitness hobby
soccer football baseball basketball tennis golf volleyball | sport game hobby
trip flight airport hotel vacation passport | travel trip vacation
beach mountain lake river camping park | nature outdoors
money salary savings stocks loan rent lottery | money finance cost
bought shopping ordered refund gift present | shopping purchase
dress shoes coat bag ring necklace | clothes fashion
song music concert band singer album | music song hobby
guitar piano violin drums ukulele | instrument music hobby
movie film series drama netflix anime | movie show watching
game nintendo playstation steam | game gaming hobby
painting drawing photo knitting baking pottery | hobby craft art
house apartment moved moving roommate | home house living place
cleaning laundry dishes | chores housework
plant flower garden tree | plant garden
rain snow storm typhoon heat | weather
car driving license parking | car driving vehicle
bus subway train taxi commute | transport commute
phone iphone laptop computer tablet | phone device electronics
sad depressed lonely cried | sadness mood feelings
angry annoyed fight argued | anger conflict feelings
happy excited proud | happiness mood feelings
scared worried anxious nervous | worry fear feelings
dream nightmare sleep insomnia | sleep dream
church temple prayer | religion faith
christmas halloween thanksgiving easter | holiday celebration
"""
_JA = """
犬 子犬 ワンコ 柴犬 プードル | 犬 ペット 動物
猫 子猫 ネコ にゃんこ | 猫 ペット 動物
コーヒー ラテ カフェラテ エスプレッソ カフェ | コーヒー 飲み物 カフェ
抹茶 緑茶 紅茶 ジュース 牛乳 | 飲み物 お茶
ビール ワイン 日本酒 焼酎 ウイスキー | お酒 飲み物
ラーメン うどん そば パスタ | 麺 食べ物 料理
寿司 カレー ピザ パン ご飯 弁当 焼肉 | 食べ物 料理 食事
チョコ ケーキ クッキー アイス | お菓子 デザート 甘いもの
りんご いちご みかん ぶどう 桃 | 果物 食べ物
母 父 お母さん お父さん 両親 | 親 家族
兄 姉 弟 妹 | 兄弟 姉妹 家族
祖母 祖父 おばあちゃん おじいちゃん | 祖父母 家族
夫 妻 旦那 嫁 | 配偶者 夫婦 家族
息子 娘 赤ちゃん | 子供 家族
彼氏 彼女 恋人 デート | 恋愛 恋人
結婚 結婚式 | 結婚 お祝い
誕生日 記念日 | 誕生日 お祝い プレゼント
会社 仕事 残業 上司 会議 | 仕事 会社 職場
面接 就職 転職 退職 | 就職 転職 仕事
学校 大学 授業 宿題 | 学校 勉強
試験 テスト 受験 | 試験 勉強
病院 手術 入院 薬 歯医者 | 病院 健康 治療
風邪 熱 頭痛 | 健康 体調
ジム ヨガ 水泳 登山 ランニング | 運動 健康 趣味
サッカー 野球 テニス バスケ | スポーツ 運動
旅行 飛行機 空港 ホテル 京都 大阪 東京 沖縄 | 旅行 観光
お金 給料 貯金 家賃 株 | お金 費用
歌 音楽 ライブ バンド | 音楽 歌 趣味
ギター ピアノ | 楽器 音楽
映画 ドラマ アニメ | 映画 ドラマ 趣味
ゲーム 任天堂 | ゲーム 趣味
家 引っ越し 部屋 アパート | 家 住まい
雨 雪 台風 | 天気
車 運転 免許 | 車 運転
電車 バス 地下鉄 | 交通 通勤
スマホ 携帯 パソコン | 電子機器
夢 悪夢 睡眠 | 夢 眠り
"""


def _groups(text: str) -> list[tuple[frozenset[str], tuple[str, ...]]]:
    lines = (line.partition("|") for line in text.strip().splitlines())
    return [(frozenset(said.split()), tuple(related.split())) for said, _, related in lines]


_GROUPS: Mapping[Locale, Sequence[tuple[frozenset[str], tuple[str, ...]]]] = {
    "ko": _groups(_KO),
    "en": _groups(_EN),
    "ja": _groups(_JA),
}


def related_terms(text: str, locale: Locale) -> tuple[str, ...]:
    """Words by which somebody might look for this text and which are not in it; at most `MOST`.

    They take turns by the text's own words, so that none of these is left without.
    """
    words = _words(text, locale)
    rows = [[t for t in related if t not in words] for said, related in _met(words, locale) if said]
    found = (row[i] for i in range(max(map(len, rows), default=0)) for row in rows if i < len(row))
    return tuple(dict.fromkeys(found))[:MOST]


def concepts(text: str, locale: Locale) -> frozenset[str]:
    """What the words of a text fall under: the first related word of each, and the words of a
    question that ask for one."""
    words = _words(text, locale)
    fallen = {term for _, related in _met(words, locale) for term in related}
    named = {t for _, related in _GROUPS[locale] for t in related if t in words}
    return frozenset(fallen | named)


def _met(words: frozenset[str], locale: Locale) -> Iterator[tuple[frozenset[str], tuple[str, ...]]]:
    return (group for group in _GROUPS[locale] if group[0] & words)


def _words(text: str, locale: Locale) -> frozenset[str]:
    if locale == "ja":
        return frozenset(
            w for said, related in _GROUPS["ja"] for w in {*said, *related} if w in text
        )
    found = {w for token in korean.tokens(text) for w in korean.candidates(token)}
    if locale == "en":
        return frozenset(
            found | {english.stem(word) for word in found} | {w.rstrip("s") for w in found}
        )
    return frozenset(found | {end for word in found for end in _ends(word)})


def _ends(word: str) -> Iterator[str]:
    """The ends of a compound of Hangul, of two letters at least: 유기농딸기 is a 딸기."""
    if re.fullmatch("[가-힣]{4,}", word):
        yield from (word[i:] for i in range(2, len(word) - 1))
