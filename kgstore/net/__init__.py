"""Query public servers politely: budget, retries, rate limits, SPARQL."""
