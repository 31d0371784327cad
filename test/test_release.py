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

"""Wheel and sdist: built from the checkout, installed in a clean environment, and used there."""

import site
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest

REPO = Path(__file__).resolve().parents[1]
BUILD = "import sys; from setuptools import build_meta as b; print(b.build_{}(sys.argv[1]))"


def run(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], text=True, capture_output=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of what is built: a build leaves traces."""
    folder = tmp_path_factory.mktemp("release") / "imu_noise"
    folder.mkdir()
    for name in ("package.xml", "setup.py", "setup.cfg", "README.md", "LICENSE"):
        (folder / name).write_bytes((REPO / name).read_bytes())
    for name in ("imu_noise_node", "launch", "config", "resource"):
        for path in sorted((REPO / name).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                copy = folder / path.relative_to(REPO)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
    return folder


def build(what, tree, place):
    output = run(sys.executable, "-c", BUILD.format(what), place, cwd=tree)
    return place / output.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tree, tmp_path_factory):
    return build("wheel", tree, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_has_the_package_its_presets_and_what_ament_looks_for(wheel):
    with zipfile.ZipFile(wheel) as content:
        names = content.namelist()
    ours = {str(p.relative_to(REPO)) for p in (REPO / "imu_noise_node").rglob("*.py")}
    presets = {str(p.relative_to(REPO)) for p in (REPO / "imu_noise_node").rglob("*.yaml")}
    assert ours | presets | {"imu_noise_node/py.typed"} <= set(names)
    data = {name.split(".data/data/", 1)[1] for name in names if ".data/data/" in name}
    assert {
        "share/ament_index/resource_index/packages/imu_noise",
        "share/imu_noise/package.xml",
        *(f"share/imu_noise/launch/{p.name}" for p in (REPO / "launch").iterdir() if p.is_file()),
        *(f"share/imu_noise/config/{p.name}" for p in (REPO / "config").iterdir()),
    } == data
    assert not [name for name in names if name.startswith("test")]


def test_the_wheel_runs_in_a_clean_environment(wheel, tmp_path):
    """NumPy and PyYAML are lent to it; its own pip then needs no network."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env/bin/python"
    run(python, "-m", "pip", "install", "--no-deps", "--no-index", wheel)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    lent = tmp_path / "lent"
    lent.mkdir()
    for name in ("numpy", "numpy.libs", "yaml", "_yaml"):
        for folder in (*site.getsitepackages(), str(Path(np.__file__).parents[1])):
            if (Path(folder) / name).exists() and not (lent / name).exists():
                (lent / name).symlink_to(Path(folder) / name)
    (packages / "lent.pth").write_text(f"{lent}\n")
    listed = run(python, "-m", "imu_noise_node", "profile", "list", cwd=tmp_path)
    assert "bmi088" in listed
    where = run(python, "-c", "import imu_noise_node as i; print(i.__file__)", cwd=tmp_path)
    assert where.startswith(str(packages))


def test_the_sdist_makes_the_same_wheel(tree, wheel, tmp_path):
    archive = build("sdist", tree, tmp_path)
    with tarfile.open(archive) as content:
        content.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.iterdir() if path.is_dir())
    again = build("wheel", unpacked, tmp_path)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        kept = [name for name in one.namelist() if not name.endswith(("RECORD", "METADATA"))]
        assert {name: one.read(name) for name in kept} == {name: other.read(name) for name in kept}
