"""Celery workers: thin, idempotent tasks over the pipeline."""
