# The command line, the worker and the web service in one image; docker-compose.yml runs the last two.
FROM python:3.11-slim

RUN useradd --create-home --uid 10001 claimgraph \
    && install -d -o claimgraph /var/lib/claimgraph/cache
WORKDIR /src
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY claimgraph claimgraph
COPY workers workers
COPY retrieval retrieval
COPY detect detect
COPY kgstore kgstore
COPY cypher cypher
RUN pip install --no-cache-dir -c requirements.lock '.[sparql,web,workers]'

USER claimgraph
WORKDIR /home/claimgraph
CMD ["claimgraph", "--help"]
