"""Events as lines of JSON in the log, and setbacks as CloudWatch counts besides (embedded metric
format).

Fields are ids, counts, codes and durations. A user's words have no way in: values are cut short,
and nothing here formats an exception's text.
"""

from aws_lambda_powertools import Logger, single_metric
from aws_lambda_powertools.metrics import MetricUnit

Field = str | int | float | bool | None

NAMESPACE = "Gieok"
_LONGEST = 128
"""Characters of a text in a log line, at most."""

_logger = Logger(service="gieok")


def event(name: str, /, **fields: Field) -> None:
    """Log that something went as expected; nothing is counted."""
    _logger.info(name, extra=_short(fields), stacklevel=3)


def setback(name: str, /, *, count: int = 1, **fields: Field) -> None:
    """Log that a fallback was taken or something was lost, and add `count` to the metric `name`."""
    _warn(name, count, fields)


def failure(name: str, error: BaseException, /, **fields: Field) -> None:
    """Log that something broke, and add 1 to the metric `name`.

    The line has the error's type and where it was raised, never its text.
    """
    where = "unknown"
    trace = error.__traceback__
    while trace:
        where = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}"
        trace = trace.tb_next
    _warn(name, 1, {"error": type(error).__name__, "where": where, **fields})


def _warn(name: str, count: int, fields: dict[str, Field]) -> None:
    _logger.warning(name, extra=_short({"count": count, **fields}), stacklevel=4)
    with single_metric(
        name=name, unit=MetricUnit.Count, value=count, namespace=NAMESPACE
    ) as metric:
        metric.add_dimension("service", "gieok")


def _short(fields: dict[str, Field]) -> dict[str, Field]:
    return {k: v[:_LONGEST] if isinstance(v, str) else v for k, v in fields.items()}
