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

"""The truth for a first look, over DDS."""

import itertools
import subprocess

import pytest
from graph import SECOND, Graph, Odometry, stamps

from imu_noise_node.errors import ParameterError
from imu_noise_node.motion.tour import tour
from imu_noise_node.ros import demo
from imu_noise_node.ros.conversions import odometry_truth
from imu_noise_node.ros.launch_arguments import Setup


@pytest.fixture
def peer(domain, capfd):
    graph = Graph(domain, lambda: capfd.readouterr().err)
    yield graph
    graph.close()


def test_it_publishes_the_tour_on_a_steady_grid(peer, start):
    start("-m", "imu_noise_node.ros.moving_truth", "--ros-args", "-p", "rate:=400")
    heard = []
    peer.listen("/odom", Odometry, heard.append)
    peer.until(lambda: len(heard) >= 40, "truth")
    found = stamps(heard)
    step = SECOND // 400
    assert {b - a for a, b in itertools.pairwise(found)} == {step}
    # How far on the tour it was when we began to listen, nobody tells; the rest follows from it.
    truths = [odometry_truth(message) for message in heard]
    k0 = next(k for k in range(40_000) if tour(found[0], k * step / SECOND) == truths[0])
    for k, truth in enumerate(truths):
        assert truth == tour(found[0] + k * step, (k0 + k) * step / SECOND)


@pytest.mark.parametrize(
    ("rate", "text"), [("0", "0"), ("1e9", "1000000000.0"), ("fast", "'fast'")]
)
def test_a_bad_rate_is_one_sentence(start, rate, text):
    process = start(
        *("-m", "imu_noise_node.ros.moving_truth", "--ros-args", "-p", f"rate:={rate}"),
        stderr=subprocess.PIPE,
    )
    _, error = process.communicate(timeout=60)
    assert process.returncode == 2
    assert error == f"moving_truth: rate = {text}: must be a finite number from 1 to 1000 [Hz]\n"


def test_the_launch_file_knows_what_it_has_decided():
    listed = {argument.name: argument for argument in demo.arguments("share")}
    assert listed["profile"].default == "bmi088"
    assert "truth_source" not in listed
    setup, rate = demo.read(
        {name: argument.default for name, argument in listed.items()} | {"params_file": ""}
    )
    assert isinstance(setup, Setup)
    assert setup.parameters == {"profile": "bmi088", "truth_source": "odometry"}
    assert rate == 200.0


@pytest.mark.parametrize("text", ["0", "1001", "nan", "fast"])
def test_a_bad_rate_is_refused_by_the_launch_file(text):
    with pytest.raises(ParameterError, match="truth_rate"):
        demo.read({"truth_rate": text})
