"""Program to checked: the rules, each in its own file, and the only maker of a checked program."""
