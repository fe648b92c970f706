"""Static values of any type: exact tags, converters to declared types, and arrays."""
