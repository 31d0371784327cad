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

"""`check_stage` passes our own stages, and says of each wrong one which rule it breaks."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.conformance import BATCHES, ConformanceError, check_stage
from imu_noise_node.model.draws import draw_run
from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.model.faults import Faults
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.linear import Linear
from imu_noise_node.model.lowpass import LowPass
from imu_noise_node.model.nonlinearity import Nonlinearity
from imu_noise_node.model.output import Converter
from imu_noise_node.model.spec import SENSORS
from imu_noise_node.model.stage import Stateless
from imu_noise_node.model.streams import Streams
from imu_noise_node.model.thermal import Climate
from imu_noise_node.model.vibration import Vibration

TRIAD = {
    "bandwidth": [0.0, 30.0, 200.0],
    "scale_factor": [0.01, -0.02, 0.0],
    "scale_factor_stddev": 0.01,
    "cross_axis": [0.01, 0.0, -0.03],
    "misalignment": [0.1, -0.2, 0.3],
    "misalignment_stddev": 0.01,
    "nonlinearity": [0.02, 0.0, -0.05],
    "range": 2.5,
    "resolution": [0.01, 0.0, 0.1],
    "temperature_bias": [0.1, 0.0, -0.3],
    "temperature_scale_factor": 1e-3,
    "temperature_noise": 0.01,
}
SPEC = ImuSpec(
    TriadSpec(**TRIAD, g_sensitivity=[0.01] * 9), TriadSpec(**TRIAD), TriadSpec(**TRIAD)
)
FAULTS = (
    Fault("bias", "gyroscope", "xz", 0.3, start=0.1, duration=0.4),
    Fault("drift", "accelerometer", "y", 2.0, duration=0.3, mtbf=0.2),
    Fault("noise", "all", "xy", 4.0, start=0.2, duration=0.3, mtbf=0.4),
    Fault("stuck", "all", "yz", duration=0.1, mtbf=0.3),
    Fault("intermittent", magnitude=0.3, start=0.3, duration=0.2, mtbf=0.3),
    Fault("total", "accelerometer", "x", duration=0.1, mtbf=0.8),
)


class ByVibration:
    """`Vibration` as a stage: it adds the variance of the force."""

    def __init__(self, batch):
        self._vibration = Vibration(batch)
        self.reset, self.skip = self._vibration.reset, self._vibration.skip
        self.state, self.restore = self._vibration.state, self._vibration.restore

    def apply(self, block, dt, context):
        return block + np.tile(self._vibration.follow(context.truth[..., 3:6], dt), 3)


class ByClimate:
    """`Climate` as a stage: it adds the bias, scale and noise factor of the temperature."""

    def __init__(self, batch, warm_up_time):
        spec = ImuSpec(SPEC.gyroscope, SPEC.accelerometer, SPEC.magnetometer, 20.0, warm_up_time)
        self._climate = Climate(compile_spec(spec, len(batch)).signal, SENSORS, batch, {})
        self.reset, self.skip = self._climate.reset, self._climate.skip
        self.state, self.restore = self._climate.state, self._climate.restore

    def apply(self, block, dt, context):
        bias, scale, noise = self._climate.evaluate(context.temperature, dt, len(block))
        return block * (1.0 + scale) + bias + noise


class BySeed(Faults):
    """`Faults` that begin again by themselves; in a model the model does that."""

    def __init__(self, batch):
        self._own = Streams(3)
        super().__init__(FAULTS, SENSORS, batch, self._own)

    def reset(self, where=None):
        if where is None:
            self._own.restart()
        super().reset(where)


def figures(batch):
    return compile_spec(SPEC, len(batch))


STAGES = {
    "linear": lambda b: Linear(figures(b).signal, draw_run(Streams(1), SENSORS, b)),
    "nonlinearity": lambda b: Nonlinearity(figures(b).signal.nonlinearity),
    "low-pass": lambda b: LowPass(figures(b).signal.bandwidth, b),
    "converter": lambda b: Converter(figures(b)),
    "vibration": ByVibration,
    "climate": lambda b: ByClimate(b, 0.0),
    "warming up": lambda b: ByClimate(b, 0.9),
    "faults": BySeed,
}


@pytest.mark.parametrize("name", STAGES)
def test_our_own_stages_keep_the_rules(name, recursion):
    check_stage(STAGES[name], SENSORS, may_lose=name == "faults")


class Walk:
    """A right one: random walk and low-pass in one. Those below break one rule each."""

    def __init__(self, batch):
        self._batch = batch
        self.reset()

    def apply(self, block, dt, context):
        steps = self._random.standard_normal(block.shape) * dt**0.5
        output = np.cumsum(np.concatenate([self._place[None], steps]), axis=0)[1:]
        self._place = output[-1].copy()
        return output + block

    def reset(self, where=None):
        if where is None:
            self._random = np.random.default_rng(5)
            self._place = np.zeros((*self._batch, 6))
        else:
            self._place = np.where(where[..., None], 0.0, self._place)

    def state(self):
        return {"at": self._place.tolist(), "random": self._random.bit_generator.state}

    def restore(self, state):
        self._place = np.array(state["at"])
        self._random.bit_generator.state = state["random"]


class Gain(Stateless):
    """A right one without a state, for those that break a rule about values."""

    def __init__(self, batch):
        pass

    def apply(self, block, dt, context):
        return 2.0 * block


class Last:
    """A right one: each capture plus the one before, zero before the first."""

    def __init__(self, batch):
        self._shape = (*batch, 6)
        self.reset()

    def apply(self, block, dt, context):
        output = block + np.concatenate([self._last[None], block[:-1]])
        self._last = block[-1].copy()
        return output

    def reset(self, where=None):
        begin = np.True_ if where is None else where[..., None]
        self._last = np.where(begin, 0.0, getattr(self, "_last", np.zeros(self._shape)))

    def state(self):
        return self._last.tolist()

    def restore(self, state):
        self._last = np.array(state)


@pytest.mark.parametrize("stage", [Walk, Gain, Last])
def test_right_ones_pass(stage):
    check_stage(stage)
    check_stage(stage, batches=[(2, 3)], intervals=[(1e-4, 70)], amplitude=100.0)


def into(self, block, dt, context):
    """Return memory that the next call uses again."""
    buffer = self.__dict__.setdefault("buffer", {}).setdefault(block.shape, np.empty_like(block))
    np.multiply(block, 2.0, out=buffer)
    return buffer


def scaling_truth(self, block, dt, context):
    context.truth *= 1.01
    return block


def keeping_a_view(self, block, dt, context):
    output = block + np.concatenate([self._last[None], block[:-1]])
    self._last = block[-1]
    return output


def of_the_first(self, block, dt, context):
    return block - block[:1]


def by_mean_of_members(self, block, dt, context):
    return block - block.mean(axis=tuple(range(1, block.ndim - 1)), keepdims=True)


def noise_by_batch_axes(self, block, dt, context):
    return block * block.ndim


def spoilt(base, **methods):
    return type("Spoilt", (base,), methods)


def plus_one(self, state):
    self._last = np.array(state) + 1.0


def state_that_forgets(self):
    found, self._last = self._last.tolist(), 0.0 * self._last
    return found


def reset_of_all(self, where=None):
    Last.reset(self)


def reset_of_nobody(self, where=None):
    if where is None:
        Last.reset(self)


def only_once(self, where=None):
    if where is not None or not hasattr(self, "_last"):
        Last.reset(self, where)


WRONG = {
    "a stage must have the methods apply, reset, state, restore; Spoilt has no state": spoilt(
        Walk, state=None
    ),
    "apply must return an array of the shape of the block; for (40, 6) it returned (6,)": spoilt(
        Gain, apply=lambda self, block, dt, context: block[0]
    ),
    "apply must return an array of the shape of the block; for (40, 6) it returned None": spoilt(
        Gain, apply=lambda self, block, dt, context: None
    ),
    "apply must return float64; it returned float32": spoilt(
        Gain, apply=lambda self, block, dt, context: block.astype(np.float32)
    ),
    "apply must return finite values for finite ones; with batch () it returned nan": spoilt(
        Gain, apply=lambda self, block, dt, context: np.where(block > 1.0, np.nan, block)
    ),
    "apply must not write to context.truth; with batch (), capture 0, (0,) reads": spoilt(
        Gain, apply=scaling_truth
    ),
    "apply must not change later what it has returned": spoilt(Gain, apply=into),
    "a stage must copy what it remembers of blocks": spoilt(Last, apply=keeping_a_view),
    "the samples must not depend on how they are cut into blocks; with batch (), capture 1, ": (
        spoilt(Gain, apply=of_the_first)
    ),
    "after reset() a stage must do what a new one does": spoilt(Last, reset=only_once),
    "state() must return what JSON can hold": spoilt(Last, state=lambda self: self._last),
    "finite numbers, True, False, None; json.dumps says": spoilt(
        Last, state=lambda self: [float("nan")]
    ),
    "state() must change nothing": spoilt(Last, state=state_that_forgets),
    "a stage that restore() gave a state must go on": spoilt(Last, restore=plus_one),
    "a batch member must not depend on what the others measure; with batch (3, 1, 2, 1)": spoilt(
        Gain, apply=by_mean_of_members
    ),
    "reset(where) must leave the members that are not in `where` alone": spoilt(
        Last, reset=reset_of_all
    ),
    "after reset(where) the members in `where` must not depend on what was before": spoilt(
        Last, reset=reset_of_nobody
    ),
    "a batch of one must read what a stage without batch reads": spoilt(
        Gain, apply=noise_by_batch_axes
    ),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_one_is_told_its_rule(sentence):
    with pytest.raises(ConformanceError) as caught:
        check_stage(WRONG[sentence])
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(caught.value.rule)


def test_lost_captures_need_permission():
    stage = spoilt(Gain, apply=lambda self, block, dt, context: np.where(block > 1, np.nan, block))
    check_stage(stage, may_lose=True)


def test_a_failed_check_is_a_failed_test():
    assert issubclass(ConformanceError, AssertionError)


@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_a_model_uses_a_stage_as_the_check_does(batch):
    # To the bit in steps and in runs, after a reset, and from a state; before the converter.
    spec = ImuSpec(TriadSpec(noise_density=0.1, range=3.0, resolution=0.25))

    def model():
        return ImuModel(spec, 1, batch, extra_stages=[Walk(batch)])

    dt = np.repeat([0.01, 0.2], [70, 3])
    one, other = model(), model()
    run = one.run(dt, 0.0, 0.0).values
    steps = [other.step(float(d), 0.0, 0.0).values for d in dt]
    assert np.array_equal(run, np.array(steps))
    assert np.array_equal(run[..., :3], np.rint(4.0 * run[..., :3]) / 4.0)
    assert np.abs(run[..., :3]).max() <= 3.0
    saved = one.state()
    after = one.run(dt, 0.0, 0.0).values
    one.reset()
    assert np.array_equal(one.run(dt, 0.0, 0.0).values, run)
    one.restore(saved)
    assert np.array_equal(one.run(dt, 0.0, 0.0).values, after)
