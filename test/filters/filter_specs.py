"""Sensors on which the settings of filters are tried."""

import math

from imu_noise_node.model.spec import ImuSpec, TriadSpec

DEGREE = math.pi / 180.0

WALKING = ImuSpec(
    gyroscope=TriadSpec(noise_density=2e-4, random_walk=3e-3),
    accelerometer=TriadSpec(noise_density=2e-3, random_walk=2e-2),
)
"""White noise, and a random walk that shows within a second."""

FLICKERING = TriadSpec(noise_density=0.34 * DEGREE / 60, bias_instability=4 * DEGREE / 3600)
SLOW = TriadSpec(noise_density=1e-4, random_walk=2e-5)
DRIFTING = TriadSpec(noise_density=1e-4, bias_stddev=4e-5, bias_correlation_time=100.0)
