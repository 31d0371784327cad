# Copyright 2026 the imu_noise contributors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Imports run one way, and each foreign package has one door.

The rules are tables; `violations` holds any tree of files against them, so that the same code
judges the package and the deliberately broken trees below.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

PACKAGE = "imu_noise_node"
SOURCES = Path(__file__).resolve().parents[1] / PACKAGE

# A part imports from its own layer and the ones above it in this table, never from one below.
LAYERS = [
    {"errors", "files", "units", "schema", "samples"},
    {"motion", "model", "delivery"},
    {"attitude", "calibration", "checkpoint", "pipeline", "profiles"},
    {"analysis", "bags", "filters", "recordings", "simulation"},
    {"__init__"},
    {"cli", "ros"},
    {"__main__"},
]
STRANGERS = [{"motion", "model"}, {"cli", "ros"}]

# Who may import a foreign package; what is in none of these tables, nobody may.
EVERYBODY = {*sys.stdlib_module_names, "numpy", "yaml"}
DOORS = {
    "allantools": {"analysis"},
    "ament_index_python": {"ros/launching"},
    "builtin_interfaces": {"ros"},
    "diagnostic_msgs": {"ros"},
    "distributed": {"simulation"},
    "geometry_msgs": {"ros"},
    "launch": {"ros/launching"},
    "launch_ros": {"ros/launching"},
    "matplotlib": {"analysis", "cli"},
    "nav_msgs": {"ros"},
    "rcl_interfaces": {"ros"},
    "rclpy": {"ros"},
    "rosbags": {"bags"},
    "rosgraph_msgs": {"ros"},
    "scipy": {"analysis", "simulation"},
    "sensor_msgs": {"ros"},
    "std_msgs": {"ros"},
    "tf2_msgs": {"ros/tf_package"},
    "tf2_ros": {"ros/tf_package"},
    "std_srvs": {"ros"},
    "visualization_msgs": {"ros"},
    "tqdm": {"cli"},
}
# What rosdep does not install; an extra of setup.py does.
PIP_ONLY = {"allantools", "distributed", "rosbags"}
# The rosdep keys of those that are named otherwise.
KEYS = {name: f"python3-{name}" for name in ("matplotlib", "numpy", "scipy", "tqdm", "yaml")}
KEYS["tf2_ros"] = "tf2_ros_py"
# The core may use these where they are found, and must do without them where they are not.
OPTIONAL = {"scipy"}


def test_the_package_keeps_the_rules():
    assert violations(SOURCES) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("samples.py", "from imu_noise_node.motion import kinematics"),
        ("samples.py", "from . import pipeline"),
        ("motion/kinematics.py", "from ..model.spec import ImuSpec"),
        ("motion/kinematics.py", "import imu_noise_node.model"),
        ("model/imu.py", "from imu_noise_node import motion"),
        ("model/imu.py", "from imu_noise_node import ImuSpec"),
        ("model/imu.py", "def late():\n    from ..pipeline import Pipeline"),
        ("model/imu.py", "import scipy.signal"),
        ("model/imu.py", "import pandas"),
        ("analysis/allan.py", "from rosbags.highlevel import AnyReader"),
        ("analysis/allan.py", "from ..cli import run"),
        ("pipeline.py", "import rclpy"),
        ("__init__.py", "from .ros.node import main"),
        ("cli/demo.py", "from ..ros import node"),
        ("cli/demo.py", "from sensor_msgs.msg import Imu"),
        ("ros/node.py", "from ..cli import demo"),
        ("ros/node.py", "from launch import LaunchDescription"),
        ("gadgets.py", "import math"),
    ],
)
def test_a_broken_rule_is_found(tmp_path, file, line):
    assert len(violations(_tree(tmp_path, file, line))) == 1


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("motion/kinematics.py", "from ..samples import Truth"),
        ("motion/kinematics.py", "from . import rotations"),
        ("model/imu.py", "try:\n    import scipy.signal\nexcept ImportError:\n    pass"),
        ("analysis/fit.py", "from scipy.optimize import nnls"),
        ("cli/demo.py", "from .. import load_profile"),
        ("ros/node.py", "from ..pipeline import Pipeline"),
        ("ros/launching.py", "from launch import LaunchDescription"),
        ("bags/reading.py", "import rosbags.highlevel"),
    ],
)
def test_a_kept_rule_is_not_reported(tmp_path, file, line):
    assert violations(_tree(tmp_path, file, line)) == []


def test_the_core_runs_on_numpy_and_yaml_alone():
    core = {part for layer in LAYERS[:3] for part in layer} | {"__init__"}
    modules = [module for module in map(_module, _files(SOURCES)) if _part(module) in core]
    program = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {set(DOORS)}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import importlib
for module in {modules}:
    importlib.import_module(module)
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=SOURCES.parent)


def test_every_foreign_package_is_declared():
    manifest = ElementTree.parse(SOURCES.parent / "package.xml")
    declared = {element.text for element in manifest.iter("exec_depend")}
    assert {KEYS.get(package, package) for package in _foreign()} <= declared | PIP_ONLY


def violations(root: Path) -> list[str]:
    """Sentences that say which file under `root`, a package, imports what it must not."""
    return [
        f"{path.relative_to(root.parent)}:{line}: {complaint}"
        for path in _files(root)
        for line, complaint in _complaints(path, root)
    ]


def _complaints(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    importer = _module(path, root)
    if _layer(_part(importer)) is None:
        yield 1, f"{importer} is in no layer of test_imports.py"
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    optional = _optional_lines(tree)
    for node in ast.walk(tree):
        for target in _targets(node, path, root):
            if complaint := _complaint(importer, target, node.lineno in optional):
                yield node.lineno, complaint


def _complaint(importer: str, target: str, optional: bool) -> str | None:
    top = target.partition(".")[0]
    if top == PACKAGE:
        return _complaint_inside(_part(importer), _part(target))
    allowed = DOORS.get(top, set())
    place = importer.partition(".")[2].replace(".", "/")
    if top in EVERYBODY or {place, place.partition("/")[0]} & allowed:
        return None
    if optional and top in OPTIONAL:
        return None
    return f"{importer} must not import {top}; that is for {sorted(allowed) or 'nobody'}"


def _complaint_inside(importer: str, target: str) -> str | None:
    if {importer, target} in STRANGERS:
        return f"{importer} must not know {target}"
    ours, theirs = _layer(importer), _layer(target)
    if theirs is not None and ours is not None and theirs > ours:
        return f"{importer} must not import {target}, which builds on it"
    return None


def _targets(node: ast.AST, path: Path, root: Path) -> Iterator[str]:
    """Full names of the modules that an import statement reaches."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        here = [root.name, *path.relative_to(root).parent.parts]
        base = here[: len(here) - node.level + 1] if node.level else []
        source = ".".join([*base, *(node.module or "").split(".")]).rstrip(".")
        for alias in node.names:
            inner = f"{source}.{alias.name}"
            yield inner if _is_module(inner, root) else source


def _is_module(name: str, root: Path) -> bool:
    """Whether a dotted name is a file or folder of the package, or a part that a layer names."""
    top, *rest = name.split(".")
    if top != root.name or not rest:
        return False
    path = root.joinpath(*rest)
    return path.is_dir() or path.with_suffix(".py").is_file() or _layer(_part(name)) is not None


def _optional_lines(tree: ast.Module) -> set[int]:
    """Lines in the body of a `try` that has an `except ImportError`."""
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try)]
    return {
        line
        for node in tries
        if any(isinstance(h.type, ast.Name) and h.type.id == "ImportError" for h in node.handlers)
        for line in range(node.body[0].lineno, node.handlers[0].lineno)
    }


def _foreign() -> set[str]:
    trees = [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in _files(SOURCES)]
    found = {t for path, tree in trees for n in ast.walk(tree) for t in _targets(n, path, SOURCES)}
    return {name.partition(".")[0] for name in found} - sys.stdlib_module_names - {PACKAGE}


def _module(path: Path, root: Path = SOURCES) -> str:
    """Dotted name of a file; a package's `__init__.py` is the package."""
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _part(module: str) -> str:
    """First name below the package: `motion` of `imu_noise_node.motion.rotations`."""
    return [*module.split("."), "__init__"][1]


def _layer(part: str) -> int | None:
    return next((number for number, layer in enumerate(LAYERS) if part in layer), None)


def _files(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def _tree(folder: Path, file: str, line: str) -> Path:
    """Lay out a package of one file beside whatever that file's package needs."""
    path = folder / PACKAGE / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{line}\n", encoding="utf-8")
    return folder / PACKAGE
