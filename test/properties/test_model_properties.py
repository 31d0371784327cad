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

"""The error model: any figures, any cut into calls, any order of calls."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from property_specs import ANY, QUIET, examples, faults, sizes, specs

from imu_noise_node import ImuModel

INTERVALS = st.lists(
    st.one_of(st.sampled_from([0.0025, 0.005, 0.01]), sizes(-6, 1)), min_size=5, max_size=30
)
ORDERS = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.sampled_from(["reset", "retune", "inject", "clear", "skip", "restore", "total"]),
    ),
    max_size=6,
)


class Sensor:
    """A model with what was asked of it, so that one like it can be made."""

    def __init__(self, spec: Any, schedule: Any, seed: int, batch: tuple[int, ...] = ()) -> None:
        self.spec, self.schedule, self.batch = spec, schedule, batch
        self.injected: tuple[Any, ...] = ()
        self.model = ImuModel(spec, seed, batch, faults=schedule)

    def obey(self, order: str, other: Any, injected: Any, dt: float) -> None:
        """Do what an order says; `restore` goes on in a model of another seed."""
        model = self.model
        if order == "reset":
            model.reset()
        elif order == "retune":
            self.spec = other
            model.retune(other)
        elif order in ("inject", "clear"):
            self.injected = injected if order == "inject" else ()
            model.inject(*self.injected)
        elif order == "skip":
            model.skip(dt)
        elif order == "total":
            model.covariance = "total"
        else:
            state = json.loads(json.dumps(model.state(), allow_nan=False))
            self.model = ImuModel(
                self.spec, 99, self.batch, model.covariance, faults=self.schedule
            )
            self.model.inject(*self.injected)
            self.model.restore(state)


def inputs(count: int, magnetometer: bool, seed: int) -> tuple[Any, ...]:
    """Return true rate, force and field (or None), shape (count, 3), and temperatures."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0.0, [[2.0], [20.0], [1e-4]], (count, 3, 3))
    field = truth[:, 2] if magnetometer else None
    return truth[:, 0], truth[:, 1], field, rng.uniform(-40.0, 85.0, count)


def measured(sensor: Any, part: slice, steps: Any, given: Any, one_by_one: bool) -> list[Any]:
    """Return values, bias, response and covariance of a part of the input, in one call or many."""
    rate, force, field, warmth = given
    if not one_by_one:
        m = sensor.model.run(
            steps[part],
            rate[part],
            force[part],
            warmth[part],
            None if field is None else field[part],
        )
        return [m.values, m.bias.values, m.response.values, m.covariance]
    found = []
    for k in range(part.start, part.stop):
        m = sensor.model.step(
            steps[k], rate[k], force[k], float(warmth[k]), None if field is None else field[k]
        )
        found.append([m.values, m.bias.values, m.response.values, m.covariance])
    return [np.array(facts) for facts in zip(*found, strict=True)]


FACTS = ("values", "bias", "response", "covariance")


def differences(one: Any, other: Any) -> list[Any]:
    """Return the place and both values of the first few bits that differ."""
    bits = [np.ascontiguousarray(x).view(np.int64) for x in (one, other)]
    places = np.argwhere(bits[0] != bits[1])[:5]
    return [(place.tolist(), one[tuple(place)], other[tuple(place)]) for place in places]


def is_covariance(matrices: Any) -> bool:
    """Whether all are symmetric and positive semidefinite but for rounding."""
    largest = np.abs(matrices).max(initial=0.0) or 1.0
    lowest = np.linalg.eigvalsh(matrices / largest).min(initial=0.0)
    symmetric = np.abs(matrices - np.swapaxes(matrices, -1, -2)).max(initial=0.0)
    return bool(symmetric <= 1e-12 * largest and lowest >= -1e-12)


@examples(25)
@given(data=st.data(), steps=INTERVALS, orders=ORDERS, seed=st.integers(0, 2**63))
def test_however_it_is_cut_and_kept_the_samples_are_the_same(data, steps, orders, seed):
    """One sensor goes step by step and is never interrupted, one in runs and is restored."""
    magnetometer = data.draw(st.booleans())
    spec, other = (data.draw(specs(magnetometer)) for _ in range(2))
    schedule, injected = (data.draw(faults(ANY)) for _ in range(2))
    cuts = data.draw(st.sets(st.integers(1, len(steps)), max_size=6))
    orders = [*orders, (data.draw(st.integers(1, len(steps))), "restore")]
    whole, cut = (Sensor(spec, schedule, seed) for _ in range(2))
    whole.model.covariance = cut.model.covariance = data.draw(st.sampled_from(["sample", "total"]))
    given = inputs(len(steps), magnetometer, seed % 1000)
    edges = sorted({0, *cuts, *(min(at, len(steps)) for at, _ in orders), len(steps)})
    for begin, end in zip([0, *edges], edges, strict=False):
        if end > begin:
            part = slice(begin, end)
            one = measured(whole, part, steps, given, True)
            two = measured(cut, part, steps, given, False)
            for name, a, b in zip(FACTS, one, two, strict=True):
                assert a.tobytes() == b.tobytes(), (name, differences(a, b))
            assert is_covariance(two[-1])
        for at, order in orders:
            if min(at, len(steps)) == end:
                cut.obey(order, other, injected, 0.3)
                if order != "restore":
                    whole.obey(order, other, injected, 0.3)
    one, two = whole.model.state(), cut.model.state()
    assert not [f"{k}: {one[k]} or {two[k]}" for k in one if one[k] != two[k]]


@examples(25)
@given(spec=specs(), schedule=faults(QUIET), steps=INTERVALS, seed=st.integers(0, 2**63))
def test_of_finite_truth_every_figure_makes_finite_samples(spec, schedule, steps, seed):
    sensor = Sensor(spec, schedule, seed)
    given = inputs(len(steps), spec.magnetometer is not None, seed % 1000)
    for kind in ("sample", "total"):
        sensor.model.covariance = kind
        for facts in measured(sensor, slice(0, len(steps)), steps, given, False):
            assert np.isfinite(facts).all()


@examples(10)
@given(spec=specs(), schedule=faults(ANY), steps=INTERVALS, seed=st.integers(0, 2**63))
def test_a_batch_of_one_is_a_sensor(spec, schedule, steps, seed):
    given = inputs(len(steps), spec.magnetometer is not None, seed % 1000)
    one = measured(Sensor(spec, schedule, seed), slice(0, len(steps)), steps, given, False)
    rate, force, field, warmth = given
    batch = (rate[:, None], force[:, None], None if field is None else field[:, None], warmth)
    many = Sensor(spec, schedule, seed, (1,))
    several = measured(many, slice(0, len(steps)), steps, batch, False)
    for a, b in zip(one, several, strict=True):
        assert np.array_equal(a, np.reshape(b, a.shape), equal_nan=True)
