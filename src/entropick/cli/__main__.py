"""`python -m entropick.cli` is the program too."""

from entropick.cli import main

if __name__ == "__main__":
    main()
