"""Run many documents: read what is submitted, and report the progress of a run."""
