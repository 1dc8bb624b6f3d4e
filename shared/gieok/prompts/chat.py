"""The fixed text of a chat prompt, in each language there is a pack for."""

from collections.abc import Mapping

from gieok.prompts import locale_en, locale_ja, locale_ko
from gieok.prompts.pack import ChatText
from gieok.types import Locale

CHAT_TEXT: Mapping[Locale, ChatText] = {
    "ko": locale_ko.CHAT,
    "en": locale_en.CHAT,
    "ja": locale_ja.CHAT,
}
