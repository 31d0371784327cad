"""Installs the package, its node and its tools, and its files where ament looks for them."""

import os
from pathlib import Path
from xml.etree import ElementTree

from setuptools import find_packages, setup

manifest = ElementTree.parse("package.xml").getroot()
name = manifest.findtext("name")
maintainer = manifest.find("maintainer")


def files(pattern):
    return sorted(str(path) for path in Path().glob(pattern))


# A file in cli/ is a command; so `ros2 run` learns of it, too. In a plain Python environment names
# like `demo` would be in everybody's way: there it is `python -m imu_noise_node NAME`.
tools = [Path(path).stem for path in files("imu_noise_node/cli/[!_]*.py")]
ros_only = [
    *(f"{tool} = imu_noise_node.cli:script" for tool in tools),
    "moving_truth = imu_noise_node.ros.moving_truth:main",
]
if "AMENT_PREFIX_PATH" not in os.environ:
    ros_only = []

# ROS 2 as wheels, for who has none installed; jazzy is what `make` takes.
ros = {
    distribution: [
        f"ros-{distribution}-{package}"
        for package in (
            *("diagnostic-msgs", "geometry-msgs", "nav-msgs", "rclpy", "rmw-fastrtps-cpp"),
            *("rosgraph-msgs", "sensor-msgs", "std-srvs", "visualization-msgs"),
        )
    ]
    for distribution in ("jazzy", "kilted")
}

# What we are measured and tested against.
peer = "imu-error-model; python_version >= '3.11'"
allan_peer = "allan-variance; python_version >= '3.11'"
engine = "mujoco; python_version >= '3.11'"

setup(
    name=name,
    version=manifest.findtext("version"),
    description=manifest.findtext("description"),
    license=manifest.findtext("license"),
    maintainer=maintainer.text,
    maintainer_email=maintainer.get("email"),
    packages=find_packages(include=["imu_noise_node", "imu_noise_node.*"]),
    package_data={"imu_noise_node": ["py.typed", "profiles/presets/*.yaml"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{name}"]),
        (f"share/{name}", ["package.xml"]),
        (f"share/{name}/launch", files("launch/*.launch.py")),
        (f"share/{name}/config", files("config/*")),
    ],
    zip_safe=False,
    entry_points={
        "console_scripts": [
            "imu_noise_node = imu_noise_node.ros.__main__:main",
            *ros_only,
        ]
    },
    python_requires=">=3.10",
    install_requires=["numpy", "PyYAML"],
    extras_require={
        "ros": ros["jazzy"],
        **{f"ros-{distribution}": wheels for distribution, wheels in ros.items()},
        "tools": ["allantools", "matplotlib", "rosbags", "scipy", "tqdm"],
        "dask": ["distributed"],
        "test": [
            *(
                "coverage",
                "distributed",
                "hypothesis",
                "mypy",
                "pytest",
                "pytest-timeout",
                "pytest-xdist",
            ),
            *("ruff", "types-PyYAML", "vulture"),
            *(peer, engine),
        ],
        "bench": [peer, allan_peer],
        "examples": [engine],
    },
)
