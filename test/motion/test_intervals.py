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

import itertools

import pytest

from imu_noise_node.errors import ParameterError
from imu_noise_node.motion.intervals import Intervals, TimePolicy, Verdict

SECOND = 1_000_000_000


def walk(stamps, **policy):
    """Feed stamps [ns] and follow the verdicts as the pipeline does; return them."""
    intervals = Intervals(TimePolicy(**policy))
    verdicts = []
    for stamp in stamps:
        verdict = intervals.judge(stamp)
        verdicts.append(verdict)
        if verdict is Verdict.SAMPLE:
            intervals.sample(stamp)
        elif verdict is Verdict.BETWEEN:
            intervals.extend(stamp)
        elif verdict in (Verdict.BASELINE, Verdict.RESET, Verdict.GAP):
            intervals.start(stamp)
    return verdicts


def captures(stamps, **policy):
    verdicts = walk(stamps, **policy)
    return [s for s, v in zip(stamps, verdicts, strict=True) if v is Verdict.SAMPLE]


def test_first_message_is_the_baseline_and_the_rest_are_samples():
    assert walk([10, 10 + SECOND // 100, 10 + SECOND // 50]) == [
        Verdict.BASELINE,
        Verdict.SAMPLE,
        Verdict.SAMPLE,
    ]


def test_stamps_before_the_epoch_are_stamps_like_any_other():
    assert walk([-5 * SECOND, -5 * SECOND + 10_000_000]) == [Verdict.BASELINE, Verdict.SAMPLE]


def test_the_shortest_interval_must_be_below_the_longest():
    with pytest.raises(ParameterError, match=r"min_interval = 1.0: must be below max_gap, 0.5"):
        TimePolicy(min_interval=1.0)


def test_a_stamp_of_zero_is_no_time_yet():
    assert walk([0, 1000, 0, 1000 + SECOND // 100]) == [
        Verdict.NO_TIME,
        Verdict.BASELINE,
        Verdict.NO_TIME,
        Verdict.SAMPLE,
    ]


def test_the_same_stamp_again_is_ignored():
    step = SECOND // 100
    assert walk([step, step, 2 * step, 2 * step]) == [
        Verdict.BASELINE,
        Verdict.REPEATED,
        Verdict.SAMPLE,
        Verdict.REPEATED,
    ]


def test_a_short_interval_joins_the_next_one():
    third = [10_000_000, 20_000_000, 20_003_000, 30_000_000]
    assert walk(third) == [Verdict.BASELINE, Verdict.SAMPLE, Verdict.TOO_SOON, Verdict.SAMPLE]


@pytest.mark.parametrize(
    ("back", "verdict"),
    [(1, Verdict.LATE), (99_999_999, Verdict.LATE), (100_000_000, Verdict.RESET)],
)
def test_older_by_less_than_the_threshold_is_late_by_more_is_a_reset(back, verdict):
    assert walk([SECOND, SECOND - back])[1] is verdict


@pytest.mark.parametrize(
    ("dt", "verdict"), [(500_000_000, Verdict.SAMPLE), (500_000_001, Verdict.GAP)]
)
def test_a_longer_interval_than_the_gap_is_no_sample(dt, verdict):
    assert walk([SECOND, SECOND + dt])[1] is verdict


def test_after_a_gap_the_next_interval_counts_from_the_message_that_ended_it():
    assert walk([SECOND, 5 * SECOND, 5 * SECOND + 10_000_000]) == [
        Verdict.BASELINE,
        Verdict.GAP,
        Verdict.SAMPLE,
    ]


def test_400_hz_at_rate_300_gives_both_intervals_and_the_rate_on_average():
    truth = [SECOND + k * 2_500_000 for k in range(4001)]
    taken = captures(truth, rate=300.0)
    steps = {b - a for a, b in itertools.pairwise(taken)}
    assert steps == {2_500_000, 5_000_000}
    assert len(taken) == 3000


def test_a_rate_that_divides_the_truth_takes_every_fourth():
    truth = [SECOND + k * 2_500_000 for k in range(401)]
    assert captures(truth, rate=100.0) == truth[4::4]


def test_a_rate_above_the_truth_takes_every_message():
    truth = [SECOND + k * 2_500_000 for k in range(100)]
    assert captures(truth, rate=1000.0) == truth[1:]


def test_stamps_a_little_early_are_not_put_off_to_the_next_message():
    truth = [SECOND + k * 10_000_000 - (k % 3) * 1000 for k in range(301)]
    assert captures(truth, rate=100.0) == truth[1:]


def test_due_times_stay_on_their_grid_after_a_dropped_message():
    truth = [SECOND + k * 2_500_000 for k in range(41) if k != 8]
    taken = captures(truth, rate=100.0)
    assert [(t - SECOND) // 2_500_000 for t in taken] == [4, 9, 12, 16, 20, 24, 28, 32, 36, 40]


def test_a_new_rate_counts_from_the_last_capture():
    intervals = Intervals(TimePolicy())
    intervals.start(SECOND)
    intervals.sample(SECOND + 3_000_000)
    intervals.retune(TimePolicy(rate=100.0))
    assert intervals.judge(SECOND + 12_000_000) is Verdict.BETWEEN
    assert intervals.judge(SECOND + 13_000_000) is Verdict.SAMPLE


def test_other_limits_leave_the_grid_where_it_is():
    intervals = Intervals(TimePolicy(rate=100.0))
    intervals.start(SECOND)
    intervals.sample(SECOND + 12_000_000)
    intervals.retune(TimePolicy(rate=100.0, max_gap=2.0))
    assert intervals.judge(SECOND + 20_000_000) is Verdict.SAMPLE


@pytest.mark.parametrize(
    ("name", "value"),
    [("rate", -1.0), ("max_gap", 0.0), ("min_interval", float("nan")), ("rate", "fast")],
)
def test_a_bad_limit_is_one_sentence(name, value):
    with pytest.raises(ParameterError, match=name) as caught:
        TimePolicy(**{name: value})
    assert "\n" not in str(caught.value)
