"""The services around the database that have a port: Redis for lock and rate limit, SQS for hints.

Each adapter translates the errors of its SDK once, into those of `errors`. None of them holds the
truth: when any of these services is lost, no memory is lost. Providers of models are in
`providers`, key services in `privacy`.

Others call: `sqs_queue.SqsQueue`, `sqs_queue.from_body`, `upstash.RedisLock`,
`upstash.RedisRateLimiter`, `upstash.connect`.
"""
