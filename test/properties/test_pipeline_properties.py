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

"""The whole path of a sample: any truth, any settings, any order of calls."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from property_specs import ANY, QUIET, examples, faults, sizes, specs
from property_truth import truths

from imu_noise_node.attitude import AttitudeNoise
from imu_noise_node.model.imu import ImuModel
from imu_noise_node.motion.inertial import ImuKinematics
from imu_noise_node.motion.intervals import TimePolicy, Verdict
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline

FIELD = (2e-5, 0.0, -4e-5)

POLICIES = st.builds(
    TimePolicy,
    rate=st.sampled_from([0.0, 0.0, 40.0, 60.0, 0.3, 1e4]),
    min_interval=st.one_of(st.just(0.0), st.just(50e-6)),
    max_gap=st.one_of(st.just(0.5), sizes(-2, 2)),
    reset_threshold=st.one_of(st.just(0.0), st.just(0.1), sizes(-9, 2)),
    teleport_distance=st.sampled_from([0.5, 0.5, 1e-3, 100.0, 1e100]),
)
MOUNTS = st.builds(
    Mount,
    st.sampled_from([(0.0, 0.0, 0.0), (0.1, -0.2, 3.0)]),
    st.sampled_from([(0.0, 0.0, 0.0), (0.1, 0.0, 3.0)]),
)
KINDS = st.sampled_from(["body", "world", "pose", "earth", "imu", "imu without gravity"])
ORDERS = st.lists(
    st.tuples(
        st.integers(0, 24),
        st.sampled_from(
            ["reset", "policy", "move", "figures", "inject", "clear", "jump", "warm", "restore"]
        ),
    ),
    max_size=5,
)


class Run:
    """A pipeline with what it was made of, so that one like it can be made."""

    def __init__(self, **facts: Any) -> None:
        self.facts = facts
        self.pipeline = self.made(facts["seed"])
        self.last: int | None = None

    def made(self, seed: int) -> Pipeline:
        facts = self.facts
        model = ImuModel(facts["spec"], seed, faults=facts["schedule"])
        model.inject(*facts["injected"])
        field = FIELD if facts["spec"].magnetometer is not None else None
        attitude = AttitudeNoise(seed, (0.1, 0.0, 1.0))
        return Pipeline(facts["policy"], self.kinematics(), model, str, field, attitude)

    def kinematics(self) -> Any:
        kind, mount = self.facts["kind"], self.facts["mount"]
        if kind.startswith("imu"):
            return ImuKinematics(mount, 9.8, kind == "imu", str)
        earth = (0.0, 5e-5, 5e-5) if kind == "earth" else (0.0, 0.0, 0.0)
        frame = "body" if kind == "earth" else kind
        return PoseKinematics(
            mount, 9.8, frame, self.facts["policy"].teleport_distance, str, earth
        )

    def obey(self, order: str, new: dict[str, Any]) -> None:
        """Do what an order says; `restore` goes on in a pipeline of another seed."""
        pipeline = self.pipeline
        if order == "reset":
            pipeline.reset()
        elif order == "policy":
            # The kinematics has the distance of a teleport, and goes on.
            distance = self.facts["policy"].teleport_distance
            self.facts["policy"] = replace(new["policy"], teleport_distance=distance)
            pipeline.retune(self.facts["policy"], None)
        elif order == "move":
            self.facts["mount"] = new["mount"]
            pipeline.retune(self.facts["policy"], self.kinematics())
        elif order == "figures":
            self.facts["spec"] = new["spec"]
            pipeline.model.retune(new["spec"])
        elif order in ("inject", "clear"):
            self.facts["injected"] = new["injected"] if order == "inject" else ()
            pipeline.model.inject(*self.facts["injected"])
        elif order == "jump":
            last = pipeline._intervals.last or 10**9
            pipeline.clock_jumped(last + 10**8, last // 2)
        elif order == "warm":
            pipeline.temperature = 60.0
        else:
            state = json.loads(json.dumps(pipeline.state(), allow_nan=False))
            self.pipeline = self.made(98)
            self.pipeline.counts.update(pipeline.counts)
            self.pipeline.restore(state)


def said(sample: Any) -> Any:
    """Return all that a sample says, comparable to the bit."""
    if sample is None:
        return None
    m = sample.measurement
    arrays = (m.values, m.bias.values, m.truth.values, m.covariance)
    return repr([*sample[:2], *sample[3:], *(array.tolist() for array in arrays)])


@examples(40)
@given(data=st.data(), messages=truths(), orders=ORDERS, kind=KINDS, seed=st.integers(0, 2**63))
def test_whatever_comes_every_message_is_counted_and_a_restored_run_goes_on(
    data, messages, orders, kind, seed
):
    """One run is kept and restored wherever that is asked, the other is never interrupted."""
    magnetometer = data.draw(st.booleans())
    first = {
        "spec": data.draw(specs(magnetometer)),
        "schedule": data.draw(faults(QUIET)),
        "injected": (),
        "policy": data.draw(POLICIES),
        "mount": data.draw(MOUNTS),
        "kind": kind,
        "seed": seed,
    }
    new = {
        "spec": data.draw(specs(magnetometer)),
        "injected": data.draw(faults(ANY)),
        "policy": data.draw(POLICIES),
        "mount": data.draw(MOUNTS),
    }
    # Once in any case, and in the middle.
    orders = [*orders, (data.draw(st.integers(2, len(messages) - 1)), "restore")]
    whole, kept = Run(**first), Run(**first)
    for k, message in enumerate(messages):
        for at, order in orders:
            if at == k:
                kept.obey(order, new)
                if order != "restore":
                    whole.obey(order, new)
                if order in ("reset", "jump", "move"):
                    whole.last = kept.last = None
        resets = whole.pipeline.counts[Verdict.RESET]
        one, other = whole.pipeline.feed(message), kept.pipeline.feed(message)
        assert said(one) == said(other)
        assert whole.pipeline.counts == kept.pipeline.counts
        assert whole.pipeline.counts.total() == k + 1
        if whole.pipeline.counts[Verdict.RESET] > resets:
            whole.last = None
        if one is not None:
            assert one.stamp == message.stamp
            assert whole.last is None or one.stamp > whole.last
            whole.last = one.stamp
            assert one.dt >= max(1e-9, whole.facts["policy"].min_interval - 1e-12)
            no_loss = all(f.mode in QUIET for f in whole.facts["injected"])
            check(one, no_loss)


def check(sample: Any, no_loss: bool) -> None:
    """Hold a sample to what is promised of every one."""
    m = sample.measurement
    if no_loss:
        assert not np.isnan(m.values).any()
    for q in (sample.orientation, sample.estimate):
        assert q is None or math.isclose(math.hypot(*q), 1.0, abs_tol=1e-9)
    covariance = m.covariance
    finite = covariance[np.isfinite(covariance).all(axis=-1)]
    assert np.array_equal(covariance, covariance.T)
    assert finite.size
    scale = np.abs(covariance).max() or 1.0
    assert np.linalg.eigvalsh(covariance / scale).min() >= -1e-12
