"""AWS clients, straight from botocore: boto3 adds only its transfer manager (0.06 s at start)."""

from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.session import get_session

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_sqs import SQSClient

_PATIENCE = Config(
    connect_timeout=2, read_timeout=5, retries={"max_attempts": 2, "mode": "standard"}
)


def kms() -> "KMSClient":
    """A client of the Key Management Service."""
    return cast("KMSClient", get_session().create_client("kms", config=_PATIENCE))


def sqs() -> "SQSClient":
    """A client of the Simple Queue Service."""
    return cast("SQSClient", get_session().create_client("sqs", config=_PATIENCE))
