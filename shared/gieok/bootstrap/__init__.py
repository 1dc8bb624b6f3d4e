"""The only composition root: settings in, a working engine out.

One module an engine, so that a function loads no more than its engine has: the sweep starts without
models, ciphers, Redis and AWS' SDK. Nothing connects here: every client opens its first connection
when it is first used, so that a snapshot of a started function holds nothing that is unique or
connected.
"""
