"""SQS batch → memories."""
