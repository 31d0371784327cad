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

"""Where the sensors sit, from the static links of TF."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rclpy.node import Node
from rclpy.time import Time

from ..motion.mount import Mount
from .conversions import quaternion_of, vector_of
from .instrument import Instrument
from .tf_package import LATCHED, frame_name, plain, tf_package


class TfMounts:
    """Follows /tf_static, and tells each IMU its place on the body.

    Parameters
    ----------
    node : Node
    instruments : iterable of Instrument
        Those that take their mount from TF.

    Raises
    ------
    MissingPackageError
        tf2_ros is not installed.
    """

    def __init__(self, node: Node, instruments: Iterable[Instrument]) -> None:
        package, kind = tf_package("a mount from TF")
        self._instruments = list(instruments)
        self._error = package.TransformException
        self._buffer: Any = package.Buffer()
        for instrument in self._instruments:
            body, sensor = _frames(instrument)
            if body == sensor:
                # A frame is where it is, whatever TF knows of it.
                instrument.move(Mount())
        self._subscription = node.create_subscription(kind, "/tf_static", self._receive, LATCHED)

    def _receive(self, message: Any) -> None:
        for transform in message.transforms:
            self._buffer.set_transform_static(plain(transform), "tf")
        for instrument in self._instruments:
            body, sensor = _frames(instrument)
            try:
                place = self._buffer.lookup_transform(body, sensor, Time()).transform
            except self._error:
                continue
            instrument.move(Mount.at(vector_of(place.translation), quaternion_of(place.rotation)))


def _frames(instrument: Instrument) -> tuple[str, str]:
    """Return the names of body and sensor."""
    settings = instrument.settings
    return frame_name(settings.frames.body_frame), frame_name(settings.node.frame_id)
