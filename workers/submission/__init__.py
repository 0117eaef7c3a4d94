"""Turn documents into jobs of a run, and send them to the broker or perform them here."""
