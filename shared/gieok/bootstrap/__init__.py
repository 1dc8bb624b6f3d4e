"""The composition roots: settings go in, a working engine comes out.

There is one module for each engine, so that a function loads no more than its engine has: the sweep
starts without models, ciphers, Redis and the AWS SDK. Nothing connects here: every client opens its
first connection when it is first used, so that a snapshot of a started function holds nothing that
is unique or connected.

Others call: `cold_start.loaded`, `engine.build_engine`, `sweep.build_sweep_engine`.
"""
