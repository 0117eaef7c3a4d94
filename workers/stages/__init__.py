"""The stages of a job, from extraction to verdicts.

Start with `stage_table.py`.
"""
