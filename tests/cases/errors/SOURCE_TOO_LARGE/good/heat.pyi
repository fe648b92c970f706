# Short.
