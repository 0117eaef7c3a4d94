"""Commands that measure: every `eval-*` command, calibration, perturbation and robustness."""
