"""Claims by a Stanford CoreNLP server, as FactAlign extracts them."""
