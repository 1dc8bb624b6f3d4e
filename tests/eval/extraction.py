"""What the reading of answers loses of true facts and catches of wrong ones, rule by rule.

Windows with recorded answers lie in the folder of data, windows of our own in `extraction_set`. A
fact of a strong model's answer counts as true. A wrong fact is read in place of one true fact of
the same answer; it is caught when it does not stand, or, where it tells fiction as real, when it is
filed as a story.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec

from gieok.errors import ModelMalformed
from gieok.extraction.answer import in_words_that_were_said, read
from gieok.extraction.extraction import Extraction
from gieok.extraction.rules import RULES, Rule
from gieok.extraction.window_context import WindowContext
from gieok.types import USER, Fact, Locale, Message, Relationship, RelationshipState, Role

OURS = Path(__file__).parent / "extraction_set" / "windows.jsonl"
_FICTION = ("fiction", "dream", "joke")
"""How the kinds of wrong facts begin that would be right as stories."""
_SAID_AT = datetime(2026, 3, 5, 3, tzinfo=UTC)
"""When the windows of our own begin."""

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A window with answers to it by name, and facts that are wrong on purpose by kind."""

    group: str
    window: Callable[[], WindowContext]
    answers: Mapping[str, Answer]
    wrong: Sequence[tuple[str, Mapping[str, Any]]] = ()


@dataclass(slots=True)
class Counts:
    """What was counted over some windows."""

    facts: int = 0
    lost: int = 0
    misfiled: int = 0
    details: int = 0
    details_lost: int = 0
    summaries: int = 0
    summaries_replaced: int = 0
    wrong: dict[str, int] = field(default_factory=lambda: {"user": 0, "character": 0})
    caught: dict[str, int] = field(default_factory=lambda: {"user": 0, "character": 0})

    def shown(self) -> dict[str, Any]:
        """As figures: shares where there is something to count."""
        return {
            "facts": self.facts,
            "true_facts_lost": self.lost,
            "misfiled": self.misfiled,
            "details_lost": self.details_lost,
            "summaries_replaced_wrongly": self.summaries_replaced,
            "wrong_caught": {
                "quoting_the_user": [self.caught["user"], self.wrong["user"]],
                "quoting_the_character": [self.caught["character"], self.wrong["character"]],
                "all": [sum(self.caught.values()), sum(self.wrong.values())],
            },
        }


def measure(folder: Path) -> dict[str, Any]:
    """The figures of each set that the folder has and of ours, and of each rule over all.

    Of a rule: with it alone, with it left out, and as a base with none, where quotes alone decide.
    """
    recorded = [*_recorded(folder), *ours()]
    groups = dict.fromkeys(one.group for one in recorded)
    every = tuple(RULES.values())
    sets = {g: count([r for r in recorded if r.group == g], every).shown() for g in groups}
    left_out = {n: tuple(r for r in every if r is not RULES[n]) for n in RULES}
    return {
        "all": count(recorded, every).shown(),
        "sets": sets,
        "no_rule": count(recorded, ()).shown(),
        "alone": {n: count(recorded, (rule,)).shown() for n, rule in RULES.items()},
        "left_out": {n: count(recorded, rest).shown() for n, rest in left_out.items()},
    }


def count(recorded: Iterable[Recorded], rules: Collection[Rule]) -> Counts:
    """What becomes of the strong answers and of the wrong facts under some rules."""
    counts = Counts()
    for one in recorded:
        window = one.window()
        strong = one.answers.get("strong")
        if strong and strong["worth_keeping"]:
            _count_true(counts, strong, window, rules)
            for kind, wrong in one.wrong:
                _count_wrong(counts, kind, wrong, strong, window, rules)
    return counts


def _count_true(
    counts: Counts, answer: Answer, window: WindowContext, rules: Collection[Rule]
) -> None:
    kept = _read(answer, window, rules)
    stood = {fact.text: fact for fact in kept.facts}
    found = [(fact, stood.get(" ".join(fact["text"].split()))) for fact in answer["facts"]]
    counts.facts += len(found)
    counts.lost += sum(fact is None for _, fact in found)
    counts.misfiled += sum(fact is not None and _filed(fact) != _as_told(t) for t, fact in found)
    counts.details += len(answer["key_details"])
    counts.details_lost += kept.dropped.get("details", len(answer["key_details"]))
    counts.summaries += 1
    counts.summaries_replaced += kept.summary != " ".join(answer["summary"].split())


def _count_wrong(
    counts: Counts,
    kind: str,
    wrong: Mapping[str, Any],
    answer: Answer,
    window: WindowContext,
    rules: Collection[Rule],
) -> None:
    facts = [wrong, *answer["facts"][1:]]
    kept = _read({**answer, "facts": facts}, window, rules)
    stood = [fact for fact in kept.facts if fact.text == wrong["text"]]
    as_story = kind.startswith(_FICTION) and [f.reality for f in stood] == ["story"]
    whose = "user" if window.transcript.find(wrong["quote"], {USER}) else "character"
    counts.wrong[whose] += 1
    counts.caught[whose] += not stood or as_story


def _read(answer: Answer, window: WindowContext, rules: Collection[Rule]) -> Extraction:
    text = json.dumps(answer, ensure_ascii=False)
    try:
        return in_words_that_were_said(read(text, window, rules), window)
    except ModelMalformed:
        return Extraction(worth_keeping=False)


def _filed(fact: Fact) -> tuple[str, ...]:
    return fact.category, fact.subject, fact.name, fact.reality


def _as_told(fact: Mapping[str, Any]) -> tuple[str, ...]:
    subject = fact["subject"]
    name = "" if subject["kind"] == USER else subject["name"]
    return fact["category"], subject["kind"], name, fact["reality"]


def ours() -> Iterator[Recorded]:
    """The windows of our own, the ones that rules were tuned on and the ones held out."""
    for line in OURS.read_text("utf-8").splitlines():
        one = json.loads(line)
        messages = [
            _message(f"{one['id']}:{i}", who, text, _SAID_AT + timedelta(minutes=i))
            for i, (who, text) in enumerate(one["said"])
        ]
        true = [_fact(messages, *fact) for fact in one["true"]]
        strong = {
            "worth_keeping": True,
            "summary": " ".join(fact["text"] for fact in true),
            "importance": 5,
            "key_details": [],
            "search_terms": [],
            "facts": true,
            "relationship_states": [],
        }
        wrong = [(kind, _fact(messages, *fact)) for kind, *fact in one["wrong"]]
        window = _window(one["cast"], messages, one["locale"])
        yield Recorded(f"ours, {one['half']}", window, {"strong": strong}, wrong)


def _recorded(folder: Path) -> Iterator[Recorded]:
    if (folder / "extraction").is_dir():
        yield from _of_kinds(folder / "extraction")
    locales: Mapping[str, Locale] = {"locomo-extracted": "en", "korean-windows": "ko"}
    for name, locale in locales.items():
        for path in sorted((folder / name).glob("windows-*.json")):
            yield from _of_one_talk(path, name, locale)


def _of_kinds(folder: Path) -> Iterator[Recorded]:
    windows, answers, wrong = (
        json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name in ("windows", "answers", "wrong")
    )
    for one in windows:
        ids = {m["label"]: m["id"] for m in one["messages"]}
        messages = [
            Message(
                UUID(m["id"]), m["role"], m["speaker"], m["text"], datetime.fromisoformat(m["at"])
            )
            for m in one["messages"]
        ]
        own = [w for w in wrong if w["window"] == one["id"]]
        yield Recorded(
            "extraction",
            _window(one["cast"], messages, one["locale"], one.get("previous", {})),
            {name: given[one["id"]] for name, given in answers.items() if one["id"] in given},
            [(w["kind"], {**w["fact"], "message_id": ids[w["fact"]["message_id"]]}) for w in own],
        )


def _of_one_talk(path: Path, group: str, locale: Locale) -> Iterator[Recorded]:
    talk = json.loads(path.read_text("utf-8"))
    answered = path.with_name(path.name.replace("windows", "answers"))
    answers = json.loads(answered.read_text("utf-8"))["answers"]
    for one in talk["windows"]:
        messages = [
            _message(m["id"], m["speaker"], m["text"], datetime.fromisoformat(m["at"] + "+09:00"))
            for m in one["messages"]
        ]
        given = answers.get(str(one["n"]))
        window = _window([talk["character"]], messages, locale)
        yield Recorded(group, window, {"strong": given} if given else {})


def _message(id_: str, who: str, text: str, at: datetime) -> Message:
    role: Role = "user" if who == USER else "assistant"
    return Message(uuid5(NAMESPACE_URL, id_), role, "" if who == USER else who, text, at)


def _fact(
    messages: Sequence[Message],
    category: str,
    subject: str,
    text: str,
    quote: str,
    reality: str = "real",
) -> dict[str, Any]:
    kind, _, name = subject.partition(":")
    return {
        "category": category,
        "subject": {"kind": kind, "name": name},
        "reality": reality,
        "text": text,
        "quote": quote,
        "message_id": str(next(m.id for m in messages if quote in m.text)),
        "confidence": 0.95,
    }


def _window(
    cast: Sequence[str],
    messages: Sequence[Message],
    locale: Locale,
    previous: Mapping[str, Mapping[str, Any]] | None = None,
) -> Callable[[], WindowContext]:
    before = {name: _relationship(state) for name, state in (previous or {}).items()}
    return lambda: WindowContext(tuple(cast), tuple(messages), "Asia/Seoul", locale, before)


def _relationship(state: Mapping[str, Any]) -> Relationship:
    return Relationship(msgspec.convert(state, RelationshipState))


def table(figures: Mapping[str, Any]) -> str:
    """One line a rule: true facts lost, misfiled, wrong ones caught; alone and left out."""

    def cells(of: Mapping[str, Any]) -> str:
        caught, wrong = of["wrong_caught"]["all"]
        return f"{of['true_facts_lost']:>6}{of['misfiled']:>6}{caught:>6}/{wrong}"

    lines = [f"{'rule':<14}{'alone: lost, misfiled, caught':>32}{'left out':>24}"]
    lines += [
        f"{name:<14}{cells(figures['alone'][name]):>32}{cells(figures['left_out'][name]):>24}"
        for name in figures["alone"]
    ]
    return "\n".join([*lines, f"{'none':<14}{cells(figures['no_rule']):>32}"])


if __name__ == "__main__":
    import sys

    FIGURES = measure(Path(sys.argv[1]))
    print(json.dumps({k: FIGURES[k] for k in ("all", "sets")}, indent=1), table(FIGURES), sep="\n")
