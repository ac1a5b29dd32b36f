"""``python -m steelyard`` is the command."""

from steelyard.cli import main

if __name__ == "__main__":
    main()
