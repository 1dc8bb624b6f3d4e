"""Korean texts, names and particles for properties."""

from hypothesis import strategies as st

JAMO = st.sampled_from("ㄱㄲㄳㄴㅋㅎㅇㅏㅐㅠㅡㅣ")


CONJOINING = st.characters(min_codepoint=0x1100, max_codepoint=0x11FF)


HALF_WIDTH = st.characters(min_codepoint=0xFFA0, max_codepoint=0xFFDC)


SYLLABLE = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)


TRICKY = st.sampled_from("\u200b\u200d\u202e\u3164\ufe0f\u00adßİǅ①㎏㉠㈀Ａ’ㆍ\U000e0041")


ANY = st.characters(exclude_categories=())


TEXT = st.lists(JAMO | CONJOINING | HALF_WIDTH | SYLLABLE | TRICKY | ANY, max_size=12).map("".join)


NAME = st.text(SYLLABLE, min_size=2, max_size=4)


CASES = "에 에서 에게 한테 께서 도 만 부터 까지 처럼 보다 의"


PARTICLE = st.sampled_from(
    [
        ("이", "가"),
        ("은", "는"),
        ("을", "를"),
        ("과", "와"),
        ("으로", "로"),
        ("이랑", "랑"),
        ("이라고", "라고"),
        ("이었는데", "였는데"),
        *((p, p) for p in CASES.split()),
    ]
)


def with_particle(noun: str, forms: tuple[str, str]) -> str:
    """The noun with the form of a particle that its last letter asks for."""
    final = (ord(noun[-1]) - 0xAC00) % 28
    takes_vowel_form = final == 0 or (final == 8 and forms[1] == "로")
    return noun + forms[takes_vowel_form]
