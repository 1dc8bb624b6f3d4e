"""Everything that is promised, checked."""
