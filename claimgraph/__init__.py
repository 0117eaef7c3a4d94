"""claimgraph."""
