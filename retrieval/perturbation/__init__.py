"""OKGQA-P: perturb a graph and measure how far it is from the original."""
