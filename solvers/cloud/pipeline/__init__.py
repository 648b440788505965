"""The greedy pipeline of the cloud paper, section IV: one function a file, Algorithm 1 in `find`."""
