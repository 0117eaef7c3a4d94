"""Perform one task: claim it, do its work, store the result with the transition.

Start with `task_flow.py`.
"""
