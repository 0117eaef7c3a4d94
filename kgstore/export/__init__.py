"""Write what is stored in the forms of other graph libraries.

Start with `py2neo.py`; verdicts as reports and RDF are in `claimgraph/exports`.
"""
