"""Every query of the engine: one function, one .sql file of the same name."""
