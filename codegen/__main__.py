"""`python -m codegen` is `codegen`."""

from codegen.cli.main import run

if __name__ == "__main__":
    run()
