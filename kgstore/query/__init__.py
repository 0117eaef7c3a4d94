"""User Cypher: the guard that admits reads only, and the sandbox that bounds them.

Start with `guard.py`.
"""
