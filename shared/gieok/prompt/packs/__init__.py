"""The fixed text of prompts, one module a language, and which one a conversation takes."""
