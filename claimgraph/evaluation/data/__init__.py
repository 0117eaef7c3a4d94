"""Read labelled files: texts, facts and questions in the documented schemas.

Start with `labelled.py`.
"""
