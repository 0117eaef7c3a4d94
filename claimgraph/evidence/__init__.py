"""What claims are checked against: contexts, stored graphs, or both, composed in `claimgraph/pipeline.py`.

Start with `evidence_set.py` (closed domain) and `graphs.py` (open domain).
"""
