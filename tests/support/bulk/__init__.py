"""Many memories at once, as rows: what benchmarks and tests of plans are measured on."""
