"""Methods of detection with one interface: `rules`, `grapheval`, `kea`, `factalign`, `fusion`, `graph_evidence`."""
