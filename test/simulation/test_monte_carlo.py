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

"""Runs on a Dask cluster are those made one after the other, to the bit."""

import importlib
import sys

import numpy as np
import pytest

from imu_noise_node import InputError, load_profile
from imu_noise_node.errors import MissingPackageError
from imu_noise_node.simulation.monte_carlo import run_many
from imu_noise_node.simulation.run import measure, simulate
from imu_noise_node.simulation.trajectory import Trajectory

SEEDS = range(5, 12)


@pytest.fixture(scope="module")
def tape():
    """A body at rest for two seconds, with a gap and a restart."""
    stamps = 10**9 + np.arange(800) * 2_500_000
    stamps[300:] += 2 * 10**9
    stamps[600:] -= 3 * 10**9
    zero = np.zeros((800, 3))
    level = np.tile([0.0, 0.0, 0.0, 1.0], (800, 1))
    return simulate(Trajectory("rest", stamps, zero, level, zero, zero)).tape


@pytest.fixture(scope="module")
def spec():
    return load_profile("adis16470")


@pytest.fixture(scope="module")
def serial(tape, spec):
    return list(run_many(tape, spec, SEEDS, with_bias=True))


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="needs Dask distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        dashboard_address=":0",
    ) as cluster:
        yield cluster


def assert_same(one, other):
    assert [a.seed for a in one] == [b.seed for b in other] == list(SEEDS)
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a.values, b.values)
        assert np.array_equal(a.bias, b.bias)


def test_each_run_is_the_one_of_its_seed_by_hand(tape, spec, serial):
    for outcome in serial:
        run = measure(tape, spec, outcome.seed)
        assert np.array_equal(outcome.values, run.values)
        assert np.array_equal(outcome.bias, run.bias)
    assert len({outcome.values[0, 0] for outcome in serial}) == len(SEEDS)


def test_a_cluster_of_processes_makes_the_same_runs(tape, spec, serial):
    pytest.importorskip("distributed", reason="needs Dask distributed")
    done = []
    runs = run_many(
        tape,
        spec,
        SEEDS,
        "dask",
        with_bias=True,
        workers=2,
        progress=lambda *counts: done.append(counts),
    )
    assert_same(list(runs), serial)
    assert done == [(k + 1, len(SEEDS)) for k in range(len(SEEDS))]


def test_a_cluster_that_is_there_makes_the_same_runs(tape, spec, serial, cluster):
    address = cluster.scheduler_address
    assert_same(list(run_many(tape, spec, SEEDS, address, with_bias=True)), serial)


def test_a_run_that_is_given_up_leaves_nothing(tape, spec, cluster):
    runs = run_many(tape, spec, range(100), cluster.scheduler_address)
    assert next(runs).seed == 0
    runs.close()
    with pytest.raises(StopIteration):
        next(runs)


def _fails(tape, spec, seed, with_bias):
    raise RuntimeError("no\n  room")


def test_a_worker_that_fails_is_one_sentence(cluster):
    from imu_noise_node.simulation.cluster import spread

    with pytest.raises(InputError) as caught:
        list(spread(_fails, None, None, SEEDS, False, cluster.scheduler_address, None))
    assert str(caught.value).endswith(": failed: no room")


def test_an_address_that_nobody_answers_at_is_one_sentence(tape, spec, monkeypatch):
    pytest.importorskip("distributed", reason="needs Dask distributed")
    cluster = importlib.import_module("imu_noise_node.simulation.cluster")
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"scheduler = 'tcp://127.0.0.1:9': failed: Timed out"):
        list(run_many(tape, spec, SEEDS, "tcp://127.0.0.1:9"))


@pytest.mark.parametrize("scheduler", ["dsk", "", "tcp://127.0.0.1", "127.0.0.1:80", "tcp://a:b"])
def test_what_is_no_scheduler_is_refused(tape, spec, scheduler):
    pytest.importorskip("distributed", reason="needs Dask distributed")
    with pytest.raises(InputError, match="must be serial, dask, or an address"):
        list(run_many(tape, spec, SEEDS, scheduler))


def test_without_dask_one_is_told_what_to_do(tape, spec, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "imu_noise_node.simulation.cluster", raising=False)
    with pytest.raises(MissingPackageError, match="pip install distributed, or leave out"):
        list(run_many(tape, spec, SEEDS, "dask"))
