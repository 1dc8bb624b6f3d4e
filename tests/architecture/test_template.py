"""What the template must say, whatever else it says."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from functions.memory_worker import handler as memory_worker
from functions.retention import handler as retention
from gieok import settings
from gieok.policy import COMPANION, RECALLS, REWRITES
from gieok.settings import Function
from infra.build import FUNCTIONS, LAMBDA_PYTHON
from infra.local.processes import poller
from infra.local.servers import aws
from tests.support.checkout import ROOT
from tests.support.template import Template, alarms_of, load

LAST_WRITES_S = 25
"""For a connection that has to be opened, and the statement that ends a window."""


@pytest.fixture(name="template", scope="module")
def _template() -> Template:
    """The template's values."""
    return load()


def function(template: Template, name: str) -> Template:
    properties: Template = template["Resources"][name]["Properties"]
    return properties


def rights(template: Template, name: str) -> set[tuple[str, str]]:
    """What a function's role may do, and to what."""
    role = function(template, name)["Role"]["GetAtt"].removesuffix(".Arn")
    found: set[tuple[str, str]] = set()
    for policy in function(template, role)["Policies"]:
        for statement in policy["PolicyDocument"]["Statement"]:
            action, target = statement["Action"], statement["Resource"]
            on = target if isinstance(target, str) else target["GetAtt"].removesuffix(".Arn")
            found |= {(a, on) for a in ([action] if isinstance(action, str) else action)}
    return found


def writing_to(logs: str) -> set[tuple[str, str]]:
    """What every function may do. X-Ray knows no resources."""
    return {
        ("logs:CreateLogStream", logs),
        ("logs:PutLogEvents", logs),
        ("xray:PutTraceSegments", "*"),
        ("xray:PutTelemetryRecords", "*"),
    }


def variables(template: Template, name: str) -> dict[str, str]:
    """What a function is told when every parameter has its default."""
    values: Template = function(template, name)["Environment"]["Variables"]
    return {k: str(_value(template, v)) for k, v in values.items()}


def _value(template: Template, value: Any) -> Any:
    parameter = template["Parameters"].get(value.get("Ref")) if isinstance(value, dict) else None
    return value if parameter is None else parameter.get("Default", value)


def test_there_are_three_functions_over_one_layer(template: Template) -> None:
    kinds = [r["Type"] for r in template["Resources"].values()]
    assert kinds.count("AWS::Serverless::Function") == 3
    assert kinds.count("AWS::Serverless::LayerVersion") == 1
    assert set(FUNCTIONS) <= set(template["Resources"])


def test_each_role_may_do_what_its_function_does_and_no_more(template: Template) -> None:
    assert rights(template, "ChatFunction") == writing_to("ChatLogs") | {
        ("sqs:SendMessage", "MemoryQueue"),
        ("kms:GenerateDataKey", "DataKey"),
        ("kms:Decrypt", "DataKey"),
    }
    assert rights(template, "MemoryWorkerFunction") == writing_to("MemoryWorkerLogs") | {
        ("sqs:ReceiveMessage", "MemoryQueue"),
        ("sqs:DeleteMessage", "MemoryQueue"),
        ("sqs:GetQueueAttributes", "MemoryQueue"),
        ("sqs:SendMessage", "MemoryQueue"),
        ("kms:Decrypt", "DataKey"),
    }
    assert rights(template, "RetentionSweepFunction") == writing_to("RetentionSweepLogs") | {
        ("sqs:SendMessage", "MemoryQueue"),
    }


def test_no_role_has_rights_beside_those_the_template_spells_out(template: Template) -> None:
    """The transform would add policies for a whole account to a role that it makes itself."""
    roles = [r["Properties"] for r in template["Resources"].values() if r["Type"].endswith("Role")]
    assert len(roles) == len(FUNCTIONS)
    assert not [r for r in roles if "ManagedPolicyArns" in r]
    assert not [n for n in FUNCTIONS if "Policies" in function(template, n)]


def test_each_handler_is_the_module_that_runs_on_a_laptop(template: Template) -> None:
    worker, sweep = (
        function(template, n)["Handler"] for n in ("MemoryWorkerFunction", "RetentionSweepFunction")
    )
    assert (worker, sweep) == (
        f"{memory_worker.handler.__module__}.{memory_worker.handler.__name__}",
        f"{retention.handler.__module__}.{retention.handler.__name__}",
    )


def test_the_runtime_is_the_one_that_bytecode_is_compiled_for(template: Template) -> None:
    assert template["Globals"]["Function"]["Runtime"] == f"python{LAMBDA_PYTHON}"
    assert function(template, "EngineLayer")["CompatibleRuntimes"] == [f"python{LAMBDA_PYTHON}"]


def test_the_sweep_can_call_no_model_and_open_no_ciphertext(template: Template) -> None:
    told = " ".join(variables(template, "RetentionSweepFunction"))
    assert not re.search("GEMINI|OPENAI|KMS|REDIS", told)


RESOLVED = {
    "GIEOK_DATABASE_URL": "postgresql://role@cluster/gieok?sslmode=verify-full",
    "UPSTASH_REDIS_REST_URL": "https://redis.example",
    "GIEOK_QUEUE_URL": "https://sqs.example/queue",
    "GIEOK_OIDC_JWKS_URL": "https://issuer.example/keys",
    "GIEOK_OPENAI_BASE_URL": "https://models.example/v1",
    "GIEOK_GEMINI_BASE_URL": "",
}
"""What secrets, references and parameters stand for in a stack."""


def resolved(values: Mapping[str, str]) -> dict[str, str]:
    """The variables of a function as it finds them."""
    return {name: RESOLVED.get(name, value) for name, value in values.items()}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ChatFunction", "chat"),
        ("MemoryWorkerFunction", "memory_worker"),
        ("RetentionSweepFunction", "retention_sweep"),
    ],
)
def test_each_function_is_told_every_setting_it_needs(
    template: Template, name: str, kind: Function
) -> None:
    values = variables(template, name)
    settings.read(kind, resolved(values))
    assert f":{kind}}}}}" in values["GIEOK_DATABASE_URL"], "each function has a role of its own"


def test_every_ranking_that_the_engine_has_can_be_chosen(template: Template) -> None:
    parameter = template["Parameters"]["Recall"]
    assert parameter["AllowedValues"] == list(RECALLS)
    assert parameter["Default"] == parameter["AllowedValues"][0]
    for value in parameter["AllowedValues"]:
        told = variables(template, "ChatFunction") | {"GIEOK_RECALL": value}
        assert settings.read("chat", resolved(told)).policy.recall == RECALLS[value]


def test_questions_can_be_rewritten_in_every_way_that_the_engine_has(template: Template) -> None:
    parameter = template["Parameters"]["Rewrite"]
    assert (parameter["Default"], parameter["AllowedValues"]) == (REWRITES[0], list(REWRITES))
    told = function(template, "ChatFunction")["Environment"]["Variables"]
    assert told["GIEOK_REWRITE"] == {"Ref": "Rewrite"}


def test_a_chat_function_and_a_worker_agree_on_the_early_trigger(template: Template) -> None:
    for name in ("ChatFunction", "MemoryWorkerFunction"):
        told = function(template, name)["Environment"]["Variables"]
        assert told["GIEOK_EARLY_TRIGGER"] == {"Ref": "EarlyTrigger"}
    assert template["Parameters"]["EarlyTrigger"]["AllowedValues"] == ["off", "on"]


def test_what_is_lost_unless_an_operator_looks_is_an_alarm(template: Template) -> None:
    """That these are the counts which are really emitted: tests/integration/test_alarms.py."""
    alarms = alarms_of(template)
    assert {a["MetricName"] for a in alarms} == {"window_parked", "unsummarised_lost"}
    for alarm in alarms:
        assert alarm["Statistic"] == "Sum"
        assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (0, "GreaterThanThreshold")
        assert alarm["TreatMissingData"] == "notBreaching", "no news is good news"
        assert alarm["AlarmActions"]["If"][1] == [{"Ref": "AlarmTopicArn"}]


def test_an_operator_is_told_of_each_alarm_what_it_means(template: Template) -> None:
    told = (ROOT / "docs" / "operations.md").read_text()
    for alarm in alarms_of(template):
        assert f"`{alarm['MetricName']}`" in told


def test_secrets_are_references_and_never_parameters(template: Template) -> None:
    for name in FUNCTIONS:
        for key, value in variables(template, name).items():
            if re.search("TOKEN|API_KEY|DATABASE_URL", key):
                assert "resolve:secretsmanager" in str(value), (name, key)
    assert not [p for p in template["Parameters"] if re.search("Password|Token|ApiKey", p)]


def test_the_chat_function_streams_through_the_web_adapter(template: Template) -> None:
    chat, told = function(template, "ChatFunction"), variables(template, "ChatFunction")
    assert chat["FunctionUrlConfig"]["InvokeMode"] == "RESPONSE_STREAM"
    assert told["AWS_LWA_INVOKE_MODE"] == "response_stream"
    assert told["AWS_LAMBDA_EXEC_WRAPPER"] == "/opt/bootstrap"
    assert told["AWS_LWA_READINESS_CHECK_PATH"] == "/healthz"
    assert told["PYTHONPATH"].split(":") == ["/opt/python", "/var/task"]
    assert "LambdaAdapterLayer" in str(chat["Layers"])
    assert (ROOT / chat["Handler"]).stat().st_mode & 0o111


def test_the_function_url_has_both_permissions(template: Template) -> None:
    """The transform makes the one for InvokeFunctionUrl; the other is ours."""
    permission = function(template, "ChatUrlInvokePermission")
    assert permission["Action"] == "lambda:InvokeFunction"
    assert permission["InvokedViaFunctionUrl"] is True


def test_strangers_cannot_cost_more_than_the_reserved_concurrency(template: Template) -> None:
    assert "ReservedConcurrentExecutions" in function(template, "ChatFunction")


def test_a_turn_ends_before_its_function_and_its_lease_after(template: Template) -> None:
    timeout = function(template, "ChatFunction")["Timeout"]
    assert COMPANION.chat.answer_s < timeout < COMPANION.chat.turn_lease.total_seconds()


def test_a_message_is_hidden_for_six_times_the_workers_timeout(template: Template) -> None:
    worker, queue = function(template, "MemoryWorkerFunction"), function(template, "MemoryQueue")
    assert queue["VisibilityTimeout"] >= 6 * worker["Timeout"]
    assert queue["RedrivePolicy"]["maxReceiveCount"] == aws.MAX_RECEIVES
    assert (queue["VisibilityTimeout"], worker["Timeout"]) == (aws.VISIBILITY_S, poller.TIMEOUT_S)


def test_a_worker_ends_its_call_before_its_function_ends_it(template: Template) -> None:
    worker, generation = function(template, "MemoryWorkerFunction"), COMPANION.generation
    batch = worker["Events"]["Hints"]["Properties"]["BatchSize"]
    assert generation.deadline_s <= generation.call_s, "the first window always fits"
    assert batch * generation.call_s + LAST_WRITES_S <= worker["Timeout"]
    assert generation.backfill_s + generation.embedding_s < LAST_WRITES_S


def test_the_worker_reports_partial_failures_and_is_bounded(template: Template) -> None:
    event = function(template, "MemoryWorkerFunction")["Events"]["Hints"]["Properties"]
    assert event["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert "MaximumConcurrency" in event["ScalingConfig"]


def test_the_schedule_has_a_dead_letter_queue_of_its_own(template: Template) -> None:
    (event,) = function(template, "RetentionSweepFunction")["Events"].values()
    assert event["Type"] == "ScheduleV2"
    assert event["Properties"]["DeadLetterConfig"]["Arn"] == {"GetAtt": "ScheduleDeadLetters.Arn"}


def test_two_stacks_of_one_account_do_not_want_the_same_name(template: Template) -> None:
    (event,) = function(template, "RetentionSweepFunction")["Events"].values()
    assert event["Properties"]["OmitName"] is True
    named = [
        r for r in template["Resources"].values() if re.search("'(?!Metric)\\w+Name': '", str(r))
    ]
    assert not [r for r in named if r["Type"] != "AWS::IAM::Role"]


def test_the_key_outlives_the_stack(template: Template) -> None:
    key = template["Resources"]["DataKey"]
    assert (key["DeletionPolicy"], key["UpdateReplacePolicy"]) == ("Retain", "Retain")


def test_every_function_writes_to_a_log_that_ends(template: Template) -> None:
    for name in FUNCTIONS:
        group = function(template, name)["LoggingConfig"]["LogGroup"]["Ref"]
        assert "RetentionInDays" in function(template, group)
