"""A small made-up title, added as docs/adding_a_title.md says."""
