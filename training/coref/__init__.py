"""Train the mention ranker of coreference.

Start with `examples.py`, then `train.py`; `training/run-coref` runs all of it.
"""
