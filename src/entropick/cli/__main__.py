"""`python -m entropick.cli` runs the program, too."""

from entropick.cli import main

if __name__ == "__main__":
    main()
