"""Convert a checked program to page values, with plain texts and all decisions made.

build(checked)    ->    (Page("index.html", ...), Page("modules/heat.html", ...))

The templates turn the texts into HTML, and escape all of them.
"""
