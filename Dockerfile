# The command line, the worker and the web service in one image; docker-compose.yml runs the last two.
FROM python:3.11-slim

RUN useradd --create-home --uid 10001 claimgraph \
    && install -d -o claimgraph /var/lib/claimgraph/cache
WORKDIR /src
# What claimgraph depends on is a layer of its own, so an edit of the sources does not install it again.
COPY pyproject.toml requirements.lock ./
COPY scripts/lock.py scripts/
RUN python scripts/lock.py --build > build.txt \
    && python scripts/lock.py documents export sparql web workers > locked.txt \
    && pip install --no-cache-dir --require-hashes --only-binary :all: -r build.txt \
    && pip install --no-cache-dir --require-hashes --only-binary :all: -r locked.txt
COPY packages packages
RUN pip install --no-cache-dir --no-deps --no-build-isolation ./packages/entailment-base
COPY README.md LICENSE ./
COPY workers workers
COPY retrieval retrieval
COPY detect detect
COPY kgstore kgstore
COPY cypher cypher
COPY claimgraph claimgraph
RUN pip install --no-cache-dir --no-deps --no-build-isolation .

USER claimgraph
WORKDIR /home/claimgraph
CMD ["claimgraph", "--help"]
