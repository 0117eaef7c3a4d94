"""The two engines behind the store interface: Neo4j over Bolt and kglite in this process, with migrations.

Start with `bolt.py` and `embedded.py`.
"""
