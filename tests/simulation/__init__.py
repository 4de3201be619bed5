"""Random games of every title, watched: what must hold in every state, and after every action."""
