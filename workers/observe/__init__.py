"""Report on a worker: JSON log lines and Prometheus metrics."""
