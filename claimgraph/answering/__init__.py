"""Answer questions from stored graphs: link, prune, retrieve, write, check.

Start with `flow.answer`; `answer.py` holds the report that users get.
"""
