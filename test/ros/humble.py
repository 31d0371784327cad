"""Takes from rclpy what that of ROS 2 Humble (3.3) does not have: a pytest plugin.

`PYTHONPATH=test/ros python -m pytest -p humble test/ros` runs the tests so.
"""

import sys

try:
    from rclpy import event_handler
    from rclpy.node import Node
except ModuleNotFoundError:
    Node = None

LATER = (
    "add_post_set_parameters_callback",
    "add_pre_set_parameters_callback",
    "remove_post_set_parameters_callback",
    "remove_pre_set_parameters_callback",
)


def pytest_configure():
    if Node is None:
        return
    for name in LATER:
        delattr(Node, name)
    # It was called so until Iron. None in its place makes an import of the new name fail.
    sys.modules["rclpy.qos_event"] = event_handler
    sys.modules["rclpy.event_handler"] = None
    sys.modules["rclpy.experimental"] = None
