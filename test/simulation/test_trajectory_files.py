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

"""Trajectories from text, exact to the nanosecond; what is none is told by its line."""

import gzip

import numpy as np
import pytest

from imu_noise_node import InputError
from imu_noise_node.simulation.trajectory_files import read_trajectory

EUROC = """#timestamp, p_x [m], p_y [m], p_z [m], q_w [], q_x [], q_y [], q_z [], v_x, v_y, v_z
1403715273262142976,0.878895,2.1834,0.948427,0.069433,-0.824237,-0.106942,-0.551702,1,2,3
1403715273312143104,0.878973,2.18348,0.948329,0.0694375,-0.824253,-0.106951,-0.551676,1,2,3
"""
TUM = """# timestamp tx ty tz qx qy qz qw
1305031098.6659 1.3563 0.6305 1.6380 0.6132 0.5962 -0.3311 -0.3986

1305031098.675900001 1.3543 0.6306 1.6360 0.6129 0.5966 -0.3316 -0.3980
"""


@pytest.fixture
def put(tmp_path):
    def put(text, name="poses.txt"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return put


@pytest.mark.parametrize("name", ["data.csv", "data.csv.gz"])
def test_euroc_has_nanoseconds_and_w_first(put, name):
    found = read_trajectory(put(EUROC, name))
    assert found.stamps.tolist() == [1403715273262142976, 1403715273312143104]
    assert found.position[0].tolist() == [0.878895, 2.1834, 0.948427]
    assert found.orientation[0].tolist() == [-0.824237, -0.106942, -0.551702, 0.069433]
    assert found.velocity is None


def test_tum_has_seconds_and_w_last(put):
    found = read_trajectory(put(TUM))
    assert found.stamps.tolist() == [1305031098665900000, 1305031098675900001]
    assert found.position[1].tolist() == [1.3543, 0.6306, 1.6360]
    assert found.orientation[1].tolist() == [0.6129, 0.5966, -0.3316, -0.3980]


def test_a_stamp_with_a_point_is_in_seconds_in_either(put):
    found = read_trajectory(put("t,x,y,z,qw,qx,qy,qz\n1.5,0,0,0,1,0,0,0\n"))
    assert found.stamps.tolist() == [1_500_000_000]
    assert found.orientation.tolist() == [[0.0, 0.0, 0.0, 1.0]]


@pytest.mark.parametrize("text", ["1e-999999999999,0,0,0,1,0,0,0\n", "-0 0 0 0 0 0 0 1\n"])
def test_a_stamp_of_less_than_a_nanosecond_is_zero(put, text):
    assert read_trajectory(put(text)).stamps.tolist() == [0]


def test_the_last_stamp_that_a_message_can_have_is_read_to_the_nanosecond(put):
    found = read_trajectory(put("2147483647.999999999 0 0 0 0 0 0 1\n"))
    assert found.stamps.tolist() == [2**31 * 10**9 - 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no poses"),
        ("# nothing\n", "has no poses"),
        ("1 0 0 0 0 0 0 1\n2 0 0 x 0 0 0 1\n", "line 2 = 'x': column 4 must be a finite number"),
        ("1 0 0 nan 0 0 0 1\n", "line 1 = 'nan': column 4"),
        ("1 0 0 0 0 0 1\n", "line 1 .* has 7 columns"),
        ("1 0 0 0 0 0 0 1 9\n", "has 9 columns"),
        ("1,2,3\n", "has 3 columns"),
        ("1 0 0 0 0 0 0 0\n", "quaternion of length 1, not 0"),
        ("2 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n", "line 2 .* a later stamp than the line before"),
        ("1 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n", "line 2 .* a later stamp"),
        ("-1 0 0 0 0 0 0 1\n", "column 1 must be"),
        ("9e9 0 0 0 0 0 0 1\n", "column 1 must be"),
        # Numbers of so many digits that to write them out takes all memory, and over the limit.
        ("1e999999999999 0 0 0 0 0 0 1\n", "column 1 must be"),
        ("1e999999999999,0,0,0,1,0,0,0\n", "column 1 must be"),
        ("-nan,0,0,0,1,0,0,0\n", "column 1 must be"),
        ("+sNaN 0 0 0 0 0 0 1\n", "column 1 must be"),
        ("2147483648 0 0 0 0 0 0 1\n", "column 1 must be"),
        (",,,\n1 0 0 0 0 0 0 1\n", "line 1 .* has 4 columns"),
        ("t,x,y,z,qx,qy,qz,qw\n1,0,0,0,0,0,0,1\n", "has qw in column 8; EuRoC has it in 5"),
    ],
)
def test_what_is_no_pose_is_told_by_its_line(put, text, words):
    with pytest.raises(InputError, match=words):
        read_trajectory(put(text))


def test_files_that_cannot_be_read_are_told(put, tmp_path):
    packed = put(EUROC * 100, "data.csv.gz")
    packed.write_bytes(packed.read_bytes()[:60])
    with pytest.raises(InputError, match="is truncated"):
        read_trajectory(packed)
    (tmp_path / "b").write_bytes(b"\xff\xfe\x80" * 10)
    with pytest.raises(InputError, match="is neither a bag nor text"):
        read_trajectory(tmp_path / "b")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_trajectory(tmp_path / "c")


def test_a_real_ground_truth_is_read(shared_data):
    path = shared_data / "recordings" / "euroc_V1_01_groundtruth_openvins.csv.gz"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    found = read_trajectory(path)
    assert len(found.stamps) == 2895
    assert found.stamps[0] == 1403715273262142976
    np.testing.assert_allclose(np.linalg.norm(found.orientation, axis=1), 1.0, atol=1e-5)
