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

"""The presets: they load, they are plausible, and each figure says where it comes from."""

import datetime
import itertools
import re
from dataclasses import fields

import numpy as np
import pytest

from imu_noise_node import ImuModel
from imu_noise_node.model.plausible import implausible
from imu_noise_node.model.spec import TriadSpec, figures_given
from imu_noise_node.profiles.loader import GRADES, presets, read_profile

PROFILES = {name: read_profile(name) for name in presets()}
DEGREE, G = np.pi / 180.0, 9.80665

RANDOM_WALK = ("Allan figure", "random walk")
"""What says that a density is an Allan figure; any other is a spectral one."""


def test_there_are_the_five_grades_and_many_real_parts():
    assert len(PROFILES) >= 25
    assert set(GRADES) <= set(PROFILES)
    assert {"bmi088", "adis16470", "mpu6050", "stim300", "hg9900", "euroc"} <= set(PROFILES)


def test_each_has_a_name_a_description_and_a_grade():
    for key, profile in PROFILES.items():
        assert re.fullmatch("[a-z0-9_]+", key)
        assert profile.name, key
        assert profile.description, key
        assert profile.grade in GRADES, key
    names = [profile.name for profile in PROFILES.values()]
    assert len(set(names)) == len(names)


def test_each_is_plausible_and_runs():
    for key, profile in PROFILES.items():
        assert implausible(profile.spec) == [], key
        field = [2e-5, 0.0, -4e-5] if profile.spec.magnetometer else None
        model = ImuModel(profile.spec, seed=1)
        measured = model.step(0.01, [0, 0, 0], [0, 0, G], magnetic_field=field)
        assert np.isfinite(measured.angular_velocity).all(), key
        assert np.isfinite(measured.linear_acceleration).all(), key
        # A gyroscope without any error would be no preset.
        assert figures_given(profile.spec.gyroscope), key
        assert np.any(profile.spec.gyroscope.noise_density), key


def test_every_figure_has_a_complete_provenance():
    for key, profile in PROFILES.items():
        assert profile.provenance, key
        for figure, origin in profile.provenance.items():
            assert origin.what, (key, figure)
            source = profile.sources[origin.source]
            assert source.title, (key, figure)
            assert source.address.startswith("https://"), (key, figure)
            assert datetime.date.fromisoformat(source.date) <= datetime.date.today()
        named = {origin.source for origin in profile.provenance.values()}
        assert named == set(profile.sources), key


def test_every_figure_that_is_in_force_is_in_the_provenance():
    known = {f.name for f in fields(TriadSpec)}
    for key, profile in PROFILES.items():
        for sensor, triad in profile.spec.triads().items():
            written = {name.split(".")[1] for name in profile.provenance if sensor in name}
            assert set(figures_given(triad)) == written <= known, key


def test_each_density_says_whether_it_is_spectral_or_of_the_allan_deviation():
    for key, profile in PROFILES.items():
        for figure, origin in profile.provenance.items():
            if figure.endswith("noise_density"):
                spectral = "spectral figure" in origin.what
                assert spectral != any(word in origin.what for word in RANDOM_WALK), (key, figure)
                # A random walk is written as one, in its own unit.
                if "sqrt(h)" in str(origin.written):
                    assert not spectral, (key, figure)


def test_each_tolerance_says_how_it_was_taken():
    for key, profile in PROFILES.items():
        for figure, origin in profile.provenance.items():
            if "+-" in origin.what and figure.endswith("_stddev"):
                assert "taken as one sigma" in origin.what, (key, figure)
            if figure.endswith("_stddev") and figure != "magnetometer.noise_stddev":
                assert "one sigma" in origin.what, (key, figure)


def test_the_grades_get_better_one_after_the_other():
    def figures(grade):
        spec = PROFILES[grade].spec
        triads = (spec.gyroscope, spec.accelerometer)
        return np.array([(t.noise_density, t.turn_on_bias_stddev) for t in triads])

    for worse, better in itertools.pairwise(GRADES):
        assert PROFILES[better].grade == better
        assert (figures(better) < figures(worse)).all()


# A few of each unit, worked out by hand.
EXPECTED = [
    ("consumer", "gyroscope", "noise_density", 0.5 * DEGREE / 60),
    ("consumer", "gyroscope", "turn_on_bias_stddev", 100 * DEGREE / 3600),
    ("consumer", "accelerometer", "noise_density", 0.1 / 60),
    ("strategic", "accelerometer", "turn_on_bias_stddev", 1e-6 * G),
    ("mpu6050", "gyroscope", "g_sensitivity", 0.1 * DEGREE / G),
    ("mpu6050", "gyroscope", "scale_factor_stddev", 0.03),
    ("mpu6050", "gyroscope", "resolution", DEGREE / 16.4),
    ("mpu6050", "accelerometer", "turn_on_bias_stddev", [0.05 * G, 0.05 * G, 0.08 * G]),
    ("icm20948", "accelerometer", "resolution", G / 2048),
    ("icm42688p", "gyroscope", "noise_density", 2.8e-3 * DEGREE),
    ("adis16475", "gyroscope", "misalignment_stddev", 0.1 * DEGREE),
    ("mti1", "accelerometer", "bandwidth", [324, 324, 262]),
    ("mti300", "magnetometer", "range", 8e-4),
    ("mti300", "magnetometer", "resolution", 0.25e-7),
    ("stim300", "gyroscope", "nonlinearity", 50e-6),
    ("stim300", "gyroscope", "g_sensitivity", DEGREE / 3600 / G),
    ("stim300", "accelerometer", "misalignment_stddev", 1e-3),
    ("hg1700", "accelerometer", "noise_density", 0.065 * 0.3048 / 60),
    ("px4_x500", "gyroscope", "noise_density", 0.0008726646 / np.sqrt(250)),
    ("px4_x500", "accelerometer", "noise_density", np.array([637, 637, 686]) / 1e5 / 250**0.5),
    ("euroc", "accelerometer", "random_walk", 3e-3),
    ("d455", "gyroscope", "random_walk", 1.1106223553679963e-06),
]


def test_figures_mean_what_their_sources_say():
    for key, sensor, figure, value in EXPECTED:
        found = getattr(getattr(PROFILES[key].spec, sensor), figure)
        assert found == pytest.approx(np.asarray(value), rel=1e-9), (key, sensor, figure)
