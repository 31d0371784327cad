"""A noisy IMU in Gazebo: the bridge and the node; `--show-args` lists what can be set."""

from pathlib import Path

from imu_noise_node.ros.launching import gazebo_simulation
from launch import LaunchDescription


def generate_launch_description() -> LaunchDescription:
    """Hand the work to the package; this file only knows where its share folder is."""
    return gazebo_simulation(share=Path(__file__).parents[1])
