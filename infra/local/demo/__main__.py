"""`python -m infra.local.demo`: what a running server remembers of long conversations."""

import argparse
import asyncio
import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from uuid import uuid4

from infra.local.demo.client import ServerFailed, connect
from infra.local.demo.conversation import Conversation, korean
from infra.local.demo.locomo import first_conversation
from infra.local.demo.replay import Answer, Replay
from infra.local.demo.report import Report
from infra.local.demo.scripted import scripted

_ROOT = Path(__file__).parents[3]
_LEFT_OUT = """\
There is an English conversation, too, from LoCoMo, a public data set that is not part of this
project. To have it shown, put its file locomo10.json into a folder `locomo`, and name the folder
around that one: GIEOK_DATA=… make demo ARGS='--set locomo'"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration and return the exit status.

    It is 0 whatever was remembered, 1 when the server failed, 2 when a data set was asked for by
    name and is not there, and 130 after Ctrl-C.
    """
    options = _options(arguments)
    path = _data() / "locomo" / "locomo10.json"
    if options.set == "locomo" and not path.exists():
        print(_LEFT_OUT, file=sys.stderr)
        return 2
    conversations = [korean()] if options.set != "locomo" else []
    if options.set != "korean" and path.exists():
        conversations.append(first_conversation(path))
    server = scripted() if options.scripted else nullcontext(options.url)
    status = _show_all(server, conversations)
    if status == 0 and not options.set and not path.exists():
        print(f"\n{_LEFT_OUT}")
    return status


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m infra.local.demo", description=__doc__)
    here = f"http://127.0.0.1:{os.environ.get('GIEOK_PORT', '8700')}"
    parser.add_argument("--url", default=here, help="the running server (default: %(default)s)")
    parser.add_argument(
        "--scripted",
        action="store_true",
        help="against a run of its own, whose model writes summaries of real length",
    )
    parser.add_argument("--set", choices=("korean", "locomo"), help="only this conversation")
    return parser.parse_args(arguments)


def _data() -> Path:
    return Path(os.environ.get("GIEOK_DATA") or _ROOT.parent / "shared" / "data")


def _show_all(server: AbstractContextManager[str], conversations: Sequence[Conversation]) -> int:
    """Show the conversations at the URL of a server and return the exit status."""
    try:
        with server as url:
            for conversation in conversations:
                asyncio.run(_show(url, conversation))
    except ServerFailed as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


async def _show(url: str, conversation: Conversation) -> None:
    """Replay one conversation as a user of its own and ask about it, printing what happens."""
    report = Report(min(shutil.get_terminal_size((140, 24)).columns, 180))
    started = time.monotonic()
    async with connect(url) as server:
        await server.sign_in(f"demo-{uuid4().hex[:12]}")
        character = await server.character(conversation.locale)
        print(f"\n{conversation.name}: {conversation.note}\nwith {character.name} at {url}\n")
        replay = Replay(server, character)
        memories = await _replay(report, replay, conversation)
        print(f"\n{report.head()}")
        answers = list[Answer]()
        async for answer in replay.ask(conversation):
            answers.append(answer)
            print(report.row(len(answers), answer), flush=True)
    print("", *report.figures(answers, memories), sep="\n")
    print(report.time(time.monotonic() - started, server.held_s))


async def _replay(report: Report, replay: Replay, conversation: Conversation) -> int:
    """Live through all sessions and return how many memories came of them."""
    number = memories = 0
    async for lived in replay.live(conversation):
        number, memories = number + 1, lived.memories
        print(report.lived(number, len(conversation.sessions), lived), flush=True)
    return memories


if __name__ == "__main__":
    sys.exit(main())
