"""What a worker reports: JSON log lines and Prometheus metrics."""
