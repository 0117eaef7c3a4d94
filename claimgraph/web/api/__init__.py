"""The routes of the HTTP API, under /api."""
