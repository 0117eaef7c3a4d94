"""The jobs of a run, and the board on which workers take tasks.

Start with `board.py`.
"""
