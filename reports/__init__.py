"""Renders the run.json of a run as Markdown, HTML and PDF. It reads no other file and measures nothing."""
