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

"""An error-state Kalman filter for an IMU and position fixes, tuned from the datasheet alone.

After J. Solà, Quaternion kinematics for the error-state Kalman filter, arXiv:1711.02508 (2017),
chapters 5 and 6; the numbers in brackets are his equations. Attitudes are matrices here, which
turn sensor axes into those of the world. Every array may have leading axes: many filters at once.

docs/why.md feeds it with simulated IMUs.
"""

import numpy as np

GRAVITY = np.array([0.0, 0.0, -9.80665])

POSITION, VELOCITY, ATTITUDE, GYRO_BIAS, ACCEL_BIAS = (slice(i, i + 3) for i in range(0, 15, 3))
"""Where the errors are: world axes [m, m/s], then sensor axes [rad, rad/s, m/s^2]."""


class ErrorStateFilter:
    """Position, velocity, attitude and biases, with the covariance of their errors.

    Parameters
    ----------
    spec : ImuSpec
        Noise densities, random walks and turn-on biases are all that is used of it.
    position, velocity, attitude : ndarray, shapes (*batch, 3), (*batch, 3), (*batch, 3, 3)
        At the start [m, m/s].
    stddev : ndarray, shape (9,)
        Of the errors that these have.
    """

    def __init__(self, spec, position, velocity, attitude, stddev):
        self.position, self.velocity, self.attitude = position, velocity, attitude
        self.gyro_bias, self.accel_bias = np.zeros_like(position), np.zeros_like(position)
        gyro, accel = spec.gyroscope, spec.accelerometer
        biases = [gyro.turn_on_bias_stddev, accel.turn_on_bias_stddev]
        variances = np.concatenate([stddev, np.repeat(biases, 3)]) ** 2
        self.covariance = np.broadcast_to(np.diag(variances), (*position.shape[:-1], 15, 15))
        # Growth of the covariance per second, from [262] to [265]. There the variance of one
        # sample, (density / sqrt(dt))^2, is multiplied with dt^2: that is density^2 dt.
        densities = [accel.noise_density, gyro.noise_density, gyro.random_walk, accel.random_walk]
        self.growth = np.diag(np.concatenate([np.zeros(3), np.repeat(densities, 3) ** 2]))

    def predict(self, rate, force, dt):
        """Go on by one sample of the IMU: mean rate and force over the last `dt` seconds."""
        turn = (rate - self.gyro_bias) * dt
        push = (force - self.accel_bias) * dt
        # The force pushes while the sensor turns: to second order, in the attitude half-way.
        middle = self.attitude @ rotation(turn / 2.0)
        change = times(middle, push) + GRAVITY * dt
        self.position = self.position + (self.velocity + change / 2.0) * dt  # [260]
        self.velocity = self.velocity + change
        self.attitude = self.attitude @ rotation(turn)
        step = np.broadcast_to(np.eye(15), self.covariance.shape).copy()  # [270]
        step[..., POSITION, VELOCITY] = np.eye(3) * dt
        step[..., VELOCITY, ATTITUDE] = -middle @ skew(push)
        step[..., VELOCITY, ACCEL_BIAS] = -middle * dt
        step[..., ATTITUDE, ATTITUDE] = rotation(-turn)
        step[..., ATTITUDE, GYRO_BIAS] = -np.eye(3) * dt
        self.covariance = step @ self.covariance @ transposed(step) + self.growth * dt

    def correct(self, fix, stddev):
        """Take in a measured position whose axes each err by `stddev` [m]."""
        columns = self.covariance[..., :, POSITION]
        expected = columns[..., POSITION, :] + np.eye(3) * stddev**2
        gain = columns @ np.linalg.inv(expected)  # [274]
        error = times(gain, fix - self.position)
        self.covariance = self.covariance - gain @ expected @ transposed(gain)
        self.position = self.position + error[..., POSITION]  # [283]
        self.velocity = self.velocity + error[..., VELOCITY]
        self.attitude = self.attitude @ rotation(error[..., ATTITUDE])
        self.gyro_bias = self.gyro_bias + error[..., GYRO_BIAS]
        self.accel_bias = self.accel_bias + error[..., ACCEL_BIAS]
        reset = np.broadcast_to(np.eye(15), self.covariance.shape).copy()  # [286]
        reset[..., ATTITUDE, ATTITUDE] -= skew(error[..., ATTITUDE] / 2.0)
        self.covariance = reset @ self.covariance @ transposed(reset)

    def nees(self, position, velocity, attitude, gyro_bias, accel_bias):
        """Return the squared error beside the truth, normalised by the covariance (NEES).

        Of a consistent filter it has a chi-square law with 15 degrees of freedom: Y. Bar-Shalom,
        X. R. Li, T. Kirubarajan, Estimation with Applications to Tracking and Navigation (2001),
        section 5.4.
        """
        parts = [
            position - self.position,
            velocity - self.velocity,
            rotation_vector(transposed(self.attitude) @ attitude),
            gyro_bias - self.gyro_bias,
            accel_bias - self.accel_bias,
        ]
        error = np.concatenate(parts, axis=-1)
        weighted = np.linalg.solve(self.covariance, error[..., None])[..., 0]
        return np.sum(error * weighted, axis=-1)


def rotation(vector):
    """Return the matrices of rotation vectors [rad], shape (..., 3): Rodrigues' formula."""
    angle = np.sqrt(np.sum(vector**2, axis=-1))[..., None, None]
    # NumPy's sinc(x) is sin(pi x)/(pi x), and 1 at 0.
    sine, half = np.sinc(angle / np.pi), np.sinc(angle / (2.0 * np.pi))
    cross = skew(vector)
    return np.eye(3) + sine * cross + 0.5 * half**2 * cross @ cross


def rotation_vector(matrix):
    """Return the rotation vectors [rad] of matrices that turn by little, to second order."""
    half = (matrix - transposed(matrix)) / 2.0
    return np.stack([half[..., 2, 1], half[..., 0, 2], half[..., 1, 0]], axis=-1)


def skew(v):
    """Return the matrices that do `v` x ..., shape (..., 3, 3)."""
    found = np.zeros((*v.shape, 3))
    found[..., 2, 1], found[..., 0, 2], found[..., 1, 0] = v[..., 0], v[..., 1], v[..., 2]
    return found - transposed(found)


def times(matrix, vector):
    """Return matrices times vectors."""
    return (matrix @ vector[..., None])[..., 0]


def transposed(matrix):
    """Return the matrices transposed."""
    return np.swapaxes(matrix, -1, -2)
