"""The rows of the suite: a module a kind of work, each with `measured(full)`, which yields figures."""
