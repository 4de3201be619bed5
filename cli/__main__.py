"""``python -m cli`` is the command ``trackage``."""

from cli.main import main

main()
