"""Serve the web page and the HTTP API."""
