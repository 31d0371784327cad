"""A noisy IMU from a simulator's truth; `--show-args` lists what can be set."""

from pathlib import Path

from imu_noise_node.ros.launching import simulation
from launch import LaunchDescription


def generate_launch_description() -> LaunchDescription:
    """Hand the work to the package; this file only knows where its share folder is."""
    return simulation(share=Path(__file__).parents[1])
