"""The measures themselves: classification metrics with intervals, ROUGE, pairs of entities."""
