"""What the figures were measured on."""

import os
import platform

import psutil


def machine() -> str:
    """Processor, cores, memory, system and Python in one line."""
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}"
        f" {platform.release()}, Python {platform.python_version()}"
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
