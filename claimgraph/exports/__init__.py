"""Write current verdicts with their claims and evidence in forms that other programs read."""
