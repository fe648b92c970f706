"""Check a program. Each rule has its own file. Only this stage creates a checked program."""
