# The command line, the worker and the web service in one image; docker-compose.yml runs the last two.
FROM python:3.11-slim

RUN useradd --create-home --uid 10001 claimgraph \
    && install -d -o claimgraph /var/lib/claimgraph/cache
WORKDIR /src
# What claimgraph depends on is a layer of its own, so an edit of the sources does not install it again.
COPY pyproject.toml requirements.lock ./
RUN python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
extras = project['optional-dependencies']; \
print(*project['dependencies'], *(line for name in ('documents', 'export', 'sparql', 'web', 'workers') for line in extras[name]), sep='\n')" \
    > requirements.txt && pip install --no-cache-dir -c requirements.lock -r requirements.txt
COPY packages packages
RUN pip install --no-cache-dir --no-deps ./packages/entailment-base
COPY README.md LICENSE ./
COPY workers workers
COPY retrieval retrieval
COPY detect detect
COPY kgstore kgstore
COPY cypher cypher
COPY claimgraph claimgraph
RUN pip install --no-cache-dir --no-deps .

USER claimgraph
WORKDIR /home/claimgraph
CMD ["claimgraph", "--help"]
