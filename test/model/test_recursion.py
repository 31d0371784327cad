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

"""The recursion over time gives the same bits whichever way it is computed."""

from __future__ import annotations

import builtins
import itertools

import numpy as np
import pytest

from imu_noise_node.model import recursion
from imu_noise_node.model.recursion import SHORT, recur


def recurred(keep, start, kicks, cuts=()):
    states = np.empty((kicks.shape[0], kicks.shape[1] + 1, *kicks.shape[2:]))
    states[:, 0] = start
    edges = [0, *cuts, kicks.shape[1]]
    for first, last in itertools.pairwise(edges):
        part = np.ascontiguousarray(states[:, first : last + 1])
        recur(keep, part, kicks[:, first:last])
        states[:, first : last + 1] = part
    return states


def in_floats(keep, start, kicks):
    """The recursion in Python's own floats, which round every operation once."""
    states = np.empty((kicks.shape[0], kicks.shape[1] + 1, *kicks.shape[2:]))
    for p in np.ndindex(*kicks[:, 0].shape):
        lane, time = (p[0], slice(None), *p[1:]), float(start[p])
        path = [time]
        for kick in kicks[lane].tolist():
            path.append(float(keep[p]) * path[-1] + kick)
        states[lane] = path
    return states


@pytest.fixture
def bank(batch):
    """Return keep, start and kicks of four processes, two of them with a keep for each axis."""
    rng = np.random.default_rng(7)
    shape = (4, *batch, 6)
    keep = np.broadcast_to(
        np.array([1.0, 0.999, 0.5, 0.0]).reshape(4, *(1,) * len(shape[1:])), shape
    )
    keep = keep.copy()
    keep[1:3, ..., 2] *= 0.9
    return keep, rng.standard_normal(shape), rng.standard_normal((4, 3 * SHORT, *batch, 6))


def test_it_is_the_plain_recursion_to_the_bit(bank, recursion):
    assert np.array_equal(recurred(*bank), in_floats(*bank))


@pytest.mark.parametrize("cuts", [(1,), (SHORT - 1,), (SHORT, SHORT + 1), (5, 100, 101, 180)])
def test_cuts_do_not_show(bank, recursion, cuts):
    assert np.array_equal(recurred(*bank, cuts=cuts), recurred(*bank))


def test_filter_and_loop_agree_for_many_lanes(monkeypatch):
    rng = np.random.default_rng(8)
    kicks = rng.standard_normal((2, 2 * SHORT, 200, 6))
    keep, start = np.full((2, 200, 6), 0.97), np.zeros((2, 200, 6))
    by_loop = recurred(keep, start, kicks)
    monkeypatch.setattr(recursion, "_MANY_LANES", 10**6)
    assert np.array_equal(recurred(keep, start, kicks), by_loop)


def test_the_filter_is_used_only_where_it_saves_time(monkeypatch, bank):
    calls = []

    def filtered(*given, **named):
        calls.append(given)
        raise LookupError

    monkeypatch.setattr(recursion, "_trusted_filter", lambda: filtered)
    keep, start, kicks = bank
    recurred(keep, start, kicks[:, : SHORT - 1])
    assert not calls
    with pytest.raises(LookupError):
        recurred(keep, start, kicks[:, :SHORT])


def test_without_scipy_there_is_no_filter(monkeypatch):
    plain = builtins.__import__

    def without_scipy(name, *others, **more):
        if name.startswith("scipy"):
            raise ImportError(name)
        return plain(name, *others, **more)

    monkeypatch.setattr(builtins, "__import__", without_scipy)
    assert recursion._trusted_filter.__wrapped__() is None


def test_a_filter_that_rounds_otherwise_is_not_trusted(monkeypatch):
    signal = pytest.importorskip("scipy.signal")

    def fused(b, a, x, axis, zi):
        y, z = honest(b, a, x, axis=axis, zi=zi)
        return y * (1.0 + 2.0**-52), z

    honest = signal.lfilter
    monkeypatch.setattr(signal, "lfilter", fused)
    assert recursion._trusted_filter.__wrapped__() is None
