"""Celery: the application, its tasks, and the differences of Redis and RabbitMQ."""
