"""The command line: what users type and see. All other code takes and returns values."""
