"""View to rendered: the templates, and the header that every file gets."""
