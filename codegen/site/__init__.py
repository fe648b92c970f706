"""A checked program as pages for people: every decision taken, every text still plain.

build(checked)    ->    (Page("index.html", ...), Page("modules/heat.html", ...))

What becomes of the texts in HTML is for the templates, which escape all of them.
"""
