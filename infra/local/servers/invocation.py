"""What Lambda tells a handler about an invocation."""

import time
from dataclasses import dataclass, field
from uuid import uuid4

from infra.local.servers.aws import REGION

ACCOUNT = "123456789012"
"""The account number that AWS uses in its examples, and moto too."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """The context object of one invocation, with the names that Lambda gives its fields."""

    function_name: str
    timeout_s: float
    memory_limit_in_mb: int = 512
    function_version: str = "$LATEST"
    aws_request_id: str = field(default_factory=lambda: str(uuid4()))
    _began: float = field(default_factory=time.monotonic)

    @property
    def invoked_function_arn(self) -> str:
        """The ARN that such a function would have."""
        return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{self.function_name}"

    @property
    def log_group_name(self) -> str:
        """The log group to which Lambda would write."""
        return f"/aws/lambda/{self.function_name}"

    @property
    def log_stream_name(self) -> str:
        """The log stream, of which Lambda has one for each execution environment."""
        return "local"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation; here nobody does."""
        left = self._began + self.timeout_s - time.monotonic()
        return max(0, int(left * 1000))
