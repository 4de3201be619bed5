"""The rules of whole games."""
