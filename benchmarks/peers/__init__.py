"""The same classes, written for this project and for every library that people use instead."""
