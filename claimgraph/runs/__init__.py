"""Many documents as a run: read what was given, and report how far a run is."""
