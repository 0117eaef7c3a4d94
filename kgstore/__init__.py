"""Everything that touches a graph database: nouns, identity, the store seam and its two engines, files in and out."""
