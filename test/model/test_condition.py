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

"""States and reasons: the gravest counts, and each limit is met at its figure."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node.model.condition import SWITCHED_OFF, State, assess
from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.model.faults import Faults
from imu_noise_node.model.spec import ImuSpec
from imu_noise_node.model.streams import Streams

SENSORS = ("gyroscope", "accelerometer")
LIMITED = ImuSpec(
    operating_temperature=[-40.0, 85.0], vibration_limit=20.0, shock_limit=400.0, warm_up_time=10.0
)
FAILED, DEGRADED, INITIALIZING, READY = (
    State.FAILED,
    State.DEGRADED,
    State.INITIALIZING,
    State.READY,
)


def after(*faults, batch=(), seconds=1.0):
    """The stage after one capture, with these faults."""
    stage = Faults(faults, SENSORS, batch, Streams(0))
    stage.apply(np.zeros((1, *batch, 6)), seconds, None)
    return stage


def test_without_limits_a_sensor_is_ready_from_the_start():
    found = assess(ImuSpec(), 0.0, (), 1e3, 1e6, 1e6)
    assert (found.state, found.reasons) == (READY, ())
    assert found.states.shape == ()


def test_nothing_given_is_nothing_exceeded():
    assert assess(LIMITED, 10.0).state is READY


@pytest.mark.parametrize(
    ("age", "figures", "state", "reasons"),
    [
        (9.5, {}, INITIALIZING, ["warming up, 9.5 s of 10 s have passed"]),
        (10.0, {}, READY, []),
        (99.0, {"temperature": 85.0}, READY, []),
        (99.0, {"temperature": -40.0}, READY, []),
        (99.0, {"temperature": 91.0}, DEGRADED, ["temperature 91 degC is outside -40 to 85 degC"]),
        (99.0, {"temperature": -41}, DEGRADED, ["temperature -41 degC is outside -40 to 85 degC"]),
        (99.0, {"vibration": 20.0}, READY, []),
        (99.0, {"vibration": 20.5}, DEGRADED, ["vibration 20.5 m/s^2 is above 20 m/s^2"]),
        (99.0, {"shock": 400.0}, READY, []),
        (99.0, {"shock": 401.0}, DEGRADED, ["specific force 401 m/s^2 is above 400 m/s^2"]),
        (
            2.0,
            {"shock": 401.0},
            DEGRADED,
            ["specific force 401 m/s^2 is above 400 m/s^2", "warming up, 2 s of 10 s have passed"],
        ),
    ],
)
def test_limits_and_warm_up(age, figures, state, reasons):
    found = assess(LIMITED, age, **figures)
    assert (found.state, list(found.reasons)) == (state, reasons)


@pytest.mark.parametrize("limit", ["operating_temperature", "vibration_limit", "shock_limit"])
def test_each_limit_is_off_by_default(limit):
    extremes = {"temperature": 500.0, "vibration": 1e6, "shock": 1e6}
    spec = ImuSpec(**{limit: getattr(LIMITED, limit)})
    assert len(assess(spec, 0.0, **extremes).reasons) == 1


@pytest.mark.parametrize(
    ("faults", "state"),
    [
        ([], READY),
        ([Fault("total", start=9.0)], READY),
        ([Fault("bias", "gyroscope", magnitude=0.1)], DEGRADED),
        ([Fault("drift", "gyroscope", magnitude=0.1)], DEGRADED),
        ([Fault("intermittent", magnitude=0.1)], DEGRADED),
        ([Fault("total", "gyroscope", "xy")], DEGRADED),
        ([Fault("stuck", "gyroscope", "xy")], DEGRADED),
        ([Fault("total", "gyroscope", "xy"), Fault("total", "accelerometer", "z")], DEGRADED),
        ([Fault("total", "gyroscope")], FAILED),
        ([Fault("stuck", "accelerometer")], FAILED),
        ([Fault("total")], FAILED),
        ([Fault("total", "gyroscope", "xy"), Fault("stuck", "gyroscope", "z")], FAILED),
        ([Fault("total", start=9.0), Fault("bias", "gyroscope", magnitude=0.1)], DEGRADED),
    ],
)
def test_a_sensor_fails_when_none_of_its_axes_follows_the_motion(faults, state):
    assert assess(LIMITED, 99.0, [after(*faults)]).state is state


def test_faults_are_named_among_the_reasons():
    faults = after(
        Fault("total", "gyroscope", name="dead"),
        Fault("stuck", start=5.0),
        Fault("bias", "accelerometer", "z", magnitude=0.1),
    )
    assert assess(LIMITED, 3.0, [faults]).reasons == (
        "no axis of the gyroscope follows the motion",
        "fault 'dead': total, gyroscope",
        "fault 2: bias, accelerometer z",
        "warming up, 3 s of 10 s have passed",
    )


def test_a_fault_that_has_passed_or_was_cleared_does_not_count():
    faults = after(Fault("total", duration=0.5), Fault("intermittent", magnitude=0.0))
    assert assess(LIMITED, 99.0, [faults]).state is DEGRADED
    faults.clear()
    assert assess(LIMITED, 99.0, [faults]).state is READY


def test_members_of_a_batch_have_states_of_their_own():
    faults = after(Fault("intermittent", magnitude=0.0), batch=(2, 2))
    faults.reset(np.array([[False, True], [True, True]]))
    temperature = np.array([[20.0, 20.0], [95.0, 99.0]])
    found = assess(LIMITED, np.array([[50.0, 5.0], [50.0, 50.0]]), [faults], temperature)
    assert found.states.tolist() == [[DEGRADED, INITIALIZING], [DEGRADED, DEGRADED]]
    assert found.state is DEGRADED
    assert found.reasons == (
        "fault 0: intermittent, all sensors (1 of 4 sensors)",
        "temperature 95 degC is outside -40 to 85 degC (2 of 4 sensors)",
        "warming up, 5 s of 10 s have passed (1 of 4 sensors)",
    )


def test_one_figure_may_stand_for_all_members():
    faults = after(batch=(3, 1, 2, 1))
    found = assess(LIMITED, 0.0, [faults], 20.0, np.full((3, 1, 2, 1), 30.0), 0.0)
    assert found.states.shape == (3, 1, 2, 1)
    assert set(found.states.flat) == {DEGRADED}
    assert found.reasons[0].endswith("(6 of 6 sensors)")


def test_one_that_is_switched_off():
    assert (SWITCHED_OFF.state, SWITCHED_OFF.reasons) == (State.OFF, ())


def test_the_texts_of_the_states():
    texts = ["off", "ready", "initializing", "degraded", "failed"]
    assert [state.value for state in State] == texts
