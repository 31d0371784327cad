"""How fast and how large the package is, as ratios to its peers and to the bare limits.

Absolute times say little about a package and much about a machine. So every figure is a ratio of
two jobs that run in turn, in the same minute on the same cores, and the median over many rounds.
"""

import os

# One thread: what a pool of BLAS threads adds on small arrays is noise.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"
