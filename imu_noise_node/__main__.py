"""`python3 -m imu_noise_node NAME` runs the tool of that name."""

import sys

from imu_noise_node.cli import run

sys.exit(run(sys.argv[1:], program="python3 -m imu_noise_node"))
