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

"""One seed, one stream of normals per name; how it is read changes nothing."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from imu_noise_node import ParameterError
from imu_noise_node.model import streams as module
from imu_noise_node.model.streams import Slot, Streams, resolve_seed

SLOTS = [
    Slot("left/white", slice(0, 1), slice(0, 3)),
    Slot("right/white", slice(0, 1), slice(3, 6)),
    Slot("left/walk", slice(1, 3), slice(0, 3)),
]

GOLDEN = {
    "gyroscope/white": [-0.50229394103268, -0.87435136379265, -0.05488112797258],
    "accelerometer/white": [-0.81613866736665, -2.57211137574911, 1.81320207111071],
    "gyroscope/random_walk": [1.12959438207211, -0.2304429820982, -1.13255417357196],
    "gyroscope/gauss_markov": [-1.79734413861957, -0.92513401747065, 0.79992584698996],
    "gyroscope/flicker": [-1.16308135872192, 0.12450177423853, 0.34098315230249],
    "accelerometer/flicker/start": [-1.53417160312241, 1.09405603812396, -1.59686666990432],
    "gyroscope/turn_on_bias": [-0.75279224907097, -1.70318678052719, 0.53114379771202],
}
"""The first numbers of seed 0."""


def laid_out(seed: int = 0, batch: tuple[int, ...] = (), slots=SLOTS) -> Streams:
    streams = Streams(seed)
    streams.lay_out(slots, (3, *batch, 6))
    return streams


def by_steps(streams: Streams, count: int):
    """Take rows one by one from those drawn ahead, as a stream of single captures does."""
    rows = []
    for _ in range(count):
        if streams.used == streams.drawn:
            streams.refill()
        rows.append(streams.ahead[:, streams.used].copy())
        streams.used += 1
    return np.stack(rows, axis=1)


def taken(streams: Streams, *counts: int):
    """Take the next rows, so many at a time."""
    return np.concatenate([streams.take(count).copy() for count in counts], axis=1)


def test_a_row_has_each_stream_in_its_place_and_zeros_elsewhere(batch):
    normals = taken(laid_out(3, batch), 5)
    assert normals.shape == (3, 5, *batch, 6)
    assert not normals[1:, ..., 3:].any()
    plain = Streams(3).generator("left/walk").standard_normal((5, 2, *batch, 3))
    assert np.array_equal(normals[1:, ..., :3].swapaxes(0, 1), plain)


@pytest.mark.parametrize("counts", [(700,), (1,) * 7 + (693,), (32, 32, 636), (31, 2, 667)])
def test_rows_do_not_depend_on_how_many_are_taken_at_once(batch, counts):
    assert np.array_equal(taken(laid_out(1, batch), *counts), by_steps(laid_out(1, batch), 700))


@pytest.mark.parametrize("prefetch", [1, 2, 7, 32, 1000])
def test_rows_do_not_depend_on_how_many_are_drawn_ahead(batch, prefetch, monkeypatch):
    expected = taken(laid_out(1, batch), 100)
    monkeypatch.setattr(module, "_LARGEST_PREFETCH", prefetch)
    monkeypatch.setattr(module, "_NUMBERS_PER_PREFETCH", 10**9)
    assert np.array_equal(by_steps(laid_out(1, batch), 100), expected)


@pytest.mark.parametrize("marks", [1, 2, 16])
def test_what_was_drawn_ahead_and_not_used_is_drawn_again(batch, marks, monkeypatch):
    monkeypatch.setattr(module, "_PREFETCHES_PER_MARK", marks)
    counts = [1, 31, 32, 33, 64, 65, 5, 0, 200, 3]
    streams, expected = laid_out(2, batch), taken(laid_out(2, batch), 2 * sum(counts))
    found = []
    for count in counts:
        found += [by_steps(streams, count)] if count else []
        streams.settle()
        found += [taken(streams, count)] if count else []
    assert np.array_equal(np.concatenate(found, axis=1), expected)


def test_a_state_goes_through_json_at_any_place():
    for used in (0, 1, 31, 32, 33, 600):
        streams, other = laid_out(4), laid_out(99)
        by_steps(streams, used) if used else None
        by_steps(other, 3)
        other.restore(json.loads(json.dumps(streams.state())), streams.seed)
        assert np.array_equal(by_steps(other, 50), by_steps(streams, 50))


def test_asking_for_the_state_changes_nothing():
    streams = laid_out(4)
    first = by_steps(streams, 5)
    streams.state()
    both = np.concatenate([first, by_steps(streams, 40)], axis=1)
    assert np.array_equal(both, taken(laid_out(4), 45))


def test_a_restored_stream_begins_others_from_the_restored_seed():
    streams = Streams(1)
    streams.restore(Streams(5).state(), 5)
    assert streams.generator("new").random() == Streams(5).generator("new").random()
    streams.restart()
    assert streams.generator("new").random() == Streams(5).generator("new").random()


def test_restart_repeats_every_stream():
    streams = laid_out(6)
    first = by_steps(streams, 40)
    streams.restart()
    assert np.array_equal(by_steps(streams, 40), first)


def test_a_stream_more_or_less_changes_no_number_of_the_others():
    everything = taken(laid_out(8), 50)
    for left_out in range(len(SLOTS)):
        slots = SLOTS[:left_out] + SLOTS[left_out + 1 :]
        some = taken(laid_out(8, slots=slots), 50)
        for slot in slots:
            part = (slot.rows, slice(None), slot.axes)
            assert np.array_equal(some[part], everything[part])


def test_a_stream_that_comes_later_changes_no_number_of_the_others():
    streams, expected = laid_out(8, slots=SLOTS[:2]), taken(laid_out(8), 20)
    first = by_steps(streams, 5)
    streams.lay_out(SLOTS, (3, 6))
    rows = np.concatenate([first, by_steps(streams, 15)], axis=1)
    assert np.array_equal(rows[0], expected[0])


def test_a_thousand_seeds_and_all_names_are_distinct():
    names = [
        f"{sensor}/{effect}{start}"
        for sensor in ("gyroscope", "accelerometer")
        for effect in ("white", "random_walk", "gauss_markov", "flicker", "turn_on_bias")
        for start in ("", "/start")
    ]
    firsts = [
        Streams(seed).generator(name).standard_normal()
        for seed, name in itertools.product(range(1000), names)
    ]
    assert len(set(firsts)) == 1000 * len(names)


@pytest.mark.parametrize(("name", "expected"), GOLDEN.items())
def test_the_numbers_of_a_seed_stay_the_same_from_release_to_release(name, expected):
    found = Streams(0).generator(name).standard_normal(3)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**100])
def test_a_seed_is_taken_as_it_is(seed):
    assert resolve_seed(seed) == seed


def test_minus_one_draws_a_seed():
    drawn = {resolve_seed(-1) for _ in range(20)}
    assert len(drawn) > 1
    assert all(0 <= seed < 2**31 for seed in drawn)


@pytest.mark.parametrize("seed", [-2, -(10**9)])
def test_another_negative_seed_is_refused(seed):
    with pytest.raises(ParameterError, match=f"seed = {seed}: must be a whole number, 0 or more"):
        resolve_seed(seed)
