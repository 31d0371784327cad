"""Which sensors a record has."""

import numpy as np

from imu_noise_node.recordings.record import ImuRecord
from imu_noise_node.recordings.values import examine_values


def test_a_sensor_that_is_nan_throughout_is_missing_and_one_that_starts_so_is_not():
    values = np.ones((6, 1000))
    values[0:3] = np.nan
    values[3:6, :5] = np.nan
    record = ImuRecord("x", np.arange(1000), values)
    assert (record.has_gyroscope, record.has_accelerometer) == (False, True)
    findings = examine_values(values)
    assert findings.missing == ("gyroscope",)
    assert findings.not_finite.tolist() == [0, 0, 0, 5, 5, 5]


def test_an_empty_record_has_none():
    record = ImuRecord("x", np.arange(0), np.empty((6, 0)))
    assert (record.has_gyroscope, record.has_accelerometer) == (False, False)
