#!/bin/sh
# Lambda Web Adapter starts this and forwards every invocation to the port as plain HTTP.
exec python3 -m uvicorn functions.chat.asgi:app \
    --host 127.0.0.1 --port "$AWS_LWA_PORT" --log-level warning --no-access-log
