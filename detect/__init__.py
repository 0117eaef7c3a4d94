"""Decide what the evidence says about a claim: pure functions over claims and facts."""
