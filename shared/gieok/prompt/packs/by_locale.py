"""The fixed text of a chat prompt, in each language there is a pack for."""

from collections.abc import Mapping

from gieok.prompt.packs import en, ja, ko
from gieok.prompt.packs.pack import ChatText
from gieok.types import Locale

CHAT_TEXT: Mapping[Locale, ChatText] = {
    "ko": ko.CHAT,
    "en": en.CHAT,
    "ja": ja.CHAT,
}
