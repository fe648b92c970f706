# Plain text.
