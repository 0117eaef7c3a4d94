"""Commands on the store: load files, fetch a world, query in Cypher, back up and clean up."""
