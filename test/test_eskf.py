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

"""The filter of docs/why.md errs by as much as it says, where the sensor is what it is told."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")
stats = pytest.importorskip("scipy.stats")

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"

RUNS, DURATION, STATES = 64, 20.0, 15
FALSE_ALARM = 1e-7
"""That a consistent filter is taken for one that is not, for one comparison."""


@pytest.fixture(scope="module")
def why():
    """Return the script as a module."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        spec = importlib.util.spec_from_file_location("why", EXAMPLES / "why.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(EXAMPLES))
    return module


@pytest.fixture(scope="module")
def averages(why):
    """Return the average NEES after each fix, by the number of the case."""
    cases = list(why.CASES)
    # Densities are the same at every rate, and here a lower one is as good for less time.
    cases[3] = cases[3]._replace(rate=100)
    return [why.consistency(case, DURATION, RUNS)[1].mean(axis=1) for case in cases]


# The sum over 64 independent filters has a chi-square law with 960 degrees of freedom: the average
# of consistent ones is between 11.7 and 18.8, but for one time in ten million on either side.
LOW, HIGH = stats.chi2.ppf([1e-7, 1.0 - 1e-7], STATES * RUNS) / RUNS


@pytest.mark.parametrize(("case", "rate"), [(0, 100), (1, 400)])
def test_with_densities_the_filter_is_consistent_at_every_fix(why, averages, case, rate):
    # 20 comparisons at each rate.
    assert why.CASES[case].rate == rate
    assert len(averages[case]) == 20
    assert (averages[case] > LOW).all()
    assert (averages[case] < HIGH).all()


def test_with_a_fixed_sigma_at_400_hz_it_trusts_the_sensor_too_little(why, averages):
    assert why.CASES[2].rate == 400
    assert (averages[2][-3:] < LOW).all()


def test_tuned_to_that_it_trusts_the_real_sensor_too_much(averages):
    assert (averages[3][-3:] > 1.3 * HIGH).all()


def test_the_bounds_of_the_picture_are_those_of_chi_square(why):
    expected = stats.chi2.ppf([0.025, 0.975], STATES * 100) / 100
    assert why.bounds(100) == pytest.approx(expected, rel=1e-4)


def test_the_flight_is_one_motion(why):
    """Rates and forces are the derivatives of the poses."""
    rotation_vector = sys.modules["eskf"].rotation_vector
    t, step = np.linspace(0.0, 20.0, 50), 1e-4
    (position, velocity, attitude), later = why.flight(t), why.flight(t + step)
    rate, force = why.felt(np.stack([t, t + step]))
    turned = rotation_vector(why.transposed(attitude) @ later[2])
    np.testing.assert_allclose(rate[0], turned / step, atol=1e-6)
    np.testing.assert_allclose((later[0] - position) / step, velocity, atol=1e-3)
    felt = why.times(attitude, force[0]) + why.GRAVITY
    np.testing.assert_allclose(felt, (later[1] - velocity) / step, atol=2e-3)


def test_the_script_prints_and_draws(why, capsys, monkeypatch, tmp_path):
    def consistency(case, runs):
        return np.arange(1.0, 61.0), np.full((60, runs), float(case.rate))

    monkeypatch.setattr(why, "consistency", consistency)
    monkeypatch.setattr(sys, "argv", ["why.py", "--picture", str(tmp_path / "why.png")])
    why.main()
    head, *rows = capsys.readouterr().out.splitlines()
    assert "13.9 to 16.1" in head
    assert [row.split()[-6:] for row in rows] == [[f"{case.rate}.0"] * 6 for case in why.CASES]
    assert (tmp_path / "why.png").stat().st_size > 10_000


def test_an_interrupt_ends_the_script_without_a_traceback():
    program = (
        "import runpy, sys, eskf\n"
        "def stop(*_): raise KeyboardInterrupt\n"
        "eskf.ErrorStateFilter.predict = stop\n"
        "sys.argv = ['why.py', '--runs', '1']\n"
        f"runpy.run_path({str(EXAMPLES / 'why.py')!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{EXAMPLES}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr == ""
