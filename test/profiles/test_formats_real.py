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

"""Files that people have read to the figures known of them, or are refused with the reason."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

from imu_noise_node.errors import InputError
from imu_noise_node.profiles.documents import read_document
from imu_noise_node.profiles.formats import Ask, find_format, import_document

# File, format, density and walk of the gyroscope, of the accelerometer.
KNOWN = [
    ("openvins_euroc_kalibr_imu_chain.yaml", "kalibr", 1.6968e-4, 1.9393e-5, 2e-3, 3e-3),
    ("vins_fusion_euroc_stereo.yaml", "vins", 0.01, 0.0001, 0.1, 0.001),
    ("maplab_imu_adis16488.yaml", "maplab", 1e-4, 1e-4, 4e-3, 4e-3),
    ("kimera_euroc_ImuParams.yaml", "euroc", 1.6968e-4, 1.9393e-5, 2e-3, 3e-2),
    ("euroc_imu0_sensor.yaml", "euroc", 1.6968e-4, 1.9393e-5, 2e-3, 3e-3),
    ("kalibr_visensor_imu.yaml", "kalibr", 1.87e-4, 2.66e-5, 1.86e-3, 4.33e-4),
    (
        *("allan_variance_ros_d455_imu.yaml", "kalibr", 0.00010272083263292572),
        *(1.1106223553679963e-06, 0.0010382453726199955, 4.132785219723178e-05),
    ),
]


@pytest.fixture
def read(shared_data):
    """Return a function that imports a file of the shared folder."""

    def read(name, **said):
        path = shared_data / "params" / name
        document = read_document(path)
        return find_format(document), import_document(document, Ask(str(path), **said))

    return read


def test_files_with_densities_and_walks(read):
    for name, form, *figures in KNOWN:
        found, imported = read(name)
        assert found == form, name
        spec = imported.spec
        read_figures = [
            *(spec.gyroscope.noise_density, spec.gyroscope.random_walk),
            *(spec.accelerometer.noise_density, spec.accelerometer.random_walk),
        ]
        assert read_figures == figures, name
        assert not any("not taken over" in note for note in imported.notes), name
    assert read("maplab_imu_adis16488.yaml")[1].spec.gyroscope.range == 7.5
    assert read("maplab_imu_adis16488.yaml")[1].spec.accelerometer.range == 150.0


def test_imu_utils_files(read):
    for name in ("imu_utils_16448_imu_param.yaml", "imu_utils_BMI160_imu_param.yaml"):
        with pytest.raises(InputError, match=r"as densities gyr .* as sigmas per sample at"):
            read(name)
    # One convention each; the curves beside the files tell which.
    spec = read("imu_utils_16448_imu_param.yaml", meaning="density")[1].spec
    assert np.mean(spec.gyroscope.noise_density) == pytest.approx(1.8582082627718251e-04)
    assert np.mean(spec.accelerometer.noise_density) == pytest.approx(1.9862287242243099e-03)
    spec = read("imu_utils_BMI160_imu_param.yaml", meaning="per-sample", rate=196.4)[1].spec
    curve = np.array([9.13e-5, 7.60e-5, 7.88e-5])
    assert spec.gyroscope.noise_density == pytest.approx(curve, rel=0.15)
    assert spec.accelerometer.noise_density == pytest.approx(
        np.array([1.35e-3, 1.26e-3, 1.62e-3]), rel=0.1
    )


def test_the_stim300_of_the_rwth_simulator(read):
    form, imported = read("rwth_irt_stim300.yaml")
    assert form == "rwth-irt"
    gyroscope, accelerometer = imported.spec.gyroscope, imported.spec.accelerometer
    assert accelerometer.noise_density == pytest.approx(
        [0.00144813183998857, 0.00144218525538188, 0.00145192879193856], rel=1e-12
    )
    assert gyroscope.noise_density == pytest.approx(
        [0.000207479860047933, 0.000243411420514079, 0.000187943045943727], rel=1e-12
    )
    assert accelerometer.random_walk[0] == 9.72968195066955e-06
    assert gyroscope.bias_correlation_time[2] == 124.14459722317
    assert accelerometer.turn_on_bias_stddev == pytest.approx(0.04903325 / math.sqrt(3))
    assert gyroscope.scale_factor_stddev == pytest.approx(0.005 / math.sqrt(3))


def test_the_x500_of_px4(read):
    form, imported = read("px4_x500_base_model.sdf")
    assert form == "sdf"
    assert imported.spec.gyroscope.noise_density == pytest.approx(5.519e-5, rel=1e-4)
    assert imported.spec.accelerometer.noise_density == pytest.approx(
        [4.029e-4, 4.029e-4, 4.339e-4], rel=1e-4
    )
    assert imported.notes == []


def test_a_bridge_file_is_refused(read):
    with pytest.raises(InputError, match=r"nav2_tb3_bridge\.yaml.*has no IMU figures"):
        read("nav2_tb3_bridge.yaml")


def test_every_profile_of_imu_error_model_converts():
    package = importlib.util.find_spec("imu_error_model")
    if package is None or package.origin is None:
        pytest.skip("the package imu-error-model is not installed")
    files = sorted(Path(package.origin).parent.glob("data/example_profiles/*/*.yaml"))
    assert len(files) >= 15
    for path in files:
        document = read_document(path)
        assert find_format(document) == "imu-error-model"
        imported = import_document(document, Ask(str(path)))
        for name, triad in imported.spec.triads().items():
            block = document[name]
            assert triad.noise_density == block["white_noise_density"]
            assert np.all(triad.turn_on_bias_stddev == np.asarray(block["turn_on_bias_std"]))
            assert np.all(triad.scale_factor == np.asarray(block["scale_factor"]))
        assert not any(
            "not taken over" in note and "output_scale" not in note for note in imported.notes
        ), imported.notes
