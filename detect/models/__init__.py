"""Models and their caches: embeddings, entailment, on onnxruntime or torch.

Start with `embedder.py` and `entailment.py`.
"""
