"""How to reach the stand-in for AWS (`infra.local.servers.sqs`), and what is made there."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_sqs import SQSClient

REGION = "ap-northeast-2"
ANYBODY = "local"
"""An access key and its secret. The SDK wants both, and moto takes any."""
MAX_RECEIVES = 5
"""Deliveries of a message before it goes to the dead-letter queue; as in template.yaml."""
VISIBILITY_S = 720
"""Seconds for which a delivered message is hidden, as in template.yaml: six times the worker's
timeout, which AWS asks of a queue behind Lambda."""


@dataclass(frozen=True, slots=True)
class Queue:
    """The URLs of a queue and of its dead-letter queue."""

    url: str
    dead_letters: str


@dataclass(frozen=True, slots=True)
class Aws:
    """A moto server; `endpoint` is its URL."""

    endpoint: str

    def environment(self) -> dict[str, str]:
        """The variables that make another process's SDK talk to this server and to nothing else."""
        nothing = "/dev/null"
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": ANYBODY,
            "AWS_SECRET_ACCESS_KEY": ANYBODY,
            "AWS_CONFIG_FILE": nothing,
            "AWS_SHARED_CREDENTIALS_FILE": nothing,
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def sqs(self) -> "SQSClient":
        """A client of this server's SQS."""
        client: SQSClient = _session().client("sqs", endpoint_url=self.endpoint)
        return client

    def kms(self) -> "KMSClient":
        """A client of this server's KMS."""
        client: KMSClient = _session().client("kms", endpoint_url=self.endpoint)
        return client

    def create_queue(self, name: str, visibility_s: int = VISIBILITY_S) -> Queue:
        """Make a queue that gives up on a message after `MAX_RECEIVES` deliveries."""
        sqs = self.sqs()
        dead = sqs.create_queue(QueueName=f"{name}-dead-letters")["QueueUrl"]
        arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])
        redrive = {
            "deadLetterTargetArn": arn["Attributes"]["QueueArn"],
            "maxReceiveCount": str(MAX_RECEIVES),
        }
        made = sqs.create_queue(
            QueueName=name,
            Attributes={
                "VisibilityTimeout": str(visibility_s),
                "RedrivePolicy": json.dumps(redrive),
            },
        )
        return Queue(made["QueueUrl"], dead)

    def create_key(self) -> str:
        """Make a key that wraps data keys; returns its id."""
        return self.kms().create_key()["KeyMetadata"]["KeyId"]


def _session() -> boto3.Session:
    return boto3.Session(ANYBODY, ANYBODY, region_name=REGION)
