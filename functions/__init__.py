"""The Lambda functions: parse, call one use case, map the result."""
