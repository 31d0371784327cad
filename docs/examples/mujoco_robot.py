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

"""MuJoCo as the truth for imu_noise; by default a quadrotor that swings on four springs.

It publishes /clock, odom, and on imu/engine what MuJoCo's own gyroscope and accelerometer read,
averaged since the last message. It begins when the node listens, which runs beside it
(docs/mujoco.md tells more):

    ros2 run imu_noise imu_noise_node --ros-args -p use_sim_time:=true -p profile:=bmi088 \
        -p mount.translation:=[0.12,-0.05,0.2] -p mount.rpy:=[0.1,-0.2,1.0]
    python3 docs/examples/mujoco_robot.py --rate 200 --duration 60
"""

import argparse
import contextlib
import math
import sys
import time
from pathlib import Path

try:
    import mujoco
except ModuleNotFoundError:
    sys.exit("mujoco_robot.py needs MuJoCo: python3 -m pip install mujoco")
import numpy as np

NANOSECONDS = 1_000_000_000
QUADROTOR = Path(__file__).with_name("quadrotor.xml")


class Engine:
    """Moves a model; tells of the site "imu", its sensors, and the body that it is on."""

    def __init__(self, model):
        self.model, self.data = model, mujoco.MjData(model)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, self.data, 0)
        self.site = model.site("imu")
        self.body = self.data.body(self.site.bodyid.item())
        self._sensors = [self.data.sensor(name).data for name in ("gyro", "accelerometer")]
        # [ns]; counted, since the sum of many timesteps would be off by rounding.
        self.stamp, self.timestep = 0, round(model.opt.timestep * NANOSECONDS)
        mujoco.mj_forward(model, self.data)

    def advance(self, steps):
        """Move on by so many timesteps; return the mean readings over them (trapezoidal rule)."""
        total = 0.5 * self.readings()
        for _ in range(steps):
            mujoco.mj_step(self.model, self.data)
            # A step leaves sensors and velocities as they were at its start.
            mujoco.mj_forward(self.model, self.data)
            total += self.readings()
        self.stamp += steps * self.timestep
        return (total - 0.5 * self.readings()) / steps

    def readings(self):
        """Return gyroscope [rad/s] and accelerometer [m/s^2] at this moment, site axes."""
        return np.concatenate(self._sensors)

    def odometry(self):
        """Return position and orientation xyzw in the world, velocity and rate in body axes."""
        # The velocity that a free joint has in qvel is in the axes of the world; this turns it.
        twist, kind = np.empty(6), mujoco.mjtObj.mjOBJ_XBODY
        mujoco.mj_objectVelocity(self.model, self.data, kind, self.body.id, twist, True)
        pose = self.body.xpos.tolist(), np.roll(self.body.xquat, -1).tolist()
        return *pose, twist[3:].tolist(), twist[:3].tolist()

    def parameters(self):
        """Return what the node has to know about the model, as it takes it."""
        w, x, y, z = self.site.quat
        roll = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = math.asin(np.clip(2 * (w * y - z * x), -1, 1))
        yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        place, rpy = self.site.pos.round(12).tolist(), np.round([roll, pitch, yaw], 12).tolist()
        given = f"-p mount.translation:={place} -p mount.rpy:={rpy}".replace(", ", ",")
        return f"{given} -p gravity:={-self.model.opt.gravity[2]}"


def publish(engine, steps, duration, factor):
    """Wait for a subscriber of odom, then simulate and publish."""
    from nav_msgs.msg import Odometry
    from rclpy.duration import Duration
    from rclpy.node import Node
    from rosgraph_msgs.msg import Clock
    from sensor_msgs.msg import Imu

    node, clock, odometry, imu = Node("mujoco_robot"), Clock(), Odometry(), Imu()
    odometry.header.frame_id, odometry.child_frame_id = "odom", engine.body.name
    imu.header.frame_id = "imu"
    imu.orientation_covariance[0] = -1.0  # there is none in it
    pose, twist = odometry.pose.pose, odometry.twist.twist
    to_clock = node.create_publisher(Clock, "/clock", 10)
    # Deep, so that a burst can wait for its subscriber.
    to_odom = node.create_publisher(Odometry, "odom", 2000)
    to_imu = node.create_publisher(Imu, "imu/engine", 2000)
    while not to_odom.get_subscription_count():
        time.sleep(0.02)
    began = time.monotonic()
    while engine.stamp < duration * NANOSECONDS:
        mean = engine.advance(steps).tolist()
        fill([pose.position, pose.orientation, twist.linear, twist.angular], engine.odometry())
        fill([imu.angular_velocity, imu.linear_acceleration], [mean[:3], mean[3:]])
        for stamp in (clock.clock, odometry.header.stamp, imu.header.stamp):
            stamp.sec, stamp.nanosec = divmod(engine.stamp, NANOSECONDS)
        to_clock.publish(clock)
        to_odom.publish(odometry)
        to_imu.publish(imu)
        due = began + engine.stamp / NANOSECONDS / factor
        time.sleep(max(0.0, due - time.monotonic()))
    to_odom.wait_for_all_acked(Duration(seconds=10))


def fill(fields, values):
    """Write numbers into the x, y, z, w of each field."""
    for field, numbers in zip(fields, values, strict=True):
        for name, number in zip("xyzw", numbers, strict=False):
            setattr(field, name, number)


def main():
    """Publish until the duration is over or Ctrl-C comes."""
    import rclpy
    from rclpy.signals import SignalHandlerOptions
    from rclpy.utilities import remove_ros_args

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default=QUADROTOR, help="MJCF file; default: the quadrotor")
    parser.add_argument("--rate", type=float, default=200.0, help="messages per simulated second")
    parser.add_argument("--duration", type=float, default=math.inf, help="simulated seconds")
    parser.add_argument("--real-time-factor", type=float, default=1.0, metavar="FACTOR")
    options = parser.parse_args(remove_ros_args(sys.argv)[1:])
    if not all(x > 0 for x in (options.rate, options.duration, options.real_time_factor)):
        parser.error("--rate, --duration and --real-time-factor must be above 0")
    try:
        engine = Engine(mujoco.MjModel.from_xml_path(str(options.model)))
    except (KeyError, ValueError) as wrong:
        parser.error(wrong.args[0])
    steps = round(NANOSECONDS / options.rate / engine.timestep)
    if round(steps * engine.timestep * options.rate) != NANOSECONDS:
        parser.error(f"--rate: 1/{options.rate:g} s is not a number of timesteps of the model")
    with contextlib.suppress(KeyboardInterrupt):
        print("The node needs: -p use_sim_time:=true", engine.parameters(), flush=True)
        # Without ROS's own handlers Ctrl-C does not come in the middle of a message.
        rclpy.init(args=sys.argv, signal_handler_options=SignalHandlerOptions.NO)
        publish(engine, steps, options.duration, options.real_time_factor)
    rclpy.try_shutdown()
    print(f"{engine.stamp / NANOSECONDS:g} s simulated")


if __name__ == "__main__":
    main()
