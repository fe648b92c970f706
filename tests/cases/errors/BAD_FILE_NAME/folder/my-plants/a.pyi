"""One report for the folder, not one a file."""
