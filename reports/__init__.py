"""Renders a run folder's run.json as Markdown, HTML and PDF. Nothing else is read, nothing is run again."""
