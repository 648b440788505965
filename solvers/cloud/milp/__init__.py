"""The paper's integer program for solvers that only speak MPS, LP or PuLP; see `program` for the model."""
