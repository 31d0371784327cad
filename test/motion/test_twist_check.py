import math

import pytest

from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.motion.rotations import rotate
from imu_noise_node.samples import Truth

STEP = 20_000_000


def drive(read_as, written_in, angle_of, speed=1.0, count=200):
    """Drive along a path with a twist written in one frame and read as another."""
    warnings = []
    kinematics = PoseKinematics(Mount(), 9.80665, read_as, 0.5, warnings.append)
    place = [0.0, 0.0, 0.0]
    for k in range(1, count):
        half = angle_of(k) / 2.0
        q = (0.0, 0.0, math.sin(half), math.cos(half))
        forward = (speed, 0.0, 0.0)
        v = rotate(q, forward)
        place = [p + c * STEP / 1e9 for p, c in zip(place, v, strict=True)]
        twist = forward if written_in == "body" else v
        station = kinematics.locate(Truth(k * STEP, tuple(place), q, twist, (0.0, 0.0, 0.0)))
        if k == 1:
            kinematics.begin(station)
        else:
            kinematics.advance(station)
    return warnings


@pytest.mark.parametrize("frame", ["body", "world"])
def test_the_right_frame_is_not_warned_about(frame):
    assert drive(frame, frame, lambda k: 1.0 + 0.001 * k) == []


@pytest.mark.parametrize(("read_as", "right"), [("body", "world"), ("world", "body")])
def test_the_wrong_frame_is_warned_about_once_and_the_right_one_named(read_as, right):
    warnings = drive(read_as, right, lambda k: 1.0 + 0.001 * k)
    assert len(warnings) == 1
    assert f"set twist_frame to '{right}'" in warnings[0]


def test_what_cannot_be_told_apart_is_not_warned_about():
    assert drive("body", "world", lambda _: 0.0) == []
    assert drive("body", "world", lambda _: 1.0, speed=0.01) == []
