"""Celery: the application, its tasks, and what Redis and RabbitMQ do differently."""
