"""The node as a process: `python3 -m imu_noise_node.ros`, or `ros2 run imu_noise imu_noise_node`."""

from __future__ import annotations

import sys

from .interrupt import Interrupt


def main() -> int:
    """Run the node until it is interrupted; return the exit code."""
    interrupt = Interrupt()
    # It takes most of a second, in which Python alone would answer a signal with a traceback.
    from .node import main as serve

    return serve(interrupt=interrupt)


if __name__ == "__main__":
    sys.exit(main())
