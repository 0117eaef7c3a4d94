"""Perform one task: claim it, run its stage, store the result with the transition.

Start with `task_flow.py`.
"""
