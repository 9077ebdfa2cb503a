"""Entry point of `python -m entropick.cli`."""

from entropick.cli import main

if __name__ == "__main__":
    main()
