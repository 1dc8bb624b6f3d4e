"""What the offline rules say, by language and by what was said to them. Texts, no logic.

In a text {name} is how the user is called, with what follows it, or nothing; {called} is the bare
name, {topic} a thing that was named, {quote} remembered words and {when} their time. {likes} and
{self} are what the character's description says.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gieok.providers.offline.acts import Act


@dataclass(frozen=True, slots=True)
class Voice:
    """One manner of speaking.

    `says` has texts for every act, `about` others that name the topic. Those for "danger" have the
    numbers of who helps day and night: in Korea 109, 112, 119 and 1366, elsewhere 988, the
    Samaritans' 116 123, and よりそいホットライン.

    `told` and `noted` answer by a memory (of the user's words, of anything else), `reminded` adds
    one; `corrected_since` has {quote} and {correction}. `unsure` answers when nothing comes to
    mind, `your_name` who asks for their own name ({called}, and {i} for 이 after a consonant).
    `just_now` is the time of what was said in this conversation.
    """

    says: Mapping[Act, tuple[str, ...]]
    about: Mapping[Act, tuple[str, ...]]
    told: tuple[str, ...]
    noted: tuple[str, ...]
    reminded: tuple[str, ...]
    corrected_since: tuple[str, ...]
    unsure: tuple[str, ...]
    your_name: tuple[str, ...]
    just_now: str
