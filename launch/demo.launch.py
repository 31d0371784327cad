"""A noisy IMU on a truth that moves, for a first look; `--show-args` lists what can be set."""

from pathlib import Path

from imu_noise_node.ros.launching import demonstration
from launch import LaunchDescription


def generate_launch_description() -> LaunchDescription:
    """Hand the work to the package; this file only knows where its share folder is."""
    return demonstration(share=Path(__file__).parents[1])
