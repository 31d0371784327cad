"""The thin shell around the core: everything that knows ROS 2."""
