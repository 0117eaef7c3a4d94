"""Everything that touches a graph database: model, identity, the store interface and its two engines, files in
and out.
"""
