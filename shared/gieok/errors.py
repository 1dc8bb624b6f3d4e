"""Every error the engine raises, in one tree.

    GieokError
    ├── BadRequest            the caller's input; nothing was changed
    │   ├── InvalidId
    │   └── InvalidText
    ├── NotFound              no such thing for this user
    ├── Conflict
    │   ├── TurnInProgress
    │   ├── SessionClosed
    │   ├── MessageIdReused
    │   └── Interrupted
    ├── RateLimited
    ├── Unavailable           something we depend on; worth another try
    │   ├── DatabaseUnavailable
    │   ├── LockUnavailable
    │   ├── QueueUnavailable
    │   └── KeyServiceUnavailable
    ├── ModelError            a provider's call did not give what was asked for
    │   ├── ModelUnavailable      any other status, network, cut stream, not configured
    │   │   └── ModelRejected     the request itself: 400, 413, 422
    │   ├── ModelRateLimited      429
    │   ├── ModelTimeout
    │   ├── ModelBlocked          refused for safety
    │   ├── ModelTruncated        output limit reached
    │   └── ModelMalformed        not the schema; empty; wrong count or width of vectors
    ├── DecryptionFailed      a ciphertext that is not this row's, or a damaged one
    ├── KeyDestroyed          the user's data key was destroyed
    └── Misconfigured         the deployment is wrong; an operator must act
        └── MadeByPreRelease

Errors carry data (ids, counts, names of fields) and never a user's words. Which HTTP status answers
an error is decided in the chat function alone.
"""

from typing import ClassVar


class GieokError(Exception):
    """The base of all. `code` is stable and part of the HTTP contract.

    `retryable` says whether the same call may succeed when it is made again. `told` is what a
    client may read of it: its text where that is of the request, nothing where it is of our house.
    """

    code: ClassVar[str] = "internal_error"
    retryable: ClassVar[bool] = False
    of_request: ClassVar[bool] = False

    @property
    def told(self) -> str:
        """The text for a client."""
        return str(self) if self.of_request else ""


class BadRequest(GieokError):
    """Input that breaks a rule; `detail` names the field and the rule, not the value."""

    of_request = True
    code = "invalid_request"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class InvalidId(BadRequest):
    """An identifier that no `ids.show` could have made."""

    code = "invalid_id"

    def __init__(self, kind: str) -> None:
        super().__init__(f"not a {kind}_ identifier")


class InvalidText(BadRequest):
    """Text that is blank, too long, or holds characters that cannot be stored."""

    code = "invalid_text"


class NotFound(GieokError):
    """Nothing of that kind for this user: it never existed, or it is somebody else's."""

    of_request = True
    code = "not_found"

    def __init__(self, kind: str) -> None:
        super().__init__(f"no such {kind}")
        self.kind = kind


class Conflict(GieokError):
    """The request is valid, but it does not fit the present state."""

    of_request = True
    code = "conflict"


class TurnInProgress(Conflict):
    """The session is answering another message."""

    code = "turn_in_progress"
    retryable = True

    def __init__(self) -> None:
        super().__init__("the session is answering a message; try again when it has answered")


class SessionClosed(Conflict):
    """The session was ended or has expired; a new one keeps its memories."""

    code = "session_closed"

    def __init__(self) -> None:
        super().__init__("the session was ended or has expired; a new one keeps its memories")


class MessageIdReused(Conflict):
    """The client message id was used before for another message; this one was not taken."""

    code = "message_id_reused"


class Interrupted(Conflict):
    """A turn that ended without its answer: its process died, or it was taken back meanwhile."""

    code = "interrupted"
    retryable = True

    def __init__(self) -> None:
        super().__init__("there is no answer; the same message may be sent again")


class RateLimited(GieokError):
    """One user sent too many requests; `retry_after` is in whole seconds."""

    of_request = True
    code = "rate_limited"
    retryable = True

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"retry after {retry_after} s")
        self.retry_after = retry_after


class Unavailable(GieokError):
    """A service behind us did not answer as it should."""

    code = "unavailable"
    retryable = True


class DatabaseUnavailable(Unavailable):
    """PostgreSQL refused or dropped the connection or never answered, even after one reconnect."""

    code = "database_unavailable"


class LockUnavailable(Unavailable):
    """Redis refused, or did not answer in time."""

    code = "lock_unavailable"


class QueueUnavailable(Unavailable):
    """SQS refused, or did not answer in time."""

    code = "queue_unavailable"


class KeyServiceUnavailable(Unavailable):
    """KMS refused, or did not answer in time."""

    code = "key_service_unavailable"


class ModelError(GieokError):
    """A call to a provider failed; `model` is the one that was asked, `reason` may be empty."""

    code = "model_unavailable"
    retryable = True

    def __init__(self, model: str, reason: str = "") -> None:
        super().__init__(f"{model}: {reason}" if reason else model)
        self.model = model
        self.reason = reason


class ModelUnavailable(ModelError):
    """The model cannot be had now: an HTTP status that no other error stands for, a network
    failure, a cut stream, or a provider that is not configured."""


class ModelRejected(ModelUnavailable):
    """The provider will not take this request (400, 413, 422), and would not the next time."""

    retryable = False


class ModelRateLimited(ModelError):
    """The provider answered 429: the calls were too many, or a quota is spent."""

    code = "model_rate_limited"


class ModelTimeout(ModelError):
    """The provider did not answer, or not completely, within the call's time."""

    code = "model_timeout"


class ModelBlocked(ModelError):
    """The provider refused the prompt or the answer for safety."""

    code = "model_blocked"
    retryable = False


class ModelTruncated(ModelError):
    """The output limit cut the answer."""

    code = "model_truncated"


class ModelMalformed(ModelError):
    """The answer is not of the schema that was asked for, is empty, or holds vectors of a wrong
    count, width or value (NaN)."""

    code = "model_malformed"


class DecryptionFailed(GieokError):
    """The ciphertext does not belong to this user, table, column and row, or is damaged."""

    code = "decryption_failed"


class KeyDestroyed(GieokError):
    """The user's data key was destroyed: nothing of theirs can be read or written."""

    of_request = True
    code = "user_erased"

    def __init__(self) -> None:
        super().__init__("everything of this user was erased")


class Misconfigured(GieokError):
    """A setting is missing, malformed or contradicts another; the text says which one."""

    code = "misconfigured"


class MadeByPreRelease(Misconfigured):
    """The database was made before the first release; no migration leads from there to here."""
