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

"""Latency, jitter and drop-out, in a time that the test makes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from imu_noise_node import ParameterError
from imu_noise_node.delivery import Delivery, DeliveryPolicy

MS = 1_000_000


def delivered(policy, count=2000, period=10 * MS, seed=1, tick=MS):
    """(arrival, item) of samples made every `period`, as seen by a clock with that tick."""
    delivery = Delivery(policy, seed)
    found = []
    now = made = 0
    while made < count or delivery.next_due is not None:
        if made < count and now >= made * period:
            delivery.accept(made, made * period)
            made += 1
        found += [(now, item) for item in delivery.due(now)]
        now += tick
    return delivery, found


def test_by_default_all_pass_at_once():
    _, found = delivered(DeliveryPolicy(), count=50)
    assert found == [(10 * k * MS, k) for k in range(50)]
    assert DeliveryPolicy().is_plain


def test_latency_delays_each_by_the_same():
    _, found = delivered(DeliveryPolicy(latency=0.0345), count=50)
    assert found == [(10 * k * MS + 35 * MS, k) for k in range(50)]


def test_nobody_overtakes_and_nobody_is_early_whatever_the_jitter():
    _, found = delivered(DeliveryPolicy(latency=0.02, jitter=0.05))
    assert [item for _, item in found] == list(range(2000))
    arrivals = np.array([arrival for arrival, _ in found])
    assert (np.diff(arrivals) >= 0).all()
    assert (arrivals >= 10 * MS * np.arange(2000)).all()


def test_jitter_spreads_the_delays_by_its_sigma():
    # Periods long against the jitter: no queueing. The sample standard deviation of n = 2000
    # normal delays is within 6 standard errors, sigma/sqrt(2 n), but once in 5e8 runs.
    sigma = 5e-3
    _, found = delivered(DeliveryPolicy(latency=0.05, jitter=sigma), period=200 * MS)
    delays = np.array([arrival - 200 * MS * item for arrival, item in found]) / 1e9
    # A tick of 1 ms rounds up: half a tick in the mean, tick^2/12 in the variance.
    assert abs(delays.mean() - 0.0505) < 6.0 * sigma / np.sqrt(2000)
    spread = np.sqrt(delays.var() - 1e-6 / 12.0)
    assert abs(spread - sigma) < 6.0 * sigma / np.sqrt(4000)


def test_dropout_loses_its_fraction_and_counts_it():
    # Binomial, n = 2000, p = 0.1: 200 +- 6 sqrt(180) but once in 5e8 runs.
    delivery, found = delivered(DeliveryPolicy(dropout=0.1))
    assert delivery.dropped + len(found) == 2000
    assert abs(delivery.dropped - 200) < 6.0 * np.sqrt(180.0)


def test_losses_are_the_same_with_and_without_jitter():
    items = [
        [item for _, item in delivered(DeliveryPolicy(dropout=0.2, jitter=j, latency=0.1), 300)[1]]
        for j in (0.0, 0.03)
    ]
    assert items[0] == items[1]


def test_what_waits_is_given_out_at_the_end():
    delivery = Delivery(DeliveryPolicy(latency=10.0), 0)
    for k in range(5):
        delivery.accept(k, k)
    assert list(delivery.due(4)) == []
    assert list(delivery.flush()) == [0, 1, 2, 3, 4]
    assert delivery.next_due is None


def test_the_draws_go_on_from_a_state_and_begin_again_with_a_reset():
    policy = DeliveryPolicy(dropout=0.5, jitter=0.01, latency=0.1)

    def take(delivery, count):
        for k in range(count):
            delivery.accept(k, k * 1000 * MS)
        return list(delivery.flush())

    first, second = Delivery(policy, 3), Delivery(policy, 99)
    whole = take(first, 40)
    state = json.loads(json.dumps(first.state()))
    second.restore(state)
    assert take(first, 40) == take(second, 40)
    assert first.dropped == second.dropped
    first.reset()
    assert take(first, 40) == whole


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        ({"latency": -1.0}, "latency = -1.0: must be a finite number from 0 to 3600"),
        ({"dropout": 1.5}, "dropout = 1.5: must be a finite number from 0 to 1"),
        ({"jitter": float("nan")}, "jitter = nan: must be a finite number"),
    ],
)
def test_what_cannot_be_is_refused(figures, sentence):
    with pytest.raises(ParameterError) as refused:
        DeliveryPolicy(**figures)
    assert str(refused.value).startswith(sentence)
