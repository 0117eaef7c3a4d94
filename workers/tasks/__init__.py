"""The work on a document or a question, a class a task.

Start with `task_table.py`.
"""
