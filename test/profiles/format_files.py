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

"""Small files of each format, for the tests of the formats and of the tool."""

KALIBR = """
#Accelerometers
accelerometer_noise_density: 2.0e-3
accelerometer_random_walk:   3e-3
gyroscope_noise_density:     1.7e-04
gyroscope_random_walk:       2e-05
update_rate:                 200.0
rostopic:                    /imu0
"""

OPENVINS = """%YAML:1.0

imu0:
  T_i_b:
    - [1.0, 0.0, 0.0, 0.0]
  accelerometer_noise_density: 2e-3
  accelerometer_random_walk: 3e-3
  gyroscope_noise_density: 1.7e-4
  gyroscope_random_walk: 2e-5
  update_rate: 200.0
  model: "kalibr"
  Tw:
    - [ 1.01, 0.0, 0.0 ]
    - [ 0.002, 0.98, 0.0 ]
    - [ 0.003, 0.004, 1.0 ]
  R_IMUtoGYRO:
    - [ 1.0, -0.001, 0.0 ]
    - [ 0.001, 1.0, 0.0 ]
    - [ 0.0, 0.0, 1.0 ]
  Ta:
    - [ 1.0, 0.0, 0.0 ]
    - [ 0.0, 1.0, 0.0 ]
    - [ 0.0, 0.0, 1.0 ]
  Tg:
    - [ 1e-4, 2e-4, 3e-4 ]
    - [ 4e-4, 5e-4, 6e-4 ]
    - [ 7e-4, 8e-4, 9e-4 ]
"""

EUROC = """%YAML:1.0
sensor_type: imu
T_BS:
  cols: 1
  rows: 1
  data: [1.0]
rate_hz: 200
gyroscope_noise_density: 1.7e-4
gyroscope_random_walk: 2e-5
accelerometer_noise_density: 2e-3
accelerometer_random_walk: 3e-3
"""

MAPLAB = """
hardware_id: imu0
sigmas:
  acc_noise_density: 4e-3
  acc_bias_random_walk_noise_density: 5e-3
  gyro_noise_density: 1e-4
  gyro_bias_random_walk_noise_density: 2e-4
saturation_accel_max_mps2: 150.0
saturation_gyro_max_radps: 7.5
"""

VINS = """%YAML:1.0
imu: 1
body_T_cam0: !!opencv-matrix
   rows: 1
   cols: 2
   dt: d
   data: [1, 0]
acc_n: 0.1
gyr_n: 0.01
acc_w: 0.001
gyr_w: 0.0001
"""

IMU_UTILS = """%YAML:1.0
---
type: IMU
name: "16448"
Gyr:
   unit: " rad/s"
   avg-axis:
      gyr_n: 2e-3
      gyr_w: 2e-5
   x-axis:
      gyr_n: 1e-3
      gyr_w: 1e-5
   y-axis:
      gyr_n: 2e-3
      gyr_w: 2e-5
   z-axis:
      gyr_n: 3e-3
      gyr_w: 3e-5
Acc:
   unit: " m/s^2"
   x-axis:
      acc_n: 1e-2
      acc_w: 1e-4
   y-axis:
      acc_n: 2e-2
      acc_w: 2e-4
   z-axis:
      acc_n: 3e-2
      acc_w: 3e-4
"""

RWTH = """
imu_simulator:
  general_settings:
    sample_time: 0.008
  model_parameter_settings:
    accelerometer:
      N: [1e-3, 2e-3, 3e-3]
      B: [1e-4, 1e-4, 1e-4]
      K: [1e-5, 2e-5, 3e-5]
      correlation_time: [44.0, 30.0, 176.0]
      interval_turn_on_bias: [0.05, 0.05, 0.05]
      measurement_range: [49.0, 49.0, 49.0]
      interval_scale_factor: [0.2, 0.2, 0.2]
      interval_misalignment: [1e-3, 1e-3, 1e-3]
      interval_non_orthogonality: [2e-4, 2e-4, 2e-4, 2e-4, 2e-4, 2e-4]
      resolution: [5e-6, 5e-6, 5e-6]
    gyroscope:
      N: [
          1e-4,
          2e-4,
          3e-4,
        ]
      B: [1e-6, 1e-6, 1e-6]
      K: [1e-7, 1e-7, 1e-7]
      correlation_time: [1000.0, 1000.0, 1000.0]
      interval_turn_on_bias: [3e-4, 3e-4, 3e-4]
      measurement_range: [7.0, 7.0, 7.0]
      interval_scale_factor: [0.5, 0.5, 0.5]
      interval_misalignment: [1e-3, 1e-3, 1e-3]
      resolution: [1e-6, 1e-6, 1e-6]
  model_enable_settings:
    accelerometer:
      enable_local_ref_vec: true
      enable_turn_on_bias: true
    gyroscope:
      enable_stochastic_error: false
      enable_scaling: false
"""

MATHWORKS = """
{
  // as loadparams reads it
  "LowCost9Axis": {
    "Gyroscope": {
      "MeasurementRange": 4.36,
      "Resolution": 1.3e-4,
      "ConstantBias": [0.01, -0.02, 0.03],
      "AxesMisalignment": [1.5, 2.5, 3.5],
      "NoiseDensity": 8.7e-5,
      "NoiseType": "single-sided",
      "BiasInstability": 2e-5,
      "RandomWalk": 3e-6,
      "TemperatureBias": [0.001, 0.002, 0.003],
      "TemperatureScaleFactor": 0.2,
      "AccelerationBias": [1e-4, 2e-4, 3e-4],
    },
    "Accelerometer": {
      "MeasurementRange": Infinity,
      "AxesMisalignment": [[101, 0.2, 0.3], [0.4, 98, 0.6], [0.7, 0.8, 100]],
      "NoiseDensity": 2e-3,
      "RandomWalk": 4e-5,
      "Colour": "blue",
    },
    "Magnetometer": {
      "NoiseDensity": 0.06,
      "Resolution": 0.1,
      "ConstantBias": 1.0,
      "MeasurementRange": 1200,
      "TemperatureBias": 0.5,
      "TemperatureScaleFactor": 0.1,
      "BiasInstability": 0.02,
      "RandomWalk": 0.003,
    },
  },
  "SampleRate": 100,
}
"""

IMU_ERROR_MODEL = """
schema_version: 1
model_name: Mine
sample_period_s: 0.01
metadata: {vendor: Somebody}
accelerometer:
  white_noise_density: 1e-3
  turn_on_bias_std: [0.1, 0.2, 0.3]
  bias_std: 2e-3
  flicker_bias_std: 3e-4
  flicker_min_correlation_time: 2.0
  flicker_max_correlation_time: 200.0
  flicker_components: 6
  scale_factor: 5000e-6
  measurement_range: 160.0
  quantization_step: 5e-3
  misalignment_std: 1e-3
  thermal_bias_coefficient: [0.01, 0.02, 0.03]
  thermal_noise_coefficient: 0.004
  thermal_scale_factor_coefficient: 1e-5
  reference_temperature_celsius: 20.0
  output_scale: 1000.0
gyroscope:
  white_noise_density: 1e-4
  noise_covariance: [[4e-8, 1e-8, 0], [1e-8, 4e-8, 0], [0, 0, 9e-8]]
  bias_std: 1e-5
  bias_correlation_time: 300.0
  nonlinear_factor: 1000e-6
  measurement_range: 35.0
  apply_clipping: false
  misalignment_covariance: [[1e-6, 0, 0], [0, 2e-6, 0], [0, 0, 3e-6]]
  output_scale: 1000.0
"""

_AXIS = """<{axis}><noise type="gaussian">
  <mean>{mean}</mean><stddev>{stddev}</stddev>{more}
</noise></{axis}>"""


def axis(name, stddev, mean=0.0, more=""):
    """Return the element of an axis."""
    return _AXIS.format(axis=name, stddev=stddev, mean=mean, more=more)


def sensor(inside, rate="<update_rate>400</update_rate>", name="imu"):
    """Return an imu sensor."""
    return f'<sensor name="{name}" type="imu">{rate}<imu>{inside}</imu></sensor>'


def model(*sensors):
    """Return an SDF model."""
    body = "".join(f'<link name="link{n}">{text}</link>' for n, text in enumerate(sensors))
    return f'<?xml version="1.0"?>\n<sdf version="1.9"><model name="m">{body}</model></sdf>'


SDF = model(
    sensor(
        "<angular_velocity>"
        + axis("x", 0.02, mean=0.5)
        + axis("y", 0.04, more="<bias_mean>0.1</bias_mean><bias_stddev>0.2</bias_stddev>")
        + axis(
            "z",
            0.06,
            more="<dynamic_bias_stddev>0.003</dynamic_bias_stddev>"
            "<dynamic_bias_correlation_time>200</dynamic_bias_correlation_time>"
            "<precision>0.001</precision>",
        )
        + "</angular_velocity>"
    )
)

FILES = {
    "kalibr": ("imu.yaml", KALIBR),
    "euroc": ("sensor.yaml", EUROC),
    "maplab": ("imu-adis.yaml", MAPLAB),
    "vins": ("euroc_config.yaml", VINS),
    "imu-utils": ("16448_imu_param.yaml", IMU_UTILS),
    "rwth-irt": ("stim300.yaml", RWTH),
    "mathworks": ("generic.json", MATHWORKS),
    "imu-error-model": ("mine.yaml", IMU_ERROR_MODEL),
    "sdf": ("model.sdf", SDF),
}
"""A name and a text for each format."""
