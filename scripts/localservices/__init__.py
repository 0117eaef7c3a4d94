"""Neo4j, Redis and RabbitMQ for development and tests, with or without Docker.

Standard library only: `scripts/services` runs under the system's Python before any virtual environment exists.
A service is reached in one of three ways, tried in this order:

    given     NEO4J_URI or CELERY_BROKER_URL names a server; we check that it answers and never stop it
    compose   an engine answers `docker info`; the services of docker-compose.yml
    local     processes of our own on loopback: Neo4j from Maven's jars, Redis and RabbitMQ from Debian

Testcontainers was rejected since it needs an engine, and a shell script since locks, port choice and pid checks are
what it gets wrong.
"""
