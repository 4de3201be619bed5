"""Shortline: a made-up title of fifteen hexes."""
